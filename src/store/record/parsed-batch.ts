import type { RecordKind, TrustClass } from "../../contract/record/kinds.ts";
import type { Located } from "../../domain/flow/merge.ts";
import type { CaptureSample, Micros } from "../../domain/record/observation.ts";

/** What all records of a batch share. */
export type BatchHead = Pick<Located, "sensorId" | "receivedAt" | "batchNo"> & { trust: TrustClass };

/** A committed batch with its parsed records. */
export interface ParsedBatch {
  head: BatchHead;
  /** Number of records in the batch, parsed or not. */
  records: number;
  /** The parsed records in the pipeline's own format. */
  parsed: Uint8Array;
}

/** Capture statistics that a sensor reported about itself. */
export interface SensorSample extends Omit<CaptureSample, "warnings"> {
  sensorId: string;
  recordKind: RecordKind;
  receivedAt: Micros;
}
