// Searches that would compare too many texts are refused before they start, with what would narrow them.

import assert from "node:assert/strict";
import type { ResultKind } from "../../../src/contract/filter/tree.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { aggregate } from "../../../src/store/search/aggregate.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { SearchTooBroad, searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { termWrites } from "../../../src/store/search/term-writes.ts";
import { testDatabases } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const FLOW = "019b76da-a800-7000-b000-000000000001";
const TODAY = Math.floor(NOON / DAY) * DAY;
const WINDOW = { from: NOON - 30 * DAY, to: NOON + DAY };
/** More texts than a search may compare with 64 others, fewer than it may compare with ten. */
const AGENTS = 40_000;

/** Each reaches the bound in another way. */
const BROAD: [ResultKind, string][] = [
  ["flows", any(64, (n) => `user_agent:zq${n}`)],
  ["flows", `user_agent:(${list(100, (n) => `zq${n}`)})`],
  ["flows", Array.from({ length: 5 }, (_, at) => `user_agent:(${list(20, (n) => `q${at}z${n}`)})`).join(" ")],
  ["flows", Array.from({ length: 64 }, (_, n) => `-user_agent:*zq${n}*`).join(" ")],
  ["devices", any(32, (n) => `(user_agent:agent${n} bytes>${n})`)],
  ["incidents", any(64, (n) => `user_agent:zq${n}`)],
];

const NARROW: [ResultKind, string][] = [
  ["flows", "user_agent:zq"],
  ["flows", any(8, (n) => `user_agent:zq${n}`)],
  ["flows", any(64, (n) => `user_agent="agent ${n}"`)],
  ["flows", any(64, (n) => `http.host:zq${n}`)],
  ["devices", any(4, (n) => `(user_agent:agent${n} bytes>${n})`)],
  ["incidents", "user_agent:zq"],
];

testDatabases(
  "too broad: many texts over a large dictionary are refused, and a few are answered",
  async (db) => {
    const uses = Array.from({ length: AGENTS }, (_, n) => ({
      kind: "user_agent" as const,
      text: `agent ${n}`,
      shown: `agent ${n}`,
      day: TODAY,
      flowIds: [FLOW],
      records: 1,
      from: NOON,
      to: NOON,
      receivedAt: NOON,
    }));
    await db.tenant(TENANT, async (tx) => {
      for (const statement of termWrites(TENANT, 1, uses)) await tx.run(statement);
    });
    for (const [kind, text] of BROAD) {
      await assert.rejects(search(db, kind, text), isRefusal, `${kind} ${text.slice(0, 80)}`);
    }
    for (const [kind, text] of NARROW) await search(db, kind, text);

    const grouped = (text: string) =>
      searchTransaction(db, TENANT, (tx) =>
        aggregate(tx, TENANT, searchPlan("flows", text, WINDOW), {
          by: ["service"],
          measure: "count",
          top: 5,
          bucket: null,
        }));
    await assert.rejects(grouped(BROAD[0]![1]), isRefusal);
  },
);

function isRefusal(error: unknown): boolean {
  assert.ok(error instanceof SearchTooBroad, String(error));
  assert.match(error.message, /fewer texts/);
  assert.equal(error.details.field, "user_agent");
  return true;
}

function search(db: Database, kind: ResultKind, text: string): Promise<unknown> {
  const plan = searchPlan(kind, text, WINDOW);
  return searchTransaction(db, TENANT, async (tx): Promise<unknown> => {
    if (kind === "flows") return await searchFlows(tx, TENANT, plan, null, 10);
    if (kind === "devices") return await searchDevices(tx, TENANT, plan, null, 10);
    return await searchIncidents(tx, TENANT, plan, null, 10);
  });
}

function list(count: number, textOf: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => textOf(n)).join(", ");
}

function any(count: number, textOf: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => textOf(n)).join(" OR ");
}
