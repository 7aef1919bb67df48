// Random filters with values that the rows of a world have.

import fc from "fast-check";
import { checkLeaf } from "../../../src/contract/filter/check.ts";
import { FIELD_NAMES, type FieldName, FIELDS } from "../../../src/contract/filter/fields.ts";
import { operatorsOf } from "../../../src/contract/filter/names.ts";
import {
  type Comparison,
  type Condition,
  type Filter,
  RESULT_KINDS,
} from "../../../src/contract/filter/tree.ts";
import { parseValue } from "../../../src/contract/filter/values.ts";
import {
  searchedSite,
  type Value,
  valuesOfDevice,
  valuesOfFlow,
  valuesOfIncident,
} from "../../../src/domain/search/values.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { comparisonOf, conditions } from "../filter/conditions.ts";
import type { SearchedWorld } from "./searched-rows.ts";
import { BROADCASTS, VLANS } from "./search-world.ts";

/** The values of a field in the world, each once. */
function valuesIn(world: SearchedWorld, field: FieldName): Value[] {
  const { owner } = FIELDS[field];
  const values: readonly (Value | null)[] = owner === "device"
    ? world.devices.flatMap(valuesOfDevice(field))
    : owner === "incident"
    ? world.incidents.flatMap(valuesOfIncident(field))
    : world.flows.flatMap(
      valuesOfFlow(field, searchedSite({ now: 0, zone: "UTC", vlans: VLANS, broadcasts: BROADCASTS })),
    );
  return [...new Set(values)].filter((value) => value !== null);
}

/** Comparisons with values that rows have, or parts of them. */
function comparisonsIn(world: SearchedWorld): fc.Arbitrary<Comparison> {
  const fields = FIELD_NAMES.filter((field) => FIELDS[field].owner !== "all").map((field) => ({
    field,
    values: valuesIn(world, field),
  })).filter(({ values }) => values.length > 0);
  return fc.tuple(fc.constantFrom(...fields), fc.nat(), fc.nat(), fc.nat(), fc.boolean()).map(
    ([{ field, values }, at, other, cut, isCut]): Comparison => {
      const operators = operatorsOf(field).filter((op) => op !== "exists");
      const op = operators[cut % operators.length]!;
      const texts = [at, other].map((place) => textOf(field, values[place % values.length]!));
      if (isCut && op === "matches") {
        const text = texts[0]!;
        const from = cut % text.length;
        texts[0] = FIELDS[field].type === "name"
          ? `*${text.slice(from)}`
          : text.slice(from, from + 1 + other % 5);
      }
      const parsed = texts.map((text) => parseValue(field, text, { op, quoted: true }));
      const [low, high] = parsed.map((one) => one.ok ? one.value : "");
      return { field, op, value: op === "range" ? [low!, high!] : low! };
    },
  ).filter((comparison) => checkLeaf(comparison) === null);
}

function textOf(field: FieldName, value: Value): string {
  if (FIELDS[field].type === "duration") return `${Math.floor(Number(value) / 1000)}ms`;
  return typeof value === "number" && FIELDS[field].type === "rate"
    ? String(Math.round(value))
    : String(value);
}

export function filters(world: SearchedWorld): fc.Arbitrary<Filter> {
  const starts = world.flows.map(({ start }) => start).sort((a, b) => a - b);
  const time = fc.nat(starts.length - 1).map((at) => formatMicros(starts[at]!));
  const window = fc.tuple(time, time).map(([from, to]) => from < to ? { from, to } : { from: to, to: from });
  const leaf = fc.oneof(
    { weight: 3, arbitrary: comparisonsIn(world) },
    { weight: 1, arbitrary: fc.constantFrom(...FIELD_NAMES).chain(comparisonOf) },
  );
  const where: fc.Arbitrary<Condition> = fc.oneof(
    leaf,
    conditions(FIELD_NAMES, leaf),
    fc.array(leaf, { minLength: 2, maxLength: 3 }).map((all) => ({ all })),
  );
  return fc.record({
    version: fc.constant(1 as const),
    kind: fc.constantFrom(...RESULT_KINDS),
    where,
    window: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ from: "1970-01-01", to: "now" }) },
      { weight: 1, arbitrary: window },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    zone: fc.constantFrom("UTC", "Europe/Bucharest", "America/New_York"),
  });
}
