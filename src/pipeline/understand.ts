import { addUnderstood, type BatchHead, type UnderstoodBatch } from "../store/understood.ts";
import type { RecordKind } from "../contract/kinds.ts";
import { normalise } from "../domain/records/registry.ts";
import { parseKnownJson } from "../kit/json.ts";
import { parseTimestamp } from "../kit/time.ts";
import { type BlockRecord, decodeBlock } from "../store/block.ts";
import type { PendingBatch } from "../store/pending.ts";

/** What a stored batch says, in the order of arrival. One without new records, or without its block, says nothing. */
export function understandBatch(batch: PendingBatch): UnderstoodBatch {
  const understood: UnderstoodBatch = { records: [], samples: [] };
  if (batch.body === null || batch.block_id === null) return understood;
  const head = headOf(batch);
  const records = decodeBlock(batch.body);
  const positions = batch.positions ?? records.keys();
  for (const position of positions) {
    const record = records[position]!;
    const { eventId } = record;
    const kind = record.kind as RecordKind;
    addUnderstood(understood, normaliseStored(record), head, { kind, eventId, position });
  }
  return understood;
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
