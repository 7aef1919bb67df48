import assert from "node:assert/strict";
import { type Batch, batches } from "./batch.ts";
import type { ReplayRecord } from "./recording.ts";

function record(text: string, source = 0, item = 1, kind: string | null = "zeek.conn"): ReplayRecord {
  const bytes = new TextEncoder().encode(text);
  return { bytes, kind, micros: 0, writtenMicros: 0, source, item, offset: item * 10, order: 0 };
}

async function collect(records: ReplayRecord[], limits: { lines: number; bytes: number }): Promise<Batch[]> {
  const all: Batch[] = [];
  const stream = (async function* () {
    yield* records;
  })();
  for await (const batch of batches(stream, limits)) all.push(batch);
  return all;
}

function bodies(all: Batch[]): string[] {
  return all.map(({ body }) => new TextDecoder().decode(body));
}

Deno.test("a batch ends at its limit of lines or bytes, whichever comes first", async () => {
  const five = ["a", "b", "c", "d", "e"].map((text) => record(text));
  assert.deepEqual(bodies(await collect(five, { lines: 2, bytes: 100 })), ["a\nb", "c\nd", "e"]);
  assert.deepEqual(bodies(await collect(five, { lines: 100, bytes: 6 })), ["a\nb\nc", "d\ne"]);
  assert.deepEqual(await collect([], { lines: 2, bytes: 100 }), []);
});

Deno.test("a record beyond the limit is sent alone", async () => {
  const records = ["a", "0123456789", "b"].map((text) => record(text));
  assert.deepEqual(bodies(await collect(records, { lines: 100, bytes: 5 })), ["a", "0123456789", "b"]);
});

Deno.test("a batch knows its kinds and the position that it reaches in each file", async () => {
  const [first, second] = await collect([
    record("a", 0, 1),
    record("b", 1, 4, "zeek.dns"),
    record("c", 0, 3, null),
    record("d", 1, 5, "zeek.dns"),
  ], { lines: 3, bytes: 100 });
  assert.deepEqual([...first!.kinds], [["zeek.conn", 1], ["zeek.dns", 1]]);
  assert.deepEqual([...first!.reached], [[0, { items: 3, bytes: 30 }], [1, { items: 4, bytes: 40 }]]);
  assert.deepEqual([...second!.reached], [[1, { items: 5, bytes: 50 }]]);
});
