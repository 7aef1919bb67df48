// Sizes, encodings, and senders that are slow, silent or gone.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { INGEST_LIVE_PATH, INGEST_PATH, MAX_INGEST_BYTES } from "../../../src/contract/record/ingest.ts";
import { testDatabase } from "../../support/database.ts";
import {
  CHUNKED_HEAD,
  conn,
  outcome,
  PASSED,
  protocolTest,
  type Send,
  storedRecords,
  TestListener,
  TOKENS,
  unreachableDatabase,
} from "./ingest-harness.ts";

const line = JSON.stringify(conn("C1"));

testDatabase(
  "a body of exactly 5 MiB is accepted, plain, chunked and gzipped; one byte more is not",
  async (db) => {
    await using listener = await TestListener.start({ db });
    const whole = (bytes: number, uid: string) => {
      const record = JSON.stringify(conn(uid, { payload: { uid, pad: "@" } }));
      return record.replace("@", "p".repeat(bytes - record.length + 1));
    };
    const ways: Record<string, (body: string) => Send> = {
      plain: (body) => ({ body }),
      chunked: (body) => ({ body, headers: { "transfer-encoding": "chunked" } }),
      gzip: (body) => ({ body: gzipSync(body), headers: { "content-encoding": "gzip" } }),
    };
    for (const [way, send] of Object.entries(ways)) {
      const fits = await listener.send(send(whole(MAX_INGEST_BYTES, way)));
      assert.deepEqual([way, fits.status, fits.json.data?.accepted], [way, 200, 1]);
      const over = await listener.send(send(whole(MAX_INGEST_BYTES + 1, `${way}+`)));
      assert.deepEqual([way, ...outcome(over)], [way, 413, "payload_too_large"]);
    }
    const stored = await storedRecords(db);
    assert.deepEqual(stored.map((record) => JSON.parse(record.payload).uid), Object.keys(ways));
  },
);

protocolTest("gzip: multiple members pass, broken data is reported", async (listener) => {
  const send = async (body: Uint8Array, encoding = "gzip") =>
    outcome(await listener.send({ body, headers: { "content-encoding": encoding } }));
  const zipped = gzipSync(line);
  assert.equal((await send(zipped))[0], PASSED);
  assert.equal((await send(zipped, "X-GZIP"))[0], PASSED);
  assert.equal((await send(Buffer.from(line), "identity"))[0], PASSED);
  assert.equal((await send(Buffer.concat([zipped, gzipSync(`\n${line}\n`)])))[0], PASSED);
  assert.deepEqual(await send(new Uint8Array()), [422, "invalid_request"]);
  const broken: Record<string, Uint8Array> = {
    plain: Buffer.from(line),
    truncated: zipped.subarray(0, -3),
    "header only": zipped.subarray(0, 8),
    "bad checksum": Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]),
    "garbage behind": Buffer.concat([zipped, Buffer.from("more")]),
  };
  for (const [name, body] of Object.entries(broken)) {
    assert.deepEqual([name, ...await send(body)], [name, 400, "invalid_request"]);
  }
  for (const encoding of ["deflate", "br", "zstd", "gzip, gzip", "compress"]) {
    assert.deepEqual(await send(zipped, encoding), [415, "invalid_request"]);
  }
});

protocolTest("a declared length over the limit is refused before the body arrives", async (listener) => {
  const { socket, closed } = listener.raw();
  const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  socket.write(
    `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.all}\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${MAX_INGEST_BYTES + 1}\r\n\r\n`,
  );
  const text = await answered;
  assert.match(text, /^HTTP\/1\.1 413 /);
  assert.match(text, /connection: close/i);
  socket.end();
  await closed;
});

/**
 * Sends chunks as fast as they are accepted until the server closes; returns the number of bytes the server
 * read, and its response.
 */
async function flood(
  listener: TestListener,
  head: string,
  chunk: Buffer,
): Promise<{ read: number; text: string }> {
  const { socket, closed } = listener.raw();
  let open = true;
  closed.then(() => open = false);
  socket.write(head);
  const frame = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
  for (let sent = 0; open && sent < 400; sent++) {
    if (!socket.write(frame)) {
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
  }
  const { text } = await closed;
  return { read: listener.sockets.at(-1)!.bytesRead, text };
}

protocolTest("an endless body is refused as soon as it is too large", async (listener) => {
  const { read, text } = await flood(listener, `${CHUNKED_HEAD}\r\n`, Buffer.alloc(256 * 1024, "x"));
  assert.match(text, /^HTTP\/1\.1 413 /);
  assert.match(text, /payload_too_large/);
  // The limit, the bounded drain that lets the sender read the response, and the size of one read.
  assert.ok(read > MAX_INGEST_BYTES && read < 14 * 1024 * 1024, `the server read ${read} bytes`);
});

protocolTest("a gzip bomb is refused as soon as its content is too large", async (listener) => {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  const memory = Deno.memoryUsage().rss;
  const answer = await listener.send({ body: bomb, headers: { "content-encoding": "gzip" } });
  assert.deepEqual(outcome(answer), [413, "payload_too_large"]);
  assert.ok(Deno.memoryUsage().rss - memory < 100 * 1024 * 1024);

  // An endless body: empty gzip member after empty gzip member.
  const empty = Buffer.concat(Array(2000).fill(gzipSync("")));
  const endless = await flood(listener, `${CHUNKED_HEAD}Content-Encoding: gzip\r\n\r\n`, empty);
  assert.match(endless.text, /^HTTP\/1\.1 413 /);
  assert.ok(endless.read < 14 * 1024 * 1024, `the server read ${endless.read} bytes`);
});

Deno.test("silent and slow senders time out, and hold no resources afterwards", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({
    db,
    timeouts: { wholeMs: 1_000, gapMs: 300 },
    capacity: { requests: 3, bytes: 1_000_000 },
  });
  const head = `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.all}\r\n` +
    `Content-Type: application/x-ndjson\r\nContent-Length: 5000\r\n\r\n`;
  const silent = listener.raw();
  silent.socket.write(head);
  const stopped = listener.raw();
  stopped.socket.write(`${head}{"kind"`);
  const dripping = listener.raw();
  dripping.socket.write(head);
  const drip = setInterval(() => dripping.socket.write("x"), 50);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(outcome(await listener.send({ body: line })), [503, "source_unavailable"]);

  for (const [name, { closed }] of Object.entries({ silent, stopped })) {
    const { text, afterMs } = await closed;
    assert.match(text, /^HTTP\/1\.1 408 /, name);
    assert.match(text, /"reason":"timeout"/);
    // The response is sent after the gap; the connection is closed a bounded wait later.
    assert.ok(afterMs >= 300 && afterMs < 4_000, `${name} was closed after ${afterMs} ms`);
  }
  const { text, afterMs } = await dripping.closed;
  clearInterval(drip);
  assert.match(text, /^HTTP\/1\.1 408 /);
  assert.ok(afterMs >= 1_000 && afterMs < 5_000, `a dripping sender was closed after ${afterMs} ms`);
  const answer = await listener.send({ body: line });
  assert.equal(answer.json.error.details.reason, "store");
  await db.close();
});

Deno.test("a connection without a request head is closed", async () => {
  const db = unreachableDatabase();
  const quick = { headersTimeout: 300, connectionsCheckingInterval: 100 };
  await using listener = await TestListener.start({ db }, "127.0.0.1", quick);
  for (const head of ["", "POST /internal", `${CHUNKED_HEAD}X-Slow: `]) {
    const { socket, closed } = listener.raw();
    if (head !== "") socket.write(head);
    const { text, afterMs } = await closed;
    assert.match(text, /^(HTTP\/1\.1 408 |$)/);
    assert.ok(afterMs < 3_000, `closed after ${afterMs} ms`);
  }
  await db.close();
});

protocolTest("garbage and broken connections at any point leave the listener working", async (listener) => {
  const request = `${CHUNKED_HEAD}Content-Encoding: gzip\r\n\r\n5\r\n\x1f\x8b\x08\x00\x00\r\n0\r\n\r\n`;
  const texts = [
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    `${CHUNKED_HEAD}Content-Length: 5\r\n\r\n`,
    `${CHUNKED_HEAD}\r\nzz\r\n`,
    `GET ${INGEST_LIVE_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nx`,
    `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nx`,
    "x".repeat(100_000),
    ...Array.from({ length: 40 }, (_, i) => request.slice(0, Math.ceil((i * request.length) / 40))),
  ];
  const connections = texts.map((text, i) => {
    const connection = listener.raw();
    connection.socket.write(Buffer.from(text, "latin1"));
    setTimeout(() => i % 2 === 0 ? connection.socket.destroy() : connection.socket.end(), i % 7);
    return connection.closed;
  });
  await Promise.all(connections);
  const answer = await listener.send({ body: line });
  assert.equal(answer.json.error.details.reason, "store");
});

Deno.test("a sender that disconnects half-way leaves nothing behind", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({ db, capacity: { requests: 1, bytes: 1_000_000 } });
  for (const body of ["", '{"kind":"zeek.conn"}\n']) {
    const { socket, closed } = listener.raw();
    socket.write(`${CHUNKED_HEAD}\r\n`);
    if (body !== "") socket.write(`${body.length.toString(16)}\r\n${body}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    assert.equal((await closed).text, "");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await listener.send({ body: line })).json.error.details.reason, "store");
  }
  await db.close();
});

Deno.test("total memory of all requests is bounded; beyond the bound, 503 asks to retry", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({ db, capacity: { requests: 10, bytes: 100_000 } });
  const holding = listener.raw();
  holding.socket.write(`${CHUNKED_HEAD}\r\n${(80_000).toString(16)}\r\n${"x".repeat(80_000)}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const refused = await listener.send({ body: "x".repeat(50_000) });
  assert.deepEqual([refused.status, refused.json.error.details.reason, refused.headers["retry-after"]], [
    503,
    "capacity",
    "1",
  ]);
  assert.equal((await listener.send({ body: line })).json.error.details.reason, "store");
  holding.socket.destroy();
  await holding.closed;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await listener.send({ body: `${"x".repeat(50_000)}` })).json.error.details.reason, "store");
  await db.close();
});
