// Mass mail: a device that contacts many foreign mail servers, as spam bots do.
//
// Mail programs hand mail to the few servers of their own provider; only mail servers deliver to the
// recipients' servers. Counted are distinct outside servers on the mail ports, per hour and per day, answered
// or not: most providers drop a bot's connections, and many networks block them.
//
// Score = base + growth with the number + pace of the busiest hour. Each part only grows.
import { isOneHost } from "../../../kit/net/ip.ts";
import { endsOf } from "../kernel/attempt.ts";
import { countOf, type Detector } from "../kernel/detector.ts";
import type { DetectorInfo, DetectorResult, SubScore } from "../kernel/result.ts";
import { logShare, share, total } from "../kernel/score.ts";
import { defineState, type Field, flag, record } from "../kernel/state/schema.ts";
import {
  addAttempt,
  countsOf,
  firstTrackFields,
  type Track,
  trackFields,
  type TrackState,
} from "../kernel/tracks.ts";
import { duration, plural, within } from "../../../kit/text.ts";
import { titleLine } from "../../../kit/title-line.ts";

const MASS_MAIL: DetectorInfo = {
  modelId: "mass-mail",
  version: "2",
  title: "Mass mail",
  technique: "T1071.003",
  description: "A device that is not a mail server and contacts many mail servers outside.",
  meaning:
    "Only mail servers deliver to the servers of other providers; malware sends spam and tries stolen accounts this way. A newsletter program or a new mail server looks the same.",
  checks: [
    "whether the device is a mail server: then confirm its type",
    "which program on it opens the connections",
    "whether the addresses of the site are on block lists; block outgoing mail of the device until then",
  ],
  sources: "flows",
  baseline: "none",
  reports: ["a device that contacts many external mail servers, answered or not"],
  ignores: ["devices that accept mail themselves, and confirmed mail servers"],
};

/** Delivery between servers, and the two ports on which clients submit mail. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587]);
/** Distinct servers per hour or per day. Large providers alone have a dozen addresses. */
const MIN_SERVERS = { hour: 15, day: 30 } as const;
/** Points for the pattern itself, and the most that number and pace add; servers at which they are full. */
const POINTS = { base: 36, growth: 30, pace: 8 } as const;
const FULL_SERVERS = { number: 400, pace: 150 } as const;
/** Points that the score must rise to report again. */
const RISE = 5;

/** Bytes that an internal host must answer to count as a mail server: a greeting and some replies. */
const MIN_ANSWER_BYTES = 100;
const SECOND = 1_000_000;
const MAX_TRACKS = 1;
const TRACKS_VERSION = 2;
const FIRST_TRACKS_VERSION = 1;

export interface MailState {
  /** The device accepts mail itself: a mail server or relay, which may deliver. */
  serves: boolean;
  servers: TrackState;
}

/** Tracks after their own version, so that `serves` outlasts a change of theirs. */
const TRACKS: Field<TrackState> = {
  ...trackFields(MAX_TRACKS),
  write(out, value) {
    out.varint(TRACKS_VERSION);
    trackFields(MAX_TRACKS).write(out, value);
  },
  read(from) {
    const found = from.varint();
    if (found === TRACKS_VERSION) return trackFields(MAX_TRACKS).read(from);
    if (found === FIRST_TRACKS_VERSION) return firstTrackFields(MAX_TRACKS).read(from);
    throw new RangeError(
      `mail tracks: expected version ${TRACKS_VERSION} or ${FIRST_TRACKS_VERSION}, got ${found}`,
    );
  },
  maxBytes: 1 + trackFields(MAX_TRACKS).maxBytes,
};

/** Keys: a device. */
export const MAIL = defineState<MailState>({
  id: 13,
  name: "mail servers",
  keepDays: 30,
  version: 1,
  empty: () => ({ serves: false, servers: { tracks: [] } }),
  fields: record<MailState>({ serves: flag, servers: TRACKS }),
});

export const MASS_MAIL_DETECTOR: Detector = {
  info: MASS_MAIL,
  states: [MAIL],
  feeds: ["connection"],
  match(sighting, states) {
    const connection = sighting.connection!;
    const { dst, src, proto } = connection;
    if (dst.port === null || !MAIL_PORTS.has(dst.port) || proto !== "tcp") return null;
    // The server's half of a conversation, as seen by an exporter or a sensor that started late.
    if (src.port !== null && src.port < 1024) return null;
    const { client, server } = endsOf(sighting);
    if (server.internal) {
      const { deviceId } = server;
      if (deviceId === null || countOf(connection.bytesIn) < MIN_ANSWER_BYTES) return null;
      const entry = states(MAIL, deviceId);
      return () => {
        if (!entry.state.serves) {
          entry.state.serves = true;
          entry.save(entry.state);
        }
        return null;
      };
    }
    const { deviceId } = client;
    if (deviceId === null || !isOneHost(server.ip)) return null;
    const { site, evidence } = sighting;
    const entry = states(MAIL, deviceId);
    return () => {
      const { state } = entry;
      const at = connection.start;
      const ref = { ...evidence, observedAt: sighting.observation.start };
      const track = addAttempt(state.servers, "port", "mail", { value: server.ip, port: dst.port, at, ref });
      if (track === null) return null;
      entry.save(state);
      if (state.serves || /mail/i.test(site.confirmedType(deviceId) ?? "")) return null;
      const result = evaluate(track, deviceId, site.nameOf(deviceId), server.ip, dst.port!);
      if (result !== null) track.reportedScore = result.score;
      return result;
    };
  },
};

function evaluate(
  track: Track,
  deviceId: string,
  name: string,
  lastIp: string,
  lastPort: number,
): DetectorResult | null {
  const { reportedScore, first, last, low, high } = track;
  const { day: number, hour } = countsOf(track);
  if (hour < MIN_SERVERS.hour && number < MIN_SERVERS.day) return null;
  const subScores: SubScore[] = [
    share("pattern", 1, POINTS.base, "contacts many foreign mail servers, which no mail program needs to do"),
    share(
      "number",
      logShare(number, MIN_SERVERS.hour, FULL_SERVERS.number),
      POINTS.growth,
      `${
        plural(number, "distinct server")
      } (threshold: ${MIN_SERVERS.hour} per hour or ${MIN_SERVERS.day} per day)`,
    ),
    share(
      "pace",
      logShare(hour, MIN_SERVERS.hour, FULL_SERVERS.pace),
      POINTS.pace,
      `${plural(hour, "distinct server")} in the busiest hour`,
    ),
  ];
  const score = total(subScores);
  if (reportedScore > 0 && score < reportedScore + RISE) return null;
  const ports = low === high ? `port ${low}` : `ports ${low} to ${high}`;
  return {
    modelId: MASS_MAIL.modelId,
    modelVersion: MASS_MAIL.version,
    technique: MASS_MAIL.technique,
    at: last,
    firstSeen: first,
    lastSeen: last,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip: null, name: null, port: lastPort }],
    groupKey: deviceId,
    subject: `${name} to mail servers outside`,
    title: titleLine`${name} contacts many mail servers outside, like a spam bot`,
    phrase: "contacting many mail servers outside like a spam bot",
    summary: `${name} opened connections to about ${number} different mail servers outside (${ports}) ` +
      `${within(first, last)} (${duration((last - first) / SECOND)}), most recently to ${lastIp}; ` +
      `${hour} of them within an hour.`,
    explanation:
      "A mail program sends all mail through one or two servers of its provider; only mail servers deliver to " +
      "other providers' servers. This device is not known to be a mail server: no client hands mail to it. Malware " +
      "sends spam and tries stolen mail accounts this way. A newsletter program or a newly installed mail server " +
      `would also explain it; confirm the device type in that case. Check which program on ${name} opens the ` +
      "connections, and block its outgoing mail before the site's addresses end up on block lists.",
    score,
    confidence: Math.round((0.6 + 0.35 * subScores[1]!.value) * 100) / 100,
    subScores,
    modifiers: [],
    evidence: [...track.refs],
  };
}
