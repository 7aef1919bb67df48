import assert from "node:assert/strict";
import type { Job } from "./plan.ts";
import { Summary } from "./summary.ts";

function job(suite: string, ...files: string[]): Job {
  return { suite, files, args: [], needsPostgres: false, needsChromium: false, needsProgram: false };
}

Deno.test("the last line of a run counts its tests", () => {
  const summary = new Summary();
  assert.deepEqual(summary.closing(), ["0 passed, 0 failed"]);
  summary.add({
    job: job("fmt"),
    counts: { passed: 1, failed: 0, skipped: [] },
    seconds: 2,
    processorSeconds: 1,
    times: [],
    failures: [],
  });
  assert.equal(summary.failed, false);
  assert.deepEqual(summary.closing(), ["1 passed, 0 failed"]);
});

Deno.test("skipped and failed tests are named before the counts, failed ones with the beginning of the error", () => {
  const summary = new Summary();
  summary.skip("no Chromium");
  summary.add({
    job: job("program", "test/program/a_test.ts"),
    counts: { passed: 2, failed: 1, skipped: ["nmap"] },
    seconds: 3,
    processorSeconds: 2.4,
    times: [{ name: "a", seconds: 1 }, { name: "b", seconds: 2 }],
    failures: [{
      name: "a > step",
      text: Array.from({ length: 18 }, (_, at) => `line ${at + 1}`).join("\n"),
    }],
  });
  summary.add({
    job: job("unit", "src/a_test.ts", "src/b_test.ts"),
    counts: { passed: 2, failed: 1, skipped: [] },
    seconds: 1,
    processorSeconds: 0,
    times: [
      { name: "src/a_test.ts: one", seconds: 0.25 },
      { name: "src/b_test.ts: two", seconds: 0.5 },
      { name: "src/b_test.ts: three", seconds: 0.25 },
    ],
    failures: [{ name: "src/b_test.ts: two > step", text: "Error: x" }],
  });
  assert.equal(summary.failed, true);
  assert.deepEqual(summary.closing(), [
    "skipped  no Chromium",
    "skipped  program: nmap",
    "         a > step",
    ...Array.from({ length: 16 }, (_, at) => `           line ${at + 1}`),
    "           (2 more lines)",
    "FAILED   test/program/a_test.ts (see above, or: make test FILES=test/program/a_test.ts)",
    "         src/b_test.ts: two > step",
    "           Error: x",
    "FAILED   src/b_test.ts (see above, or: make test FILES=src/b_test.ts)",
    "4 passed, 2 failed, 2 skipped",
  ]);
  assert.deepEqual(summary.slowest(1), ["    2.0 s  program: b"]);
  assert.deepEqual(summary.slowestFiles(2), [
    "    3.0 s  test/program/a_test.ts",
    "    0.8 s  src/b_test.ts",
  ]);
  assert.deepEqual(summary.suites(), [
    "program   2 passed, 1 failed, 1 skipped (3 s, 2 s of a processor)",
    "unit      2 passed, 1 failed (1 s)",
  ]);
});
