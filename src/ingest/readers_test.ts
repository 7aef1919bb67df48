import assert from "node:assert/strict";
import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/errors.ts";
import { RECORD_KINDS } from "../contract/kinds.ts";
import { readBody } from "./batch.ts";
import { BodyReaders } from "./readers.ts";

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

async function withReaders(threads: number, test: (readers: BodyReaders) => Promise<void>): Promise<void> {
  const readers = new BodyReaders(threads);
  try {
    await test(readers);
  } finally {
    readers.close();
  }
}

Deno.test("another thread reads what this one would", async () => {
  await withReaders(2, async (readers) => {
    const here = await readBody(bodyOf(LINES), SOURCE);
    const there = await Promise.all([1, 2, 3].map(() => readers.read(bodyOf(LINES), SOURCE)));
    for (const batch of there) {
      assert.deepEqual(batch, {
        ...here,
        columns: here.columns.map(plain),
        block: plain(here.block!),
        rejected: batch.rejected,
      });
      assert.deepEqual(batch.rejected.map(({ line }) => new TextDecoder().decode(line)), ["not JSON"]);
    }
  });
});

/** Buffers arrive as what they are made of. */
function plain<T>(value: T): T | Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

Deno.test("a refusal keeps its code, status and details", async () => {
  await withReaders(1, async (readers) => {
    const source = { ...SOURCE, allowedKinds: new Set(["zeek.dns"] as const) };
    await assert.rejects(readers.read(bodyOf(LINES), source), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 403);
      assert.deepEqual(error.details, { kind: "zeek.conn", line: 1 });
      return true;
    });
  });
});

Deno.test("a view of a larger buffer leaves the rest of it alone", async () => {
  await withReaders(1, async (readers) => {
    const large = bodyOf([...LINES, "rest"]);
    await readers.read(large.subarray(0, bodyOf(LINES).length), SOURCE);
    assert.equal(new TextDecoder().decode(large.subarray(-4)), "rest");
  });
});

Deno.test("what a closed reader had under way is to be tried again", async () => {
  const readers = new BodyReaders(1);
  const reading = readers.read(bodyOf(LINES), SOURCE);
  readers.close();
  await assert.rejects(reading, (error: unknown) => error instanceof ApiError && error.status === 503);
});
