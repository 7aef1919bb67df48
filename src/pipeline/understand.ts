import type { RecordKind } from "../contract/kinds.ts";
import type { Located } from "../domain/correlate/merge.ts";
import { normalise } from "../domain/records/registry.ts";
import { hash64 } from "../kit/hash64.ts";
import { timeUuid } from "../kit/id.ts";
import { parseKnownJson } from "../kit/json.ts";
import { parseTimestamp } from "../kit/time.ts";
import { type BlockRecord, decodeBlock } from "../store/block.ts";
import type { PendingBatch } from "../store/pending.ts";

/** An observation and where its record stands. */
export interface Understood extends Located {
  eventId: Uint8Array;
  batchNo: number;
  position: number;
}

/** The observations of a batch in the order of arrival. A batch without new records, or without its block, has none. */
export function understandBatch(batch: PendingBatch): Understood[] {
  if (batch.body === null || batch.block_id === null) return [];
  const records = decodeBlock(batch.body);
  const positions = batch.positions ?? records.keys();
  const understood: Understood[] = [];
  for (const position of positions) {
    const located = understand(batch, records[position]!, position);
    if (located) understood.push(located);
  }
  return understood;
}

function understand(batch: PendingBatch, record: BlockRecord, position: number): Understood | null {
  const payload = parseKnownJson(record.payload);
  const observedAt = parseTimestamp(record.observedAtText)!.micros;
  // Whether the exporter was expected was decided at receipt; what was not is not among the positions.
  const result = normalise(
    record.kind as RecordKind,
    payload as Parameters<typeof normalise>[1],
    { observedAt, expectedExporters: null },
  );
  if (!("observation" in result)) return null;
  const { observation } = result;
  return {
    observation,
    evidenceId: timeUuid(observedAt, record.eventId),
    sensorId: batch.sensor_id,
    trust: batch.trust,
    receivedAt: batch.received_at,
    nativeHash: observation.nativeId === null ? null : hash64(`${batch.sensor_id}\n${observation.nativeId}`),
    eventId: record.eventId,
    batchNo: batch.batch_no,
    position,
  };
}
