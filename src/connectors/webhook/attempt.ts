import type { FailureClass } from "../../contract/connector/connector.ts";
import { WEBHOOK_HEADERS, WEBHOOK_USER_AGENT } from "../../contract/connector/webhook.ts";
import type { Clock } from "../../kit/clock.ts";
import { connectFirst, converse, TimedOut, unlessAborted, withDeadline } from "../../kit/net/http-client.ts";
import {
  type AnswerHead,
  BadAnswer,
  CLOSED_WITHIN_ANSWER,
  CLOSED_WITHOUT_ANSWER,
  HeadReader,
  requestBytes,
} from "../../kit/net/http-message.ts";
import { type Connection, connectPlain, connectVerified, TlsFault } from "../../kit/net/outgoing.ts";
import { hmacHex } from "../../kit/web-crypto.ts";
import { randomUuid } from "../../kit/id.ts";
import { stringifyJson } from "../../kit/json/json.ts";
import type { Attempt } from "../sink.ts";
import {
  bareHost,
  receiverAddresses,
  RefusedAddress,
  type Resolve,
  systemResolve,
} from "../../config/resolve-receiver.ts";
import { outcomeOf } from "./answer.ts";
import { connectPinned } from "./connection.ts";
import type { Outgoing } from "./envelope.ts";

export type { Attempt } from "../sink.ts";

/** Where an instance delivers, and with which key it signs. */
export interface WebhookTarget {
  /** https or http; without user name and password. */
  url: URL;
  /** SHA-256 of the receiver's certificate, lower-case hex; null verifies against the system's roots. */
  fingerprint: string | null;
  /** At least 16 bytes. */
  key: Uint8Array;
  /** Milliseconds for the whole attempt, from name resolution to the head of the answer. */
  timeoutMs: number;
}

interface AttemptDeps {
  clock: Clock;
  /** Resolves host names; the system's resolver by default. */
  resolve?: Resolve;
  /** Further trusted certificate authorities, PEM. */
  roots?: readonly string[];
  /** Aborts the attempt, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** An answer's body is read so that the receiver can finish, up to these bounds. */
const DRAIN_MS = 250;
const DRAIN_BYTES = 16 * 1024;

/**
 * Sends one event once: one request, on a connection of its own. Proxy variables of the environment are not followed: the
 * receiver is the configured one. Resolves to the outcome, whatever the receiver does.
 */
export async function attemptDelivery(
  target: WebhookTarget,
  envelope: Outgoing,
  deps: AttemptDeps,
): Promise<Attempt> {
  const receiver = target.url.port === "" ? target.url.hostname : target.url.host;
  const stopped = deps.signal ?? new AbortController().signal;
  try {
    const { head, rest, connection } = await withDeadline(
      target.timeoutMs,
      stopped,
      (signal) => exchange(target, envelope, deps, signal),
    );
    // The head decides, whatever becomes of the rest and of the time that is left.
    await drain(connection, head, rest);
    connection.close();
    return outcomeOf(head, receiver);
  } catch (error) {
    if (stopped.aborted) throw stopped.reason;
    const timedOut = error instanceof TimedOut;
    return {
      kind: "held",
      failure: timedOut ? "timeout" : classOf(error),
      status: null,
      message: timedOut
        ? `${receiver} did not answer within ${target.timeoutMs / 1000} s`
        : `${receiver}: ${reasonOf(error)}`,
      retryAfterSeconds: null,
      again: true,
    };
  }
}

interface Exchanged {
  head: AnswerHead;
  /** Bytes of the body that arrived with the head. */
  rest: number;
  connection: Connection;
}

/** Sends the event and reads the head of the answer; the caller closes the connection. */
async function exchange(
  target: WebhookTarget,
  envelope: Outgoing,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<Exchanged> {
  const resolve = deps.resolve ?? systemResolve;
  const addresses = await unlessAborted(receiverAddresses(bareHost(target.url), resolve), signal);
  const connection = await connectFirst(
    addresses,
    target.timeoutMs,
    signal,
    (address, share) => connectTo(target, address, deps.roots ?? [], share),
  );
  signal.addEventListener("abort", connection.close);
  try {
    const request = await signedRequest(target, envelope, deps.clock);
    const reader = new HeadReader();
    const head = await converse(connection, request, (bytes) => {
      if (bytes !== null) return reader.take(bytes);
      throw reader.begun ? new BadAnswer(CLOSED_WITHIN_ANSWER) : new Error(CLOSED_WITHOUT_ANSWER);
    });
    return { head, rest: reader.rest.length, connection };
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", connection.close);
  }
}

function connectTo(
  { url, fingerprint }: WebhookTarget,
  address: string,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<Connection> {
  const plain = url.protocol === "http:";
  const place = { address, port: Number(url.port) || (plain ? 80 : 443), host: bareHost(url) };
  if (plain) return connectPlain(place, signal);
  return fingerprint === null
    ? connectVerified(place, roots, signal)
    : connectPinned(place, fingerprint, signal);
}

/** The headers of SPEC's table, with the signature of exactly the bytes that are sent. */
async function signedRequest(
  { url, key }: WebhookTarget,
  envelope: Outgoing,
  clock: Clock,
): Promise<Uint8Array> {
  const body = new TextEncoder().encode(stringifyJson(envelope));
  const timestamp = String(Math.floor(clock.now() / 1_000_000));
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const headers = {
    "User-Agent": WEBHOOK_USER_AGENT,
    "Content-Type": "application/json",
    [WEBHOOK_HEADERS.event]: envelope.type,
    [WEBHOOK_HEADERS.delivery]: randomUuid(),
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.signature]: `sha256=${await hmacHex(key, signed)}`,
  };
  return requestBytes({ method: "POST", url, headers, body });
}

async function drain(connection: Connection, head: AnswerHead, had: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<null>((resolve) => timer = setTimeout(() => resolve(null), DRAIN_MS));
  const most = Math.min(bodyLength(head) ?? DRAIN_BYTES, DRAIN_BYTES);
  try {
    for (let read = had; read < most;) {
      const bytes = await Promise.race([connection.read().catch(() => null), end]);
      if (bytes === null) return;
      read += bytes.length;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Bytes of the body that follow; null if the head does not say. */
function bodyLength(head: AnswerHead): number | null {
  if (head.status === 204 || head.status === 304) return 0;
  const length = head.value("content-length");
  const known = length !== null && /^[0-9]{1,15}$/.test(length) && head.value("transfer-encoding") === null;
  return known ? Number(length) : null;
}

function classOf(error: unknown): FailureClass {
  if (error instanceof TlsFault) return "tls";
  return error instanceof BadAnswer ? "unexpected_shape" : "unreachable";
}

/** For an administrator: system errors begin with what happened, in English. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return error.message;
  return error instanceof Error && error.message !== "" ? error.message.slice(0, 300) : "no connection";
}
