import fc from "fast-check";
import { type JsonValue, parseJson, stringifyJson } from "../../src/kit/json/json.ts";
import { sizeOf } from "./counted.ts";
import type { Payload, Sample } from "./samples.ts";

// Changes to a real record such as a hostile sender, a careless log shipper or another sensor version would
// make.

/** `at` and `from` choose a member anywhere in the record, modulo the number of members. */
type Change =
  | { change: "drop"; at: number }
  | { change: "copy"; at: number; from: number }
  | { change: "rename"; at: number; name: string }
  | { change: "replace"; at: number; value: JsonValue }
  | { change: "add"; at: number; name: string; value: JsonValue }
  | { change: "splice"; at: number; start: number; cut: number; text: string }
  | { change: "case"; at: number; upper: boolean; name: boolean }
  | { change: "nest"; at: number; depth: number; name: string | null }
  | { change: "repeat"; at: number; times: number };

const MOST_SLOTS = 1000;
/** Maximum length of a generated text; far above every bound of a normaliser. */
const LONGEST_TEXT = 40_000;

/** Maximum size of a list after one change, including everything its items contain. */
const MOST_PARTS = 2000;
/** Six times this is below the depth at which the parser refuses. */
const DEEPEST = 18;

const EXTREMES: readonly JsonValue[] = [
  0,
  1,
  -1,
  0.5,
  -0.000001,
  255,
  256,
  4095,
  65_535,
  65_536,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n,
  -(2n ** 64n),
  10n ** 300n,
  1e300,
  1e-300,
  1.7e9,
  1.7e18,
];
const TEXTS = [
  "",
  " ",
  "0",
  "-",
  "\0",
  "a\0b",
  "\n",
  "😀",
  "١٢٣",
  "NaN",
  "null",
  "0x10",
  "1e9",
  "18446744073709551616",
  "0.0.0.0",
  "::",
  "::ffff:10.0.0.1",
  "010.0.0.1",
  "fe80::1%eth0",
  "10.0.0.1:80",
  "[::1]:80",
  "256.1.1.1",
  "ZEAACA==",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999Z",
  "2026-02-30T00:00:00Z",
  "__proto__",
  "constructor",
  "toString",
];

/** Samples with up to six changes each. Their payloads are values the parser can produce. */
export function mutated(
  samples: readonly Sample[],
  parts: { names: readonly string[]; values: readonly JsonValue[] },
): fc.Arbitrary<Sample> {
  const change = changeOf(parts);
  return fc.tuple(fc.constantFrom(...samples), fc.array(change, { maxLength: 6 })).map(
    ([sample, changes]) => {
      const payload = structuredClone(sample.payload);
      for (const each of changes) apply(each, payload);
      return { payload: parseJson(stringifyJson(payload)) as Payload, observedAt: sample.observedAt };
    },
  );
}

function changeOf(
  { names, values }: { names: readonly string[]; values: readonly JsonValue[] },
): fc.Arbitrary<Change> {
  const at = fc.nat(MOST_SLOTS);
  const name = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom("__proto__", "constructor", "prototype", "toString", "length", "", "0", "a.b", "\0"),
    fc.string({ maxLength: 8 }),
  );
  const text = fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.string({ maxLength: 12, unit: "binary" }).map((unit) => unit.toWellFormed()),
    fc.constantFrom(...values.filter((value) => typeof value === "string")),
  );
  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom(...values),
    fc.constantFrom(...EXTREMES),
    text,
    fc.constantFrom<JsonValue>(null, true, false, [], {}),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  );
  return fc.oneof(
    fc.record({ change: fc.constant("drop" as const), at }),
    fc.record({ change: fc.constant("copy" as const), at, from: at }),
    fc.record({ change: fc.constant("rename" as const), at, name }),
    { weight: 3, arbitrary: fc.record({ change: fc.constant("replace" as const), at, value }) },
    fc.record({ change: fc.constant("add" as const), at, name, value }),
    {
      weight: 2,
      arbitrary: fc.record({
        change: fc.constant("splice" as const),
        at,
        start: fc.nat(300),
        cut: fc.nat(20),
        text,
      }),
    },
    fc.record({ change: fc.constant("case" as const), at, upper: fc.boolean(), name: fc.boolean() }),
    fc.record({
      change: fc.constant("nest" as const),
      at,
      depth: fc.integer({ min: 1, max: DEEPEST }),
      name: fc.option(name),
    }),
    fc.record({ change: fc.constant("repeat" as const), at, times: fc.integer({ min: 2, max: 5000 }) }),
  );
}

function apply(change: Change, payload: Payload): void {
  const slots = slotsOf(payload);
  const slot = slots[change.at % Math.max(slots.length, 1)];
  if (slot === undefined) {
    if (change.change === "add") put(payload, change.name, change.value);
    return;
  }
  const { holder, key } = slot;
  const value = holder[key]!;
  switch (change.change) {
    case "drop":
      remove(holder, key);
      break;
    case "copy": {
      const from = slots[change.from % slots.length]!;
      put(holder, key, structuredClone(from.holder[from.key]!));
      break;
    }
    case "rename":
      remove(holder, key);
      put(holder, change.name, value);
      break;
    case "replace":
      put(holder, key, change.value);
      break;
    case "add":
      put(holder, change.name, change.value);
      break;
    case "splice":
      put(holder, key, spliced(typeof value === "string" ? value : stringifyJson(value), change));
      break;
    case "case": {
      const cased = (text: string) => change.upper ? text.toUpperCase() : text.toLowerCase();
      if (change.name) {
        remove(holder, key);
        put(holder, cased(key), value);
      } else if (typeof value === "string") put(holder, key, cased(value));
      break;
    }
    case "nest":
      put(holder, key, nested(value, change.depth, change.name));
      break;
    case "repeat":
      put(holder, key, repeated(value, change.times));
      break;
  }
}

interface Slot {
  holder: Payload;
  key: string;
}

/** The members at every level, outer ones first; list items are addressed by index. */
function slotsOf(payload: Payload): Slot[] {
  const slots: Slot[] = [];
  const holders: Payload[] = [payload];
  for (
    let holder = holders.shift();
    holder !== undefined && slots.length < MOST_SLOTS;
    holder = holders.shift()
  ) {
    for (const key of Object.keys(holder)) {
      slots.push({ holder, key });
      const value = holder[key];
      if (typeof value === "object" && value !== null) holders.push(value as Payload);
    }
  }
  return slots;
}

/** Not by assignment: the name may be `__proto__`. A list has no members but its items, and stays short. */
function put(holder: Payload, name: string, value: JsonValue): void {
  if (Array.isArray(holder)) {
    const index = Number(name);
    if (Number.isInteger(index) && index >= 0 && index <= holder.length) holder[index] = value;
    return;
  }
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

function remove(holder: Payload, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function spliced(value: string, { start, cut, text }: { start: number; cut: number; text: string }): string {
  const at = value === "" ? 0 : start % (value.length + 1);
  return (value.slice(0, at) + text + value.slice(at + cut)).toWellFormed();
}

function nested(value: JsonValue, depth: number, name: string | null): JsonValue {
  let outer = value;
  for (let level = 0; level < depth; level++) {
    if (name === null) outer = [outer];
    else {
      const holder: Payload = {};
      put(holder, name, outer);
      outer = holder;
    }
  }
  return outer;
}

function repeated(value: JsonValue, times: number): JsonValue {
  if (typeof value === "string") {
    return value.repeat(Math.min(times, Math.floor(LONGEST_TEXT / Math.max(value.length, 1))));
  }
  const most = Math.min(times, 300, Math.floor(MOST_PARTS / (1 + sizeOf(value))));
  return Array.from({ length: most }, () => structuredClone(value));
}
