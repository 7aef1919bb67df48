import assert from "node:assert/strict";
import fc from "fast-check";
import { type AnswerHead, AnswerReader, MAX_HEAD_BYTES, NotHttp, postRequest } from "./http.ts";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function read(...pieces: string[]): AnswerHead | null {
  const reader = new AnswerReader();
  for (const piece of pieces) {
    const head = reader.take(bytes(piece));
    if (head !== null) return head;
  }
  return null;
}

Deno.test("the head of an answer, in whatever pieces it comes", () => {
  const answer = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
    "HTTP/1.1 429 Too Many\r\nretry-after:  120 \r\nContent-Length: 5\r\n\r\nhello";
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sizes) => {
    const pieces: string[] = [];
    for (let at = 0, n = 0; at < answer.length; n++) {
      const size = sizes[n % sizes.length]!;
      pieces.push(answer.slice(at, at + size));
      at += size;
    }
    assert.deepEqual(read(...pieces), { status: 429, retryAfter: "120", bodyLength: 5 });
  }));
});

Deno.test("how long the body is, as far as the head says", () => {
  const length = (head: string) => read(`HTTP/1.1 ${head}\r\n\r\n`)?.bodyLength;
  assert.equal(length("204 No Content"), 0);
  assert.equal(length("200 OK\r\nContent-Length: 12"), 12);
  assert.equal(length("200 OK\r\nContent-Length: 12\r\nTransfer-Encoding: chunked"), null);
  assert.equal(length("200 OK\r\nContent-Length: many"), null);
  assert.equal(length("200 OK"), null);
});

Deno.test("what is no HTTP/1.1 is told at once", () => {
  const broken = [
    ...["SSH-2.0-x\r\n", "\x16\x03\x01", "<html>", "HTTP/2.0 200\r\n\r\n", "HTTP/1.1 20x OK\r\n\r\n"],
    ...["HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1200 OK\r\n\r\n"],
    `HTTP/1.1 200 OK\r\nX: ${"a".repeat(MAX_HEAD_BYTES)}`,
    "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000),
  ];
  for (const text of broken) assert.throws(() => read(text), NotHttp, text.slice(0, 40));
  assert.equal(read("HTTP/1.1 200 O"), null, "not whole yet");
});

Deno.test("no bytes make it throw anything else, or go on for ever", () => {
  fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
    const reader = new AnswerReader();
    try {
      for (const piece of pieces) if (reader.take(piece) !== null) break;
    } catch (error) {
      assert.ok(error instanceof NotHttp);
    }
  }));
});

Deno.test("a request is one head and exactly the given bytes", () => {
  const body = bytes('{"a":"\xff"}');
  const url = new URL("https://receiver.example:8443/h%C3%B6ok?a=b c");
  const request = postRequest(url, { "Content-Type": "application/json" }, body);
  const text = Array.from(request, (byte) => String.fromCharCode(byte)).join("");
  assert.equal(
    text,
    "POST /h%C3%B6ok?a=b%20c HTTP/1.1\r\nHost: receiver.example:8443\r\nContent-Type: application/json\r\n" +
      'Content-Length: 9\r\nConnection: close\r\n\r\n{"a":"\xff"}',
  );
});
