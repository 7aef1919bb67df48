import type { Facts } from "../record/facts.ts";
import type { Counters, Endpoint } from "../record/observation.ts";
import {
  alertLine,
  anomalyLine,
  dhcpLine,
  dnsLine,
  exportParts,
  httpLine,
  kerberosLine,
  smbLine,
  sshLine,
  tlsLine,
} from "./fact-summary.ts";
import { plainLine } from "../../kit/plain-text.ts";
import { size, span } from "../../kit/text.ts";
import { endpoint } from "./units.ts";

export interface SummaryInput {
  proto: string;
  src: Endpoint;
  dst: Endpoint;
  service: string | null;
  counters: Counters | null;
  /** Microseconds between first and last packet. */
  duration: number;
  facts: Facts | null;
}

/** One line of plain text about an observation. */
export function summarise(input: SummaryInput): string {
  return plainLine(summaryOf(input));
}

/**
 * One line about an observation: `tcp 10.0.0.5:50122 → 192.0.2.7:443 (ssl), 1.2 kB out, 3.4 kB in, 12 s`, or
 * a line describing its facts.
 */
function summaryOf(input: SummaryInput): string {
  const { facts } = input;
  const line = lineOf(facts);
  if (line !== null && !PROTOCOL_ALONE.has(line)) return line;
  const ends = `${input.proto} ${endpoint(input.src)} → ${endpoint(input.dst)}`;
  const service = input.service === null ? "" : ` (${input.service})`;
  const parts = [ends + service, ...volumes(input.counters)];
  if (input.duration > 0) parts.push(span(input.duration / 1000));
  if (facts?.type === "export") parts.push(...exportParts(facts));
  return parts.join(", ");
}

/** Fact lines with nothing but the protocol; the ends of the flow are more informative. */
const PROTOCOL_ALONE: ReadonlySet<string> = new Set(["HTTP", "SSH", "SMB", "Kerberos", "DHCP"]);

function lineOf(facts: Facts | null): string | null {
  switch (facts?.type) {
    case "dns":
      return dnsLine(facts);
    case "alert":
      return alertLine(facts);
    case "anomaly":
      return anomalyLine(facts);
    case "tls":
      return tlsLine(facts);
    case "http":
      return httpLine(facts);
    case "ssh":
      return sshLine(facts);
    case "smb":
      return smbLine(facts);
    case "kerberos":
      return kerberosLine(facts);
    case "dhcp":
      return dhcpLine(facts);
    default:
      return null;
  }
}

function volumes(counters: Counters | null): string[] {
  if (counters === null) return [];
  const { srcToDst, dstToSrc } = counters;
  return [
    srcToDst.bytes === null ? "" : `${size(srcToDst.bytes)} out`,
    dstToSrc.bytes === null ? "" : `${size(dstToSrc.bytes)} in`,
  ].filter((text) => text !== "");
}
