// The part of HTTP/1.1 that outgoing calls need: one request per connection and an answer of bounded size. fetch cannot be
// used: it follows the environment's proxy variables, resolves the name again, sends headers of its own and decompresses.

/** Most bytes of an answer's head, provisional answers included. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** The peer did not send a valid HTTP/1.1 answer within its bounds. The message continues "the receiver: ...". */
export class BadAnswer extends Error {}

/** The bytes of a request with `Connection: close`. Path and header values must hold neither CR nor LF. */
export function requestBytes(
  { method, url, headers, body }: {
    method: "GET" | "POST";
    url: URL;
    headers: Readonly<Record<string, string>>;
    body: Uint8Array;
  },
): Uint8Array {
  const all = {
    "Host": url.host,
    ...headers,
    ...method === "POST" ? { "Content-Length": String(body.length) } : {},
    "Connection": "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = new TextEncoder().encode(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines}\r\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** Status and header fields of an answer. */
export class AnswerHead {
  constructor(readonly status: number, private readonly fields: readonly string[]) {}

  /** Values of a header field by its lower-case name, trimmed, in the order in which they came. */
  values(name: string): string[] {
    return this.fields.filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .map((field) => field.slice(name.length + 1).trim());
  }

  /** The first value of a header field; null if there is none. */
  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }
}

/** Reads an answer's head from pieces. Provisional answers (1xx) are skipped. */
export class HeadReader {
  /** One character per byte. */
  #text = "";
  #skipped = 0;

  /** Whether any byte has arrived. */
  get begun(): boolean {
    return this.#skipped + this.#text.length > 0;
  }

  /** What arrived after the head, one character per byte. */
  get rest(): string {
    return this.#text;
  }

  /**
   * The head of the final answer once it is complete, null before.
   *
   * @throws BadAnswer as soon as the bytes cannot become an answer, or the head is too long
   */
  take(bytes: Uint8Array): AnswerHead | null {
    this.#text += latin1(bytes);
    for (;;) {
      if (!"HTTP/1.".startsWith(this.#text.slice(0, 7))) throw new BadAnswer("its answer is not HTTP/1.1");
      const end = this.#text.indexOf("\r\n\r\n");
      const length = this.#skipped + (end === -1 ? this.#text.length : end);
      if (length > MAX_HEAD_BYTES) throw new BadAnswer("its answer's header is too long");
      if (end === -1) return null;
      const [line = "", ...fields] = this.#text.slice(0, end).split("\r\n");
      const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(line)?.[1] ?? NaN);
      if (Number.isNaN(status)) throw new BadAnswer("its answer has no status");
      if (status === 101) throw new BadAnswer("it wants to change the protocol (101)");
      this.#text = this.#text.slice(end + 4);
      this.#skipped += end + 4;
      if (status >= 200) return new AnswerHead(status, fields);
    }
  }
}

export interface HttpAnswer {
  head: AnswerHead;
  body: Uint8Array;
}

type Framing = { kind: "length"; bytes: number } | { kind: "chunked" } | { kind: "close" };

/** Reads a whole answer from pieces; its body may have `maxBodyBytes`. */
export class AnswerReader {
  readonly #headReader = new HeadReader();
  #head: AnswerHead | null = null;
  #framing: Framing = { kind: "close" };
  /** One character per byte. */
  #text = "";

  constructor(private readonly maxBodyBytes: number) {}

  /**
   * The answer once it is complete, null before.
   *
   * @throws BadAnswer as soon as the bytes cannot become an answer, or it is too long
   */
  take(bytes: Uint8Array): HttpAnswer | null {
    if (this.#head !== null) this.#text += latin1(bytes);
    else if (!this.#takeHead(bytes)) return null;
    const body = this.#body(false);
    return body === null ? null : this.#answer(body);
  }

  /** The answer when the connection has ended. */
  end(): HttpAnswer {
    if (!this.#headReader.begun) throw new Error(CLOSED_WITHOUT_ANSWER);
    const body = this.#head === null ? null : this.#body(true);
    if (body === null) throw new BadAnswer(CLOSED_WITHIN_ANSWER);
    return this.#answer(body);
  }

  #takeHead(bytes: Uint8Array): boolean {
    this.#head = this.#headReader.take(bytes);
    if (this.#head === null) return false;
    this.#text = this.#headReader.rest;
    this.#framing = framingOf(this.#head);
    return true;
  }

  #answer(body: string): HttpAnswer {
    return { head: this.#head!, body: Uint8Array.from(body, (character) => character.charCodeAt(0)) };
  }

  /** The body; null while it is incomplete. */
  #body(ended: boolean): string | null {
    const { status } = this.#head!;
    const text = this.#text;
    if (text.length > 2 * this.maxBodyBytes) throw new BadAnswer(TOO_LONG);
    if (status === 204 || status === 304) return "";
    if (this.#framing.kind === "chunked") return unchunked(text, this.maxBodyBytes);
    const length = this.#framing.kind === "length" ? this.#framing.bytes : text.length;
    if (length > this.maxBodyBytes) throw new BadAnswer(TOO_LONG);
    if (this.#framing.kind === "close") return ended ? text : null;
    return text.length < length ? null : text.slice(0, length);
  }
}

export const CLOSED_WITHOUT_ANSWER = "it closed the connection without an answer";
export const CLOSED_WITHIN_ANSWER = "it closed the connection within its answer";
const TOO_LONG = "its answer is too long";
const NOT_CHUNKED = "its answer is not chunked as stated";

/** How the body ends. Refuses an answer about whose end a proxy and this program could disagree. */
function framingOf(head: AnswerHead): Framing {
  const encodings = head.values("transfer-encoding");
  const lengths = head.values("content-length");
  if (encodings.length > 0) {
    const chunked = encodings.length === 1 && encodings[0]!.toLowerCase() === "chunked";
    if (chunked && lengths.length === 0) return { kind: "chunked" };
    throw new BadAnswer("its answer has an encoding that was not asked for");
  }
  const [length] = lengths;
  if (length === undefined) return { kind: "close" };
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) throw new BadAnswer("its answer has no valid length");
  return { kind: "length", bytes: Number(length) };
}

/** The content of a chunked body; null until its last chunk has arrived. Trailers are not awaited. */
function unchunked(text: string, maxBytes: number): string | null {
  let body = "";
  for (let at = 0;;) {
    const end = text.indexOf("\r\n", at);
    // A size has few digits, and extensions are rare and short.
    if ((end === -1 ? text.length : end) - at > 256) throw new BadAnswer(NOT_CHUNKED);
    if (end === -1) return null;
    const digits = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(text.slice(at, end))?.[1];
    if (digits === undefined) throw new BadAnswer(NOT_CHUNKED);
    const size = Number.parseInt(digits, 16);
    if (body.length + size > maxBytes) throw new BadAnswer(TOO_LONG);
    if (size === 0) return body;
    const chunk = text.slice(end + 2, end + 2 + size);
    if (text.length < end + 2 + size + 2) return null;
    if (text.slice(end + 2 + size, end + 4 + size) !== "\r\n") throw new BadAnswer(NOT_CHUNKED);
    body += chunk;
    at = end + 4 + size;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
