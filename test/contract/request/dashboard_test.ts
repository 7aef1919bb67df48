// Every operation of the API that a person can use has its place in the dashboard: its sources call it.

import assert from "node:assert/strict";
import { type OperationId, operationIdOf, ROUTES } from "../../../src/contract/routes.ts";
import { walkFiles } from "../../support/files.ts";

const DASHBOARD = new URL("../../../src/dashboard", import.meta.url).pathname;

/** Operations that only programs need, with what people use instead. */
const FOR_PROGRAMS: Partial<Record<OperationId, string>> = {
  getEvidence: "the page of a flow lists all its observations (getFlowEvidence)",
  search: "lists take the same filter as text (listFlows, listDevices, listIncidents)",
};

/** How the dashboard calls the API, links of downloads included; the first argument of `write` is the method. */
const CALL =
  /\b(?:(getOneAt|getOne|getPage|getIfChanged|pageWithRows|list|lookUp|address|followGraph|href)|(useCreation|ask)|write)\b/g;
const BEFORE_CHARACTERS = 300;

/** `GET /api/v1/flows/{}` for each call in a source text. */
function callsIn(source: string): Set<string> {
  const calls = new Set<string>();
  // Paths with a name: `const path = "…"` and `function pathOf(id) { return "…" }`.
  const named = [
    ...source.matchAll(/\bconst (\w+) =\s*([`"])(\/api\/v1\/[^`"]*)\2/g),
    ...source.matchAll(/\bfunction (\w+)\([^)]*\)[^{]*\{\s*return ([`"])(\/api\/v1\/[^`"]*)\2/g),
  ];
  const add = (position: number, path: string) => {
    const method = methodAt(source, position);
    if (method !== null) calls.add(`${method} ${path.replaceAll(/\$\{[^}]*\}/g, "{}")}`);
  };
  for (const { index, 2: path } of source.matchAll(/([`"])(\/api\/v1\/[^`"]*)\1/g)) add(index, path!);
  for (const [, name, , path] of named) {
    const use = new RegExp(`(?:\\$\\{${name}\\b[^}]*\\}([^\`]*)\`|\\b${name}\\b)`, "g");
    for (const { index, 1: rest = "" } of source.matchAll(use)) add(index, path + rest);
  }
  return calls;
}

/** The method of the call whose arguments are at a position; null outside of calls. */
function methodAt(source: string, position: number): string | null {
  const before = source.slice(Math.max(0, position - BEFORE_CHARACTERS), position);
  const last = [...before.matchAll(CALL)].at(-1);
  if (last === undefined) return null;
  if (last[1] !== undefined) return "GET";
  if (last[2] !== undefined) return "POST";
  return /"(POST|PUT|PATCH)"/.exec(before.slice(last.index))?.[1] ?? null;
}

Deno.test("dashboard: calls are found by their paths", () => {
  assert.deepEqual(
    [
      ...callsIn(`
      const path = \`/api/v1/things/\${encodeURIComponent(id)}\`;
      const read = () => getOne<Thing>(path, {});
      const decide = () => write<Thing>("POST", \`\${path}/decision\`, body, options);
      const raw = <a href={rawPath(id)} download>Download</a>;
      const all = list<Thing>(tenant, "/api/v1/things", filter, null);
      function rawPath(id: string): string {
        return \`/api/v1/things/\${encodeURIComponent(id)}/raw\`;
      }
    `),
    ].sort(),
    [
      "GET /api/v1/things",
      "GET /api/v1/things/{}",
      "GET /api/v1/things/{}/raw",
      "POST /api/v1/things/{}/decision",
    ],
  );
});

Deno.test("dashboard: every operation for people has its place", async () => {
  const calls = new Set<string>();
  for await (const path of walkFiles(DASHBOARD)) {
    if (!/\.tsx?$/.test(path) || path.includes("_test.")) continue;
    for (const call of callsIn(await Deno.readTextFile(path))) calls.add(call);
  }
  const missing = Object.values(ROUTES)
    .filter(({ method, path }) => !calls.has(`${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`))
    .map(operationIdOf);
  assert.deepEqual(missing.sort(), Object.keys(FOR_PROGRAMS).sort());
});
