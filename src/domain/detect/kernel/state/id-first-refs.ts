// Evidence references in the byte order of the oldest detector states: evidence id, time, flow id. New states
// use `refs`, which stores the time first.
import type { EvidenceRef } from "../result.ts";
import { float, list, record } from "./schema.ts";
import type { Field } from "./schema.ts";

const uuid: Field<string> = {
  write: (out, value) => out.uuid(value),
  read: (from) => from.uuid(),
  size: () => 100,
  maxBytes: 16,
};

/** Up to `max` references to evidence, 40 bytes each. */
export function idFirstRefs(max: number): Field<EvidenceRef[]> {
  return list(record<EvidenceRef>({ evidenceId: uuid, observedAt: float, flowId: uuid }), max);
}
