import assert from "node:assert/strict";
import { Reach } from "./reach.ts";

const SOURCES = new Map([
  ["src/a.ts", ""],
  ["src/b.ts", `new Worker(new URL("./b-worker.ts", import.meta.url))`],
  ["src/b-worker.ts", ""],
  ["src/b_test.ts", ""],
  ["test/program/c_test.ts", `Deno.readTextFile("test/data/captures/scan.pcap"); run("main.ts")`],
  ["main.ts", ""],
]);
function testsOf(file: string): string[] {
  return reach.tests([file]).map(([path]) => path);
}

const reach = new Reach(SOURCES, [
  { from: "src/b-worker.ts", to: "src/a.ts" },
  { from: "src/b_test.ts", to: "src/b.ts" },
  { from: "main.ts", to: "src/b.ts" },
  { from: "test/program/c_test.ts", to: "npm:pg" },
]);

Deno.test("tests reach a module through imports, workers and child processes, nearest first", () => {
  assert.deepEqual(testsOf("src/a.ts"), ["src/b_test.ts", "test/program/c_test.ts"]);
  assert.deepEqual(testsOf("main.ts"), ["test/program/c_test.ts"]);
  assert.deepEqual(testsOf("src/b_test.ts"), ["src/b_test.ts"]);
});

Deno.test("a package is reached, too", () => {
  assert.deepEqual([...reach.from(["npm:pg"]).keys()], ["npm:pg", "test/program/c_test.ts"]);
});

Deno.test("a data file is reached by the modules that name it or its folder", () => {
  assert.deepEqual(testsOf("test/data/captures/scan.pcap"), ["test/program/c_test.ts"]);
  assert.deepEqual(testsOf("test/data/captures/flood.pcap"), ["test/program/c_test.ts"]);
  assert.deepEqual(testsOf("debian/control"), []);
});
