// A normalised record: its observation, and the identity derived from its event id.

import type { RecordKind, TrustClass } from "../../contract/record/kinds.ts";
import type { CaptureSample, Micros } from "../../domain/record/observation.ts";
import type { Located } from "../../domain/flow/merge.ts";

/** An observation and the position of its record. */
export interface Understood extends Located {
  /** Holds the record's event id: 32 bytes from `eventAt` on. A batch may share one array. */
  eventIds: Uint8Array;
  eventAt: number;
}

/** Properties that all records of a batch share. */
export type BatchHead = Pick<Located, "sensorId" | "receivedAt" | "batchNo"> & { trust: TrustClass };

/** A sensor's report about its own capture. */
export interface SensorSample extends Omit<CaptureSample, "warnings"> {
  sensorId: string;
  recordKind: RecordKind;
  receivedAt: Micros;
}

/** A normalised batch, in order of arrival: observations of flows, and reports about the capture. */
export interface UnderstoodBatch {
  records: Understood[];
  samples: SensorSample[];
}
