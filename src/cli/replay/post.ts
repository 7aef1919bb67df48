// One HTTP request to the ingest, through `node:http`: `fetch` would hand the source token to any proxy in
// the environment.

import type { Buffer } from "node:buffer";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

interface PostOptions {
  url: URL;
  token: string;
  /** Content encoding of the body, if any. */
  encoding: "gzip" | null;
  /** Limit for the answer, in milliseconds. */
  timeoutMs: number;
}

export interface Answer {
  status: number;
  retryAfter: string | null;
  /** The first 64 KiB. */
  text: string;
}

const MAX_ANSWER = 64 * 1024;

/**
 * Sends a body over a connection of its own: a kept connection that the server closed meanwhile would be an
 * error or a hidden retry. Rejects with the system's error (`code`: ECONNREFUSED, ECONNRESET, …) if there is
 * no answer.
 */
export function post(body: Uint8Array, options: PostOptions): Promise<Answer> {
  const { url, token, encoding, timeoutMs } = options;
  const headers: Record<string, string | number> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/x-ndjson",
    "content-length": body.length,
  };
  if (encoding !== null) headers["content-encoding"] = encoding;
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { method: "POST", agent: false, headers });
    // Our own deadline: a socket timeout does not notice an answer that trickles.
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${Math.round(timeoutMs / 1000)} s`));
      request.destroy();
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

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response as AsyncIterable<Buffer>) {
    if (text.length < MAX_ANSWER) text += decoder.decode(part, { stream: true });
  }
  if (!response.complete) throw new Error("the connection was closed within the answer");
  const retryAfter = response.headers["retry-after"] ?? null;
  return { status: response.statusCode ?? 0, retryAfter, text: text.slice(0, MAX_ANSWER) };
}
