// The part of HTTP/1.1 that a delivery needs: one request, and the head of its answer. By hand, because the connection must
// go to an address that was looked up and checked before, under a certificate that was checked before the first byte, with
// nothing kept open afterwards; node:http could do that over node:tls only (see connection.ts).

/** Bytes of an answer's head, the provisional answers before it included. */
export const MAX_HEAD_BYTES = 16 * 1024;

export interface AnswerHead {
  status: number;
  /** `Retry-After` as it came, trimmed; null where there is none. */
  retryAfter: string | null;
  /** How many bytes of the body follow; null where the head does not say. */
  bodyLength: number | null;
}

/** What came is no answer of a web server. */
export class NotHttp extends Error {}

/** A POST request with these headers, in bytes. Names and values are ours and hold neither CR nor LF. */
export function postRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Uint8Array {
  const lines = Object.entries({
    "Host": url.host,
    ...headers,
    "Content-Length": String(body.length),
    "Connection": "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
  const bytes = new TextEncoder().encode(head);
  const request = new Uint8Array(bytes.length + body.length);
  request.set(bytes);
  request.set(body, bytes.length);
  return request;
}

/** Takes an answer in pieces until its head is whole. */
export class AnswerReader {
  #text = "";
  #taken = 0;

  /** Whether anything has come. */
  get begun(): boolean {
    return this.#taken > 0;
  }

  /** What came after the head so far, in bytes. */
  get rest(): number {
    return this.#text.length;
  }

  /**
   * The head of the final answer once it is whole, else null. Provisional answers (1xx) are passed over.
   *
   * @throws NotHttp as soon as it cannot become one, or is too long
   */
  take(bytes: Uint8Array): AnswerHead | null {
    this.#taken += bytes.length;
    // One character a byte.
    for (const byte of bytes) this.#text += String.fromCharCode(byte);
    for (;;) {
      const end = this.#text.indexOf("\r\n\r\n");
      if (!"HTTP/1.".startsWith(this.#text.slice(0, 7))) throw new NotHttp("its answer is not HTTP/1.1");
      if (end === -1) {
        if (this.#taken > MAX_HEAD_BYTES) throw new NotHttp("its answer's header is too long");
        return null;
      }
      const [line, ...fields] = this.#text.slice(0, end).split("\r\n");
      this.#text = this.#text.slice(end + 4);
      const status = Number(/^HTTP\/1\.[01] ([1-9][0-9]{2})(?: |$)/.exec(line!)?.[1] ?? NaN);
      if (Number.isNaN(status)) throw new NotHttp("its answer has no status");
      if (status === 101) throw new NotHttp("it wants to change the protocol (101)");
      if (status >= 200) return headOf(status, fields);
      if (this.#taken > MAX_HEAD_BYTES) throw new NotHttp("its answer's header is too long");
    }
  }
}

function headOf(status: number, fields: readonly string[]): AnswerHead {
  const valueOf = (name: string): string | null => {
    const field = fields.find((field) => field.toLowerCase().startsWith(`${name}:`));
    return field === undefined ? null : field.slice(name.length + 1).trim();
  };
  const length = valueOf("content-length");
  const known = length !== null && /^[0-9]{1,15}$/.test(length) && valueOf("transfer-encoding") === null;
  const bodyLength = status === 204 || status === 304 ? 0 : known ? Number(length) : null;
  return { status, retryAfter: valueOf("retry-after"), bodyLength };
}
