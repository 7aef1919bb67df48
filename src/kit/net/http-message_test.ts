import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AnswerHead,
  AnswerReader,
  BadAnswer,
  HeadReader,
  type HttpAnswer,
  MAX_HEAD_BYTES,
  requestBytes,
} from "./http-message.ts";

const MAX_BODY_BYTES = 64 * 1024;
const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (body: Uint8Array) => new TextDecoder().decode(body);

/** The answer in these pieces, followed by the end of the connection. */
function read(...pieces: string[]): HttpAnswer {
  const reader = new AnswerReader(MAX_BODY_BYTES);
  for (const piece of pieces) {
    const answer = reader.take(bytes(piece));
    if (answer !== null) return answer;
  }
  return reader.end();
}

function readHead(...pieces: string[]): AnswerHead | null {
  const reader = new HeadReader();
  for (const piece of pieces) {
    const head = reader.take(bytes(piece));
    if (head !== null) return head;
  }
  return null;
}

Deno.test("a request is one head and exactly the given bytes", () => {
  const url = new URL("https://receiver.example:8443/h%C3%B6ok?a=b c");
  const headers = { "Content-Type": "application/json" };
  const post = requestBytes({ method: "POST", url, headers, body: bytes('{"a":"\xff"}') });
  assert.equal(
    Array.from(post, (byte) => String.fromCharCode(byte)).join(""),
    "POST /h%C3%B6ok?a=b%20c HTTP/1.1\r\nHost: receiver.example:8443\r\nContent-Type: application/json\r\n" +
      'Content-Length: 9\r\nConnection: close\r\n\r\n{"a":"\xff"}',
  );
  const get = requestBytes({ method: "GET", url: new URL("/v1?a=b", url), headers: {}, body: bytes("") });
  assert.equal(text(get), "GET /v1?a=b HTTP/1.1\r\nHost: receiver.example:8443\r\nConnection: close\r\n\r\n");
});

Deno.test("the head of an answer, in pieces of any size", () => {
  const answer = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
    "HTTP/1.1 429 Too Many\r\nretry-after:  120 \r\nContent-Length: 5\r\n\r\nhello";
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sizes) => {
    const pieces: string[] = [];
    for (let at = 0, n = 0; at < answer.length; n++) {
      const size = sizes[n % sizes.length]!;
      pieces.push(answer.slice(at, at + size));
      at += size;
    }
    const head = readHead(...pieces)!;
    assert.deepEqual([head.status, head.value("retry-after"), head.values("content-length")], [429, "120", [
      "5",
    ]]);
  }));
});

Deno.test("bytes that are no HTTP/1.1 answer are refused at once", () => {
  const broken = [
    ...["SSH-2.0-x\r\n", "\x16\x03\x01", "<html>", "HTTP/2.0 200\r\n\r\n", "HTTP/1.1 20x OK\r\n\r\n"],
    ...["HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1200 OK\r\n\r\n"],
    `HTTP/1.1 200 OK\r\nX: ${"a".repeat(MAX_HEAD_BYTES)}`,
    "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000),
  ];
  for (const text of broken) assert.throws(() => readHead(text), BadAnswer, text.slice(0, 40));
  assert.equal(readHead("HTTP/1.1 200 O"), null, "incomplete");
});

Deno.test("arbitrary bytes end in a head, a refusal, or a request for more", () => {
  fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
    const reader = new HeadReader();
    try {
      for (const piece of pieces) if (reader.take(piece) !== null) break;
    } catch (error) {
      assert.ok(error instanceof BadAnswer);
    }
  }));
});

const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\n";

Deno.test("a request: method and path, our headers, and the body as it is", () => {
  const url = new URL("https://registration.example:8443/v1/heartbeats");
  const post = requestBytes({ method: "POST", url, headers: { "A": "b" }, body: bytes('{"a":1}') });
  assert.equal(
    text(post),
    "POST /v1/heartbeats HTTP/1.1\r\nHost: registration.example:8443\r\nA: b\r\nContent-Length: 7\r\n" +
      'Connection: close\r\n\r\n{"a":1}',
  );
  const get = requestBytes({
    method: "GET",
    url: new URL("/v1/updates?a=b", url),
    headers: {},
    body: bytes(""),
  });
  assert.equal(
    text(get),
    "GET /v1/updates?a=b HTTP/1.1\r\nHost: registration.example:8443\r\nConnection: close\r\n\r\n",
  );
});

Deno.test("an answer of a stated length, in chunks, and up to the end of the connection", () => {
  for (
    const framed of [
      `${JSON_HEAD}Content-Length: 2\r\n\r\n{}`,
      `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;name=value\r\n}\r\n0\r\n\r\n`,
      `${JSON_HEAD}\r\n{}`,
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${JSON_HEAD}Content-Length: 2\r\n\r\n{}`,
    ]
  ) {
    for (const pieces of [[framed], [...framed]]) {
      const { head, body } = read(...pieces);
      assert.deepEqual(
        [head.status, head.value("content-type"), text(body)],
        [200, "Application/JSON; charset=utf-8", "{}"],
        framed,
      );
    }
  }
  const { head, body } = read("HTTP/1.1 204 No Content\r\n\r\n");
  assert.deepEqual([head.status, head.value("content-type"), body.length], [204, null, 0]);
});

const BAD: Record<string, string> = {
  "no HTTP": "SSH-2.0-OpenSSH_9.2\r\n",
  "no status": "HTTP/1.1 OK\r\n\r\n",
  "another protocol": "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  "a head without end": `HTTP/1.1 200 OK\r\nA: ${"b".repeat(20_000)}`,
  "a head that is too long": `HTTP/1.1 200 OK\r\nA: ${"b".repeat(20_000)}\r\n\r\n`,
  "a body cut off": `${JSON_HEAD}Content-Length: 3\r\n\r\n{}`,
  "a chunk cut off": `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{}`,
  "a chunk of no size": `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
  "a chunk longer than its declared size":
    `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
  "a chunk of many bytes": `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n`,
  "a size without end": `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n${"0".repeat(300)}`,
  "both a length and chunks": `${JSON_HEAD}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`,
  "two lengths": `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  "a length that is none": `${JSON_HEAD}Content-Length: 0x2\r\n\r\n{}`,
  "a packed body": `${JSON_HEAD}Transfer-Encoding: gzip\r\n\r\n{}`,
  "a body that is too long": `${JSON_HEAD}Content-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n{}`,
  "a body without a length that is too long": `${JSON_HEAD}\r\n${"x".repeat(3 * MAX_BODY_BYTES)}`,
};
for (const [what, answer] of Object.entries(BAD)) {
  Deno.test(`strict reading of answers, response size bounded: ${what}`, () => {
    assert.throws(() => read(answer), BadAnswer);
    assert.throws(() => read(...(answer.match(/[^]{1,997}/g) ?? [])), BadAnswer);
  });
}

Deno.test("a connection that ends without an answer is reported as such", () => {
  assert.throws(() => read(), /closed the connection without an answer/);
});

Deno.test("any input, in any pieces, ends in an answer or a refusal", () => {
  const line = fc.constantFrom(
    "HTTP/1.1 200 OK\r\n",
    "Content-Length: 4\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\r\n",
    "4\r\n",
    "abcd\r\n",
    "0\r\n",
    "HTTP/1.1 100 A\r\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 12 }), (pieces) => {
      try {
        const { head, body } = read(...pieces);
        assert.ok(head.status >= 200 && body.length <= MAX_BODY_BYTES);
      } catch (error) {
        assert.ok(
          error instanceof BadAnswer || /without an answer/.test((error as Error).message),
          String(error),
        );
      }
    }),
    { numRuns: 2000 },
  );
});
