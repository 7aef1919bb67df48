import type { RecordKind } from "../contract/kinds.ts";
import type { Located } from "../domain/correlate/merge.ts";
import { normalise } from "../domain/records/registry.ts";
import { hash64 } from "../kit/hash64.ts";
import { timeUuid } from "../kit/id.ts";
import { parseKnownJson } from "../kit/json.ts";
import { parseTimestamp } from "../kit/time.ts";
import { type BlockRecord, decodeBlock } from "../store/block.ts";
import type { StoredSample } from "../store/capture-samples.ts";
import type { PendingBatch } from "../store/pending.ts";

/** An observation and where its record stands. */
export interface Understood extends Located {
  eventId: Uint8Array;
}

/** What a batch says: of flows, and of the sensor's own capture. */
export interface UnderstoodBatch {
  records: Understood[];
  samples: StoredSample[];
}

/** A batch in the order of arrival. One without new records, or without its block, says nothing. */
export function understandBatch(batch: PendingBatch): UnderstoodBatch {
  const understood: UnderstoodBatch = { records: [], samples: [] };
  if (batch.body === null || batch.block_id === null) return understood;
  const records = decodeBlock(batch.body);
  const positions = batch.positions ?? records.keys();
  for (const position of positions) understand(batch, records[position]!, position, understood);
  return understood;
}

function understand(
  batch: PendingBatch,
  record: BlockRecord,
  position: number,
  understood: UnderstoodBatch,
): void {
  const payload = parseKnownJson(record.payload);
  const observedAt = parseTimestamp(record.observedAtText)!.micros;
  // Whether the exporter was expected was decided at receipt; what was not is not among the positions.
  const result = normalise(
    record.kind as RecordKind,
    payload as Parameters<typeof normalise>[1],
    { observedAt, expectedExporters: null },
  );
  if ("capture" in result) {
    const { warnings: _, ...sample } = result.capture;
    const { sensor_id: sensorId, received_at: receivedAt } = batch;
    understood.samples.push({ ...sample, sensorId, receivedAt, recordKind: record.kind });
  }
  if (!("observation" in result)) return;
  const { observation } = result;
  understood.records.push({
    observation,
    evidenceId: timeUuid(observedAt, record.eventId),
    sensorId: batch.sensor_id,
    trust: batch.trust,
    receivedAt: batch.received_at,
    nativeHash: observation.nativeId === null ? null : hash64(`${batch.sensor_id}\n${observation.nativeId}`),
    eventId: record.eventId,
    batchNo: batch.batch_no,
    position,
  });
}
