import assert from "node:assert/strict";
import fc from "fast-check";
import { AnswerReader, BadAnswer, type HttpAnswer, MAX_BODY_BYTES, requestBytes } from "./http.ts";

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (body: Uint8Array) => new TextDecoder().decode(body);

/** What a reader makes of these pieces and the end of the connection. */
function read(...pieces: string[]): HttpAnswer {
  const reader = new AnswerReader();
  for (const piece of pieces) {
    const answer = reader.take(bytes(piece));
    if (answer !== null) return answer;
  }
  return reader.end();
}

const JSON_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\n";

Deno.test("a request: what is asked for, our headers, and the body as it is", () => {
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
    const expected = { status: 200, contentType: "application/json" };
    for (const pieces of [[framed], [...framed]]) {
      const { body, ...head } = read(...pieces);
      assert.deepEqual([head, text(body)], [expected, "{}"], framed);
    }
  }
  assert.deepEqual(read("HTTP/1.1 204 No Content\r\n\r\n"), {
    status: 204,
    contentType: "",
    body: new Uint8Array(0),
  });
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
  "a chunk longer than it says": `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
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

Deno.test("a connection that ends without an answer says so", () => {
  assert.throws(() => read(), /closed the connection without an answer/);
});

Deno.test("whatever comes, in whatever pieces, there is an answer or a refusal", () => {
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
        const { status, body } = read(...pieces);
        assert.ok(status >= 200 && body.length <= MAX_BODY_BYTES);
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
