// Every operation of the API that a person can use has its place in the dashboard: its sources call it.

import assert from "node:assert/strict";
import { type OperationId, ROUTES } from "../../../src/contract/routes.ts";
import { OPERATIONS } from "../../../src/dashboard/base/operations.ts";
import { walkFiles } from "../../support/files.ts";

const DASHBOARD = new URL("../../../src/dashboard", import.meta.url).pathname;

/** Operations that only programs need, with what people use instead. */
const FOR_PROGRAMS: Partial<Record<OperationId, string>> = {
  getEvidence: "the page of a flow lists all its observations (getFlowEvidence)",
  search: "lists take the same filter as text (listFlows, listDevices, listIncidents)",
};

/** How the dashboard calls an operation, links of downloads and streams included. */
const CALL =
  /\b(?:call|callWhole|callIfChanged|pageOf|firstPages|pageWithRows|addressOf|useCreation|list)\(\s*(?:tenant,\s*)?"(\w+)"/g;

function callsIn(source: string): string[] {
  return [...source.matchAll(CALL)].map(([, id]) => id!);
}

Deno.test("dashboard: calls are found by their operations", () => {
  assert.deepEqual(
    callsIn(`
      const read = () => call("getThing", { params: { id } });
      const all = list(tenant, "listThings", filter, null);
      const first = firstPages(
        "listOthers", {}, 4);
      const create = useCreation("createThing", {}, saved);
      const raw = <a href={addressOf("getRawThing", { params: { id } })} download>Download</a>;
      const kind = "search";
    `),
    ["getThing", "listThings", "listOthers", "createThing", "getRawThing"],
  );
});

Deno.test("dashboard: every operation for people has its place", async () => {
  const calls = new Set<string>();
  for await (const path of walkFiles(DASHBOARD)) {
    if (!/\.tsx?$/.test(path) || path.includes("_test.")) continue;
    for (const call of callsIn(await Deno.readTextFile(path))) calls.add(call);
  }
  const missing = Object.keys(ROUTES).filter((id) => !calls.has(id));
  assert.deepEqual(missing.sort(), Object.keys(FOR_PROGRAMS).sort());
});

Deno.test("dashboard: its operations are those of the route table", () => {
  const routes = Object.entries(ROUTES).map(([id, { method, path }]) => [id, `${method} ${path}`]);
  assert.deepEqual(OPERATIONS, Object.fromEntries(routes));
});
