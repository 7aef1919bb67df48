// Records survive the way between threads unchanged: every golden input, packed and unpacked.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { RECORD_KINDS } from "../../src/contract/kinds.ts";
import { readRecordLine } from "../../src/domain/identity/record-line.ts";
import { normalise } from "../../src/domain/records/registry.ts";
import { packRead, unpackRead } from "../../src/store/packed-records.ts";
import { addRead, type ReadBatch } from "../../src/store/understood.ts";

const ROOT = import.meta.dirname ?? "";

function batchOf(): ReadBatch {
  const lines = RECORD_KINDS.flatMap((kind) =>
    readdirSync(`${ROOT}/${kind}`).flatMap((name) =>
      readFileSync(`${ROOT}/${kind}/${name}/input.ndjson`, "utf8").trimEnd().split("\n").map((line) => ({ kind, line }))
    )
  );
  const batch: ReadBatch = { records: [], samples: [] };
  for (const [position, { kind, line }] of lines.entries()) {
    const { value, observedAt: { micros } } = readRecordLine(line);
    const eventId = crypto.getRandomValues(new Uint8Array(32));
    const result = normalise(kind, value, { observedAt: micros, expectedExporters: null });
    addRead(batch, result, { kind, sensorId: "sensor-1", eventId, position });
  }
  return batch;
}

Deno.test("records arrive as they were sent", () => {
  const batch = batchOf();
  assert.ok(batch.records.length > 200, `only ${batch.records.length} records`);
  assert.ok(batch.samples.length > 5, `only ${batch.samples.length} samples`);
  assert.deepEqual(unpackRead(packRead(batch)), batch);
});

Deno.test("no records are no records", () => {
  const nothing = { records: [], samples: [] };
  assert.deepEqual(unpackRead(packRead(nothing)), nothing);
});
