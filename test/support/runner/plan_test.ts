import assert from "node:assert/strict";
import { Plan, suiteOf } from "./plan.ts";

const ROOT = import.meta.dirname!.replace(/\/test\/support\/runner$/, "");
const plan = await Plan.read(ROOT);

Deno.test("each folder of tests is a suite, and the static checks come first", () => {
  assert.deepEqual(plan.suites().slice(0, 3), ["fmt", "lint", "check"]);
  for (const name of ["unit", "contract", "store", "e2e", "fault", "browser"]) {
    assert.ok(plan.suites().includes(name), name);
  }
  assert.equal(suiteOf("src/kit/time_test.ts"), "unit");
  assert.equal(suiteOf("test/architecture_test.ts"), "unit");
  assert.equal(suiteOf("test/store/flow/plans_test.ts"), "store");
});

Deno.test("every test file runs once", () => {
  const files = plan.jobs(plan.suites()).flatMap(({ files }) => files);
  assert.equal(new Set(files).size, files.length);
  assert.ok(files.includes("test/support/runner/plan_test.ts"));
});

Deno.test("a database or a browser is provided only to tests that reach one", () => {
  const needs = new Map(plan.jobs(plan.suites()).flatMap((job) => job.files.map((file) => [file, job])));
  assert.equal(needs.get("test/store/engine/leases_test.ts")!.needsPostgres, true);
  assert.equal(needs.get("test/browser/health_test.ts")!.needsChromium, true);
  for (const job of plan.jobs(["unit"])) {
    assert.deepEqual([job.needsPostgres, job.needsChromium], [false, false], job.files.join(" "));
  }
});

Deno.test("a path stands for the tests below it, a source file for the tests that import it", () => {
  const below = plan.jobsBelow(["test/store/engine"]);
  assert.deepEqual(below.slice(0, 3).map(({ suite }) => suite), ["fmt", "lint", "check"]);
  assert.ok(below.slice(3).every(({ suite }) => suite === "store"));
  const files = plan.jobsBelow(["src/kit/time.ts"]).flatMap(({ files }) => files);
  assert.ok(files.includes("src/kit/time_test.ts"), files.join(" "));
});

Deno.test("a change selects the tests that reach it, nearest first", () => {
  const files = plan.jobsReaching(["src/kit/time.ts"]).flatMap(({ files }) => files);
  const [near, far] = ["src/kit/time_test.ts", "test/contract/openapi/drive_test.ts"].map((file) =>
    files.indexOf(file)
  );
  assert.ok(near! >= 0 && near! < far!, `${near} ${far}`);
  assert.deepEqual(plan.jobsReaching([]), []);
});
