// Evidence references in the byte order of the oldest detector states: evidence id, time, flow id. New states
// use `refs`, which stores the time first.
import type { EvidenceRef } from "../result.ts";
import type { Field } from "./schema.ts";

/** Up to `max` references to evidence, 40 bytes each. */
export function idFirstRefs(max: number): Field<EvidenceRef[]> {
  return {
    write: (out, refs) => {
      out.varint(refs.length);
      for (const { evidenceId, observedAt, flowId } of refs) {
        out.uuid(evidenceId);
        out.float(observedAt);
        out.uuid(flowId);
      }
    },
    read: (from) => {
      const length = from.varint();
      if (length > max) throw new RangeError(`expected at most ${max} references, got ${length}`);
      const refs: EvidenceRef[] = [];
      while (refs.length < length) {
        refs.push({ evidenceId: from.uuid(), observedAt: from.float(), flowId: from.uuid() });
      }
      return refs;
    },
    size: (refs) => 16 + 220 * refs.length,
    maxBytes: 2 + 40 * max,
  };
}
