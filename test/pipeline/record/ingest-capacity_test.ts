// One source that holds requests open or sends masses must not keep the others from sending.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import type { IngestOptions } from "../../../src/ingest/ingest.ts";
import { testDatabase } from "../../support/database.ts";
import { IS_SOAK } from "../../support/scale.ts";
import {
  conn,
  counts,
  outcome,
  storedRecords,
  TestListener,
  TOKENS,
  unreachableDatabase,
} from "./ingest-harness.ts";

/** In `make soak` the limits are those of the product, and the requests as many as they admit. */
const LIMITS: Pick<IngestOptions, "capacity"> = IS_SOAK
  ? {}
  : { capacity: { requests: 16, bytes: 3 * 1024 * 1024 } };
const IDLE = IS_SOAK ? 256 : 16;
const LARGE = 14;
const LARGE_BYTES = IS_SOAK ? 3_500_000 : 220_000;

function head(token: string, length: number): string {
  return `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Opens requests of one source whose bodies never end, and waits until the server has read what was sent. */
async function holdOpen(listener: TestListener, count: number, sent: number): Promise<() => void> {
  const connections = Array.from({ length: count }, () => listener.raw());
  for (const { socket } of connections) {
    socket.write(head(TOKENS.all, sent + 1_000) + "x".repeat(sent));
  }
  const arrived = () =>
    listener.sockets.filter((socket) => socket.destroyed || socket.bytesRead >= sent + 100).length;
  while (arrived() < count) await new Promise((resolve) => setTimeout(resolve, 5));
  return () => connections.forEach(({ socket }) => socket.destroy());
}

for (
  const [what, count, sent] of [
    ["idle requests", IDLE, 0],
    ["large unfinished requests", LARGE, LARGE_BYTES],
  ] as const
) {
  testDatabase(`capacity: ${what} of one source do not stop sources of any tenant`, async (db) => {
    await using listener = await TestListener.start({ db, ...LIMITS });
    const release = await holdOpen(listener, count, sent);
    const records = Array.from({ length: 500 }, (_, i) => conn(`C${i}`));
    for (const token of [TOKENS.zeek, TOKENS.branch]) {
      assert.deepEqual(counts(await listener.post(records, token)), {
        accepted: 500,
        duplicates: 0,
        rejected: 0,
      });
    }
    release();
  });
}

Deno.test("capacity: the heaviest source is refused itself, with a wait", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({ db, capacity: { requests: 4, bytes: 1_000_000 } });
  const release = await holdOpen(listener, 4, 0);
  const refused = await listener.post([conn("C1")], TOKENS.all);
  assert.deepEqual([...outcome(refused), refused.headers["retry-after"]], [503, "source_unavailable", "1"]);
  assert.equal(refused.json.error.details.reason, "capacity");
  release();
  await db.close();
});

Deno.test("capacity: a body below the least rate is answered 408 although it never pauses", async () => {
  const db = unreachableDatabase();
  const timeouts = { wholeMs: 600_000, gapMs: 600_000, periodBytes: 1_000_000, periodMs: 100 };
  await using listener = await TestListener.start({ db, timeouts });
  const { socket, closed } = listener.raw();
  socket.write(head(TOKENS.all, 5_000_000));
  const drip = setInterval(() => socket.write("x".repeat(100)), 10);
  const { text } = await closed;
  clearInterval(drip);
  assert.match(text, /^HTTP\/1\.1 408 /);
  assert.match(text, /"reason":"timeout"/);
  await db.close();
});

testDatabase(
  "capacity: a source's rate is charged by decompressed bytes as well as by records",
  async (db) => {
    await using listener = await TestListener.start({
      db,
      limit: { ratePerSecond: 0.001, burst: 200 },
    });
    const pad = conn("C1", { payload: { uid: "C1", pad: "p".repeat(400_000) } });
    const send = (uid: string) =>
      listener.send({
        body: gzipSync(JSON.stringify({ ...pad, payload: { ...pad.payload as object, uid } })),
        headers: { "content-encoding": "gzip" },
      });
    // 400 kB are 98 tokens: two requests fit into 200 tokens, the third does not.
    assert.equal((await send("C1")).status, 200);
    assert.equal((await send("C2")).status, 200);
    const third = await send("C3");
    assert.equal(third.status, 429);
    assert.equal(third.json.error.details.reason, "rate_limit");
  },
);

testDatabase(
  "capacity: a record of 2.4 million numbers is kept as unparsed and goes no further",
  async (db) => {
    await using listener = await TestListener.start({ db });
    const numbers = Array(2_400_000).fill("1").join(",");
    const payload = `{"uid":"C1","a":[${numbers}]}`;
    const line = `{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":${payload}}`;
    const send = () =>
      listener.send({
        body: gzipSync(`${line}\n${JSON.stringify(conn("C2"))}`),
        headers: { "content-encoding": "gzip" },
      });
    assert.deepEqual(counts(await send()), { accepted: 2, duplicates: 0, rejected: 0 });
    assert.deepEqual(counts(await send()), { accepted: 0, duplicates: 2, rejected: 0 });
    const [large, small] = await storedRecords(db);
    assert.equal(large!.payload, payload);
    assert.deepEqual([large!.parse_status, large!.parse_reason], [
      "unparsed",
      `record too large: ${line.length} bytes, expected at most 262144`,
    ]);
    assert.equal(small!.parse_status, "parsed");
  },
);

Deno.test("capacity: bodies that expand beyond the limit are charged, and then refused unread", async () => {
  const db = unreachableDatabase();
  await using listener = await TestListener.start({ db, limit: { ratePerSecond: 0.001, burst: 2_000 } });
  const body = gzipSync(new Uint8Array(6 * 1024 * 1024).fill(0x20));
  const headers = { "content-encoding": "gzip" };
  // Each costs nearly 1,280 tokens: the first leaves about 720, the second a debt.
  assert.equal((await listener.send({ body, headers })).status, 413);
  assert.equal((await listener.send({ body, headers })).status, 413);
  assert.equal((await listener.send({ body, headers })).status, 429);
  await db.close();
});
