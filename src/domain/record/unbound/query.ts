import type { JsonValue } from "../../../kit/json/json.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { domainName, queryType, rcode } from "../dns.ts";
import { address, asObject, type Fields, orWarn, port, portOf, text, warn } from "../fields.ts";
import type { Endpoint } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { span } from "../times.ts";
import { readUnboundLine, type UnboundLookup } from "./line.ts";

/** Transport protocols by the name Unbound or a collector gives them. */
const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ["udp", "udp"],
  ["tcp", "tcp"],
  ["dot", "tcp"],
  ["doh", "tcp"],
  ["doq", "udp"],
]);

/** Not a protocol name, so that the record has no Community ID and joins no flow. */
const NOT_STATED = "unknown";

/**
 * Unbound's query log: `{message: <the log line>}`, one lookup per line. A query line (`log-queries: yes`)
 * shows that a client asked; a reply line (`log-replies: yes`) the result and the time it took, but no answer
 * data; a line of `log-local-actions: yes` or `rpz-log: yes` that a local zone of the resolver handled the
 * query. With several of these options a lookup gives several records. Formats by version:
 *
 * - all: `[epoch] unbound[pid:thread] info: client name type class`, and for a reply `… rcode seconds cached
 *   size`; the client without its port, which only the lines about local zones have (`client@port`).
 * - `log-tag-queryreply: yes` (from 1.9): `query:` and `reply:` instead of `info:`.
 * - `log-destaddr: yes` (after 1.19): a reply ends in `on udp 192.0.2.53 53`.
 * - `log-time-ascii: yes`: a date without year and zone, as in syslog; with `log-time-iso: yes` (newer) a
 *   full one.
 *
 * The time is the line's if it has a full date, else the envelope's. The client is the source. The
 * destination is the resolver, if known: from `log-destaddr`, or from fields a collector added under Elastic
 * Common Schema names (`destination.ip`, `destination.port`, `network.transport`; also `source.port` for the
 * client), nested or dotted. Otherwise, and for a socket that listens on all addresses, it is the unspecified
 * address of the client's family without a port. An unstated transport is `unknown`.
 */
export const unboundQuery = recordType("unbound.query", "unbound", "dns", (payload, context) => {
  if (typeof payload.message !== "string") return { unparsed: "message: expected the log line as a string" };
  const lookup = readUnboundLine(payload.message);
  if (lookup === null) {
    return { unparsed: "message: not a query or reply log line (needs log-queries or log-replies: yes)" };
  }
  const warnings: string[] = [];
  if (lookup.time?.zoneless) warn(warnings, "time has no zone, assumed UTC");
  // Lines are written when the lookup is complete.
  const end = lookup.time?.micros ?? context.observedAt;
  const answered = lookup.type === "reply";
  const { ip, port: clientPort } = lookup.client;
  return {
    ...span(end - (lookup.duration ?? 0), end, end, warnings),
    src: { ip, port: clientPort ?? addedPort(payload, "source", warnings) },
    dst: resolverOf(lookup, payload, warnings),
    proto: transportOf(lookup, payload, warnings),
    icmp: null,
    counters: null,
    service: "dns",
    nativeId: null,
    vlan: null,
    exporter: null,
    facts: {
      type: "dns",
      query: domainName(lookup.name ?? undefined),
      qtype: queryType(lookup.qtype ?? undefined),
      rcode: replyCode(lookup.rcode),
      answers: [],
      answered,
    },
    warnings,
  };
});

function resolverOf({ client, arrival }: UnboundLookup, payload: Fields, warnings: string[]): Endpoint {
  const stated = arrival?.ip ?? added(payload, "destination", "ip");
  const name = arrival === null ? "destination.ip" : "message";
  const ip = orWarn(address(stated), stated, `${name}: expected an address`, warnings);
  if (ip === null || isUnstatedIp(ip)) return { ip: client.ip.includes(":") ? "::" : "0.0.0.0", port: null };
  return {
    ip,
    port: arrival === null ? addedPort(payload, "destination", warnings) : port(arrival.port) || null,
  };
}

function transportOf({ arrival }: UnboundLookup, payload: Fields, warnings: string[]): string {
  const stated = arrival?.transport ?? added(payload, "network", "transport");
  const transport = TRANSPORTS.get(text(stated, 16)?.toLowerCase() ?? "") ?? null;
  const name = arrival === null ? "network.transport" : "message";
  return orWarn(transport, stated, `${name}: expected a transport`, warnings) ?? NOT_STATED;
}

/** A port that a collector added; 0 stands for none. */
function addedPort(payload: Fields, group: string, warnings: string[]): number | null {
  return portOf(added(payload, group, "port"), `${group}.port`, warnings) || null;
}

/** Unbound uses a different name for this code. */
function replyCode(name: string | null): string | null {
  return name === "NOTIMPL" ? "NOTIMP" : rcode(name ?? undefined);
}

/** A member added by a collector: `{destination: {ip}}` or `{"destination.ip"}`. */
function added(payload: Fields, group: string, name: string): JsonValue | undefined {
  return payload[`${group}.${name}`] ?? asObject(payload[group])?.[name];
}
