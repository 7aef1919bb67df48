// Sends one batch to the ingest: retries until it is acknowledged or refused permanently.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { INGEST_PATH, IngestAnswer } from "../../contract/record/ingest.ts";
import { fullJitter } from "../../kit/net/backoff.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Batch } from "./batch.ts";
import { ReplayInputError } from "./errors.ts";
import { type Answer, post } from "./post.ts";
import { isLoopbackIp, parseIp } from "../../kit/net/ip.ts";

interface Acknowledged {
  type: "acknowledged";
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** The ingest will never accept this batch; a person must change something. */
export interface Refused {
  type: "refused";
  status: number;
  /** The ingest's message. */
  message: string;
  /** The next step. */
  advice: string;
}

type Delivery = Acknowledged | Refused | { type: "interrupted" };

export interface Wait {
  /** Why the last attempt failed. */
  reason: string;
  attempt: number;
  delayMs: number;
}

interface TransportOptions {
  url: URL;
  token: string;
  gzip: boolean;
  timeoutMs: number;
  /** Unix time, milliseconds. */
  now: () => number;
  random: () => number;
  /** Returns early, without an error, when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onWait: (wait: Wait) => void;
}

const BACKOFF = { baseMs: 1000, capMs: 60_000 };
const compress = promisify(gzip);

/**
 * The ingest route at a core's address. Throws ReplayInputError if the address is invalid, or would send the
 * token in clear over the network: the ingest listens on loopback only.
 */
export function ingestUrl(coreUrl: string): URL {
  const expected = "expected the core's address, such as http://127.0.0.1:8081";
  let url: URL;
  try {
    url = new URL(coreUrl.replace(/\/+$/, "") + INGEST_PATH);
  } catch {
    throw new ReplayInputError(`${JSON.stringify(coreUrl)} is not a URL: ${expected}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ReplayInputError(
      `the address must not contain credentials, a query or a fragment: ${expected}`,
    );
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname))) return url;
  if (url.protocol !== "http:") throw new ReplayInputError(`${coreUrl}: ${expected}`);
  throw new ReplayInputError(
    `${coreUrl}: plain http to another machine would expose the source token. ` +
      "Run the replay on the core's machine, or use an ssh tunnel",
  );
}

function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const ip = parseIp(host.replace(/^\[|\]$/g, ""));
  return ip !== null && isLoopbackIp(ip);
}

/** Sends batches, one at a time. */
export class Transport {
  constructor(readonly options: TransportOptions) {}

  /**
   * Waits and retries on 429, 5xx and failed connections, without limit; `signal` ends the wait but not a
   * request under way, whose answer is needed.
   */
  async deliver(batch: Batch, signal: AbortSignal): Promise<Delivery> {
    const body = this.options.gzip ? await compress(batch.body) : batch.body;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const result = await this.#attempt(body, batch);
      if ("type" in result) return result;
      const jitter = fullJitter(attempt, { ...BACKOFF, random: this.options.random });
      const delayMs = Math.max(jitter, result.floorMs);
      this.options.onWait({ reason: result.reason, attempt: attempt + 1, delayMs });
      await this.options.sleep(delayMs, signal);
    }
    return { type: "interrupted" };
  }

  async #attempt(
    body: Uint8Array,
    batch: Batch,
  ): Promise<Acknowledged | Refused | { reason: string; floorMs: number }> {
    const { url, token, timeoutMs } = this.options;
    let answer: Answer;
    try {
      answer = await post(body, { url, token, timeoutMs, encoding: this.options.gzip ? "gzip" : null });
    } catch (error) {
      return { reason: connectionFault(error), floorMs: 0 };
    }
    const { status } = answer;
    if (status === 200) return acknowledgement(answer);
    if (status === 429 || status === 408 || status >= 500) {
      const message = errorMessage(answer.text);
      const reason = message === "" ? `answered ${status}` : `answered ${status}: ${message}`;
      return { reason, floorMs: retryAfterMs(answer.retryAfter, this.options.now()) };
    }
    return { type: "refused", status, message: errorMessage(answer.text), advice: adviceFor(status, batch) };
  }
}

function acknowledgement(answer: Answer): Acknowledged | Refused {
  const parsed = IngestAnswer.safeParse(jsonOrNull(answer.text));
  if (parsed.success) {
    const { accepted, duplicates, rejected } = parsed.data.data;
    return { type: "acknowledged", accepted, duplicates, rejected };
  }
  const message = "the answer is not an acknowledgement of the ingest";
  return { type: "refused", status: 200, message, advice: WRONG_ADDRESS };
}

const WRONG_ADDRESS = "Something other than the ingest answers there: specify the core's address with --url.";

function adviceFor(status: number, batch: Batch): string {
  switch (status) {
    case 401:
      return "The core does not know this token. Use the token of an enabled sensor in sources.yaml.";
    case 403:
      return `The sensor of this token may not send all of ${[...batch.kinds.keys()].join(", ")}. ` +
        "Add the kinds to its allowed_kinds in sources.yaml, or replay those files with another sensor's token.";
    case 413:
      return `The batch of ${batch.lines} lines has ${batch.body.length} bytes. Lower --batch-bytes.`;
    case 422:
      return `The batch has ${batch.lines} lines. Lower --batch-lines.`;
    default:
      return WRONG_ADDRESS;
  }
}

/** `Retry-After` in either form, in milliseconds; 0 if absent or unreadable. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

function connectionFault(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ECONNRESET" || code === "EPIPE") return "connection reset";
  return messageOf(error);
}

/** The service's error text, or the start of any other text; on one line. */
function errorMessage(text: string): string {
  const body = jsonOrNull(text) as { error?: { message?: unknown } } | null;
  const message = body?.error?.message;
  const shown = typeof message === "string" ? message : text;
  // deno-lint-ignore no-control-regex -- control characters from elsewhere must not reach the terminal
  return shown.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim().slice(0, 300);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
