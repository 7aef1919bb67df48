import { normaliseStored } from "../../domain/record/stored-record.ts";
import { decodeBlock } from "../../store/record/block.ts";
import type { BatchHead } from "../../store/record/parsed-batch.ts";
import type { PendingBatch } from "../../store/record/pending.ts";
import { type NormalisedRecord, packRecords } from "./packed-records.ts";

/**
 * Parses a stored batch, for `unpackRecords`. The result has no records if the batch has no new ones or its block has
 * expired.
 */
export function parseBatch(batch: PendingBatch): Uint8Array {
  const normalised: NormalisedRecord[] = [];
  if (batch.body !== null && batch.block_id !== null) {
    const records = decodeBlock(batch.body);
    for (const position of batch.positions ?? records.keys()) {
      const record = records[position]!;
      const { kind, eventId } = record;
      normalised.push({ kind, eventId, position, result: normaliseStored(record) });
    }
  }
  return packRecords(batch.sensor_id, normalised);
}

export function headOf({ sensor_id, trust, received_at, batch_no }: PendingBatch): BatchHead {
  return { sensorId: sensor_id, trust, receivedAt: received_at, batchNo: batch_no };
}
