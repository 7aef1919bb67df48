import type { RecordKind } from "../../contract/record/kinds.ts";
import { normalise } from "../../domain/record/registry.ts";
import { parseKnownJson } from "../../kit/json/json.ts";
import { parseTimestamp } from "../../kit/time.ts";
import { type BlockRecord, decodeBlock } from "../../store/record/block.ts";
import { type NormalisedRecord, packUnderstood } from "../../store/record/packed-records.ts";
import type { PendingBatch } from "../../store/record/pending.ts";
import type { BatchHead } from "../../store/record/understood.ts";

/**
 * What a stored batch says, in the order of arrival, as `unpackUnderstood` takes it. One without new records, or without its
 * block, says nothing.
 */
export function understandBatch(batch: PendingBatch): Uint8Array {
  const understood: NormalisedRecord[] = [];
  if (batch.body !== null && batch.block_id !== null) {
    const records = decodeBlock(batch.body);
    for (const position of batch.positions ?? records.keys()) {
      const record = records[position]!;
      const { kind, eventId } = record;
      understood.push({ kind, eventId, position, result: normaliseStored(record) });
    }
  }
  return packUnderstood(batch.sensor_id, understood);
}

export function headOf({ sensor_id, trust, received_at, batch_no }: PendingBatch): BatchHead {
  return { sensorId: sensor_id, trust, receivedAt: received_at, batchNo: batch_no };
}

function normaliseStored(record: BlockRecord): ReturnType<typeof normalise> {
  const payload = parseKnownJson(record.payload);
  const observedAt = parseTimestamp(record.observedAtText)!.micros;
  // Whether the exporter was expected was decided at receipt; what was not is not among the positions.
  return normalise(
    record.kind as RecordKind,
    payload as Parameters<typeof normalise>[1],
    { observedAt, expectedExporters: null },
  );
}
