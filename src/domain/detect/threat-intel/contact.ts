// How far a contact with a listed indicator went, as far as one observation shows.
import { responderAnswered } from "../../device/presence.ts";
import type { IntelVia } from "../../intel/hits.ts";
import type { ExportFacts } from "../../record/facts.ts";
import { type Connection, countOf, type Sighting } from "../kernel/detector.ts";
import type { Contact } from "./state.ts";

/** Ports of remote administration and databases, which should never answer a listed host. */
export const ADMIN_PORTS: ReadonlyMap<number, string> = new Map([
  [22, "SSH"],
  [23, "Telnet"],
  [135, "RPC"],
  [139, "SMB"],
  [445, "SMB"],
  [1433, "SQL Server"],
  [3306, "MySQL"],
  [3389, "Remote Desktop"],
  [5432, "PostgreSQL"],
  [5900, "VNC"],
  [5985, "WinRM"],
  [5986, "WinRM"],
  [6379, "Redis"],
  [27017, "MongoDB"],
]);

/** Fewer bytes in an exporter's record are not an answer (resets, ICMP errors). */
const EXPORT_ANSWER_BYTES = 200;
/** A refused connection has at most this many packets from its responder. */
const REFUSED_PACKETS = 2;

const ACK = 0x10;
const PUSH = 0x08;

/** The direction of a contact: sought by the device, or a visit from outside. */
export type Direction =
  | { direction: "out"; contact: Contact; bytesOut: number; peer: { ip: string; port: number | null } }
  | { direction: "in"; answered: boolean; bytesOut: number; port: number | null };

/** What the observation shows about a party and the indicator that it matched. */
export function directionOf(
  sighting: Sighting,
  partyIp: string,
  vias: readonly IntelVia[],
): Direction {
  const { observation, connection } = sighting;
  if (connection !== null && observation.counters?.semantics === "unidirectional_export") {
    return exportDirection(sighting, partyIp);
  }
  if (connection !== null) return sessionDirection(connection, partyIp);
  const { src, dst } = observation;
  const contentVias = vias.filter((via) => via !== "peer");
  const alert = observation.facts?.type === "alert" ? observation.facts : null;
  if (src.ip !== partyIp) {
    return {
      direction: "in",
      answered: alert === null && responderAnswered(observation),
      bytesOut: 0,
      port: dst.port,
    };
  }
  if (contentVias.length > 0 && observation.facts?.type === "dns") {
    const contact = contentVias.includes("dns_query") ? "query" : "answer";
    return { direction: "out", contact, bytesOut: 0, peer: dst };
  }
  const answered = alert === null && responderAnswered(observation);
  const blocked = alert?.action === "blocked";
  const reached: Contact = answered ? "exchange" : blocked ? "attempt" : "contact";
  // A fingerprint identifies the client, not the server.
  const isFingerprint = contentVias.length > 0 && !vias.includes("peer") &&
    contentVias.every((via) => via === "ja3" || via === "ja4");
  return { direction: "out", contact: isFingerprint ? "fingerprint" : reached, bytesOut: 0, peer: dst };
}

/** A bidirectional connection in the current state of its flow. */
export function sessionDirection(
  connection: Pick<
    Connection,
    "src" | "dst" | "proto" | "bytesOut" | "bytesIn" | "packetsOut" | "packetsIn" | "newBytesOut"
  >,
  partyIp: string,
): Direction {
  const { src, dst, proto, bytesOut, bytesIn, packetsIn, newBytesOut } = connection;
  if (src.ip !== partyIp) {
    const answered = countOf(bytesIn) > 0 && countOf(bytesOut) > 0 && !isPing(proto);
    return { direction: "in", answered, bytesOut: countOf(bytesIn), port: dst.port };
  }
  const known = bytesIn !== null || packetsIn !== null;
  let contact: Contact = "attempt";
  if (!known || isPing(proto)) contact = "contact";
  else if (countOf(bytesIn) > 0) contact = "exchange";
  else if (countOf(packetsIn) > REFUSED_PACKETS) contact = "contact";
  return { direction: "out", contact, bytesOut: newBytesOut, peer: dst };
}

function isPing(proto: string): boolean {
  return proto === "icmp" || proto === "ipv6-icmp";
}

/** A unidirectional record: only the ports show which end is the originator. */
function exportDirection({ observation }: Sighting, partyIp: string): Direction {
  const { src, dst, counters, facts, proto } = observation;
  const flags = facts?.type === "export" ? facts : null;
  const bytes = countOf(counters?.srcToDst.bytes ?? null);
  const hasData = carriesData(flags, proto, bytes);
  const reply = src.port !== null && dst.port !== null && src.port < dst.port &&
    (src.port < 1024 || dst.port >= 32_768);
  if (src.ip === partyIp) {
    if (reply) return { direction: "in", answered: hasData, bytesOut: bytes, port: src.port };
    return { direction: "out", contact: hasData ? "contact" : "attempt", bytesOut: bytes, peer: dst };
  }
  if (!reply) return { direction: "in", answered: false, bytesOut: 0, port: dst.port };
  return { direction: "out", contact: hasData ? "exchange" : "attempt", bytesOut: 0, peer: src };
}

/** Whether a unidirectional record carries more than a connection attempt or its refusal. */
function carriesData(facts: ExportFacts | null, proto: string, bytes: number): boolean {
  const flags = facts?.tcpFlags ?? null;
  if (proto !== "tcp" || flags === null) return bytes >= EXPORT_ANSWER_BYTES;
  return (flags & ACK) !== 0 && ((flags & PUSH) !== 0 || bytes >= 2 * EXPORT_ANSWER_BYTES);
}

/** The port if it is one of ADMIN_PORTS, else 0. */
export function adminPort(port: number | null): number {
  return port !== null && ADMIN_PORTS.has(port) ? port : 0;
}
