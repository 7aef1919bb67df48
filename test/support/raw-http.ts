// Raw HTTP requests that no client would send.

import { Buffer } from "node:buffer";
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  /** Content-Length bytes, or the decoded chunks. */
  body: string;
}

/** Time limit for the response and the close; the server closes when the request has `Connection: close`. */
const LIMIT_MS = 15_000;

/** Sends `text` as Latin-1 bytes on a new connection and reads until the server closes it. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, "latin1")));
    const timer = setTimeout(
      () => socket.destroy(new Error("the server kept the connection open")),
      LIMIT_MS,
    );
    socket.on("data", (part: Uint8Array) => parts.push(part));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts).toString("latin1"));
    });
    socket.on("error", (error: Error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** All responses in the bytes of a connection, in order. */
export function rawAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    if (!rest.startsWith("HTTP/1.1 ") || end < 0) throw new Error(`no answer: ${JSON.stringify(rest)}`);
    const head = rest.slice(0, end);
    const { body, length } = readBody(head, rest.slice(end + 4));
    answers.push({ status: Number(head.slice(9, 12)), head, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** The only response to a raw request. */
export async function exchangeRaw(url: string, text: string): Promise<RawAnswer> {
  const answers = rawAnswers(await sendRaw(url, text));
  if (answers.length !== 1) throw new Error(`expected one answer, got ${JSON.stringify(answers)}`);
  return answers[0]!;
}

/** Request text with `Host` and `Connection: close` headers. */
export function rawRequest(requestLine: string, url: string, headers: readonly string[], body = ""): string {
  const lines = [requestLine, `Host: ${new URL(url).host}`, ...headers, "Connection: close"];
  return lines.join("\r\n") + "\r\n\r\n" + body;
}

function readBody(head: string, rest: string): { body: string; length: number } {
  if (/^transfer-encoding: chunked$/im.test(head)) return readChunks(rest);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  return { body: rest.slice(0, length), length };
}

function readChunks(text: string): { body: string; length: number } {
  let body = "";
  let at = 0;
  for (;;) {
    const end = text.indexOf("\r\n", at);
    const size = parseInt(text.slice(at, end), 16);
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (size === 0) return { body, length: at };
  }
}
