// Receiver faults and the outcome the interface document requires for each. Every sink type is tested against
// this table; the webhook is the first.

import type { FailureClass } from "../../../src/contract/connector/connector.ts";
import {
  afterInformation,
  answer,
  bytes,
  closeMidBody,
  closeUnanswered,
  drip,
  hang,
  hangAfterHead,
  hangInHead,
  hugeBody,
  hugeHead,
  reset,
} from "./hostile-answers.ts";
import type { Behaviour } from "./hostile-receiver.ts";

/** Outcome for the event: acknowledged, held for retry, or given up. */
type Fate = "acknowledged" | "held" | "skipped";

export interface SinkFault {
  name: string;
  /** Behaviour of each connection in the round. */
  does: Behaviour;
  fate: Fate;
  /** Failure class that the instance reports; null when the event is acknowledged. */
  failure: FailureClass | null;
  /** Connections within the round. */
  attempts: 1 | 3;
  /** Minimum hold in seconds; 30 if the receiver requests none. */
  floor?: number;
}

/** Shortest and longest hold in the interface document, seconds. */
export const HOLD = { shortest: 30, longest: 900 };
/** Response timeout of a sink for rows where no response arrives, milliseconds. */
export const TIMEOUT_MS = 1000;

function acknowledged(name: string, does: Behaviour): SinkFault {
  return { name, does, fate: "acknowledged", failure: null, attempts: 1 };
}

function held(name: string, does: Behaviour, failure: FailureClass, floor?: number): SinkFault {
  return { name, does, fate: "held", failure, attempts: 1, floor };
}

function triedAgain(name: string, does: Behaviour, failure: FailureClass): SinkFault {
  return { name, does, fate: "held", failure, attempts: 3 };
}

function skipped(status: number): SinkFault {
  return { name: String(status), does: answer(status), fate: "skipped", failure: "rejected", attempts: 1 };
}

/** A redirect; the sender must never follow it. */
export function redirect(status: number, location: string): SinkFault {
  return held(`${status} to another location`, answer(status, [`Location: ${location}`]), "unexpected_shape");
}

const ACKNOWLEDGED: SinkFault[] = [
  ...[200, 201, 202, 204, 206, 299].map((status) => acknowledged(String(status), answer(status))),
  acknowledged("100 Continue, then 200", afterInformation(1, answer(200))),
  acknowledged("103 Early Hints, then 204", afterInformation(1, answer(204), "103 Early Hints")),
  acknowledged("200 with a truncated body", closeMidBody(200)),
  acknowledged("200 whose body never arrives", hangAfterHead(200)),
  acknowledged("200 with a body of 64 MB", hugeBody(200)),
  acknowledged("200 with a Retry-After", answer(200, ["Retry-After: 600"])),
  acknowledged("200 with two Content-Length values", answer(200, ["Content-Length: 7"])),
  acknowledged("200 with a header that has no name", answer(200, [": nothing"])),
];

const CREDENTIALS: SinkFault[] = [
  held("401", answer(401), "auth"),
  held(
    "401 with Retry-After, which does not apply to this status",
    answer(401, ["Retry-After: 800"]),
    "auth",
  ),
  held("403", answer(403), "forbidden"),
];

const LIMITED: SinkFault[] = [408, 425, 429].flatMap((status) => [
  held(`${status}`, answer(status), "rate_limited"),
  held(`${status}, Retry-After: 600`, answer(status, ["Retry-After: 600"]), "rate_limited", 600),
  held(`${status}, Retry-After: 1`, answer(status, ["Retry-After: 1"]), "rate_limited"),
]);

/** The longest delay a receiver may request, seconds; longer requests are capped. */
const MAX_RETRY_AFTER = 3600;

/** An invalid header value must neither stall the queue forever nor flood the receiver. */
const ABSURD: SinkFault[] = ["-5", "soon", "", "1e9", "0x10", "NaN", "1.5", "12, 13"].map(
  (value) => held(`429, Retry-After: ${value}`, answer(429, [`Retry-After: ${value}`]), "rate_limited"),
).concat([String(MAX_RETRY_AFTER + 1), "9".repeat(40)].map((value) =>
  held(
    `429, Retry-After: ${value}`,
    answer(429, [`Retry-After: ${value}`]),
    "rate_limited",
    MAX_RETRY_AFTER,
  )
));

const REFUSED: SinkFault[] = [400, 402, 404, 405, 406, 409, 410, 411, 413, 414, 415, 422, 424, 426, 428, 431]
  .concat([451, 499]).map(skipped);

const SERVER: SinkFault[] = [
  ...[500, 501, 502, 503, 504, 507, 511, 599].map((status) =>
    triedAgain(String(status), answer(status), "unreachable")
  ),
  triedAgain("503 with a body of 64 MB", hugeBody(503), "unreachable"),
  triedAgain("500 with a truncated body", closeMidBody(500), "unreachable"),
];

const TRANSPORT: SinkFault[] = [
  triedAgain("closes before the request", closeUnanswered("connected"), "unreachable"),
  triedAgain("closes after the request headers", closeUnanswered("headers"), "unreachable"),
  triedAgain("closes before the response", closeUnanswered(), "unreachable"),
  triedAgain("resets on connect", reset("connected"), "unreachable"),
  triedAgain("resets instead of responding", reset(), "unreachable"),
  triedAgain("accepts the request and never responds", hang(), "timeout"),
  triedAgain("stalls in the middle of the head", hangInHead(), "timeout"),
  triedAgain("drips the head one byte at a time", drip(100), "timeout"),
  triedAgain("100 Continue and nothing else", afterInformation(1, hang()), "timeout"),
];

const BROKEN: SinkFault[] = [
  ["not HTTP", bytes("SSH-2.0-OpenSSH_9.2p1\r\n")] as const,
  ["binary garbage", bytes("\x00\x01\x02\xff\xfe".repeat(200))] as const,
  ["a status that is not a number", bytes("HTTP/1.1 abc OK\r\n\r\n")] as const,
  ["a five-digit status", bytes("HTTP/1.1 20000 OK\r\nContent-Length: 0\r\n\r\n")] as const,
  ["an unknown status, 600", answer(600)] as const,
  ["an unknown status, 999", answer(999)] as const,
  ["endless informational responses", afterInformation(5000, hang())] as const,
  ["an endless head", hugeHead()] as const,
  ["101 Switching Protocols", answer(101, ["Upgrade: websocket", "Connection: Upgrade"])] as const,
].map(([name, does]) => triedAgain(name, does, "unexpected_shape"));

/** Rows that need only a connection. */
export const SINK_FAULTS: readonly SinkFault[] = [
  ...ACKNOWLEDGED,
  ...CREDENTIALS,
  ...LIMITED,
  ...ABSURD,
  ...REFUSED,
  ...SERVER,
  ...TRANSPORT,
  ...BROKEN,
];

/** Redirect statuses. */
export const REDIRECTS: readonly number[] = [300, 301, 302, 303, 304, 305, 307, 308, 399];
