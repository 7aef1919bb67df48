// Records survive the way between threads unchanged: every golden input, packed and unpacked.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { RECORD_KINDS } from "../../src/contract/kinds.ts";
import { readRecordLine } from "../../src/domain/identity/record-line.ts";
import { normalise } from "../../src/domain/records/registry.ts";
import { packUnderstood, unpackUnderstood } from "../../src/store/packed-records.ts";
import { addUnderstood, type BatchHead, type UnderstoodBatch } from "../../src/store/understood.ts";

const ROOT = import.meta.dirname ?? "";

const HEAD: BatchHead = { sensorId: "sensor-1", trust: "packet", receivedAt: 1_700_000_000_000_000, batchNo: 7 };

function batchOf(): UnderstoodBatch {
  const lines = RECORD_KINDS.flatMap((kind) =>
    readdirSync(`${ROOT}/${kind}`).flatMap((name) =>
      readFileSync(`${ROOT}/${kind}/${name}/input.ndjson`, "utf8").trimEnd().split("\n").map((line) => ({ kind, line }))
    )
  );
  const batch: UnderstoodBatch = { records: [], samples: [] };
  for (const [position, { kind, line }] of lines.entries()) {
    const { value, observedAt: { micros } } = readRecordLine(line);
    const eventId = crypto.getRandomValues(new Uint8Array(32));
    const result = normalise(kind, value, { observedAt: micros, expectedExporters: null });
    addUnderstood(batch, result, HEAD, { kind, eventId, position });
  }
  return batch;
}

Deno.test("records arrive as they were sent", () => {
  const batch = batchOf();
  assert.ok(batch.records.length > 200, `only ${batch.records.length} records`);
  assert.ok(batch.samples.length > 5, `only ${batch.samples.length} samples`);
  assert.deepEqual(withOwnIds(unpackUnderstood(packUnderstood(batch), HEAD)), batch);
});

Deno.test("no records are no records", () => {
  const nothing = { records: [], samples: [] };
  assert.deepEqual(unpackUnderstood(packUnderstood(nothing), HEAD), nothing);
});

/** Each record with its event id alone, wherever that stood. */
function withOwnIds({ records, samples }: UnderstoodBatch): UnderstoodBatch {
  return {
    records: records.map((record) => ({
      ...record,
      eventIds: record.eventIds.slice(record.eventAt, record.eventAt + 32),
      eventAt: 0,
    })),
    samples,
  };
}
