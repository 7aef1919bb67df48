import assert from "node:assert/strict";
import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { RECORD_KINDS } from "../contract/record/kinds.ts";
import { parseBody } from "../ingest/parse-body.ts";
import { RecordPacker, unpackRecords } from "../pipeline/run/packed-records.ts";
import { headOf, parseBatch } from "../pipeline/run/parse-batch.ts";
import { RecordThreads } from "./record-threads.ts";

const SOURCE: Source = {
  sensorId: "zeek-1",
  tenantId: "main",
  allowedKinds: new Set(RECORD_KINDS),
  trust: "packet",
  expectedExporters: new Set(["192.0.2.1"]),
};
const LINES = [
  '{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{"id.orig_h":"10.0.0.5","id.orig_p":1,' +
  '"id.resp_h":"192.0.2.7","id.resp_p":443,"proto":"tcp"}}',
  '{"kind":"netflow.flow","observed_at":"2026-01-31T12:00:00Z","payload":{"sampler_address":"192.0.2.2"}}',
  "not JSON",
];

function bodyOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join("\n"));
}

const newPacker = (sensorId: string, capacity: number) => new RecordPacker(sensorId, capacity);

async function withThreads(count: number, test: (threads: RecordThreads) => Promise<void>): Promise<void> {
  const threads = new RecordThreads(count);
  try {
    await test(threads);
  } finally {
    threads.close();
  }
}

Deno.test("a thread reads a body as this one does", async () => {
  await withThreads(2, async (threads) => {
    const here = await parseBody(bodyOf(LINES), SOURCE, newPacker);
    const there = await Promise.all([1, 2, 3].map(() => threads.read(bodyOf(LINES), SOURCE, true)));
    for (const batch of there) {
      assert.deepEqual(batch, {
        ...here,
        columns: here.columns.map(plain),
        block: plain(here.block!),
        parsed: plain(here.parsed!),
        rejected: { ...here.rejected, columns: here.rejected.columns.map(plain) },
      });
      assert.equal(batch.rejected.count, 1);
    }
  });
});

/** Buffers arrive as plain byte arrays. */
function plain<T>(value: T): T | Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

Deno.test("a refusal keeps its code, status and details", async () => {
  await withThreads(1, async (threads) => {
    const source = { ...SOURCE, allowedKinds: new Set(["zeek.dns"] as const) };
    await assert.rejects(threads.read(bodyOf(LINES), source), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 403);
      assert.deepEqual(error.details, { reason: "kind_not_allowed", kind: "zeek.conn", line: 1 });
      return true;
    });
  });
});

Deno.test("a view of a larger buffer leaves the rest of it alone", async () => {
  await withThreads(1, async (threads) => {
    const large = bodyOf([...LINES, "rest"]);
    await threads.read(large.subarray(0, bodyOf(LINES).length), SOURCE);
    assert.equal(new TextDecoder().decode(large.subarray(-4)), "rest");
  });
});

Deno.test("closing the threads answers a read under way with 503", async () => {
  const threads = new RecordThreads(1);
  const reading = threads.read(bodyOf(LINES), SOURCE);
  threads.close();
  await assert.rejects(reading, (error: unknown) => error instanceof ApiError && error.status === 503);
});

Deno.test("a thread parses a batch as this one does", async () => {
  await withThreads(1, async (threads) => {
    const { block } = await parseBody(bodyOf(LINES), SOURCE);
    const batch = {
      batch_no: 7,
      received_at: 1_769_860_800_000_001,
      sensor_id: "zeek-1",
      trust: "packet" as const,
      block_id: 1n,
      positions: [0],
      accepted: 3,
      body: block,
    };
    const here = parseBatch(batch);
    assert.equal(unpackRecords(here, headOf(batch)).records.length, 1);
    assert.deepEqual(await threads.parse(batch), new Uint8Array(here));
  });
});
