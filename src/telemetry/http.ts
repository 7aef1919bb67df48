// The part of HTTP/1.1 that the registration needs: one request a connection, and an answer of bounded size. By hand, as
// fetch would follow the environment's proxy variables, send headers of its own, and unpack whatever comes.

const MAX_HEAD_BYTES = 16 * 1024;
/** Several times the longest answer of the protocol. */
export const MAX_BODY_BYTES = 64 * 1024;

export interface HttpAnswer {
  status: number;
  /** In lower case, without parameters; empty where there is none. */
  contentType: string;
  body: Uint8Array;
}

/** What came is no answer of a web server, or more than one may be. */
export class BadAnswer extends Error {}

/** The bytes of a request; `body` goes as it is. Path and header values are ours and hold neither CR nor LF. */
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

type Framing = { kind: "length"; bytes: number } | { kind: "chunked" } | { kind: "close" };

interface Head {
  status: number;
  contentType: string;
  framing: Framing;
  /** Where the body begins. */
  end: number;
}

/** Takes an answer in pieces until it is whole. */
export class AnswerReader {
  /** One character a byte. */
  #text = "";
  #head: Head | null = null;

  /** The answer once it is whole, else null. `BadAnswer` as soon as it cannot become one, or is too long. */
  take(bytes: Uint8Array): HttpAnswer | null {
    for (const byte of bytes) this.#text += String.fromCharCode(byte);
    this.#head ??= this.#readHead();
    if (this.#head === null) {
      if (this.#text.length > MAX_HEAD_BYTES) throw new BadAnswer("its answer's header is too long");
      return null;
    }
    const body = this.#body(this.#head, false);
    return body === null ? null : this.#answer(this.#head, body);
  }

  /** The answer, where the end of the connection is its end. */
  end(): HttpAnswer {
    if (this.#text === "") throw new Error("it closed the connection without an answer");
    const body = this.#head === null ? null : this.#body(this.#head, true);
    if (this.#head === null || body === null) {
      throw new BadAnswer("it closed the connection within its answer");
    }
    return this.#answer(this.#head, body);
  }

  #answer({ status, contentType }: Head, body: string): HttpAnswer {
    return { status, contentType, body: Uint8Array.from(body, (character) => character.charCodeAt(0)) };
  }

  /** Provisional answers (1xx) are passed over. */
  #readHead(): Head | null {
    if (!"HTTP/1.".startsWith(this.#text.slice(0, 7))) throw new BadAnswer("its answer is not HTTP/1.1");
    for (let start = 0;;) {
      const end = this.#text.indexOf("\r\n\r\n", start);
      if (end === -1) return null;
      if (end > MAX_HEAD_BYTES) throw new BadAnswer("its answer's header is too long");
      const [line = "", ...fields] = this.#text.slice(start, end).split("\r\n");
      start = end + 4;
      const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(line)?.[1] ?? NaN);
      if (Number.isNaN(status)) throw new BadAnswer("its answer has no status");
      if (status >= 200) return headOf(status, fields, start);
      if (status === 101) throw new BadAnswer("it wants to change the protocol (101)");
    }
  }

  /** The body; null while it is not whole. */
  #body({ status, framing, end }: Head, ended: boolean): string | null {
    const rest = this.#text.slice(end);
    if (rest.length > 2 * MAX_BODY_BYTES) throw new BadAnswer("its answer is too long");
    if (status === 204 || status === 304) return "";
    if (framing.kind === "chunked") return unchunked(rest);
    const length = framing.kind === "length" ? framing.bytes : rest.length;
    if (length > MAX_BODY_BYTES) throw new BadAnswer("its answer is too long");
    if (framing.kind === "close") return ended ? rest : null;
    return rest.length < length ? null : rest.slice(0, length);
  }
}

function headOf(status: number, fields: readonly string[], end: number): Head {
  const valuesOf = (name: string) =>
    fields.filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .map((field) => field.slice(name.length + 1).trim());
  const [contentType = ""] = valuesOf("content-type");
  return {
    status,
    contentType: contentType.split(";")[0]!.trim().toLowerCase(),
    framing: framingOf(valuesOf("transfer-encoding"), valuesOf("content-length")),
    end,
  };
}

/** Where a proxy and we could disagree about the end of the body, there is none. */
function framingOf(encodings: readonly string[], lengths: readonly string[]): Framing {
  if (encodings.length > 0) {
    const chunked = encodings.length === 1 && encodings[0]!.toLowerCase() === "chunked";
    if (chunked && lengths.length === 0) return { kind: "chunked" };
    throw new BadAnswer("its answer is in an encoding that was not asked for");
  }
  const [length] = lengths;
  if (length === undefined) return { kind: "close" };
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) throw new BadAnswer("its answer has no sound length");
  return { kind: "length", bytes: Number(length) };
}

/** The content of a chunked body; null while its last chunk has not come. Trailers are not waited for. */
function unchunked(text: string): string | null {
  let body = "";
  for (let at = 0;;) {
    const end = text.indexOf("\r\n", at);
    // A size has few digits, and extensions are rare and short.
    if ((end === -1 ? text.length : end) - at > 256) {
      throw new BadAnswer("its answer is not chunked as it says");
    }
    if (end === -1) return null;
    const digits = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(text.slice(at, end))?.[1];
    if (digits === undefined) throw new BadAnswer("its answer is not chunked as it says");
    const size = Number.parseInt(digits, 16);
    if (body.length + size > MAX_BODY_BYTES) throw new BadAnswer("its answer is too long");
    if (size === 0) return body;
    const chunk = text.slice(end + 2, end + 2 + size);
    if (text.length < end + 2 + size + 2) return null;
    if (text.slice(end + 2 + size, end + 4 + size) !== "\r\n") {
      throw new BadAnswer("its answer is not chunked as it says");
    }
    body += chunk;
    at = end + 4 + size;
  }
}
