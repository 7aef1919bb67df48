// Generated values of parts of detectors' states, and the storage checks that all state types must pass.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { StateType } from "../../../src/domain/detect/kernel/detector.ts";
import type { DestinationUsage } from "../../../src/domain/detect/kernel/destination-usage.ts";
import type { EvidenceRef } from "../../../src/domain/detect/kernel/result.ts";
import { Distinct } from "../../../src/domain/detect/kernel/state/distinct.ts";
import { RefList } from "../../../src/domain/detect/kernel/state/ref-list.ts";
import type { CountedDay, Sampled } from "../../../src/domain/detect/kernel/state/sample.ts";
import { uuid } from "./detector-fixtures.ts";

/** Records with the usual prototype, as deepEqual expects. */
export function anyRecord<T extends object>(
  fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> },
): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

/** Up to `max` items; long lists are as likely as short ones. */
export function anyList<T>(item: fc.Arbitrary<T>, max: number): fc.Arbitrary<T[]> {
  return fc.array(item, { maxLength: max, size: "max" });
}

export const anyCount: fc.Arbitrary<number> = fc.oneof(fc.nat(300), fc.maxSafeNat());
export const anyFloat: fc.Arbitrary<number> = fc.double({ noNaN: true });
/** Microseconds since the Unix epoch, wild clocks included. */
export const anyTime: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 51 }),
  fc.constantFrom(0, -1, -2e15, 6e15),
);
/** 0 to 100, one decimal. */
export const anyScore: fc.Arbitrary<number> = fc.nat(1000).map((tenths) => tenths / 10);
export const anyHash: fc.Arbitrary<number> = fc.nat(2 ** 32 - 1);
export const anyIp: fc.Arbitrary<string> = fc.oneof(fc.ipV4(), fc.ipV6());
export const anyPort: fc.Arbitrary<number> = fc.nat(65_535);

/** A well-formed text, as detectors keep it. */
export function anyText(maxLength: number, minLength = 0): fc.Arbitrary<string> {
  return fc.string({ unit: "binary", minLength, maxLength, size: "max" }).map((text) =>
    text.slice(0, maxLength).toWellFormed()
  );
}

export function anyTextOrNull(maxLength: number): fc.Arbitrary<string | null> {
  return fc.option(anyText(maxLength, 1));
}

export const anyRef: fc.Arbitrary<EvidenceRef> = anyRecord<EvidenceRef>({
  evidenceId: fc.uuid(),
  observedAt: fc.integer({ min: 0, max: 2 ** 51 }),
  flowId: fc.uuid(),
});

export function anyRefs(max: number): fc.Arbitrary<EvidenceRef[]> {
  return anyList(anyRef, max);
}

export function anyRefList(max: number): fc.Arbitrary<RefList> {
  return anyList(anyRef, max + 1).map((refs) => refListOf(refs, max));
}

export function refListOf(refs: readonly EvidenceRef[], max = refs.length): RefList {
  const list = new RefList();
  for (const ref of refs) list.add(ref, max);
  return list;
}

export function anyDistinct(size: number): fc.Arbitrary<Distinct> {
  return anyList(anyHash, size + 8).map((hashes) => distinctOf(size, ...hashes));
}

/** A sketch of these hashes. */
export function distinctOf(size: number, ...hashes: number[]): Distinct {
  const distinct = new Distinct(size);
  for (const hash of hashes) distinct.addHash(hash);
  return distinct;
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

/** Generators of the fields that all records of a used destination share. */
export const ANY_DESTINATION: { [Name in keyof DestinationUsage]: fc.Arbitrary<DestinationUsage[Name]> } = {
  ip: anyIp,
  port: anyPort,
  firstSeen: anyTime,
  lastSeen: anyTime,
  count: anyCount,
  evaluatedCount: anyCount,
  reportedScore: anyScore,
  refs: anyRefs(5),
};

/** Reference number `index` of a sample state. */
export function sampleRef(index: number): EvidenceRef {
  return { evidenceId: uuid(index), observedAt: 1_600_000_000_000_000 + index, flowId: uuid(index, "9") };
}

/** Asserts that generated states survive storage within the declared bound. */
export function assertRoundTrip<S>(type: StateType<S>, states: fc.Arbitrary<S>): void {
  fc.assert(fc.property(states, (state) => {
    const bytes = type.encode(state).slice();
    const decoded = type.decode(bytes);
    assert.deepEqual(decoded, state);
    // deepEqual does not see private fields, such as those of Distinct.
    assert.deepEqual(type.encode(decoded).slice(), bytes);
    assert.ok(bytes.length <= type.maxBytes, `${bytes.length} bytes, at most ${type.maxBytes}`);
    assert.ok(type.size(state) > 0);
  }));
}

/** Asserts that a state is stored as these bytes, which must never change without a new version. */
export function assertStoredAs<S>(type: StateType<S>, state: S, hex: string): void {
  const bytes = type.encode(state).slice();
  assert.equal(bytes.toHex(), hex);
  assert.deepEqual(type.decode(bytes), state);
  assert.throws(() => type.decode(new Uint8Array([bytes[0]! + 1, ...bytes.subarray(1)])), RangeError);
}

/** Asserts that generated states survive storage, and that a sample is stored as these bytes. */
export function checkStored<S>(type: StateType<S>, states: fc.Arbitrary<S>, sample: S, hex: string): void {
  assertRoundTrip(type, states);
  assertStoredAs(type, sample, hex);
}
