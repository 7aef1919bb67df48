import type { Located } from "../../domain/flow/merge.ts";
import type { SensorSample } from "../../store/record/parsed-batch.ts";

/** An observation with the place and identity of its record. */
export interface ParsedRecord extends Located {
  /** The record's event id is the 32 bytes from offset `eventAt`; the records of a batch may share one array. */
  eventIds: Uint8Array;
  eventAt: number;
}

/** The contents of a batch in the order of arrival: observations, and the sensor's own capture statistics. */
export interface ParsedRecords {
  records: ParsedRecord[];
  samples: SensorSample[];
}
