// One HTTP request to the ingest. `node:http` rather than `fetch`, which would hand the source token to whatever
// proxy the environment names.

import type { Buffer } from "node:buffer";
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface PostOptions {
  url: URL;
  token: string;
  /** Encoding of the body, where it has one. */
  encoding: "gzip" | null;
  /** Longest silence before the request counts as failed, milliseconds. */
  timeoutMs: number;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  /** The first 64 KiB. */
  text: string;
}

const MAX_ANSWER = 64 * 1024;

/** Keeps one connection to one ingest; `close` it. */
export class Poster {
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;

  constructor(readonly options: PostOptions) {
    const secure = options.url.protocol === "https:";
    this.#agent = secure
      ? new HttpsAgent({ keepAlive: true, maxSockets: 1 })
      : new HttpAgent({ keepAlive: true, maxSockets: 1 });
    this.#request = secure ? httpsRequest : httpRequest;
  }

  /** Rejects with the system's error (`code`: ECONNREFUSED, ECONNRESET, …) where there is no answer. */
  post(body: Uint8Array): Promise<Answer> {
    const { url, token, encoding, timeoutMs } = this.options;
    const headers: Record<string, string | number> = {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-ndjson",
      "content-length": body.length,
    };
    if (encoding !== null) headers["content-encoding"] = encoding;
    return new Promise((resolve, reject) => {
      const request = this.#request(url, { method: "POST", agent: this.#agent, headers });
      // A deadline of our own: a socket timeout would not notice an answer that trickles.
      const timer = setTimeout(() => {
        request.destroy(new Error(`no answer within ${Math.round(timeoutMs / 1000)} s`));
      }, timeoutMs);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        done();
      };
      request.on("error", (error) => settle(() => reject(error)));
      request.on("response", (response) => {
        readAnswer(response).then(
          (answer) => settle(() => resolve(answer)),
          (error) => settle(() => reject(error)),
        );
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    // Read to the end all the same, else the connection cannot be used again.
    if (size < MAX_ANSWER) parts.push(part);
    size += part.length;
  }
  if (!response.complete) throw new Error("the connection closed in the middle of the answer");
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join("").slice(0, MAX_ANSWER);
  const retryAfter = response.headers["retry-after"] ?? null;
  return { status: response.statusCode ?? 0, retryAfter, text };
}
