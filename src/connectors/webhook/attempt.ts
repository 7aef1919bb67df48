import type { FailureClass } from "../../contract/connector/connector.ts";
import { WEBHOOK_HEADERS, WEBHOOK_USER_AGENT } from "../../contract/connector/webhook.ts";
import type { Clock } from "../../kit/clock.ts";
import { type Connection, connectPlain, connectVerified, TlsFault } from "../../kit/net/outgoing.ts";
import { hmacSha256Hex } from "../../kit/hmac.ts";
import { randomUuid } from "../../kit/id.ts";
import { stringifyJson } from "../../kit/json/json.ts";
import type { Attempt } from "../sink.ts";
import { bareHost, receiverAddresses, RefusedAddress, type Resolve, systemResolve } from "./address.ts";
import { judge } from "./answer.ts";
import { connectPinned } from "./connection.ts";
import type { Outgoing } from "./envelope.ts";
import { type AnswerHead, AnswerReader, NotHttp, postRequest } from "./http.ts";

export type { Attempt } from "../sink.ts";

/** Where an instance delivers, and under which key. */
export interface WebhookTarget {
  /** https or http; without user name and password. */
  url: URL;
  /** SHA-256 of the receiver's certificate, lower-case hex; null goes by the system's roots. */
  fingerprint: string | null;
  /** At least 16 bytes. */
  key: Uint8Array;
  /** Milliseconds for the whole attempt, from the look-up of the name to the head of the answer. */
  timeoutMs: number;
}

interface AttemptDeps {
  clock: Clock;
  /** How a host name becomes addresses; the system's resolver by default. */
  resolve?: Resolve;
  /** Certificate authorities to trust besides the system's, PEM. */
  roots?: readonly string[];
  /** Ends the attempt early; it then throws the signal's reason. */
  signal?: AbortSignal;
}

/** An answer's body is read to its end, so that the receiver can finish, but no longer and no further than this. */
const DRAIN_MS = 250;
const DRAIN_BYTES = 16 * 1024;

class TimedOut extends Error {}

/**
 * Sends one event once: one request, on a connection of its own that nothing is sent over afterwards. Proxy variables of
 * the environment are not followed: the receiver is the one that was configured. Resolves to what became of the event,
 * whatever the receiver does.
 */
export async function attemptDelivery(
  target: WebhookTarget,
  envelope: Outgoing,
  deps: AttemptDeps,
): Promise<Attempt> {
  const receiver = target.url.port === "" ? target.url.hostname : target.url.host;
  const ended = new AbortController();
  const stop = () => ended.abort(deps.signal?.reason);
  if (deps.signal?.aborted) throw deps.signal.reason;
  deps.signal?.addEventListener("abort", stop);
  const timer = setTimeout(() => ended.abort(new TimedOut()), target.timeoutMs);
  try {
    return judge(await exchange(target, envelope, deps, ended.signal), receiver);
  } catch (error) {
    if (deps.signal?.aborted) throw deps.signal.reason;
    const timedOut = ended.signal.aborted;
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
  } finally {
    clearTimeout(timer);
    deps.signal?.removeEventListener("abort", stop);
  }
}

async function exchange(
  target: WebhookTarget,
  envelope: Outgoing,
  deps: AttemptDeps,
  signal: AbortSignal,
): Promise<AnswerHead> {
  const host = bareHost(target.url);
  const resolve = deps.resolve ?? systemResolve;
  const addresses = await untilAborted(receiverAddresses(host, resolve), signal, () => {});
  const connection = await connectAny(target, addresses, deps.roots ?? [], signal);
  signal.addEventListener("abort", connection.close);
  try {
    const request = signedRequest(target, envelope, deps.clock);
    // A receiver may answer, and close, before it has taken the whole body.
    const written = connection.write(request).then(() => null, (error: unknown) => ({ error }));
    const { head, rest } = await untilAborted(readAnswer(connection, written), signal, () => {});
    // What the answer says stands, however the rest of it comes and whatever time is left for that.
    await drain(connection, head, rest);
    return head;
  } finally {
    signal.removeEventListener("abort", connection.close);
    connection.close();
  }
}

/** The headers of SPEC's table over exactly the bytes that are sent. */
function signedRequest({ url, key }: WebhookTarget, envelope: Outgoing, clock: Clock): Uint8Array {
  const body = new TextEncoder().encode(stringifyJson(envelope));
  const timestamp = String(Math.floor(clock.now() / 1_000_000));
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return postRequest(url, {
    "User-Agent": WEBHOOK_USER_AGENT,
    "Content-Type": "application/json",
    [WEBHOOK_HEADERS.event]: envelope.type,
    [WEBHOOK_HEADERS.delivery]: randomUuid(),
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.signature]: `sha256=${hmacSha256Hex(key, signed)}`,
  }, body);
}

/** To the first address that takes a connection; each has its share of the time. */
async function connectAny(
  { url, fingerprint, timeoutMs }: WebhookTarget,
  addresses: readonly string[],
  roots: readonly string[],
  signal: AbortSignal,
): Promise<Connection> {
  const port = Number(url.port) || (url.protocol === "http:" ? 80 : 443);
  let failure: unknown = null;
  for (const [index, address] of addresses.entries()) {
    const place = { address, port, host: bareHost(url) };
    const isLast = index === addresses.length - 1;
    const share = new AbortController();
    const give = () => share.abort(signal.reason);
    signal.addEventListener("abort", give);
    const timer = isLast ? null : setTimeout(() => share.abort(new TimedOut()), timeoutMs / addresses.length);
    const connecting = url.protocol === "http:"
      ? connectPlain(place, share.signal)
      : fingerprint === null
      ? connectVerified(place, roots, share.signal)
      : connectPinned(place, fingerprint, share.signal);
    try {
      return await untilAborted(connecting, share.signal, (late) => late.close());
    } catch (error) {
      // A wrong certificate at one address is not made good by another.
      if (signal.aborted || error instanceof TlsFault) throw error;
      failure = error;
    } finally {
      if (timer !== null) clearTimeout(timer);
      signal.removeEventListener("abort", give);
    }
  }
  throw failure;
}

async function readAnswer(
  connection: Connection,
  written: Promise<{ error: unknown } | null>,
): Promise<{ head: AnswerHead; rest: number }> {
  const reader = new AnswerReader();
  try {
    for (;;) {
      const bytes = await connection.read();
      if (bytes === null) {
        throw reader.begun ? new NotHttp("it closed the connection within its answer") : new Error(CLOSED);
      }
      const head = reader.take(bytes);
      if (head !== null) return { head, rest: reader.rest };
    }
  } catch (error) {
    if (error instanceof NotHttp) throw error;
    const failed = await Promise.race([written, Promise.resolve(null)]);
    throw failed?.error ?? error;
  }
}

const CLOSED = "it closed the connection without an answer";

async function drain(connection: Connection, { bodyLength }: AnswerHead, had: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<null>((resolve) => timer = setTimeout(() => resolve(null), DRAIN_MS));
  const most = Math.min(bodyLength ?? DRAIN_BYTES, DRAIN_BYTES);
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

/** What `work` resolves to, unless the signal is aborted first; `late` gets what comes afterwards all the same. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal, late: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then((value) => signal.aborted ? late(value) : resolve(value), reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function classOf(error: unknown): FailureClass {
  if (error instanceof TlsFault) return "tls";
  if (error instanceof NotHttp) return "unexpected_shape";
  return error instanceof TimedOut ? "timeout" : "unreachable";
}

/** In an admin's words: system errors begin with what happened, in English. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddress) return error.message;
  return error instanceof Error && error.message !== "" ? error.message.slice(0, 300) : "no connection";
}
