// What a record adds to the counts of a flood: packets for UDP and ICMP, failed connections for TCP.
import { endsOf, failedAttempt, isReplyHalf } from "../kernel/attempt.ts";
import { PERIODIC_UDP_PORTS } from "../kernel/callback/candidate.ts";
import { type Connection, countOf, type Party, type Sighting } from "../kernel/detector.ts";

/**
 * To hosts outside, smaller UDP and ICMP flows are not part of a flood unless their packets are large. This
 * rejects nearly all lookups, calls and file sharing.
 */
const MIN_FLOW_PACKETS = 10;
/** Bytes per packet of a volumetric flood; lookups and peer discovery send fewer. */
const LARGE_PACKET = 400;
/** UDP with more received packets per sent one is a conversation. ICMP is answered by design. */
export const ANSWERED = 0.1;
/** A SYN and the reset of an unwanted answer; a completed handshake that ends takes three packets. */
const MAX_OPENING_PACKETS = 2;
/** Repeated SYNs without an answer. */
const MAX_SILENT_PACKETS = 8;
/** SYN-ACKs that a server repeats to a forged source. */
const MAX_ANSWER_PACKETS = 8;
/** Most bytes of a packet without payload, including the link layer's header, which Suricata counts. */
const EMPTY_PACKET_BYTES = 80;
/** One in this many answered connections is counted, as this many: the share matters, not the number. */
const SAMPLING = 16;
/**
 * Ports of one-way streams: QUIC and calls (some sensors see one direction only), logs, traps, metrics, flow
 * export, tunnels.
 */
const STREAM_PORTS: ReadonlySet<number> = new Set([
  162,
  443,
  500,
  514,
  1194,
  1514,
  2055,
  3478,
  3479,
  3480,
  3481,
  4500,
  4739,
  4789,
  5140,
  6343,
  8125,
  9995,
  9996,
  12_201,
  19_302,
  51_820,
]);
/** Ports whose requests are small: a sensor that sees one direction shows a busy resolver as unanswered. */
const REQUEST_PORTS: ReadonlySet<number> = new Set([53, 88, 161, 389, 1812, 1813, 3389]);

const ECHOES: ReadonlySet<number> = new Set([8, 128]);
const ECHO_REPLIES: ReadonlySet<number> = new Set([0, 129]);

/** What one record adds, in the direction in which it was sent. */
export interface Counted {
  client: Party;
  server: Party;
  sent: number;
  answered: number;
  bytes: number;
}

/** What came back: to the sender of a flood, or a connection that carried data. */
export interface Answer {
  client: Party;
  server: Party;
  answered: number;
}

/** A failed connection of a TCP record; null for any other record. */
export function countAttempt(sighting: Sighting): Counted | null {
  const connection = sighting.connection!;
  if (connection.exporterDirection) {
    const attempt = failedAttempt(sighting);
    if (attempt === null) return null;
    const { client, server } = attempt;
    return { client, server, sent: 1, answered: 0, bytes: connection.newBytesOut };
  }
  if (!connection.first || !isHalfOpen(connection)) return null;
  const { src, dst } = connection;
  if (src.ip === dst.ip || dst.port === null || dst.port === 0 || isReplyHalf(src, dst)) return null;
  return { ...endsOf(sighting), sent: 1, answered: 0, bytes: countOf(connection.bytesOut) };
}

/**
 * Whether no connection came about. A record without packets counts: a sensor writes it when a flood
 * overruns it.
 */
function isHalfOpen({ packetsOut, packetsIn, bytesOut, bytesIn }: Connection): boolean {
  if (packetsOut === null || packetsIn === null) return false;
  const out = Number(packetsOut);
  const back = Number(packetsIn);
  if (back > MAX_ANSWER_PACKETS || out > (back === 0 ? MAX_SILENT_PACKETS : MAX_OPENING_PACKETS)) {
    return false;
  }
  return countOf(bytesOut) <= out * EMPTY_PACKET_BYTES && countOf(bytesIn) <= back * EMPTY_PACKET_BYTES;
}

/**
 * A sampled TCP connection that carried data both ways; null for the others. The sample depends on the flow's
 * id alone.
 */
export function countConversation(sighting: Sighting): Answer | null {
  const { first, flowId, bytesIn, packetsIn, packetsOut, exporterDirection } = sighting.connection!;
  if (!first || exporterDirection || !flowId.endsWith("0")) return null;
  if (countOf(packetsOut) <= MAX_OPENING_PACKETS) return null;
  if (countOf(bytesIn) <= countOf(packetsIn) * EMPTY_PACKET_BYTES) return null;
  return { ...endsOf(sighting), answered: SAMPLING };
}

/** The UDP or ICMP packets of a record; null if they are no part of a flood. */
export function countPackets(sighting: Sighting, isIcmp: boolean): Counted | null {
  const connection = sighting.connection!;
  const { icmp } = sighting.observation;
  // Other ICMP types report on packets of another sender.
  if (isIcmp && icmp !== null && !ECHOES.has(icmp.type)) return null;
  const counted = connection.exporterDirection ? exportedPackets(sighting, isIcmp) : sessionPackets(sighting);
  if (counted === null || counted.sent === 0) return null;
  const { server, client, sent, answered, bytes } = counted;
  const { port } = server;
  if (!isIcmp && answered > sent * ANSWERED) return null;
  if (!isIcmp && (port === null || STREAM_PORTS.has(port) || PERIODIC_UDP_PORTS.has(port))) return null;
  const isLarge = bytes >= sent * LARGE_PACKET;
  if (!isIcmp && port !== null && REQUEST_PORTS.has(port) && !isLarge) return null;
  if (!server.internal && sent < MIN_FLOW_PACKETS && (isIcmp || !isLarge)) return null;
  // Answers of a server outside, seen in one direction only.
  if (!isIcmp && !client.internal && (client.port ?? 0) < 1024) return null;
  if (!isIcmp && !client.internal && STREAM_PORTS.has(client.port ?? 0)) return null;
  return counted;
}

function sessionPackets(sighting: Sighting): Counted | null {
  const { bytesOut, newBytesOut, first, packetsOut, packetsIn } = sighting.connection!;
  const all = countOf(bytesOut);
  // For a growing flow only the new bytes are known; its packets are taken to have grown in proportion.
  const grown = first ? 1 : all === 0 ? 0 : Math.min(1, newBytesOut / all);
  if (grown === 0) return null;
  return {
    ...endsOf(sighting),
    sent: Math.round(countOf(packetsOut) * grown),
    answered: Math.round(countOf(packetsIn) * grown),
    bytes: newBytesOut,
  };
}

/** One direction of an exporter: each record reports what is new, and answers are records of their own. */
function exportedPackets(sighting: Sighting, isIcmp: boolean): Counted | null {
  const { src, dst, observation: { counters } } = sighting;
  if (isExportedAnswer(sighting, isIcmp)) return null;
  const sent = countOf(counters?.srcToDst.packets ?? null);
  return { client: src, server: dst, sent, answered: 0, bytes: countOf(counters?.srcToDst.bytes ?? null) };
}

/** Packets that an exporter reports from the target back to the source; null for any other record. */
export function countAnswer(sighting: Sighting, isIcmp: boolean): Answer | null {
  const { connection, src, dst, observation: { counters } } = sighting;
  if (!connection!.exporterDirection || !isExportedAnswer(sighting, isIcmp)) return null;
  const answered = countOf(counters?.srcToDst.packets ?? null);
  return answered < MIN_FLOW_PACKETS ? null : { client: dst, server: src, answered };
}

function isExportedAnswer({ src, dst, observation: { icmp } }: Sighting, isIcmp: boolean): boolean {
  if (isIcmp) return icmp !== null && ECHO_REPLIES.has(icmp.type);
  return src.deviceId === null || (dst.deviceId !== null && (src.port ?? 0) < (dst.port ?? 0));
}
