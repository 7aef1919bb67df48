// References to evidence in a state: the newest few.
import type { Field } from "./schema.ts";
import type { EvidenceRef } from "../result.ts";

/** Adds a reference in place and drops the oldest beyond `limit`. */
export function addRef(refs: EvidenceRef[], ref: EvidenceRef, limit: number): void {
  refs.push(ref);
  if (refs.length > limit) refs.shift();
}

/** Up to `max` references of 40 bytes. Writing throws a RangeError unless ids are lower-case UUIDs. */
export function refs(max: number): Field<EvidenceRef[]> {
  return {
    write: (out, value) => {
      out.varint(value.length);
      for (const { observedAt, evidenceId, flowId } of value) {
        out.float(observedAt);
        out.uuid(evidenceId);
        out.uuid(flowId);
      }
    },
    read: (from) => {
      const value: EvidenceRef[] = [];
      for (let left = from.varint(); left > 0; left--) {
        const observedAt = from.float();
        value.push({ observedAt, evidenceId: from.uuid(), flowId: from.uuid() });
      }
      return value;
    },
    size: (value) => 16 + 220 * value.length,
    maxBytes: 2 + 40 * max,
  };
}
