// TLS that does not say to whom it speaks, and TLS of a client program that nobody else has.
//
// A name is asked for by nearly every program that goes to a name. Who goes to a bare address again and again, on a port
// of its own, is a peer-to-peer program, an appliance, or an implant. The score grows with what they do not share: few
// such servers, an odd port, a client that is new here.
import type { TlsFacts } from "../../record/facts.ts";
import { isNameless, isVouchedFor } from "../kernel/certificate-faults.ts";
import type { Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { executableFetchedBefore } from "./suspicious-fetch.ts";
import { type Fetch, FETCHES } from "../kernel/fetches.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordUse,
  usageModifier,
  usageSentence,
} from "../kernel/destination-usage.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import {
  addFingerprint,
  FINGERPRINTS,
  isRareFingerprint,
  MANY_NAMELESS,
  MAX_TLS_DESTINATIONS,
  recordFingerprint,
  TLS_CLIENTS,
  type TlsClient,
  type TlsDestination,
} from "./state.ts";
import { MAIL_PORTS, TLS_PORTS } from "../kernel/tls-ports.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { duration, hostPort, plural, within } from "../kernel/wording.ts";

/** No server's name asked for. */
const NAMELESS_POINTS = 7;
/** Sessions: a few are chance. */
const MIN_SESSIONS = 3;
const FULL_SESSIONS = 100;
const SESSION_POINTS = { nameless: 12, named: 8 } as const;
/** A port that is none of TLS. */
const ODD_PORT_POINTS = 14;
/** A client that is new since the learning was complete, and of one device only; in a network of so many devices. */
const RARE_PRINT_POINTS = 12;
export const RARE_CLIENT_DEVICES = 5;
/** A program was fetched from the same address shortly before. */
const AFTER_FETCH_POINTS = 22;
const AFTER_FETCH_SECONDS = 3600;
/** As peer-to-peer programs and games do. */
const MANY_SERVERS_POINTS = -14;

const SECOND = 1_000_000;
/** Services that clients reach by address by design: resolvers, SIP, remote desktop, databases. */
const BY_ADDRESS: ReadonlySet<number> = new Set([853, 1433, 3306, 3389, 5061, 5349, 5432]);

interface Circumstances {
  users: number;
  deviceCount: number;
  deviceName: string;
  /** A program that the device fetched from the same address shortly before. */
  fetch: Fetch | null;
  many: boolean;
}

/** What to do about a handshake. */
export function matchTls(
  sighting: Sighting,
  facts: TlsFacts,
  info: DetectorInfo,
  need: StateLookup,
): Evaluate | null {
  const { proto, start } = sighting.observation;
  const who = outbound(sighting);
  if (who === null || proto !== "tcp" || MAIL_PORTS.has(who.port) || BY_ADDRESS.has(who.port)) return null;
  const print = facts.ja4 ?? facts.ja3;
  const nameless = isNameless(facts.serverName) && !isVouchedFor(facts, start);
  if (print === null && !nameless) return null;
  const { ip } = who.peer;
  const clients = need(TLS_CLIENTS, who.deviceId);
  const prints = need(FINGERPRINTS, "");
  const fetches = nameless ? need(FETCHES, who.deviceId) : null;
  const use = need(PREVALENCE, `peer ${ip}`);
  return () => {
    const client = clients.state;
    let rarePrint = false;
    if (print !== null) {
      const hash = hash32(print);
      const user = hash32(who.deviceId);
      if (recordFingerprint(client, hash) === "new") clients.save(client);
      else if (addFingerprint(prints.state, hash, user, sighting.learned)) {
        prints.save(prints.state);
      }
      rarePrint = sighting.deviceCount >= RARE_CLIENT_DEVICES && isRareFingerprint(prints.state, hash, user);
    }
    // Who looked the name up and does not say it is an old client, or a simple one, and goes to no bare address.
    const bare = nameless && use.state.asked === null;
    if (!bare && !rarePrint) return null;
    if (bare) client.unnamedServers.add(`${ip} ${who.port}`);
    const place = see(client, who, facts, sighting, rarePrint);
    const result = judge(place, who, sighting, info, {
      users: use.state.users.count,
      deviceCount: sighting.deviceCount,
      deviceName: sighting.site.nameOf(who.deviceId),
      fetch: fetches && executableFetchedBefore(fetches.state, ip, start, AFTER_FETCH_SECONDS * SECOND),
      many: client.unnamedServers.count >= MANY_NAMELESS,
    });
    clients.save(client);
    return result;
  };
}

function see(
  { destinations }: TlsClient,
  { peer: { ip }, port }: Outbound,
  { serverName, ja3, ja4 }: TlsFacts,
  { observation: { start }, evidence }: Sighting,
  rarePrint: boolean,
): TlsDestination {
  const place = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), fingerprint: null, serverName: null, isRare: false },
    MAX_TLS_DESTINATIONS,
    start,
  );
  if (rarePrint && !place.isRare) place.evaluatedCount = 0;
  place.isRare ||= rarePrint;
  place.fingerprint = boundedText(ja4 ?? ja3) ?? place.fingerprint;
  place.serverName = isNameless(serverName) ? null : boundedText(serverName);
  recordUse(place, start, evidence);
  return place;
}

function judge(
  place: TlsDestination,
  { deviceId }: Outbound,
  { site }: Sighting,
  info: DetectorInfo,
  circumstances: Circumstances,
): DetectorResult | null {
  const first = circumstances.fetch === null ? MIN_SESSIONS : 1;
  if (!isDueCount(place.count, place.evaluatedCount, first)) return null;
  place.evaluatedCount = place.count;
  const [subScores, modifiers] = weigh(place, circumstances);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= place.reportedScore) return null;
  place.reportedScore = score;
  const { ip, port, serverName, firstSeen, lastSeen } = place;
  return {
    modelId: info.modelId,
    modelVersion: info.version,
    technique: TLS_PORTS.has(port) ? "T1573" : "T1571",
    at: lastSeen,
    firstSeen,
    lastSeen,
    deviceId,
    deviceIds: [deviceId],
    destinations: [{ ip, name: serverName, port }],
    groupKey: `${deviceId}|tls|${ip}|${port}`,
    subject: `TLS from ${site.nameOf(deviceId)} to ${hostPort(ip, port)}`,
    ...describe(place, circumstances),
    score,
    confidence: place.isRare || circumstances.fetch !== null ? 0.6 : 0.4,
    subScores,
    modifiers,
    evidence: [...(circumstances.fetch?.refs ?? []), ...place.refs],
  };
}

function weigh(
  place: TlsDestination,
  { users, deviceCount, fetch, many }: Circumstances,
): [SubScore[], SubScore[]] {
  const { port, count, serverName, isRare } = place;
  const sessions = serverName === null ? SESSION_POINTS.nameless : SESSION_POINTS.named;
  const subScores = [
    ...(serverName === null
      ? [share("no_server_name", 1, NAMELESS_POINTS, "the client asks for no name")]
      : []),
    share("sessions", logShare(count, 1, FULL_SESSIONS), sessions, plural(count, "session")),
  ];
  const modifiers = [
    TLS_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is no usual one for TLS`),
    isRare
      ? extra(
        "rare_client",
        RARE_PRINT_POINTS,
        `no other of ${deviceCount} devices has this TLS client, which is new here`,
      )
      : null,
    fetch === null ? null : extra(
      "after_fetch",
      AFTER_FETCH_POINTS,
      `a program was fetched from port ${fetch.port} of the same address before`,
    ),
    many
      ? extra(
        "many_servers",
        MANY_SERVERS_POINTS,
        "the device has many such servers, as peer-to-peer programs do",
      )
      : null,
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  return [subScores, modifiers];
}

function describe(place: TlsDestination, { users, deviceCount, deviceName, fetch }: Circumstances) {
  const { ip, port, fingerprint, serverName, count, firstSeen, lastSeen, isRare } = place;
  const peer = hostPort(ip, port);
  const how = serverName === null ? "without a server's name" : "by a program that nobody else has";
  const before = fetch === null
    ? ""
    : ` ${
      duration(Math.max(0, firstSeen - fetch.lastSeen) / SECOND)
    } before, it fetched a program from port ${fetch.port} of the same address.`;
  return {
    title: `TLS ${how}: ${deviceName} to ${peer}`,
    phrase: `TLS to ${peer} ${how}`,
    summary:
      `${deviceName} opened ${plural(count, "TLS session")} to ${
        serverName === null ? `the bare address ${peer}` : `${serverName} (${peer})`
      } ` +
      `${within(firstSeen, lastSeen)}${
        fingerprint === null ? "" : `, with the client fingerprint ${fingerprint}`
      }.${before}`,
    explanation:
      `${
        serverName === null
          ? "Browsers and nearly all programs name the server they want. Who goes to a bare address is often an implant with a " +
            "fixed server; some appliances, games and peer-to-peer programs do it, too."
          : "The fingerprint tells which TLS library a program is built on, so this program is new here."
      }${
        isRare && serverName === null
          ? " The client program is new here as well, and no other device has it."
          : ""
      } ` +
      `${
        usageSentence(users, deviceCount)
      } Find out which program on ${deviceName} opens these sessions, who runs ${ip}, and ` +
      `whether other devices show the same fingerprint.`,
  };
}
