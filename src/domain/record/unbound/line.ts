import { address } from "../fields.ts";
import type { Micros } from "../observation.ts";
import { readTime, type Time } from "../times.ts";

// One line of Unbound's log, as its own file has it (`[1700000000] unbound[12:0] info: …`), as syslog and the
// journal do (`Nov 21 01:02:03 gw unbound: [12:0] info: …`), or without anything in front of the message.

/** A lookup as one of Unbound's three kinds of line tells it. */
export interface UnboundLookup {
  /** The last full date in front of the message, which is Unbound's own where it writes one; else `null`. */
  time: Time | null;
  /** `local` is what a local zone, a response policy zone or a `respip` entry did with a query. */
  type: "query" | "reply" | "local";
  client: { ip: string; port: number | null };
  /** As logged, the root's dot included; `null` where Unbound did not get as far as the question. */
  name: string | null;
  qtype: string | null;
  /** Of a reply. */
  rcode: string | null;
  /** From the query to the reply, whole microseconds; `null` where the line does not say. */
  duration: Micros | null;
  /** Where the client's query arrived, of a reply with `log-destaddr: yes`; as logged. */
  arrival: { transport: string; ip: string; port: string } | null;
}

/** Unbound's longest line of interest has about 700 characters, its own and a log daemon's prefix included. */
const MAX_LINE = 2048;
const MAX_WORDS = 16;
/** `[pid:thread] level: `, the thread in hexadecimal; in Windows' event log the identity stands for the pid. */
const HEAD = /\[[^\s:[\]]{1,64}:[0-9a-f]{1,16}\] ([a-z]{1,16}): /;
const LEVELS: ReadonlySet<string | undefined> = new Set(["info", "query", "reply"]);
const FULL_DATE =
  /(?<=\[)\d{9,11}(?:\.\d{1,9})?(?=\])|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g;

const CLIENT = /^([0-9A-Fa-f:.]{2,45})(?:@(\d{1,5}))?$/;
const TYPE = /^[A-Z0-9-]{1,24}$/;
const CLASS = /^(?:IN|CH|HS|NONE|ANY|CLASS\d{1,5})$/;
const RCODE = /^[A-Z0-9]{1,16}$/;
const SECONDS = /^(\d{1,9})\.(\d{6})$/;
/** In place of what a reply does not have; `null` is a name that was never read. */
const ABSENT = "-";
const UNREAD = "null";

/**
 * Reads a query line, a reply line, or a line of `log-local-actions` and its like; `null` for any other text.
 * The client comes first in the former two, and carries its port in the last one only.
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

/** The last full date in front of the message, `null` where there is none. */
export function unboundTime(line: string): Time | null {
  const place = unboundDateIn(line);
  return place === null ? null : readTime(line.slice(place.start, place.end));
}

/** Where the line's own time stands in it, `null` where it has no full date. */
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
 * `client name type class rcode seconds cached size`, then with `log-destaddr: yes` `on transport address
 * port`; the first versions of that option write anything in place of a long IPv6 address.
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

/** `zone action client@port name type class`; a response policy zone writes more words in front. */
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
