// How far an observation shows that a contact with something listed went.
import { responderAnswered } from "../../device/presence.ts";
import type { IntelVia } from "../../intel/hits.ts";
import type { ExportFacts } from "../../record/facts.ts";
import { type Connection, countOf, type Sighting } from "../kernel/detector.ts";
import type { Contact } from "./state.ts";

/** Ports by which a host is administered or its data base is read: what a listed visitor must not be answered on. */
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

/** An answer of an exporter's record with fewer bytes says no more than that nobody is at home. */
const EXPORT_ANSWER_BYTES = 200;
/** A connection that was refused has no more packets from its responder. */
const REFUSED_PACKETS = 2;

const ACK = 0x10;
const PUSH = 0x08;

export type Way =
  | { way: "out"; contact: Contact; bytesOut: number; peer: { ip: string; port: number | null } }
  | { way: "in"; answered: boolean; bytesOut: number; port: number | null };

/** What the observation shows of a party and what it met; null where it is none of the two ends. */
export function wayOf(sighting: Sighting, partyIp: string, vias: readonly IntelVia[]): Way {
  const { observation, connection } = sighting;
  if (connection !== null && observation.counters?.semantics === "unidirectional_export") {
    return exportWay(sighting, partyIp);
  }
  if (connection !== null) return sessionWay(connection, partyIp);
  const { src, dst } = observation;
  const said = vias.filter((via) => via !== "peer");
  const alert = observation.facts?.type === "alert" ? observation.facts : null;
  if (src.ip !== partyIp) {
    return {
      way: "in",
      answered: alert === null && responderAnswered(observation),
      bytesOut: 0,
      port: dst.port,
    };
  }
  if (said.length > 0 && observation.facts?.type === "dns") {
    const contact = said.includes("dns_query") ? "query" : "answer";
    return { way: "out", contact, bytesOut: 0, peer: dst };
  }
  const answered = alert === null && responderAnswered(observation);
  const blocked = alert?.action === "blocked";
  const reached: Contact = answered ? "exchange" : blocked ? "attempt" : "contact";
  // A fingerprint tells of the client, not of whom it talks to.
  const onlyPrints = said.length > 0 && !vias.includes("peer") &&
    said.every((via) => via === "ja3" || via === "ja4");
  return { way: "out", contact: onlyPrints ? "fingerprint" : reached, bytesOut: 0, peer: dst };
}

/** A whole connection, as its flow stands. */
export function sessionWay(
  connection: Pick<
    Connection,
    "src" | "dst" | "proto" | "bytesOut" | "bytesIn" | "packetsOut" | "packetsIn" | "newBytesOut"
  >,
  partyIp: string,
): Way {
  const { src, dst, proto, bytesOut, bytesIn, packetsIn, newBytesOut } = connection;
  if (src.ip !== partyIp) {
    const answered = countOf(bytesIn) > 0 && countOf(bytesOut) > 0 && !isPing(proto);
    return { way: "in", answered, bytesOut: countOf(bytesIn), port: dst.port };
  }
  const known = bytesIn !== null || packetsIn !== null;
  let contact: Contact = "attempt";
  if (!known || isPing(proto)) contact = "contact";
  else if (countOf(bytesIn) > 0) contact = "exchange";
  else if (countOf(packetsIn) > REFUSED_PACKETS) contact = "contact";
  return { way: "out", contact, bytesOut: newBytesOut, peer: dst };
}

function isPing(proto: string): boolean {
  return proto === "icmp" || proto === "ipv6-icmp";
}

/** One direction, of which only the ports say who began. */
function exportWay({ observation }: Sighting, partyIp: string): Way {
  const { src, dst, counters, facts, proto } = observation;
  const flags = facts?.type === "export" ? facts : null;
  const bytes = countOf(counters?.srcToDst.bytes ?? null);
  const spoke = isTalk(flags, proto, bytes);
  const reply = src.port !== null && dst.port !== null && src.port < dst.port &&
    (src.port < 1024 || dst.port >= 32_768);
  if (src.ip === partyIp) {
    if (reply) return { way: "in", answered: spoke, bytesOut: bytes, port: src.port };
    return { way: "out", contact: spoke ? "contact" : "attempt", bytesOut: bytes, peer: dst };
  }
  if (!reply) return { way: "in", answered: false, bytesOut: 0, port: dst.port };
  return { way: "out", contact: spoke ? "exchange" : "attempt", bytesOut: 0, peer: src };
}

/** Whether a record of one direction carries more than the attempt of a connection, or its refusal. */
function isTalk(facts: ExportFacts | null, proto: string, bytes: number): boolean {
  const flags = facts?.tcpFlags ?? null;
  if (proto !== "tcp" || flags === null) return bytes >= EXPORT_ANSWER_BYTES;
  return (flags & ACK) !== 0 && ((flags & PUSH) !== 0 || bytes >= 2 * EXPORT_ANSWER_BYTES);
}

export function adminPort(port: number | null): number {
  return port !== null && ADMIN_PORTS.has(port) ? port : 0;
}
