import type { JsonValue } from "../../../kit/json/json.ts";
import { domainName, queryType, rcode } from "../dns.ts";
import { address, asObject, type Fields, port, text, warn } from "../fields.ts";
import type { Endpoint } from "../observation.ts";
import { recordType } from "../record-type.ts";
import { span } from "../times.ts";
import { readUnboundLine, type UnboundLookup } from "./line.ts";

/** What carries a client's query, by the name that Unbound or a collector gives it. */
const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ["udp", "udp"],
  ["tcp", "tcp"],
  ["dot", "tcp"],
  ["doh", "tcp"],
  ["doq", "udp"],
]);

/** No protocol has this name, so no Community ID is made of it and the record joins no other flow. */
const NOT_STATED = "unknown";

/**
 * Unbound's query log: `{message: <the log line>}`, one lookup a line. A query line (`log-queries: yes`) tells
 * that a client asked, a reply line (`log-replies: yes`) what it was told, in which time but without the
 * answer's data, a line of `log-local-actions: yes` or `rpz-log: yes` that a zone of the resolver's own took
 * the query. A resolver with several of them on gives several records for one lookup. What each version writes:
 *
 * - all: `[epoch] unbound[pid:thread] info: client name type class`, and for a reply `… rcode seconds cached
 *   size`; the client without its port, which only the lines about local zones have (`client@port`).
 * - `log-tag-queryreply: yes` (1.9 on): `query:` and `reply:` instead of `info:`.
 * - `log-destaddr: yes` (after 1.19): a reply ends `on udp 192.0.2.53 53`.
 * - `log-time-ascii: yes`: a date without year and zone, as syslog's; with `log-time-iso: yes` (newer) a full
 *   one.
 *
 * The time is that of the line where it has a full date, else the envelope's. The client is the source. The
 * destination is the resolver: where the query arrived by `log-destaddr`, or by what a collector added in the
 * names of the Elastic Common Schema (`destination.ip`, `destination.port`, `network.transport`; also
 * `source.port` for the client), nested or dotted. Few records say it. Else, and for a socket that listens on
 * all addresses, it is the unspecified address of the client's family without a port: a resolver that the
 * record does not name. A transport that is not stated is `unknown`.
 */
export const unboundQuery = recordType("unbound.query", "unbound", "dns", (payload, context) => {
  if (typeof payload.message !== "string") return { unparsed: "message: expected the log line as a text" };
  const lookup = readUnboundLine(payload.message);
  if (lookup === null) {
    return { unparsed: "message: not a query or reply log line (needs log-queries or log-replies: yes)" };
  }
  const warnings: string[] = [];
  if (lookup.time?.zoneless) warn(warnings, "time without a zone taken as UTC");
  // A line is written when what it tells is over.
  const end = lookup.time?.micros ?? context.observedAt;
  const answered = lookup.type === "reply";
  const { ip, port: clientPort } = lookup.client;
  return {
    ...span(end - (lookup.duration ?? 0), end, end, warnings),
    src: { ip, port: clientPort ?? portOf(added(payload, "source", "port")) },
    dst: resolverOf(lookup, payload),
    proto: transportOf(lookup.arrival?.transport ?? added(payload, "network", "transport")),
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

function resolverOf({ client, arrival }: UnboundLookup, payload: Fields): Endpoint {
  const stated = arrival ??
    { ip: added(payload, "destination", "ip"), port: added(payload, "destination", "port") };
  const ip = address(stated.ip);
  const unspecified = client.ip.includes(":") ? "::" : "0.0.0.0";
  if (ip === null || ip === "0.0.0.0" || ip === "::") return { ip: unspecified, port: null };
  return { ip, port: portOf(stated.port) };
}

function transportOf(name: JsonValue | undefined): string {
  return TRANSPORTS.get(text(name, 16)?.toLowerCase() ?? "") ?? NOT_STATED;
}

/** Port 0 is what is written for a socket that has none. */
function portOf(value: JsonValue | undefined): number | null {
  return port(value) || null;
}

/** Unbound has a name of its own for this one. */
function replyCode(name: string | null): string | null {
  return name === "NOTIMPL" ? "NOTIMP" : rcode(name ?? undefined);
}

/** A member that a collector added beside the line: `{destination: {ip}}` or `{"destination.ip"}`. */
function added(payload: Fields, group: string, name: string): JsonValue | undefined {
  return payload[`${group}.${name}`] ?? asObject(payload[group])?.[name];
}
