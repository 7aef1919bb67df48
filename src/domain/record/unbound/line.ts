import { address } from "../fields.ts";
import type { Micros } from "../observation.ts";
import { readTime, type Time } from "../times.ts";

// Parses one line of Unbound's log: from its own file (`[1700000000] unbound[12:0] info: …`), from syslog or
// the journal (`Nov 21 01:02:03 gw unbound: [12:0] info: …`), or without any prefix.

/** A lookup from one of Unbound's three kinds of lines. */
export interface UnboundLookup {
  /** The last full date before the message (Unbound's own if it writes one); null if there is none. */
  time: Time | null;
  /** `local`: a query handled by a local zone, a response policy zone or a `respip` entry. */
  type: "query" | "reply" | "local";
  client: { ip: string; port: number | null };
  /** As logged, including the trailing dot; null if Unbound did not get as far as reading the question. */
  name: string | null;
  qtype: string | null;
  /** Replies only. */
  rcode: string | null;
  /** From query to reply, whole microseconds; null if not stated. */
  duration: Micros | null;
  /** Where the query arrived, for replies with `log-destaddr: yes`; as logged. */
  arrival: { transport: string; ip: string; port: string } | null;
}

/** The longest relevant line has about 700 characters, including the prefixes of Unbound and a log daemon. */
const MAX_LINE = 2048;
const MAX_WORDS = 16;
/**
 * `[pid:thread] level: `, the thread in hexadecimal; in Windows' event log the service name replaces the pid.
 */
const HEAD = /\[[^\s:[\]]{1,64}:[0-9a-f]{1,16}\] ([a-z]{1,16}): /;
const LEVELS: ReadonlySet<string | undefined> = new Set(["info", "query", "reply"]);
const FULL_DATE =
  /(?<=\[)\d{9,11}(?:\.\d{1,9})?(?=\])|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

const CLIENT = /^([0-9A-Fa-f:.]{2,45})(?:@(\d{1,5}))?$/;
const TYPE = /^[A-Z0-9-]{1,24}$/;
const CLASS = /^(?:IN|CH|HS|NONE|ANY|CLASS\d{1,5})$/;
const RCODE = /^[A-Z0-9]{1,16}$/;
const SECONDS = /^(\d{1,9})\.(\d{6})$/;
/** Placeholder for a value a reply does not have; `null` is a name that was never read. */
const ABSENT = "-";
const UNREAD = "null";

/**
 * Parses a query line, a reply line, or a line of `log-local-actions` and similar; null for any other text.
 * The client comes first in query and reply lines and has a port only in the last kind.
 */
export function readUnboundLine(line: string): UnboundLookup | null {
  if (line.length > MAX_LINE) return null;
  const head = HEAD.exec(line);
  if (head !== null && !LEVELS.has(head[1])) return null;
  const body = head === null ? line : line.slice(head.index + head[0].length);
  const words = body.trim().split(" ", MAX_WORDS + 1);
  if (words.length > MAX_WORDS) return null;
  const found = queryOf(words) ?? replyOf(words) ?? localOf(words);
  if (found === null) return null;
  return { time: unboundTime(line), ...found };
}

/** The last full date before the message; null if there is none. */
export function unboundTime(line: string): Time | null {
  const place = unboundDateIn(line);
  return place === null ? null : readTime(line.slice(place.start, place.end));
}

/** Position of the line's own time; null if it has no full date. */
export function unboundDateIn(line: string): { start: number; end: number } | null {
  const head = HEAD.exec(line.slice(0, MAX_LINE));
  if (head === null) return null;
  const last = [...line.slice(0, head.index).matchAll(FULL_DATE)].at(-1);
  return last === undefined ? null : { start: last.index, end: last.index + last[0].length };
}

type Content = Omit<UnboundLookup, "time">;

const UNANSWERED = { rcode: null, duration: null, arrival: null } as const;

/** `client name type class` */
function queryOf(words: string[]): Content | null {
  if (words.length !== 4) return null;
  const client = clientOf(words[0]);
  const question = questionOf(words.slice(1));
  return client && question && { ...UNANSWERED, type: "query", client, ...question };
}

/**
 * `client name type class rcode seconds cached size`, with `log-destaddr: yes` followed by `on transport
 * address port`; early versions of that option log garbage for a long IPv6 address.
 */
function replyOf(words: string[]): Content | null {
  if (words.length !== 8 && words[8] !== "on") return null;
  const [first, name, qtype, qclass, rcode = "", seconds = "", , , , transport, ip, port] = words;
  const client = clientOf(first);
  const unread = name === ABSENT || name === UNREAD;
  const question = unread ? { name: null, qtype: null } : questionOf([name, qtype, qclass]);
  const taken = SECONDS.exec(seconds);
  if (client === null || question === null || !RCODE.test(rcode)) return null;
  if (taken === null && seconds !== ABSENT) return null;
  const isPlace = words.length === 12 && transport !== undefined && ip !== undefined && port !== undefined;
  return {
    type: "reply",
    client,
    ...question,
    rcode,
    duration: taken === null ? null : Number(taken[1]) * 1e6 + Number(taken[2]),
    arrival: isPlace ? { transport, ip, port } : null,
  };
}

/** `zone action client@port name type class`; a response policy zone adds words at the front. */
function localOf(words: string[]): Content | null {
  if (words.length < 6) return null;
  const client = clientOf(words.at(-4));
  const question = questionOf(words.slice(-3));
  if (client === null || client.port === null || question === null) return null;
  return { ...UNANSWERED, type: "local", client, ...question };
}

function clientOf(word: string | undefined): UnboundLookup["client"] | null {
  const match = CLIENT.exec(word ?? "");
  const ip = address(match?.[1]);
  if (match === null || ip === null) return null;
  const port = Number(match[2] ?? 0);
  if (port > 0xffff) return null;
  return { ip, port: port === 0 ? null : port };
}

function questionOf(
  [name, qtype, qclass]: readonly (string | undefined)[],
): { name: string; qtype: string } | null {
  if (!name || qtype === undefined || qclass === undefined) return null;
  return TYPE.test(qtype) && CLASS.test(qclass) ? { name, qtype } : null;
}
