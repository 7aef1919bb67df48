// What both memories of threat intelligence share.
import type { ByteReader } from "../kernel/state/bytes.ts";
import { addRef } from "../kernel/state/refs.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/** Evidence kept of a meeting or a visit: the newest. */
const MAX_INTEL_REFS = 8;

/** A record that meets an indicator in two ways is one piece of evidence. */
export function addIntelRef(refs: EvidenceRef[], ref: EvidenceRef): void {
  if (!refs.some(({ evidenceId }) => evidenceId === ref.evidenceId)) addRef(refs, ref, MAX_INTEL_REFS);
}

/** Throws a RangeError for bytes of another version. */
export function readVersion(from: ByteReader, name: string, version: number): void {
  const found = from.varint();
  if (found !== version) throw new RangeError(`${name}: expected version ${version}, got ${found}`);
}

/** The least of 1, 2, 5, 10, 20, 50, … above `count`. */
export function nextStep(count: number): number {
  for (let power = 1;; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (step > count) return step;
  }
}
