// Generated states of detectors, and what must hold of their stored form.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { EvidenceRef } from "../../../src/domain/detect/kernel/result.ts";
import { Distinct } from "../../../src/domain/detect/kernel/state/distinct.ts";
import type { DeclaredState } from "../../../src/domain/detect/kernel/state/schema.ts";
import type { DestinationUsage } from "../../../src/domain/detect/kernel/destination-usage.ts";

const UUID_DIGITS = 32;

/** Microseconds since the Unix epoch, extreme and negative ones included. */
export const anyTime: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1_600_000_000_000_000, max: 1_700_000_000_000_000 }),
  fc.constantFrom(0, -1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
);

export const anyCount: fc.Arbitrary<number> = fc.oneof(fc.nat(300), fc.maxSafeNat());

export const anyHash: fc.Arbitrary<number> = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** 0 to 100 with one decimal. */
export const anyScore: fc.Arbitrary<number> = fc.nat(1000).map((tenths) => tenths / 10);

export const anyPort: fc.Arbitrary<number> = fc.nat(65_535);

export const anyIp: fc.Arbitrary<string> = fc.oneof(fc.ipV4(), fc.ipV6());

/** A well-formed text, as detectors keep it. */
export function anyText(maxLength: number, minLength = 0): fc.Arbitrary<string> {
  return fc.string({ unit: "binary", minLength, maxLength, size: "max" }).map((text) =>
    text.slice(0, maxLength).toWellFormed()
  );
}

export function anyTextOrNull(maxLength: number): fc.Arbitrary<string | null> {
  return fc.option(anyText(maxLength, 1));
}

/** Up to `max` items; the longest lists are as likely as the shortest. */
export function anyList<T>(item: fc.Arbitrary<T>, max: number): fc.Arbitrary<T[]> {
  return fc.array(item, { maxLength: max, size: "max" });
}

export function anyObject<T>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

export function anyDistinct(size: number): fc.Arbitrary<Distinct> {
  return anyList(anyHash, size + 8).map((hashes) => {
    const distinct = new Distinct(size);
    for (const hash of hashes) distinct.addHash(hash);
    return distinct;
  });
}

export function anyRefs(max: number): fc.Arbitrary<EvidenceRef[]> {
  const uuid = fc.string({
    unit: fc.constantFrom(..."0123456789abcdef"),
    minLength: UUID_DIGITS,
    maxLength: UUID_DIGITS,
  }).map((hex) =>
    [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
  );
  return anyList(anyObject<EvidenceRef>({ evidenceId: uuid, observedAt: anyTime, flowId: uuid }), max);
}

/** Generators of the fields that every used server has. */
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

/** A sketch of these hashes. */
export function distinctOf(size: number, ...hashes: number[]): Distinct {
  const distinct = new Distinct(size);
  for (const hash of hashes) distinct.addHash(hash);
  return distinct;
}

/** Asserts that generated states survive storage within the declared bound. */
export function assertRoundTrip<S>(type: DeclaredState<S>, states: fc.Arbitrary<S>): void {
  fc.assert(
    fc.property(states, (state) => {
      const bytes = type.encode(state).slice();
      const decoded = type.decode(bytes);
      assert.deepEqual(decoded, state);
      // deepEqual does not see private fields, such as those of Distinct.
      assert.deepEqual(type.encode(decoded).slice(), bytes);
      assert.ok(bytes.length <= type.maxBytes, `${bytes.length} bytes, at most ${type.maxBytes}`);
      assert.ok(type.size(state) > 0);
    }),
    { numRuns: 50 },
  );
}

/** Asserts that a state is stored as these bytes, which must never change without a new version. */
export function assertStoredAs<S>(type: DeclaredState<S>, state: S, hex: string): void {
  assert.equal(type.encode(state).toHex(), hex);
  assert.deepEqual(type.encode(type.decode(Uint8Array.fromHex(hex))).toHex(), hex);
}
