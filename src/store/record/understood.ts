// A record that has been understood: what it observes, and the identity that follows from its event id.
import type { RecordKind, TrustClass } from "../../contract/record/kinds.ts";
import type { CaptureSample, Micros } from "../../domain/record/observation.ts";
import type { Located } from "../../domain/flow/merge.ts";

/** An observation and where its record stands. */
export interface Understood extends Located {
  /** The record's event id is the 32 bytes from place `eventAt` on: those of a batch may stand in one array. */
  eventIds: Uint8Array;
  eventAt: number;
}

/** What all records of a batch share. */
export type BatchHead = Pick<Located, "sensorId" | "receivedAt" | "batchNo"> & { trust: TrustClass };

/** What a sensor said of its own capture. */
export interface SensorSample extends Omit<CaptureSample, "warnings"> {
  sensorId: string;
  recordKind: RecordKind;
  receivedAt: Micros;
}

/** A batch as its records tell it, in the order of arrival: of flows, and of the sensor's own capture. */
export interface UnderstoodBatch {
  records: Understood[];
  samples: SensorSample[];
}
