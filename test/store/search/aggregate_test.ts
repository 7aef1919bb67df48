import assert from "node:assert/strict";
import fc from "fast-check";
import {
  AGGREGATE_LIMITS,
  bucketSize,
  GROUP_FIELDS,
  type GroupField,
  MEASURES,
} from "../../../src/contract/filter/aggregate.ts";
import { FIELDS } from "../../../src/contract/filter/fields.ts";
import { planSearch, type SearchPlan } from "../../../src/domain/search/plan.ts";
import { predicateOf } from "../../../src/domain/search/predicate.ts";
import { termText } from "../../../src/domain/search/terms.ts";
import type { SearchedFlow, SearchedRow } from "../../../src/domain/search/row.ts";
import {
  searchedSite,
  valuesOfDevice,
  valuesOfFlow,
  valuesOfIncident,
} from "../../../src/domain/search/values.ts";
import { aggregate, type AggregateResult, type Aggregation } from "../../../src/store/search/aggregate.ts";
import { testDatabases } from "../../support/database.ts";
import { scaled } from "../../support/scale.ts";
import { rowsInWindow, searchedWorld } from "../../support/store/searched-rows.ts";
import { BROADCASTS, makeSearchWorld, VLANS } from "../../support/store/search-world.ts";
import { filters } from "../../support/store/world-filters.ts";

const TENANT = "main";

/** An item as the SQL adds it up. */
interface Item {
  keys: (string | null)[];
  at: number;
  measured: bigint | string | null;
}

/** The values of a group field that a row has; null stands for none. */
function keysOf(row: SearchedRow, field: GroupField, { kind, context }: SearchPlan): (string | null)[] {
  const [flow] = row.flows;
  const [device] = row.devices;
  const [incident] = row.incidents;
  const values = field === "device"
    ? row.devices.map(({ deviceId }) => deviceId)
    // Found by the shown name, too, but a group is one person.
    : field === "assignee"
    ? [incident!.assignee]
    : kind === "flows"
    ? valuesOfFlow(field, searchedSite(context))(flow!)
    : kind === "devices"
    ? valuesOfDevice(field)(device!)
    : valuesOfIncident(field)(incident!);
  const aliases: Readonly<Record<string, string>> = field === "service" ? FIELDS.service.valueAliases! : {};
  // An address that is not stated is nobody's.
  const unstated = FIELDS[field].type === "address" ? ["0.0.0.0", "::"] : [];
  const texts = values.filter((value) => value !== null).map(String).filter((text) =>
    !unstated.includes(text)
  ).map((text) => aliases[text] ?? text);
  return texts.length === 0 ? [null] : [...new Set(texts)];
}

function measuredOf(row: SearchedRow, { measure }: Aggregation): (bigint | string | null)[] {
  const { src, dst } = row.flows[0] ?? {} as SearchedFlow;
  switch (measure) {
    case "count":
      return [1n];
    case "bytes":
      return [BigInt(src.bytes ?? 0) + BigInt(dst.bytes ?? 0)];
    case "packets":
      return [BigInt(src.packets ?? 0) + BigInt(dst.packets ?? 0)];
    case "src.bytes":
      return [BigInt(src.bytes ?? 0)];
    case "dst.bytes":
      return [BigInt(dst.bytes ?? 0)];
    case "devices":
      return row.devices.length === 0 ? [null] : row.devices.map(({ deviceId }) => deviceId);
  }
}

function itemsOf(rows: SearchedRow[], plan: SearchPlan, aggregation: Aggregation): Item[] {
  return rows.flatMap((row) => {
    const at = plan.kind === "flows"
      ? row.flows[0]!.start
      : (row[plan.kind][0] as { lastSeen: number }).lastSeen;
    // Each combination of the fields' values.
    const keys = aggregation.by.map((field) => keysOf(row, field, plan)).reduce<(string | null)[][]>(
      (all, values) => all.flatMap((key) => values.map((value) => [...key, value])),
      [[]],
    );
    return keys.flatMap((each) =>
      measuredOf(row, aggregation).map((measured) => ({ keys: each, at, measured }))
    );
  });
}

function valueOf(items: readonly Item[], { measure }: Aggregation): number | bigint {
  const value = measure === "devices"
    ? BigInt(new Set(items.map(({ measured }) => measured).filter((id) => id !== null)).size)
    : items.reduce((sum, { measured }) => sum + (measured as bigint), 0n);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function bucketsOf(items: readonly Item[], aggregation: Aggregation) {
  const { bucket } = aggregation;
  if (bucket === null) return [];
  const each = Map.groupBy(items, ({ at }) => Math.floor(at / bucket) * bucket);
  return [...each].sort(([a], [b]) => a - b).map(([at, some]) => ({ at, value: valueOf(some, aggregation) }));
}

/** Code points in order, null last, as the store sorts keys. */
function compareKeys(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [at, key] of a.entries()) {
    const other = b[at]!;
    if (key === other) continue;
    if (key === null || other === null) return key === null ? 1 : -1;
    return Buffer.compare(Buffer.from(key), Buffer.from(other));
  }
  return 0;
}

function expected(rows: SearchedRow[], plan: SearchPlan, aggregation: Aggregation): AggregateResult {
  const all = itemsOf(rows, plan, aggregation);
  const each = [...Map.groupBy(all, ({ keys }) => JSON.stringify(keys)).values()];
  const groups = each.map((items) => ({ items, keys: items[0]!.keys, value: valueOf(items, aggregation) }))
    .sort((a, b) => a.value === b.value ? compareKeys(a.keys, b.keys) : a.value > b.value ? -1 : 1);
  const summed = (items: readonly Item[]) => ({
    value: valueOf(items, aggregation),
    buckets: bucketsOf(items, aggregation),
  });
  const rest = groups.slice(aggregation.top).flatMap(({ items }) => items);
  return {
    groups: groups.slice(0, aggregation.top).map(({ keys, items }) => ({ keys, ...summed(items) })),
    other: rest.length === 0 ? null : summed(rest),
    complete: true,
    examinedUntil: null,
  };
}

testDatabases("an aggregate adds up what its filter matches", async (db) => {
  await makeSearchWorld(db);
  const world = await searchedWorld(db, TENANT);
  const now = Math.max(...world.flows.map(({ start }) => start)) + 3_600_000_000;
  await fc.assert(
    fc.asyncProperty(
      filters(world),
      fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(AGGREGATE_LIMITS.fields)),
      fc.constantFrom(...MEASURES),
      fc.constantFrom(1, 3, AGGREGATE_LIMITS.groups),
      fc.boolean(),
      async (filter, [first, second, third, count], measure, top, isTimed) => {
        const plan = planSearch({ ...filter, window: filter.window ?? { from: "1970-01-01", to: "now" } }, {
          now,
          vlans: VLANS,
          broadcasts: BROADCASTS,
        });
        const fields: readonly GroupField[] = GROUP_FIELDS[plan.kind];
        const by = [...new Set([first, second, third].map((at) => fields[at % fields.length]!))].slice(
          0,
          count,
        );
        const aggregation: Aggregation = {
          by,
          measure: plan.kind === "flows" ? measure : "count",
          top,
          bucket: isTimed ? bucketSize(plan.window!) : null,
        };
        const matches = plan.where === null ? () => true : predicateOf(plan.where, plan.kind, plan.context);
        const rows = rowsInWindow(world, plan).map(([, row]) => row).filter(matches);
        const result = await db.tenant(TENANT, (tx) => aggregate(tx, TENANT, plan, aggregation));
        assert.deepEqual(folded(result, by), expected(rows, plan, aggregation));
      },
    ),
    { numRuns: scaled(150) },
  );

  const users = planSearch({
    version: 1,
    zone: "UTC",
    kind: "flows",
    where: { field: "user", op: "=", value: "ALICE" },
    window: { from: "1970-01-01", to: "now" },
  }, { now, vlans: VLANS });
  const byUser: Aggregation = { by: ["user", "proto"], measure: "count", top: 5, bucket: null };
  const { groups } = await db.tenant(TENANT, (tx) => aggregate(tx, TENANT, users, byUser));
  assert.deepEqual(groups.map(({ keys }) => keys), [["Alice", "tcp"]], "as the record spells it");
});

/** With texts in the form in which they are compared. */
function folded(result: AggregateResult, by: readonly GroupField[]): AggregateResult {
  const fold = (key: string | null, at: number) => {
    const { term } = FIELDS[by[at]!];
    return key === null || term === undefined ? key : termText(term, key);
  };
  return { ...result, groups: result.groups.map((group) => ({ ...group, keys: group.keys.map(fold) })) };
}

Deno.test("buckets of time have a size that charts label well, and a bounded number", () => {
  const HOUR = 3_600_000_000;
  assert.equal(bucketSize({ from: 0, to: 24 * HOUR }), 300_000_000);
  assert.equal(bucketSize({ from: 0, to: 24 * HOUR }, { most: 24 }), HOUR);
  assert.equal(bucketSize({ from: 1, to: 24 * HOUR + 1 }, { most: 24 }), 3 * HOUR);
  assert.equal(bucketSize({ from: 0, to: HOUR }, { atLeast: 600_000_000 }), 600_000_000);
  const centuries = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const size = bucketSize(centuries, { most: 3 });
  assert.ok(Math.ceil(centuries.to / size) <= 3 && size % (24 * HOUR) === 0);
});
