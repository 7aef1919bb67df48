// SQL and the in-memory predicate find the same rows.

import assert from "node:assert/strict";
import fc from "fast-check";
import { planSearch, type SearchPlan } from "../../../src/domain/search/plan.ts";
import { predicateOf } from "../../../src/domain/search/predicate.ts";
import type { SearchedRow } from "../../../src/domain/search/row.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { useRepeatableRead } from "../../../src/store/flow/list.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { testDatabases } from "../../support/database.ts";
import { scaled } from "../../support/scale.ts";
import { rowsInWindow, type SearchedWorld, searchedWorld } from "../../support/store/searched-rows.ts";
import { BROADCASTS, makeSearchWorld, VLANS } from "../../support/store/search-world.ts";
import { filters } from "../../support/store/world-filters.ts";

const TENANT = "main";
/** Together 2,000 in `make test`; the embedded engine is slower. */
const FILTERS = { postgres: scaled(1700), pglite: scaled(300) };
const PAGES = 100;

/** All pages of a search, as ids. */
async function found(db: Database, plan: SearchPlan, limit: number): Promise<string[]> {
  return await db.tenant(TENANT, async (tx) => {
    await useRepeatableRead(tx);
    const ids: string[] = [];
    const follow = async <R, P>(
      page: (after: P | null) => Promise<{ rows: R[]; next: P | null }>,
      idOf: (row: R) => string,
    ) => {
      let after: P | null = null;
      for (let pages = 0; pages < PAGES; pages++) {
        const { rows, next }: { rows: R[]; next: P | null } = await page(after);
        assert.ok(rows.length <= limit);
        ids.push(...rows.map(idOf));
        if (next === null) return;
        after = next;
      }
      assert.fail("the pages have an end");
    };
    switch (plan.kind) {
      case "flows":
        await follow((after) => searchFlows(tx, TENANT, plan, after as never, limit), ({ flowId }) => flowId);
        break;
      case "devices":
        await follow(
          (after) => searchDevices(tx, TENANT, plan, after as never, limit),
          (row) => row.device_id,
        );
        break;
      case "incidents":
        await follow(
          (after) => searchIncidents(tx, TENANT, plan, after as never, limit),
          (row) => row.incident_id,
        );
    }
    return ids;
  });
}

/** The rows in windows of a world, which many filters share. */
class Expected {
  readonly #rows = new Map<string, [string, SearchedRow][]>();

  constructor(private readonly world: SearchedWorld) {}

  of(plan: SearchPlan): string[] {
    const key = `${plan.kind} ${plan.window?.from} ${plan.window?.to}`;
    let rows = this.#rows.get(key);
    if (rows === undefined) {
      this.#rows.set(key, rows = rowsInWindow(this.world, plan));
      if (this.#rows.size > 50) this.#rows.delete(this.#rows.keys().next().value!);
    }
    const { where, kind, context } = plan;
    if (where === null) return rows.map(([id]) => id);
    const matches = predicateOf(where, kind, context);
    return rows.filter(([, row]) => matches(row)).map(([id]) => id);
  }
}

testDatabases("SQL finds what the predicate finds, for random filters over all fields", async (db) => {
  await makeSearchWorld(db);
  const world = await searchedWorld(db, TENANT);
  assert.ok(world.flows.length > 500 && world.devices.length > 10 && world.incidents.length > 20);
  const now = Math.max(...world.flows.map(({ start }) => start)) + 3_600_000_000;
  const expected = new Expected(world);
  const numRuns = FILTERS[db.engine];
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(filters(world), fc.constantFrom(1000, 1000, 1000, 1000, 37), async (filter, limit) => {
      const plan = planSearch(filter, { now, vlans: VLANS, broadcasts: BROADCASTS });
      const ids = expected.of(plan);
      assert.deepEqual(await found(db, plan, limit), ids);
      if (ids.length > 0) matched++;
    }),
    { numRuns },
  );
  assert.ok(matched > numRuns / 5, `${matched} of ${numRuns} filters find something`);
});
