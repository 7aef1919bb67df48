import assert from "node:assert/strict";
import fc from "fast-check";
import {
  defineState,
  flag,
  float,
  floatOrNull,
  list,
  mapped,
  oneOf,
  optional,
  record,
  tenths,
  text,
  textOrNull,
  varint,
} from "./schema.ts";

interface Sample {
  count: number;
  at: number;
  since: number | null;
  score: number;
  seen: boolean;
  name: string;
  owner: string | null;
  side: "inside" | "outside";
  last: { port: number } | null;
  bytes: number[];
  tags: Set<string>;
}

const SAMPLE = defineState<Sample>({
  id: 1,
  name: "sample",
  keepDays: 3,
  version: 7,
  empty: () => ({
    count: 0,
    at: 0,
    since: null,
    score: 0,
    seen: false,
    name: "",
    owner: null,
    side: "inside",
    last: null,
    bytes: [],
    tags: new Set(),
  }),
  fields: record<Sample>({
    count: varint,
    at: float,
    since: floatOrNull,
    score: tenths,
    seen: flag,
    name: text(20),
    owner: textOrNull(20),
    side: oneOf<Sample["side"]>(["inside", "outside"], "side"),
    last: optional(record<{ port: number }>({ port: varint })),
    bytes: list(varint, 4),
    tags: mapped(list(text(8), 3), (tags: Set<string>) => [...tags], (tags) => new Set(tags)),
  }),
});

const anySample: fc.Arbitrary<Sample> = fc.record({
  count: fc.maxSafeNat(),
  at: fc.double({ noNaN: true }),
  since: fc.option(fc.double({ noNaN: true })),
  score: fc.nat(1000).map((score) => score / 10),
  seen: fc.boolean(),
  name: fc.string({ maxLength: 20 }),
  owner: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
  side: fc.constantFrom("inside" as const, "outside" as const),
  last: fc.option(fc.record({ port: fc.nat(65_535) }, { noNullPrototype: true })),
  bytes: fc.array(fc.maxSafeNat(), { maxLength: 4 }),
  tags: fc.uniqueArray(fc.string({ maxLength: 8 }), { maxLength: 3 }).map((tags) => new Set(tags)),
}, { noNullPrototype: true });

Deno.test("a declared state survives storage within its bound", () => {
  fc.assert(fc.property(anySample, (sample) => {
    const bytes = SAMPLE.encode(sample).slice();
    assert.deepEqual(SAMPLE.decode(bytes), sample);
    assert.ok(bytes.length <= SAMPLE.maxBytes, `${bytes.length} bytes, at most ${SAMPLE.maxBytes}`);
    assert.ok(SAMPLE.size(sample) > 0);
  }));
});

Deno.test("bytes that are not a stored state are rejected", () => {
  const bytes = SAMPLE.encode(SAMPLE.empty()).slice();
  assert.throws(
    () => SAMPLE.decode(new Uint8Array([8, ...bytes.subarray(1)])),
    /sample: expected version 7, got 8/,
  );
  assert.throws(() => SAMPLE.decode(bytes.subarray(0, -1)), RangeError);
  assert.throws(() => SAMPLE.decode(new Uint8Array([...bytes, 0])), RangeError);
  const long = { ...SAMPLE.empty(), bytes: [1, 2, 3, 4, 5] };
  assert.throws(() => SAMPLE.decode(SAMPLE.encode(long).slice()), /at most 4, got 5/);
});
