// Which end opened a connection, and whether the attempt failed.
import { SERVER_PORTS } from "../../device/classify/roles.ts";
import type { Count, Endpoint, Micros } from "../../record/observation.ts";
import { type Connection, countOf, type Party, type Sighting } from "./detector.ts";

/** Most packets of a failed attempt: retries and refusals. */
const MAX_FAILED_PACKETS = { out: 8, in: 3 } as const;
/** Most bytes of a packet without payload, including the link layer's header, which Suricata counts. */
const EMPTY_PACKET_BYTES = 80;
/** The same for an exporter, which does not count the link layer. */
const EMPTY_EXPORTED_BYTES = 64;
/** Most packets of a failed attempt in a one-way record without flags. */
const MAX_BLIND_PACKETS = 3;
/** An originator sends a SYN and an ACK at least; one packet with both is a server's. */
const MIN_OPENED_PACKETS = 2;
const SERVICES: ReadonlySet<number> = new Set(SERVER_PORTS);
const SYN = 0x02;
const PSH = 0x08;
const ACK = 0x10;

/** A connection in the direction in which its client opened it. */
export interface Attempt {
  client: Party;
  server: Party;
  /** The server's port; null for ICMP. */
  port: number | null;
  proto: string;
  at: Micros;
}

/** The ends of a flow in its own direction: the flow may have been turned against the observation. */
export function endsOf({ connection, src, dst }: Sighting): { client: Party; server: Party } {
  const straight = connection!.src.ip === src.ip && connection!.src.port === src.port;
  return straight ? { client: src, server: dst } : { client: dst, server: src };
}

/** The server's half of a conversation whose start was not seen: from a service port to a client's port. */
export function isReplyHalf(src: Endpoint, dst: Endpoint): boolean {
  if (src.port === null || dst.port === null || dst.port < 1024) return false;
  return src.port < 1024 || (SERVICES.has(src.port) && !SERVICES.has(dst.port));
}

/**
 * The failed attempt of a sighting: no answer, a refusal, or no payload. Null for anything else; the counters
 * decide most.
 */
export function failedAttempt(sighting: Sighting): Attempt | null {
  const connection = sighting.connection!;
  if (connection.exporterDirection) return failedExport(sighting);
  if (!connection.first || !isFailedAttempt(connection)) return null;
  const { src, dst, proto, start } = connection;
  if (src.ip === dst.ip || isReplyHalf(src, dst)) return null;
  const { client, server } = endsOf(sighting);
  if (proto === "tcp" || proto === "udp") {
    return dst.port === null || dst.port === 0 ? null : { client, server, port: dst.port, proto, at: start };
  }
  return isEcho(sighting) ? { client, server, port: null, proto: "icmp", at: start } : null;
}

/** Whether the counters show a failed attempt; false if the packets are unknown. */
export function isFailedAttempt({ packetsOut, packetsIn, bytesOut, bytesIn, proto }: Connection): boolean {
  if (packetsOut === null || packetsIn === null) return false;
  const out = Number(packetsOut);
  const back = Number(packetsIn);
  if (out < 1 || out > MAX_FAILED_PACKETS.out || back > MAX_FAILED_PACKETS.in) return false;
  if (proto !== "tcp") return back === 0;
  return isEmpty(bytesOut, out) && isEmpty(bytesIn, back);
}

function isEmpty(bytes: Count | null, packets: number): boolean {
  return countOf(bytes) <= packets * EMPTY_PACKET_BYTES;
}

/**
 * An exporter reports each direction separately, so its flags must show it: a SYN without an ACK. Without
 * flags, or if the connection was opened, a few empty packets from a client's port to a service port count as
 * a failed attempt, unless the exporter samples or data was pushed.
 */
function failedExport({ observation, src, dst, connection }: Sighting): Attempt | null {
  const { proto, counters, facts } = observation;
  if (proto !== "tcp" || counters === null || src.ip === dst.ip) return null;
  if (src.port === null || dst.port === null || dst.port === 0) return null;
  const exported = facts?.type === "export" ? facts : null;
  const flags = exported?.tcpFlags ?? null;
  if (flags !== null && (flags & SYN) === 0) return null;
  if (flags === null || (flags & ACK) !== 0) {
    const { bytes, packets } = counters.srcToDst;
    if (!connection!.first || exported?.samplingRate != null || bytes === null || packets === null) {
      return null;
    }
    const sent = Number(packets);
    if (countOf(bytes) > sent * EMPTY_EXPORTED_BYTES) return null;
    const isAttempt = flags === null
      ? sent <= MAX_BLIND_PACKETS
      : (flags & PSH) === 0 && sent >= MIN_OPENED_PACKETS && sent <= MAX_FAILED_PACKETS.out;
    if (!isAttempt || src.port < 1024 || dst.port >= src.port) return null;
  }
  return { client: src, server: dst, port: dst.port, proto, at: observation.start };
}

function isEcho({ observation: { icmp, proto } }: Sighting): boolean {
  return icmp !== null && (proto === "icmp" ? icmp.type === 8 : proto === "ipv6-icmp" && icmp.type === 128);
}
