import assert from "node:assert/strict";
import { LONG_FORMS } from "../long-forms.ts";
import { Plan, suiteOf } from "./plan.ts";

const ROOT = import.meta.dirname!.replace(/\/test\/support\/runner$/, "");
const plan = await Plan.read(ROOT);

Deno.test("each folder of tests is a suite, and the static checks come first", () => {
  assert.deepEqual(plan.suites().slice(0, 3), ["fmt", "lint", "check"]);
  for (const name of ["unit", "contract", "store", "pipeline", "web", "program", "fault", "browser"]) {
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

Deno.test("a database, a browser and the program are provided only to tests that reach one", () => {
  const needs = new Map(plan.jobs(plan.suites()).flatMap((job) => job.files.map((file) => [file, job])));
  assert.equal(needs.get("test/store/engine/leases_test.ts")!.needsPostgres, true);
  assert.equal(needs.get("test/browser/health_test.ts")!.needsChromium, true);
  assert.equal(needs.get("test/program/blackbox-processes_test.ts")!.needsProgram, true);
  assert.equal(needs.get("test/store/engine/leases_test.ts")!.needsProgram, false);
  for (const job of plan.jobs(["unit"])) {
    const needs = [job.needsPostgres, job.needsChromium, job.needsProgram];
    assert.deepEqual(needs, [false, false, false], job.files.join(" "));
  }
});

Deno.test("a path stands for the tests below it, a source file for the tests that import it", () => {
  const below = plan.jobsBelow(["test/store/engine"]);
  assert.deepEqual(below.slice(0, 3).map(({ suite }) => suite), ["fmt", "lint", "check"]);
  assert.ok(below.slice(3).every(({ suite }) => suite === "store"));
  const files = plan.jobsBelow(["src/kit/time.ts"]).flatMap(({ files }) => files);
  assert.ok(files.includes("src/kit/time_test.ts"), files.join(" "));
});

Deno.test("files that share a process are loaded by one entry; a file alone runs as it is", () => {
  const [one] = plan.jobsBelow(["test/store/engine/leases_test.ts"]).filter(({ suite }) => suite === "store");
  assert.deepEqual(one!.args, ["test", "-A", "--no-check", "test/store/engine/leases_test.ts"]);
  for (const { args, files } of plan.jobs(["contract", "store", "pipeline", "web"])) {
    assert.ok(files.length > 5 && files.length <= 15, files.join(" "));
    assert.deepEqual(args.slice(3), ["test/support/runner/together.ts", "--", ...files]);
  }
  assert.ok(plan.jobs(["program", "fault", "browser"]).every(({ files }) => files.length === 1));
});

Deno.test("a change selects the tests that reach it, nearest first", () => {
  const files = plan.jobsReaching(["src/kit/time.ts"]).flatMap(({ files }) => files);
  const [near, far] = ["src/kit/time_test.ts", "test/contract/openapi/drive_test.ts"].map((file) =>
    files.indexOf(file)
  );
  assert.ok(near! >= 0 && near! < far!, `${near} ${far}`);
  assert.deepEqual(plan.jobsReaching([]), []);
});

Deno.test("the rules of hooks are checked in the dashboard only", () => {
  const hooked = (paths: string[]) =>
    plan.jobsBelow(paths).filter(({ args }) => args.some((arg) => arg.includes("eslint")))
      .map(({ args }) => args.at(-1));
  assert.equal(plan.jobs(["lint"]).at(-1)!.args.at(-1), "src/dashboard/");
  assert.deepEqual(hooked(["src"]), ["src/dashboard/"]);
  assert.deepEqual(hooked(["src/dashboard/graph/map.tsx"]), ["src/dashboard/graph/map.tsx"]);
  assert.deepEqual(hooked(["src/kit", "src/dashboard/ui/styles/grid.css"]), []);
});

function testFile(name: string): string {
  return `${name.startsWith("src/") ? "" : "test/"}${name}_test.ts`;
}

Deno.test("every test that scales is in the list of long forms, and runs in make test, too", () => {
  const short = new Set(plan.jobs(plan.suites()).flatMap(({ files }) => files));
  const full = plan.jobsThatScale().flatMap(({ files }) => files).sort();
  assert.deepEqual(full, Object.keys(LONG_FORMS).map(testFile).sort());
  for (const file of full) assert.ok(short.has(file), file);
});

Deno.test("paths narrow the tests that scale", () => {
  const filesBelow = (...paths: string[]) => plan.jobsThatScale(paths).flatMap(({ files }) => files);
  assert.deepEqual(filesBelow(testFile("fault/read-only")), [testFile("fault/read-only")]);
  assert.ok(filesBelow("test/fault").every((file) => file.startsWith("test/fault/")));
  assert.ok(filesBelow("test/fault").length < plan.jobsThatScale().length);
  assert.deepEqual(filesBelow("src/kit/time_test.ts"), []);
});
