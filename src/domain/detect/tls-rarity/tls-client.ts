// TLS without a server name, and TLS from a client that no other device uses.
//
// Nearly every program sends the name of the server it connects to. Repeated sessions to a bare address come from
// peer-to-peer programs, appliances or implants. The score grows with what distinguishes implants: few such servers, an
// unusual port, a new client.
import type { TlsFacts } from "../../record/facts.ts";
import { isNameless, isTrusted } from "../kernel/certificate-faults.ts";
import {
  addDestination,
  boundedText,
  findDestination,
  newDestination,
  type Outbound,
  outbound,
  recordSession,
  usageModifier,
  usageSentence,
} from "../kernel/destination-usage.ts";
import type { Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { executableFetchedBefore, type Fetch, FETCHES } from "../kernel/fetches.ts";
import { PREVALENCE } from "../kernel/prevalence.ts";
import { type DetectorInfo, type DetectorResult, REPORT_SCORE, type SubScore } from "../kernel/result.ts";
import { extra, isDueCount, logShare, share, total } from "../kernel/score.ts";
import { hash32 } from "../kernel/state/distinct.ts";
import { MAIL_PORTS, TLS_PORTS } from "../kernel/tls-ports.ts";
import { atLeast, duration, hostPort, plural, within } from "../../../kit/text.ts";
import {
  addFingerprint,
  FINGERPRINTS,
  isRareFingerprint,
  MANY_UNNAMED,
  MAX_TLS_DESTINATIONS,
  MIN_DEVICES,
  recordFingerprint,
  TLS_CLIENTS,
  type TlsClient,
  type TlsDestination,
} from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

/** The client sent no server name. */
const NAMELESS_POINTS = 7;
/** Fewer sessions may be chance. */
const MIN_SESSIONS = 3;
const FULL_SESSIONS = 100;
const SESSION_POINTS = { nameless: 12, named: 8 } as const;
const ODD_PORT_POINTS = 14;
/** A client that is new since the learning phase and used by one device only. */
const RARE_CLIENT_POINTS = 12;
/** An executable was fetched from the same address within AFTER_FETCH_SECONDS before. */
const AFTER_FETCH_POINTS = 22;
const AFTER_FETCH_SECONDS = 3600;
/** Many such servers suggest a peer-to-peer program or a game. */
const MANY_SERVERS_POINTS = -14;

const SECOND = 1_000_000;
/** Services that clients reach by address by design: DNS over TLS, SIP, TURN, remote desktop, databases. */
const BY_ADDRESS: ReadonlySet<number> = new Set([853, 1433, 3306, 3389, 5061, 5349, 5432]);

interface Context {
  users: number;
  deviceCount: number;
  deviceName: string;
  /** An executable that the device fetched from the same address shortly before. */
  fetch: Fetch | null;
  /** The device has many such servers. */
  many: boolean;
}

/** Null for a handshake that is not outbound or is ordinary. */
export function matchTls(
  sighting: Sighting,
  facts: TlsFacts,
  info: DetectorInfo,
  states: StateLookup,
): Evaluate | null {
  const { proto, start } = sighting.observation;
  const contact = outbound(sighting);
  if (contact === null || proto !== "tcp" || MAIL_PORTS.has(contact.port) || BY_ADDRESS.has(contact.port)) {
    return null;
  }
  const fingerprint = facts.ja4 ?? facts.ja3;
  const nameless = isNameless(facts.serverName) && !isTrusted(facts, start);
  if (fingerprint === null && !nameless) return null;
  const { ip } = contact.peer;
  const clients = states(TLS_CLIENTS, contact.deviceId);
  const fingerprints = states(FINGERPRINTS, "");
  const fetches = nameless ? states(FETCHES, contact.deviceId) : null;
  const prevalence = states(PREVALENCE, `peer ${ip}`);
  return () => {
    const client = clients.state;
    let isRare = false;
    if (fingerprint !== null) {
      const hash = hash32(fingerprint);
      const user = hash32(contact.deviceId);
      if (recordFingerprint(client, hash) === "new") clients.save(client);
      else if (addFingerprint(fingerprints.state, hash, user, sighting.learned)) {
        fingerprints.save(fingerprints.state);
      }
      isRare = sighting.deviceCount >= MIN_DEVICES && isRareFingerprint(fingerprints.state, hash, user);
    }
    // A client that looked the name up but omits it from the handshake is merely old or simple.
    const toBareAddress = nameless && prevalence.state.lookedUpAt === null;
    if (!toBareAddress && !isRare) return null;
    if (toBareAddress) client.unnamedServers.add(`${ip} ${contact.port}`);
    const destination = addSession(client, contact, facts, sighting, isRare);
    const result = evaluate(destination, contact, sighting, info, {
      users: prevalence.state.users.count,
      deviceCount: sighting.deviceCount,
      deviceName: sighting.site.nameOf(contact.deviceId),
      fetch: fetches && executableFetchedBefore(fetches.state, ip, start, AFTER_FETCH_SECONDS * SECOND),
      many: client.unnamedServers.count >= MANY_UNNAMED,
    });
    clients.save(client);
    return result;
  };
}

function addSession(
  { destinations }: TlsClient,
  { peer: { ip }, port }: Outbound,
  { serverName, ja3, ja4 }: TlsFacts,
  { observation: { start }, evidence }: Sighting,
  isRare: boolean,
): TlsDestination {
  const destination = findDestination(destinations, ip, port, start) ?? addDestination(
    destinations,
    { ...newDestination(ip, port), fingerprint: null, serverName: null, isRare: false },
    MAX_TLS_DESTINATIONS,
    start,
  );
  if (isRare && !destination.isRare) destination.evaluatedCount = 0;
  destination.isRare ||= isRare;
  destination.fingerprint = boundedText(ja4 ?? ja3) ?? destination.fingerprint;
  destination.serverName = isNameless(serverName) ? null : boundedText(serverName);
  recordSession(destination, start, evidence);
  return destination;
}

function evaluate(
  destination: TlsDestination,
  { deviceId }: Outbound,
  { site }: Sighting,
  info: DetectorInfo,
  context: Context,
): DetectorResult | null {
  const first = context.fetch === null ? MIN_SESSIONS : 1;
  if (!isDueCount(destination.count, destination.evaluatedCount, first)) return null;
  destination.evaluatedCount = destination.count;
  const [subScores, modifiers] = scoreOf(destination, context);
  const score = total(subScores, modifiers);
  if (score < REPORT_SCORE || score <= destination.reportedScore) return null;
  destination.reportedScore = score;
  const { ip, port, serverName, firstSeen, lastSeen } = destination;
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
    ...describe(destination, context),
    score,
    confidence: destination.isRare || context.fetch !== null ? 0.6 : 0.4,
    subScores,
    modifiers,
    evidence: [...(context.fetch?.refs ?? []), ...destination.refs],
  };
}

function scoreOf(
  { port, count, serverName, isRare }: TlsDestination,
  { users, deviceCount, fetch, many }: Context,
): [SubScore[], SubScore[]] {
  const sessionPoints = serverName === null ? SESSION_POINTS.nameless : SESSION_POINTS.named;
  const subScores = [
    ...(serverName === null
      ? [share("no_server_name", 1, NAMELESS_POINTS, "the client sends no server name")]
      : []),
    share("sessions", logShare(count, 1, FULL_SESSIONS), sessionPoints, plural(count, "session")),
  ];
  const modifiers = [
    TLS_PORTS.has(port) ? null : extra("odd_port", ODD_PORT_POINTS, `port ${port} is unusual for TLS`),
    isRare
      ? extra(
        "rare_client",
        RARE_CLIENT_POINTS,
        `new TLS client that no other device of ${deviceCount} uses`,
      )
      : null,
    fetch === null ? null : extra(
      "after_fetch",
      AFTER_FETCH_POINTS,
      `an executable was fetched from port ${fetch.port} of the same address before`,
    ),
    many
      ? extra(
        "many_servers",
        MANY_SERVERS_POINTS,
        "the device contacts many such servers, as peer-to-peer programs do",
      )
      : null,
    usageModifier(users, deviceCount),
  ].filter((one) => one !== null);
  return [subScores, modifiers];
}

function describe(destination: TlsDestination, { users, deviceCount, deviceName, fetch }: Context) {
  const { ip, port, fingerprint, serverName, count, firstSeen, lastSeen, isRare } = destination;
  const peer = hostPort(ip, port);
  const kind = serverName === null ? "without a server name" : "from a rare client";
  const before = fetch === null
    ? ""
    : ` It had fetched an executable from port ${fetch.port} of the same address ${
      duration(Math.max(0, firstSeen - fetch.lastSeen) / SECOND)
    } before.`;
  return {
    title: titleLine`TLS ${kind}: ${deviceName} to ${peer}`,
    phrase: `TLS to ${peer} ${kind}`,
    summary: `${deviceName} opened ${atLeast(count, "TLS session")} to ${
      serverName === null ? `the bare address ${peer}` : `${serverName} (${peer})`
    } ${within(firstSeen, lastSeen)}${
      fingerprint === null ? "" : `, with the client fingerprint ${fingerprint}`
    }.${before}`,
    explanation:
      `${
        serverName === null
          ? "Browsers and nearly all programs send the server's name. Sessions to a bare address often come from an " +
            "implant with a fixed server, but also from some appliances, games and peer-to-peer programs."
          : "A fingerprint identifies the TLS library of a program, so this program is new here."
      }${
        isRare && serverName === null
          ? " The client program is new as well, and no other device uses it."
          : ""
      } ${
        usageSentence(users, deviceCount)
      } Find out which program on ${deviceName} opens these sessions, who runs ` +
      `${ip}, and whether other devices show the same fingerprint.`,
  };
}
