// A device that talks to many mail servers of others: what a spam bot does, and no workstation.
//
// A mail program knows the one or few servers of its owner's providers; delivering to the recipients' own servers is the
// business of mail servers. So distinct outside servers on the mail ports are counted, answered or not (most providers
// drop a bot's connections, many networks block them), within an hour and within a day.
//
// Score = base + growth with the number + pace of the busiest hour. Each part only grows.
import { isOneHost } from "../../../kit/net/ip.ts";
import { endsOf } from "../kernel/attempt.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import { countOf, type Detector, type StateType } from "../kernel/detector.ts";
import { type DetectorInfo, type DetectorResult, roundScore, type SubScore } from "../kernel/result.ts";
import {
  addKnock,
  countsOf,
  decodeScan,
  encodeScan,
  type ScanState,
  type Track,
  weighScan,
} from "../kernel/tracks.ts";
import { clamp01 } from "../kernel/stats.ts";
import { duration, plural, within } from "../kernel/wording.ts";

const MASS_MAIL: DetectorInfo = {
  modelId: "mass-mail",
  version: "1",
  title: "Mass mail",
  technique: "T1071.003",
  description: "A device that is no mail server and talks to many mail servers outside.",
};

/** Delivery between servers, and the two ports on which clients hand in mail. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587]);
/** Distinct servers in an hour, or in a day, that are remarkable: the large providers alone have a dozen addresses. */
const MIN_SERVERS = { hour: 15, day: 30 } as const;
/** Points of the pattern as such, and what number and pace may add; full at so many. */
const POINTS = { base: 36, growth: 30, pace: 8 } as const;
const FULL_SERVERS = { number: 400, pace: 150 } as const;
/** A result is given again where its score has risen by so much. */
const RISE = 5;

/** Answers of so many bytes make an inside host a mail server: a greeting and some commands. */
const MIN_ANSWER_BYTES = 100;
const SECOND = 1_000_000;
const VERSION = 1;

interface MailState {
  /** It takes mail itself: it is a mail server, or a relay, and may deliver. */
  serves: boolean;
  servers: ScanState;
}

/** Keys: a device. At most about 600 bytes. */
export const MAIL: StateType<MailState> = {
  id: 13,
  name: "mail",
  keepDays: 30,
  empty: () => ({ serves: false, servers: { tracks: [] } }),
  encode: ({ serves, servers }) => {
    const tracks = encodeScan(servers);
    const out = new ByteWriter(8 + tracks.length);
    out.varint(VERSION);
    out.varint(serves ? 1 : 0);
    const head = out.bytes();
    const bytes = new Uint8Array(head.length + tracks.length);
    bytes.set(head);
    bytes.set(tracks, head.length);
    return bytes;
  },
  decode: (bytes) => {
    const from = new ByteReader(bytes.subarray(0, 2));
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`mail state: expected version ${VERSION}, got ${version}`);
    return { serves: from.varint() === 1, servers: decodeScan(bytes.subarray(2)) };
  },
  size: ({ servers }) => 48 + weighScan(servers),
};

export const MASS_MAIL_DETECTOR: Detector = {
  info: MASS_MAIL,
  states: [MAIL],
  feeds: ["connection"],
  match(sighting, need) {
    const connection = sighting.connection!;
    const { dst, src, proto } = connection;
    if (dst.port === null || !MAIL_PORTS.has(dst.port) || proto !== "tcp") return null;
    // The server's half of a conversation, as an exporter or a late sensor tells it.
    if (src.port !== null && src.port < 1024) return null;
    const { client, server } = endsOf(sighting);
    if (server.internal) {
      const { deviceId } = server;
      if (deviceId === null || countOf(connection.bytesIn) < MIN_ANSWER_BYTES) return null;
      const slot = need(MAIL, deviceId);
      return () => {
        if (!slot.state.serves) {
          slot.state.serves = true;
          slot.save(slot.state);
        }
        return null;
      };
    }
    const { deviceId } = client;
    if (deviceId === null || !isOneHost(server.ip)) return null;
    const { site, evidence } = sighting;
    const slot = need(MAIL, deviceId);
    return () => {
      const { state } = slot;
      const at = connection.start;
      const ref = { ...evidence, observedAt: sighting.observation.start };
      const track = addKnock(state.servers, "port", "mail", { value: server.ip, port: dst.port, at, ref });
      if (track === null) return null;
      slot.save(state);
      if (state.serves || /mail/i.test(site.confirmedType(deviceId) ?? "")) return null;
      const result = evaluate(track, deviceId, site.nameOf(deviceId), server.ip, dst.port!);
      if (result !== null) track.reported = result.score;
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
  const { reported, first, last, low, high } = track;
  const { day: number, hour } = countsOf(track);
  if (hour < MIN_SERVERS.hour && number < MIN_SERVERS.day) return null;
  const subScores: SubScore[] = [
    {
      name: "pattern",
      value: 1,
      weight: POINTS.base,
      detail: "many mail servers of others, as no mail program needs",
    },
    {
      name: "number",
      value: logShare(number, FULL_SERVERS.number),
      weight: POINTS.growth,
      detail: `${plural(number, "different server")}, where ${MIN_SERVERS.hour} in an hour are remarkable`,
    },
    {
      name: "pace",
      value: logShare(hour, FULL_SERVERS.pace),
      weight: POINTS.pace,
      detail: `${plural(hour, "different server")} in the busiest hour`,
    },
  ];
  const score = roundScore(subScores.reduce((sum, part) => sum + part.value * part.weight, 0));
  if (reported > 0 && score < reported + RISE) return null;
  const ports = low === high ? `port ${low}` : `ports from ${low} to ${high}`;
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
    title: `${name} talks to about ${number} mail servers outside, as spam bots do`,
    phrase: `contacting about ${number} mail servers outside like a spam bot`,
    summary: `${name} opened connections to about ${number} different mail servers outside (${ports}) ` +
      `${within(first, last)} (${duration((last - first) / SECOND)}), the last of them ${lastIp}; ` +
      `${hour} of them within an hour.`,
    explanation:
      "A mail program hands all its mail to one or two servers of its own provider; only mail servers deliver " +
      "to everybody's, and this device is not known to be one: nothing hands mail to it. Malware sends spam and tries " +
      "stolen mail accounts like this. A newsletter program or a mail server that is new here explains it as well: " +
      `confirm its type then. Check which program on ${name} opens the connections, and block outgoing mail from it ` +
      "before the site's addresses are put on block lists.",
    score,
    confidence: Math.round((0.6 + 0.35 * subScores[1]!.value) * 100) / 100,
    subScores,
    modifiers: [],
    evidence: [...track.refs],
  };
}

function logShare(count: number, full: number): number {
  const share = Math.log(Math.max(count, MIN_SERVERS.hour) / MIN_SERVERS.hour) /
    Math.log(full / MIN_SERVERS.hour);
  return Math.round(clamp01(share) * 1000) / 1000;
}
