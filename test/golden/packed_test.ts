// Records survive the way between threads unchanged: every golden input, packed and unpacked.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { RECORD_KINDS } from "../../src/contract/kinds.ts";
import { readRecordLine } from "../../src/domain/identity/record-line.ts";
import { normalise } from "../../src/domain/records/registry.ts";
import { packRecords, unpackRecords } from "../../src/pipeline/packed-records.ts";
import type { Understood } from "../../src/pipeline/understand.ts";

const ROOT = import.meta.dirname ?? "";

function understoodOf(): Understood[] {
  const lines = RECORD_KINDS.flatMap((kind) =>
    readdirSync(`${ROOT}/${kind}`).flatMap((name) =>
      readFileSync(`${ROOT}/${kind}/${name}/input.ndjson`, "utf8").trimEnd().split("\n").map((line) => ({ kind, line }))
    )
  );
  return lines.flatMap(({ kind, line }, position) => {
    const { value, observedAt: { micros } } = readRecordLine(line);
    const result = normalise(kind, value, { observedAt: micros, expectedExporters: null });
    if (!("observation" in result)) return [];
    const { observation } = result;
    return [{
      observation,
      evidenceId: crypto.randomUUID(),
      sensorId: "sensor-1",
      trust: "packet" as const,
      receivedAt: 1_769_860_800_000_001,
      nativeHash: observation.nativeId === null ? null : -(2n ** 63n) + BigInt(position),
      eventId: crypto.getRandomValues(new Uint8Array(32)),
      batchNo: 7,
      position,
    }];
  });
}

Deno.test("records arrive as they were sent, also through a copy between threads", () => {
  const records = understoodOf();
  assert.ok(records.length > 200, `only ${records.length} records`);
  assert.deepEqual(unpackRecords(packRecords(records)), records);
  assert.deepEqual(unpackRecords(structuredClone(packRecords(records))), records);
});

Deno.test("no records are no records", () => {
  assert.deepEqual(unpackRecords(packRecords([])), []);
});
