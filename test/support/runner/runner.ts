import { exists } from "../files.ts";
import { PROGRAM_VARIABLE, provideProgram } from "../program.ts";
import { startPostgres, type TestPostgres } from "../postgres.ts";
import { findChromium } from "./chromium.ts";
import { type Counts, countTests, failuresIn, testTimes } from "./junit.ts";
import type { Job } from "./plan.ts";
import { GroupProcess } from "./process.ts";
import { IdleMeter, serverTime } from "./processor-time.ts";
import { countsText, nameOf, Summary } from "./summary.ts";

/**
 * A program that prints nothing for so long hangs, minutes. There is no limit for a whole run or suite, so a slow
 * machine passes. The longest test takes less than four minutes on a quiet one.
 */
const SILENCE_MINUTES = 20;
const SLOWEST_FILES = 10;
/** Tests with a browser among `slots`: each keeps a processor busy, and more would run into their own timeouts. */
const BROWSERS = 2;
/** A further program starts while more than this part of the processors is idle. */
const IDLE = 0.25;
/** Duration of a measurement of the processors, milliseconds: long enough for a program to be busy after its start. */
const LOOK_MS = 1500;
/** Each file has pools of its own, and several run at a time. */
const POSTGRES_SETTINGS = { max_connections: "300" };

interface RunnerOptions {
  root: string;
  /** Added to each `deno test`. */
  testArgs: readonly string[];
  /** Programs at a time, however busy the processors are. */
  slots: number;
  /** Programs at a time while processors are idle: many tests wait for a timeout or the end of an interval. */
  mostSlots: number;
  /** No further program starts after so many seconds. */
  budgetSeconds: number;
  /** Whether to show the output of programs that succeed. */
  verbose: boolean;
  slowest: number;
  env: Record<string, string>;
}

/** Runs jobs side by side and prints a line for each. */
export class Runner {
  readonly #summary = new Summary();
  readonly #running = new Map<Job, GroupProcess>();
  readonly #env: Record<string, string>;
  readonly #reports = Deno.makeTempDirSync({ prefix: "ndr-test-" });
  #reportCount = 0;
  /** Processor time of the server that the tests share. */
  #serverSeconds = 0;
  #endedBy: Deno.Signal | null = null;

  constructor(private readonly options: RunnerOptions) {
    // `deno test` colours its output in a log, too.
    this.#env = { ...Deno.stdout.isTerminal() ? {} : { NO_COLOR: "1" }, ...options.env };
  }

  /** Returns the exit status. */
  async run(jobs: readonly Job[]): Promise<number> {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => {
        this.#endedBy = signal;
        this.#kill();
      });
    }
    const server = this.#providePostgres(jobs);
    const provided = Promise.all([server, this.#provideProgram(jobs)]);
    // Who waits for it fails; a run that ends before does not.
    provided.catch(() => {});
    let left: Job[];
    try {
      left = await this.#runAll(await this.#provideChromium(jobs), provided);
    } finally {
      this.#kill();
      const postgres = await server;
      if (postgres) this.#serverSeconds = serverTime(postgres.url);
      await postgres?.stop();
      await Deno.remove(this.#reports, { recursive: true });
    }
    if (this.#endedBy) {
      console.log(`Ended by ${this.#endedBy}: the tests are not complete.`);
      return 130;
    }
    this.#close(left);
    return this.#summary.failed ? 1 : 0;
  }

  #kill(): void {
    for (const process of this.#running.values()) process.kill();
  }

  async #provideProgram(jobs: readonly Job[]): Promise<void> {
    if (jobs.some(({ needsProgram }) => needsProgram)) this.#env[PROGRAM_VARIABLE] = await provideProgram();
  }

  async #providePostgres(jobs: readonly Job[]): Promise<TestPostgres | null> {
    if (!jobs.some(({ needsPostgres }) => needsPostgres)) return null;
    const postgres = await startPostgres({ settings: POSTGRES_SETTINGS });
    if (postgres) {
      this.#env.NDR_TEST_DATABASE_URL = postgres.url;
      console.log(`Databases: PGlite and ${postgres.origin}`);
    } else this.#skip("PostgreSQL not found: only PGlite was tested");
    return postgres;
  }

  /** The jobs that can run: the suite `browser` needs a browser, other tests skip what they cannot do. */
  async #provideChromium(jobs: readonly Job[]): Promise<readonly Job[]> {
    if (!jobs.some(({ needsChromium }) => needsChromium)) return jobs;
    const path = await findChromium();
    if (path) {
      this.#env.NDR_TEST_CHROMIUM = path;
      return jobs;
    }
    this.#skip("browser: no Chromium found; install it or set NDR_TEST_CHROMIUM");
    return jobs.filter(({ suite }) => suite !== "browser");
  }

  #skip(what: string): void {
    this.#summary.skip(what);
    console.log(`Skipped: ${what}`);
  }

  /** Returns the jobs that did not start within the budget. Static checks do not wait for what is provided to tests. */
  async #runAll(jobs: readonly Job[], provided: Promise<unknown>): Promise<Job[]> {
    const queue = [...jobs];
    const running = new Set<Promise<void>>();
    let isIdle = false;
    const limit = performance.now() + this.options.budgetSeconds * 1000;
    while (queue.length > 0) {
      if (queue[0]!.files.length > 0) await provided;
      if (this.#endedBy || performance.now() > limit) break;
      const at = this.#next(queue, isIdle);
      isIdle = false;
      if (at >= 0) {
        const ended: Promise<void> = this.#runJob(queue.splice(at, 1)[0]!, jobs.length === 1)
          .finally(() => running.delete(ended));
        running.add(ended);
        continue;
      }
      isIdle = (await Promise.race([...running, processorsAreIdle()])) === true;
    }
    await Promise.all(running);
    return queue;
  }

  /** The place in the queue of the job that can start now, or -1. */
  #next(queue: readonly Job[], isIdle: boolean): number {
    const running = [...this.#running.keys()];
    const [slots, browsers] = isIdle
      ? [this.options.mostSlots, 2 * BROWSERS]
      : [this.options.slots, BROWSERS];
    if (running.length >= slots) return -1;
    const busy = running.filter(({ needsChromium }) => needsChromium).length >= browsers;
    return queue.findIndex(({ needsChromium }) => !(busy && needsChromium));
  }

  async #runJob(job: Job, alone: boolean): Promise<void> {
    const started = performance.now();
    const isTest = job.files.length > 0;
    const report = `${this.#reports}/${++this.#reportCount}.xml`;
    const [command, ...rest] = job.args;
    const added = isTest ? [`--junit-path=${report}`, ...this.options.testArgs] : [];
    const process = new GroupProcess(
      { args: [command!, ...added, ...rest], cwd: this.options.root, env: this.#env },
      SILENCE_MINUTES * 60_000,
      alone,
    );
    this.#running.set(job, process);
    const { success, status, output, processorSeconds, silent } = await process.ended;
    this.#running.delete(job);
    if (this.#endedBy) return;

    const xml = isTest && (await exists(report)) ? await Deno.readTextFile(report) : null;
    const counts = xml === null ? { passed: success ? 1 : 0, failed: 0, skipped: [] } : countTests(xml);
    // Something outside of any test: a module that does not load, an uncaught error, a crash, the silence limit.
    let remark = silent ? `Killed: it printed nothing for ${SILENCE_MINUTES} minutes.\n` : "";
    if (!success && counts.failed === 0) {
      counts.failed = 1;
      if (!silent) remark = `It ended with ${status}, without a failed test.\n`;
    }
    if (success && isTest && isEmpty(counts) && this.options.testArgs.length === 0) {
      counts.failed = 1;
      remark += "It has no tests.\n";
    }
    const seconds = (performance.now() - started) / 1000;
    // The tests that a filter leaves out are not worth a line each.
    if (this.options.testArgs.length > 0) counts.skipped = [];
    this.#summary.add({
      job,
      counts,
      seconds,
      processorSeconds,
      times: xml === null ? [] : testTimes(xml),
      failures: xml === null ? [] : failuresIn(xml),
    });
    if (isEmpty(counts)) return;
    console.log(
      `${counts.failed > 0 ? "FAILED" : "ok    "} ${nameOf(job)}: ${countsText(counts)} ` +
        `(${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of a processor)`,
    );
    if (counts.failed > 0 || this.options.verbose) console.log(`${output.trim()}\n${remark}`);
  }

  #close(left: readonly Job[]): void {
    console.log("");
    for (const line of this.#summary.suites()) console.log(line);
    if (this.#serverSeconds > 0) {
      console.log(`PostgreSQL: ${this.#serverSeconds.toFixed(0)} s of a processor`);
    }
    const files = this.#summary.slowestFiles(SLOWEST_FILES);
    if (files.length > 1) console.log(["\nThe slowest files:", ...files].join("\n"));
    if (this.options.slowest > 0) {
      console.log("\nThe slowest tests:");
      for (const line of this.#summary.slowest(this.options.slowest)) console.log(line);
    }
    console.log("");
    if (left.length > 0) {
      console.log(`not run  ${left.length} test files farther from the change; make test runs them all`);
    }
    for (const line of this.#summary.closing()) console.log(line);
  }
}

/** Whether there is room for a further program. */
function processorsAreIdle(): Promise<boolean> {
  const meter = new IdleMeter();
  return new Promise((resolve) => setTimeout(() => resolve(meter.read() > IDLE), LOOK_MS));
}

function isEmpty({ passed, failed, skipped }: Counts): boolean {
  return passed + failed + skipped.length === 0;
}
