// References to evidence in a state: the newest few.
import type { ByteReader, ByteWriter } from "./bytes.ts";
import type { Field } from "./schema.ts";
import type { EvidenceRef } from "../result.ts";

/** Adds a reference in place and drops the oldest beyond `limit`. */
export function addRef(refs: EvidenceRef[], ref: EvidenceRef, limit: number): void {
  refs.push(ref);
  if (refs.length > limit) refs.shift();
}

/** 40 bytes each. Throws a RangeError for an id that is not a UUID. */
export function writeRefs(out: ByteWriter, refs: readonly EvidenceRef[]): void {
  out.varint(refs.length);
  for (const { observedAt, evidenceId, flowId } of refs) {
    out.float(observedAt);
    out.uuid(evidenceId);
    out.uuid(flowId);
  }
}

export function readRefs(from: ByteReader): EvidenceRef[] {
  const refs: EvidenceRef[] = [];
  for (let left = from.varint(); left > 0; left--) {
    const observedAt = from.float();
    refs.push({ observedAt, evidenceId: from.uuid(), flowId: from.uuid() });
  }
  return refs;
}

/** Up to `max` references to evidence. */
export function refs(max: number): Field<EvidenceRef[]> {
  return {
    write: writeRefs,
    read: readRefs,
    size: (value) => 16 + 220 * value.length,
    maxBytes: 2 + 40 * max,
  };
}
