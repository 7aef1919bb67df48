import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { type Fields, firstOf, isStated, portOf, small, texts, warn } from "../fields.ts";
import type { ExportFacts } from "../facts.ts";
import { mappedAddress, NAMES } from "./fields.ts";
import type { Endpoint } from "../observation.ts";
import { endpoint, type Tuple } from "../tuple.ts";

const FLAGS = ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"];
/** sFlow's interface of a packet that originates or terminates in the device itself. */
const INTERNAL_INTERFACE = 0x3fffffff;
/** The interface index of exporters that do not export the field. */
const NOT_EXPORTED = 0xffffffff;

/** An export's content beyond tuple and counters; null if there is none. */
export function exportFacts(
  payload: Fields,
  tuple: Tuple,
  samplingRate: number | null,
  warnings: string[],
): ExportFacts | null {
  const facts: ExportFacts = {
    type: "export",
    nat: translated(payload, tuple, warnings),
    samplingRate,
    tcpFlags: tuple.proto === "tcp" ? tcpFlags(payload, warnings) : null,
    inputInterface: interfaceOf(payload, NAMES.inputInterface, warnings),
    outputInterface: interfaceOf(payload, NAMES.outputInterface, warnings),
  };
  const { nat, tcpFlags: flags, inputInterface, outputInterface } = facts;
  const stated = [nat, samplingRate, flags, inputInterface, outputInterface];
  return stated.some((fact) => fact !== null) ? facts : null;
}

/** The tuple after translation; null if not stated or equal to the original. */
function translated(payload: Fields, { src, dst, proto }: Tuple, warnings: string[]): ExportFacts["nat"] {
  const end = (own: Endpoint, ips: readonly string[], ports: readonly string[]) => {
    const stated = firstOf(payload, ports);
    const port = stated && portOf(stated.value, stated.name, warnings);
    return endpoint(translatedIp(payload, ips, warnings) ?? own.ip, port || own.port, proto);
  };
  const nat = {
    src: end(src, NAMES.natSrcIp, NAMES.natSrcPort),
    dst: end(dst, NAMES.natDstIp, NAMES.natDstPort),
  };
  return isSame(nat.src, src) && isSame(nat.dst, dst) ? null : nat;
}

/**
 * The first of these addresses that is set: collectors write an empty text or the unspecified address for
 * none.
 */
function translatedIp(payload: Fields, names: readonly string[], warnings: string[]): string | null {
  for (const name of names) {
    const value = payload[name];
    if (value === undefined || value === null || value === "") continue;
    const ip = mappedAddress(value);
    if (ip === null) warn(warnings, `${name}: expected an address`);
    else if (!isUnstatedIp(ip)) return ip;
  }
  return null;
}

function isSame(a: Endpoint, b: Endpoint): boolean {
  return a.ip === b.ip && a.port === b.port;
}

/**
 * The flags as a number (goflow2), a number in text or a list of names (pmacct), or positional letters
 * (nfdump: `...AP.SF`). All of them write 0 if the exporter did not report flags.
 */
function tcpFlags(payload: Fields, warnings: string[]): number | null {
  const found = firstOf(payload, NAMES.tcpFlags);
  if (found === null) return null;
  const { name, value } = found;
  if (Array.isArray(value)) {
    const bits = texts(value, 16, 8).map((flag) => FLAGS.indexOf(flag));
    if (bits.length < value.length || bits.includes(-1)) warn(warnings, `${name}: expected TCP flags`);
    return union(bits) || null;
  }
  if (typeof value === "string" && /^[CEUAPRSF.]{6,8}$/.test(value)) {
    return union([...value].map((letter) => FLAGS.findIndex((flag) => flag.startsWith(letter)))) || null;
  }
  const flags = small(value, 0xffff);
  if (flags === null) warn(warnings, `${name}: expected TCP flags`);
  return flags || null;
}

function union(bits: readonly number[]): number {
  return bits.reduce((flags, bit) => bit < 0 ? flags : flags | 1 << bit, 0);
}

/** An SNMP interface index; 0 means none. */
function interfaceOf(payload: Fields, names: readonly string[], warnings: string[]): number | null {
  const found = firstOf(payload, names);
  if (found === null || !isStated(found.value)) return null;
  const index = small(found.value, 0xffffffff);
  if (index === null) warn(warnings, `${found.name}: expected an interface index`);
  else if (index === NOT_EXPORTED) warn(warnings, `${found.name}: ${index} stands for "not exported"`);
  else if (index !== 0 && index !== INTERNAL_INTERFACE) return index;
  return null;
}
