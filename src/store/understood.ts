// A record that has been understood: what it observes, and the identity that follows from its event id.
import type { RecordKind, TrustClass } from "../contract/kinds.ts";
import { hash64 } from "../kit/hash64.ts";
import { timeUuid } from "../kit/id.ts";
import type { CaptureSample, Micros, Normalised, Observation } from "../domain/records/observation.ts";
import type { Located } from "../domain/correlate/merge.ts";

/** An observation and where its record stands. */
export interface Understood extends Located {
  eventId: Uint8Array;
}

/** What all records of a batch share, known when it is committed. */
export type BatchHead = Pick<Located, "sensorId" | "receivedAt" | "batchNo"> & { trust: TrustClass };

/** What a sensor said of its own capture. */
export interface SensorSample extends Omit<CaptureSample, "warnings"> {
  sensorId: string;
  recordKind: RecordKind;
  receivedAt: Micros;
}

/** A record's observation before its batch is committed. */
export interface ReadRecord {
  observation: Observation;
  evidenceId: string;
  nativeHash: bigint | null;
  /** 32 bytes. */
  eventId: Uint8Array;
  /** Place in the batch's block. */
  position: number;
}

/** As `SensorSample`, before its batch is committed. */
export type ReadSample = Omit<CaptureSample, "warnings"> & { recordKind: RecordKind; position: number };

/** A batch as its records tell it, in the order of arrival. */
export interface ReadBatch {
  records: ReadRecord[];
  samples: ReadSample[];
}

/** Takes up what became of a record; one that was not understood says nothing. */
export function addRead(
  batch: ReadBatch,
  result: Normalised,
  record: { kind: RecordKind; sensorId: string; eventId: Uint8Array; position: number },
): void {
  const { kind, sensorId, eventId, position } = record;
  if ("observation" in result) {
    const { observation } = result;
    const { nativeId, observedAt } = observation;
    batch.records.push({
      observation,
      evidenceId: timeUuid(observedAt, eventId),
      nativeHash: nativeId === null ? null : hash64(`${sensorId}\n${nativeId}`),
      eventId,
      position,
    });
  } else if ("capture" in result) {
    const { warnings: _, ...sample } = result.capture;
    batch.samples.push({ ...sample, recordKind: kind, position });
  }
}

/** What a batch says: of flows, and of the sensor's own capture. */
export interface UnderstoodBatch {
  records: Understood[];
  samples: SensorSample[];
}

export function understood(head: BatchHead, { records, samples }: ReadBatch): UnderstoodBatch {
  const { sensorId, trust, receivedAt, batchNo } = head;
  return {
    // Member by member: the engine copies what is spread several times slower.
    records: records.map(({ observation, evidenceId, nativeHash, eventId, position }) => ({
      observation,
      evidenceId,
      nativeHash,
      eventId,
      position,
      sensorId,
      trust,
      receivedAt,
      batchNo,
    })),
    samples: samples.map(({ position: _, ...sample }) => ({ ...sample, sensorId, receivedAt })),
  };
}
