// The layout and import rules of the design. Each rule is also tested on a violation.

import assert from "node:assert/strict";
import { walkFiles } from "./support/files.ts";
import { folderOf, type Import, importCycles, importFaults } from "./support/rules/import-rules.ts";
import { crowdedFolders, FLOORS, NOUNS, oddNames, unknownRooms } from "./support/rules/layout-rules.ts";
import { readGraph } from "./support/rules/module-graph.ts";
import {
  crampedBlocks,
  escapes,
  type Finding,
  importedNames,
  impurities,
  sqlTexts,
} from "./support/rules/source-rules.ts";

const ROOT = import.meta.dirname!.replace(/\/test$/, "");
const MOST_LINES = 500;

const TOP_LEVEL = ["LICENSE", "Makefile", "README.md", "deno.json", "deno.lock", "main.ts"];
const TOP_FOLDERS = ["debian", "migrations", "src", "systemd", "test"];
/** Build output, ignored by git. */
const MADE = ["dist", "node_modules"];

/** The text of each source file, by path in the repository. */
const sources = new Map<string, string>();
for (const folder of ["src", "test"]) {
  for await (const path of walkFiles(`${ROOT}/${folder}`)) {
    if (/\.(tsx?|css|js|sql)$/.test(path)) {
      sources.set(path.slice(ROOT.length + 1), await Deno.readTextFile(path));
    }
  }
}
sources.set("main.ts", await Deno.readTextFile(`${ROOT}/main.ts`));
const modules = [...sources.keys()].filter((path) => /\.tsx?$/.test(path));
/** Shipped modules, without tests. */
const shipped = modules.filter((path) => !path.startsWith("test/") && !/_test\.tsx?$/.test(path));

function eachFinding(paths: string[], rule: (path: string, source: string) => Finding[]): string[] {
  return paths.flatMap((path) =>
    rule(path, sources.get(path)!).map(({ line, what }) => `${path}:${line} ${what}`)
  );
}

Deno.test("the modules import only what the design allows", async () => {
  const files = modules.filter((path) => !path.startsWith("test/"));
  const graph = await readGraph(ROOT, files.map((path) => `${ROOT}/${path}`));
  const imports = graph.filter(({ from }) => !from.startsWith("test/"));
  assert.ok(imports.length > files.length, "the graph is not empty");
  assert.ok(imports.some(({ typeOnly }) => typeOnly), "imports of types are part of the graph");
  assert.deepEqual(importFaults(imports), []);
  assert.deepEqual(importCycles(imports.filter(({ from }) => !/_test\.tsx?$/.test(from))), []);
});

Deno.test("an import cycle is found, also one of type imports", () => {
  const edge = (from: string, to: string, typeOnly = false): Import => ({ from, to, typeOnly, written: to });
  assert.deepEqual(importCycles([edge("a", "b"), edge("b", "c"), edge("a", "c")]), []);
  assert.deepEqual(importCycles([edge("a", "b"), edge("b", "c"), edge("c", "b", true)]), [["b", "c"]]);
  assert.deepEqual(importCycles([edge("a", "a")]), [["a"]]);
});

Deno.test("folders have at most 25 files and are named after their noun", () => {
  const own = [...sources.keys()].filter((path) => path.startsWith("src/") || path.startsWith("test/"));
  assert.deepEqual(crowdedFolders(own), []);
  assert.deepEqual(unknownRooms(own), []);
  for (const floor of Object.keys(FLOORS)) {
    assert.ok(own.some((path) => path.startsWith(`${floor}/`)), `${floor} exists`);
  }
});

Deno.test("files are named in kebab case", () => {
  assert.deepEqual(oddNames([...sources.keys()]), []);
});

Deno.test("a crowded folder, an unknown folder and an odd name are found", () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `src/kit/a${at}.ts`);
  assert.deepEqual(crowdedFolders([...files(25), "src/kit/a1_test.ts"]), []);
  assert.deepEqual(crowdedFolders(files(26)), ["src/kit: 26 files"]);
  assert.deepEqual(unknownRooms(NOUNS.map((noun) => `src/store/${noun}/a.ts`)), []);
  assert.deepEqual(unknownRooms(["src/store/helpers/a.ts", "src/store/open.ts"]), ["src/store/helpers"]);
  assert.deepEqual(
    oddNames(["src/a-b.ts", "src/a-b_test.ts", "src/vite.config.ts", "src/api-docs.html"]),
    [],
  );
  assert.equal(oddNames(["src/a_b.ts", "src/AB.ts", "src/a_b_test.ts"]).length, 3);
});

Deno.test("an import that the design forbids is found", () => {
  const fault = (from: string, to: string, typeOnly = false, written = to) =>
    importFaults([{ from, to, typeOnly, written } satisfies Import]).length;

  assert.equal(fault("src/kit/a.ts", "src/kit/b.ts"), 0);
  assert.equal(fault("src/kit/a.ts", "src/contract/b.ts", true), 1);
  assert.equal(fault("src/contract/a.ts", "src/domain/b.ts"), 1);
  assert.equal(fault("src/domain/a/b.ts", "src/contract/c.ts"), 0);
  assert.equal(fault("src/domain/a/b.ts", "src/store/c.ts", true), 1);
  assert.equal(fault("src/domain/detect/scan/a.ts", "src/domain/detect/kernel/b.ts"), 0);
  assert.equal(fault("src/domain/detect/scan/a.ts", "src/domain/detect/flood/b.ts", true), 1);
  assert.equal(fault("src/domain/detect/kernel/a.ts", "src/domain/detect/flood/b.ts"), 1);
  assert.equal(fault("src/domain/detect/registry.ts", "src/domain/detect/flood/b.ts"), 0);
  assert.equal(fault("src/store/a.ts", "src/config/b.ts"), 1);
  assert.equal(fault("src/store/engine/a.ts", "src/store/flow/b.ts", true), 1);
  assert.equal(fault("src/store/engine/a.ts", "src/store/engine/schema/b.ts"), 0);
  assert.equal(fault("src/store/upkeep/a.ts", "src/store/flow/b.ts"), 0);
  assert.equal(fault("src/core/graph/a.ts", "src/core/handlers/flow/b.ts", true), 1);
  assert.equal(fault("src/core/handlers/graph/a.ts", "src/core/graph/b.ts"), 0);
  for (const worker of ["ingest", "pipeline", "connectors", "telemetry", "analyst", "core"]) {
    assert.equal(fault(`src/${worker}/a.ts`, "src/store/b.ts"), 0);
    assert.equal(fault(`src/${worker}/a.ts`, `src/${worker}/b/c.ts`), 0);
    assert.equal(fault(`src/${worker}/a.ts`, worker === "core" ? "src/ingest/b.ts" : "src/core/b.ts"), 1);
  }
  assert.equal(fault("src/web/a.ts", "src/store/b.ts"), 1);
  assert.equal(fault("src/dev/a.ts", "src/store/b.ts"), 1);
  assert.equal(fault("src/cli/a.ts", "src/ingest/b.ts"), 0);
  for (const other of ["web", "core", "dev"]) assert.equal(fault("src/cli/a.ts", `src/${other}/b.ts`), 1);
  assert.equal(fault("src/dashboard/a.tsx", "src/contract/b.ts", true), 0);
  assert.equal(fault("src/dashboard/a.tsx", "src/contract/b.ts", false), 1);
  assert.equal(fault("src/dashboard/a.tsx", "src/contract/filter/b.ts", false), 0);
  const rooms = (from: string, to: string) =>
    fault(`src/dashboard/${from}/a.tsx`, `src/dashboard/${to}/b.ts`, true);
  for (const room of ["base", "ui", "search", "entity", "flow", "incident", "review", "overview", "help"]) {
    assert.equal(rooms(room, room), 0);
    assert.equal(rooms("app", room), 0);
    assert.equal(rooms(room, "app"), 1);
    assert.equal(rooms(room, "base"), 0);
    assert.equal(rooms(room, "incident/evidence"), room === "incident" ? 0 : 1);
    assert.equal(rooms("base", room), room === "base" ? 0 : 1);
    assert.equal(rooms("ui", room), ["base", "ui"].includes(room) ? 0 : 1);
    assert.equal(rooms("search", room), ["base", "ui", "search"].includes(room) ? 0 : 1);
    assert.equal(rooms("entity/record", room), ["base", "ui", "search", "entity"].includes(room) ? 0 : 1);
    assert.equal(rooms("device", room), ["base", "ui", "search", "entity"].includes(room) ? 0 : 1);
  }
  assert.equal(fault("src/dashboard/ui/a.tsx", "src/contract/record/kinds.ts", true), 0);
  assert.equal(fault("src/dashboard/ui/a.tsx", "src/contract/device/device.ts", true), 1);
  assert.equal(fault("main.ts", "src/dev/a.ts"), 0);
  assert.equal(fault("main.ts", "test/support/files.ts"), 1);
  assert.equal(fault("src/kit/a.ts", "main.ts"), 1);
  assert.equal(fault("src/wiring/a.ts", "src/pipeline/a.ts"), 0);
  assert.equal(fault("src/core/a.ts", "src/wiring/a.ts"), 1);
  assert.equal(fault("src/kit/a.ts", "test/support/files.ts"), 1);
  assert.equal(fault("src/kit/a_test.ts", "test/support/files.ts"), 0);
  assert.equal(fault("src/kit/a.ts", "src/kit/b_test.ts"), 1);
  assert.equal(fault("src/helpers/a.ts", "src/kit/b.ts"), 1);
  assert.equal(fault("src/a.ts", "src/kit/b.ts"), 1);
  assert.equal(fault("src/store/a.ts", "migrations/0001.sql"), 0);
  assert.equal(fault("src/core/a.ts", "migrations/0001.sql"), 1);
  assert.equal(fault("src/core/a.ts", "src/store/engine/sql.ts", true), 1);
  assert.equal(fault("src/store/a.ts", "npm:pg", false, "pg"), 0);
  assert.equal(fault("src/core/a.ts", "npm:pg", false, "pg"), 1);
  assert.equal(fault("src/web/a.ts", "npm:oidc-provider", false, "oidc-provider"), 1);
  assert.equal(fault("src/core/a.ts", "npm:react", false, "react"), 1);
  assert.equal(fault("src/core/a.ts", "npm:hono", false, "npm:hono@4"), 1);
  assert.equal(fault("src/core/a.ts", "https://deno.land/x/a.ts"), 1);
  assert.equal(fault("src/core/a.ts", "data:text/javascript,1"), 1);
  assert.equal(fault("src/core/a.ts", "npm:fast-check", false, "fast-check"), 1);
  assert.equal(fault("src/core/a_test.ts", "npm:fast-check", false, "fast-check"), 0);
  assert.equal(fault("src/domain/a.ts", "node:crypto"), 1);
  assert.equal(fault("src/domain/a.ts", "node:fs"), 1);
  assert.equal(fault("src/domain/a.ts", "npm:hono", false, "hono"), 1);
});

Deno.test("domain is pure", () => {
  const domain = shipped.filter((path) => folderOf(path) === "domain");
  assert.ok(domain.length > 0);
  assert.deepEqual(eachFinding(domain, impurities), []);
});

Deno.test("domain uses only pure exports of kit", () => {
  const impure = impureExports(shipped.filter((path) => folderOf(path) === "kit"));
  assert.ok([...impure.keys()].some((name) => name.includes("clock")), "kit has an impure clock");
  const domain = shipped.filter((path) => folderOf(path) === "domain");
  assert.deepEqual(domain.flatMap((path) => impureImports(path, sources.get(path)!, impure)), []);
});

/** Impure exports of each file of kit; `*` if a helper that is not exported is impure. */
function impureExports(paths: string[]): Map<string, string[]> {
  const impure = new Map<string, string[]>();
  for (const path of paths) {
    const names = impurities(path, sources.get(path)!).map(({ inside }) => inside ?? "*");
    if (names.length > 0) impure.set(path.slice("src/".length), names);
  }
  return impure;
}

function impureImports(path: string, source: string, impure: Map<string, string[]>): string[] {
  return importedNames(path, source).flatMap(({ written, names }) => {
    const banned = impure.get(written.replace(/^(\.\.\/)+/, "")) ?? [];
    const used = names.filter((name) => name === "*" || banned.includes("*") || banned.includes(name));
    return banned.length === 0 ? [] : used.map((name) => `${path} uses ${name} from ${written}`);
  });
}

/** Shipped modules that hash or sign with `node:crypto`; random values and ciphers are not hashes. */
function hashers(paths: string[]): string[] {
  return paths.filter((path) =>
    importedNames(path, sources.get(path)!).some(({ written, names }) =>
      written === "node:crypto" && names.some((name) => /^(hash|createHash|createHmac|hkdf.*|\*)$/.test(name))
    )
  );
}

Deno.test("only the hash module of kit hashes with node:crypto", () => {
  assert.deepEqual(hashers(shipped), ["src/kit/hash.ts"]);
});

Deno.test("an impure use is found", () => {
  const bad = [
    "const a = Date.now();",
    "const a = new Date();",
    "const a = Date();",
    "const a = performance.now();",
    "const a = Math.random();",
    "const a = crypto.randomUUID();",
    "crypto.getRandomValues(bytes);",
    "setTimeout(run, 1);",
    "const a = await fetch(url);",
    "const a = Deno.env.get('A');",
    "const a = process.env.A;",
    "const a = globalThis.fetch;",
    "const a = time.getHours();",
    "const a = n.toLocaleString();",
    "const a = await import(name);",
    'import { randomUUID } from "node:crypto";',
    'import crypto from "node:crypto";',
  ];
  for (const source of bad) assert.equal(impurities("a.ts", source).length, 1, source);
  const good = [
    "const a = new Date(micros / 1000).toISOString();",
    "const a = Date.UTC(2020, 1, 1) + Math.floor(Date.parse(text));",
    "const a = time.getUTCHours();",
    'import { createHash } from "node:crypto";',
    'import type { Hash } from "node:crypto";',
    "// Date.now() is not used",
    'const a = "Deno.env";',
  ];
  for (const source of good) assert.deepEqual(impurities("a.ts", source), [], source);

  const impure = new Map([["kit/id.ts", ["randomUuid"]], ["kit/clock.ts", ["*"]]]);
  const found = (source: string) => impureImports("a.ts", source, impure).length;
  assert.equal(found('import { randomUuid, timeUuid } from "../../kit/id.ts";'), 1);
  assert.equal(found('import { timeUuid } from "../../kit/id.ts";'), 0);
  assert.equal(found('import * as id from "../kit/id.ts";'), 1);
  assert.equal(found('import { systemClock } from "../kit/clock.ts";'), 1);
  assert.equal(found('import { type Clock } from "../kit/clock.ts";'), 0);
  assert.equal(found('import type { Clock } from "../kit/clock.ts";'), 0);
});

Deno.test("SQL occurs only in store", () => {
  const others = shipped.filter((path) => folderOf(path) !== "store");
  assert.deepEqual(eachFinding(others, sqlTexts), []);
  const store = shipped.filter((path) => folderOf(path) === "store");
  assert.notDeepEqual(eachFinding(store, sqlTexts), [], "the rule sees the SQL in store");
});

Deno.test("SQL elsewhere is found", () => {
  const bad = [
    "const a = sql`now()`;",
    "const a = `select id from ${table}`;",
    "const a = `\n  SELECT *\n  FROM flow`;",
    'const a = "insert into flow values (1)";',
    'const a = "update flow set a = 1";',
    'const a = "delete from flow";',
    "const a = `with recent as (select 1)`;",
    'const a = "create table a (b text)";',
  ];
  for (const source of bad) assert.equal(sqlTexts("a.ts", source).length, 1, source);
  const good = [
    'const a = "Select a tenant from the list";',
    'const a = "update the settings";',
    'const a = "delete this comment";',
    "// select id from flow",
  ];
  for (const source of good) assert.deepEqual(sqlTexts("a.ts", source), [], source);
});

Deno.test("a block after else begins on a line of its own", () => {
  assert.deepEqual(eachFinding(modules, crampedBlocks), []);
  assert.equal(crampedBlocks("a.ts", "if (a) b();\nelse {c(\n  d,\n);}\n").length, 1);
  assert.deepEqual(crampedBlocks("a.ts", "if (a) {\n  b();\n} else {\n  c();\n}\n"), []);
});

Deno.test("nothing bypasses the type checker", () => {
  assert.deepEqual(eachFinding(modules, escapes), []);
});

Deno.test("a bypass of the type checker is found", () => {
  const bad = [
    "// @ts-ignore because\na();",
    "/* @ts-expect-error */ a();",
    "// @ts-nocheck\na();",
    "// deno-lint-ignore-file\na();",
    "// deno-lint-ignore no-explicit-any\na();",
    "const a: any = 1;",
    "const a = b as any;",
  ];
  for (const source of bad) assert.equal(escapes("a.ts", source).length, 1, source);
  assert.deepEqual(escapes("a.ts", '// any text, even about @ts-ignore\nconst a = "@ts-ignore";'), []);
});

Deno.test("files have at most 500 lines", () => {
  const lengths = [...sources].map(([path, text]) => ({ path, lines: text.split("\n").length }));
  assert.deepEqual(lengths.filter(({ lines }) => lines > MOST_LINES), []);
});

Deno.test("the top level holds what the design names", async () => {
  const names = await Array.fromAsync(Deno.readDir(ROOT), ({ name }) => name);
  const allowed = new Set([...TOP_LEVEL, ...TOP_FOLDERS, ...MADE]);
  assert.deepEqual(names.filter((name) => !name.startsWith(".") && !allowed.has(name)), []);
  assert.deepEqual(TOP_LEVEL.filter((name) => !names.includes(name)), []);
});

Deno.test("each CSS class of the dashboard is defined in one style sheet", () => {
  const saidIn = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    if (!path.startsWith("src/dashboard/") || !path.endsWith(".css")) continue;
    for (const [, className] of text.matchAll(/^(\.[\w-]+)(?: \{|,)$/gm)) {
      saidIn.set(className!, (saidIn.get(className!) ?? new Set()).add(path));
    }
  }
  const twice = [...saidIn].filter(([, files]) => files.size > 1).map(([one, files]) => [one, ...files]);
  assert.ok(saidIn.has(".row-note"));
  assert.deepEqual(twice, []);
});
