import { createHash } from "node:crypto";
import type { Database } from "../../../src/store/engine/database.ts";
import { commitBatch, type CommittedBatch } from "../../../src/store/record/ingest.ts";
import { type IncomingRecord, packBatch } from "../../../src/store/record/packed-batch.ts";
import { formatMicros } from "../../../src/kit/time.ts";

/** 2026-01-31T12:00:00Z, in microseconds. */
export const NOON = 1_769_860_800_000_000;
export const DAY = 86_400_000_000;

/** A distinct record for each name, observed at `observedAt`. */
export function record(name: string, observedAt = NOON): IncomingRecord {
  return {
    eventId: createHash("sha256").update(`${name} ${observedAt}`).digest(),
    kind: "zeek.conn",
    observedAt,
    observedAtText: formatMicros(observedAt),
    payload: JSON.stringify({ name }),
    unparsed: null,
  };
}

export function commit(
  db: Database,
  records: IncomingRecord[],
  receivedAt = NOON,
  tenantId = "main",
): Promise<CommittedBatch> {
  return commitBatch(db, {
    tenantId,
    sensorId: "zeek-1",
    trust: "packet",
    receivedAt,
    content: packBatch(records, []),
  });
}
