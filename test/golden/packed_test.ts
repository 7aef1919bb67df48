// Packing and unpacking changes no record: every golden input.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Source } from "../../src/config/sources.ts";
import { RECORD_KINDS } from "../../src/contract/record/kinds.ts";
import { readRecordLine } from "../../src/domain/record/record-line.ts";
import { normalise } from "../../src/domain/record/registry.ts";
import { parseBody } from "../../src/ingest/parse-body.ts";
import { nativeHasher } from "../../src/domain/flow/native-hash.ts";
import { seriesHasher } from "../../src/domain/flow/report-series.ts";
import { timeUuid } from "../../src/kit/id.ts";
import { type NormalisedRecord, packRecords, RecordPacker, unpackRecords } from "../../src/pipeline/run/packed-records.ts";
import { parseBatch } from "../../src/pipeline/run/parse-batch.ts";
import type { ParsedRecords } from "../../src/pipeline/run/parsed-record.ts";
import type { BatchHead } from "../../src/store/record/parsed-batch.ts";

const ROOT = import.meta.dirname ?? "";

// The receipt is later than all records, which would otherwise be bounded by it.
const HEAD: BatchHead = { sensorId: "sensor-1", trust: "packet", receivedAt: 1_900_000_000_000_000, batchNo: 7 };
const SOURCE: Source = {
  sensorId: HEAD.sensorId,
  tenantId: "main",
  allowedKinds: new Set(RECORD_KINDS),
  trust: HEAD.trust,
  expectedExporters: null,
};

const LINES = RECORD_KINDS.flatMap((kind) =>
  readdirSync(`${ROOT}/${kind}`).flatMap((name) =>
    readFileSync(`${ROOT}/${kind}/${name}/input.ndjson`, "utf8").trimEnd().split("\n").map((line) => ({ kind, line }))
  )
);

function normalised(): NormalisedRecord[] {
  return LINES.map(({ kind, line }, position) => {
    const { value, observedAt: { micros } } = readRecordLine(line);
    const eventId = crypto.getRandomValues(new Uint8Array(32));
    const result = normalise(kind, value, { observedAt: micros, expectedExporters: null });
    return { kind, eventId, position, result };
  });
}

/** The expected records. */
function expected(all: readonly NormalisedRecord[]): ParsedRecords {
  const { sensorId, receivedAt } = HEAD;
  const batch: ParsedRecords = { records: [], samples: [] };
  for (const { kind, eventId, position, result } of all) {
    if ("observation" in result) {
      const { nativeId, isDelta, ...observation } = result.observation;
      const { observedAt, exporter } = observation;
      const nativeHash = nativeId === null ? null : nativeHasher(sensorId, exporter)(nativeId);
      batch.records.push({
        ...HEAD,
        observation,
        evidenceId: timeUuid(observedAt, eventId),
        nativeHash,
        series: isDelta ? seriesHasher(sensorId, exporter)(observation, nativeHash) : null,
        eventIds: eventId,
        eventAt: 0,
        position,
      });
    } else if ("capture" in result) {
      const { warnings: _, ...sample } = result.capture;
      batch.samples.push({ ...sample, recordKind: kind, sensorId, receivedAt });
    }
  }
  return batch;
}

Deno.test("records survive packing unchanged", () => {
  const records = normalised();
  const batch = expected(records);
  assert.ok(batch.records.length > 200, `only ${batch.records.length} records`);
  assert.ok(batch.samples.length > 5, `only ${batch.samples.length} samples`);
  assert.deepEqual(withOwnIds(unpackRecords(packRecords(HEAD.sensorId, records), HEAD)), batch);
});

Deno.test("a count beyond float precision survives packing", () => {
  const [record] = normalised().filter(({ result }) => "observation" in result && result.observation.counters !== null);
  assert.ok(record && "observation" in record.result);
  const counts = { bytes: 2n ** 53n + 1n, packets: null };
  const counters = { srcToDst: counts, dstToSrc: { bytes: 7, packets: 2n ** 64n }, semantics: "session" as const };
  const large = { ...record, position: 0, result: { observation: { ...record.result.observation, counters } } };
  const { records } = unpackRecords(packRecords(HEAD.sensorId, [record, large]), HEAD);
  assert.deepEqual(records.map(({ observation }) => observation.counters), [
    record.result.observation.counters,
    counters,
  ]);
});

Deno.test("an empty batch stays empty", () => {
  const nothing = { records: [], samples: [] };
  assert.deepEqual(unpackRecords(packRecords(HEAD.sensorId, []), HEAD), nothing);
});

Deno.test("the batch handed over by ingest equals the parsed stored batch", async () => {
  // Includes duplicates, lines that are not records, and records that cannot be parsed.
  const lines = [...LINES, ...LINES.slice(0, 20)].map(({ line }) => line);
  lines.splice(30, 0, "no JSON", '{"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z","payload":{}}');
  const content = await parseBody(
    new TextEncoder().encode(lines.join("\n")),
    SOURCE,
    (sensorId, capacity) => new RecordPacker(sensorId, capacity),
  );
  assert.equal(content.rejected.count, 1);
  assert.ok(content.distinct < content.records && content.unparsed.length > 0);
  const refused = new Set(content.unparsed);
  const positions = Array.from({ length: content.distinct }, (_, position) => position);
  const stored = parseBatch({
    batch_no: HEAD.batchNo,
    received_at: HEAD.receivedAt,
    sensor_id: HEAD.sensorId,
    trust: HEAD.trust,
    block_id: 1n,
    positions: positions.filter((position) => !refused.has(position)),
    accepted: content.distinct,
    body: content.block,
  });
  const handed = unpackRecords(content.parsed!, HEAD);
  assert.ok(handed.records.length > 200 && handed.samples.length > 5);
  assert.deepEqual(withOwnIds(handed), withOwnIds(unpackRecords(stored, HEAD)));
});

/** Each record with its event id alone, wherever that was stored. */
function withOwnIds({ records, samples }: ParsedRecords): ParsedRecords {
  return {
    records: records.map((record) => ({
      ...record,
      eventIds: record.eventIds.slice(record.eventAt, record.eventAt + 32),
      eventAt: 0,
    })),
    samples,
  };
}
