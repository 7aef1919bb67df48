// Arbitrary values of the parts of detectors' states, and the storage checks that every state type must pass.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { EvidenceRef } from "../../../src/domain/detect/kernel/result.ts";
import { Distinct } from "../../../src/domain/detect/kernel/state/distinct.ts";
import { RefList } from "../../../src/domain/detect/kernel/state/ref-list.ts";
import type { CountedDay, Sampled } from "../../../src/domain/detect/kernel/state/sample.ts";
import type { DeclaredState } from "../../../src/domain/detect/kernel/state/schema.ts";
import { uuid } from "./detector-fixtures.ts";

/** Records with the usual prototype, as deepEqual expects. */
export function anyRecord<T extends object>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

export function anyList<T>(item: fc.Arbitrary<T>, max: number): fc.Arbitrary<T[]> {
  return fc.array(item, { maxLength: max, size: "max" });
}

export const anyCount: fc.Arbitrary<number> = fc.oneof(fc.nat(300), fc.maxSafeNat());
export const anyFloat: fc.Arbitrary<number> = fc.double({ noNaN: true });
export const anyTime: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 51 }),
  fc.constantFrom(0, -2e15, 6e15),
);
/** 0 to 100, one decimal. */
export const anyScore: fc.Arbitrary<number> = fc.nat(1000).map((tenths) => tenths / 10);
export const anyHash: fc.Arbitrary<number> = fc.nat(2 ** 32 - 1);
export const anyIp: fc.Arbitrary<string> = fc.oneof(fc.ipV4(), fc.ipV6());

export const anyRef: fc.Arbitrary<EvidenceRef> = anyRecord<EvidenceRef>({
  evidenceId: fc.uuid(),
  observedAt: fc.integer({ min: 0, max: 2 ** 51 }),
  flowId: fc.uuid(),
});

export function anyText(max: number): fc.Arbitrary<string> {
  return fc.string({ unit: "grapheme", maxLength: max }).map((text) => text.slice(0, max).toWellFormed());
}

export function anyDistinct(size: number): fc.Arbitrary<Distinct> {
  return anyList(anyHash, size + 1).map((hashes) => {
    const distinct = new Distinct(size);
    for (const hash of hashes) distinct.addHash(hash);
    return distinct;
  });
}

export function anyRefList(max: number): fc.Arbitrary<RefList> {
  return anyList(anyRef, max + 1).map((refs) => refListOf(refs, max));
}

export function refListOf(refs: readonly EvidenceRef[], max = refs.length): RefList {
  const list = new RefList();
  for (const ref of refs) list.add(ref, max);
  return list;
}

/** Ascending by hash, without duplicates. */
export function anySampled<T extends Sampled>(item: fc.Arbitrary<T>, max: number): fc.Arbitrary<T[]> {
  return fc.uniqueArray(item, { selector: ({ hash }) => hash, maxLength: max, size: "max" })
    .map((items) => items.toSorted((a, b) => a.hash - b.hash));
}

const anyAge: fc.Arbitrary<number> = fc.nat(86_400_000_000);

export const anyCountedDay: fc.Arbitrary<CountedDay> = fc.tuple(
  fc.option(fc.tuple(fc.integer({ min: 0, max: 2 ** 51 }), anyAge, anyAge, fc.nat(8))),
  anyCount,
  anyScore,
  anyCount,
).map(([window, evaluatedCount, reportedScore, reportedCount]) => {
  const [anchor, before, after, stale] = window ?? [null, 0, 0, 0];
  const day = { anchor, firstSeen: (anchor ?? 0) - before, lastSeen: (anchor ?? 0) + after, stale };
  return { day, evaluatedCount, reportedScore, reportedCount };
});

/** Reference number `index` of a sample state. */
export function sampleRef(index: number): EvidenceRef {
  return { evidenceId: uuid(index), observedAt: 1_600_000_000_000_000 + index, flowId: uuid(index, "9") };
}

/** Checks that any state survives storage within its bound, and that a sample still encodes to the fixed bytes. */
export function checkStored<S>(type: DeclaredState<S>, any: fc.Arbitrary<S>, sample: S, hex: string): void {
  fc.assert(fc.property(any, (state) => {
    const bytes = type.encode(state).slice();
    const decoded = type.decode(bytes);
    assert.deepEqual(decoded, state);
    // deepEqual cannot see the private fields of sketches and reference lists.
    assert.deepEqual(type.encode(decoded), bytes);
    assert.ok(bytes.length <= type.maxBytes, `${bytes.length} bytes, at most ${type.maxBytes}`);
  }));
  const bytes = type.encode(sample).slice();
  assert.equal(bytes.toHex(), hex);
  assert.deepEqual(type.decode(bytes), sample);
  assert.throws(() => type.decode(new Uint8Array([bytes[0]! + 1, ...bytes.subarray(1)])), RangeError);
}
