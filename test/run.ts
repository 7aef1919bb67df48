// The entry to every test: see `make help`. The last line on standard output is `N passed, N failed`, with `, N skipped`
// if tests were skipped.

import { messageOf } from "../src/kit/errors.ts";
import { exists } from "./support/files.ts";
import { changedFiles } from "./support/runner/changed.ts";
import { parseOptions, type RunOptions } from "./support/runner/options.ts";
import { type Job, Plan } from "./support/runner/plan.ts";
import { Runner } from "./support/runner/runner.ts";
import { SCALE_VARIABLE, SOAK_SCALE } from "./support/scale.ts";

const ROOT = import.meta.dirname!.replace(/\/test$/, "");
/** `CHANGED=1` answers within two minutes: no further file starts after so many seconds. */
const CHANGED_SECONDS = 80;

async function jobsOf(options: RunOptions, plan: Plan): Promise<Job[]> {
  if (options.files !== null) {
    for (const path of options.files) {
      if (!(await exists(`${ROOT}/${path}`))) throw new Error(`no file or folder ${path}`);
    }
    const jobs = options.soak ? plan.jobsThatScale(options.files) : plan.jobsBelow(options.files);
    if (jobs.some(({ files }) => files.length > 0)) return jobs;
    throw new Error(`no tests${options.soak ? " that scale" : ""} below ${options.files.join(" ")}`);
  }
  if (options.soak) return plan.jobsThatScale();
  if (options.changed) {
    const changed = await changedFiles(ROOT, options.base);
    console.log(`Changed files: ${changed.length}`);
    return plan.jobsReaching(changed);
  }
  return plan.jobs(plan.suites());
}

/** Programs at a time: on busy processors and on idle ones. */
function slots(): { slots: number; mostSlots: number } {
  const given = Number(Deno.env.get("NDR_TEST_JOBS"));
  if (given > 0) return { slots: given, mostSlots: given };
  return { slots: navigator.hardwareConcurrency + 2, mostSlots: 4 * navigator.hardwareConcurrency };
}

async function main(): Promise<number> {
  const options = parseOptions(Deno.args);
  const plan = await Plan.read(ROOT);
  const unknown = options.suites.filter((name) => !plan.suites().includes(name));
  if (unknown.length > 0) {
    throw new Error(`no suite ${unknown.join(", ")}; there are ${plan.suites().join(", ")}`);
  }
  const jobs = await jobsOf(options, plan);
  const runner = new Runner({
    root: ROOT,
    testArgs: options.testArgs,
    ...slots(),
    budgetSeconds: options.changed ? CHANGED_SECONDS : Infinity,
    verbose: options.soak,
    slowest: options.slowest,
    env: options.soak ? { [SCALE_VARIABLE]: Deno.env.get(SCALE_VARIABLE) ?? String(SOAK_SCALE) } : {},
  });
  return await runner.run(
    jobs.filter(({ suite }) => options.suites.length === 0 || options.suites.includes(suite)),
  );
}

try {
  Deno.exit(await main());
} catch (error) {
  console.error(messageOf(error));
  Deno.exit(2);
}
