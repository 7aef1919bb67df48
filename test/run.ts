// The one entry to every test: `make test`, or `make test SUITE="unit store"`, with `ARGS="--filter x"` for
// `deno test`. The last line on standard output is `N passed, N failed`, with `, N skipped` where something was.

import { findChromium } from "./support/runner/chromium.ts";
import { exists, walkFiles } from "./support/files.ts";
import { type Counts, countTests } from "./support/runner/junit.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";

interface Suite {
  name: string;
  /** What `deno` is called with. */
  args: string[];
  /** Whether `deno test` runs, and reports each test, or one program that is one test. */
  tests: boolean;
}

/** Static checks, then tests from the quick and pure to the slow and whole. Others in `test/` run last. */
const ORDER = ["support", "golden", "contract", "store", "fuzz", "fault", "e2e", "browser"];
const PURE = ["fmt", "lint", "check", "unit", "golden", "fuzz"];
/** A suite that hangs fails; the slowest takes a few minutes. */
const LIMIT_MINUTES = 20;

const ROOT = `${import.meta.dirname}/..`;

class Runner {
  #total: Counts = { passed: 0, failed: 0, skipped: [] };
  #failed: string[] = [];
  /** Null where the machine has none, undefined until a suite needs it. */
  #postgres: TestPostgres | null | undefined;
  #child: Deno.ChildProcess | null = null;
  #endedBy: Deno.Signal | null = null;
  /** A log is no place for colours, which `deno test` would write there, too. */
  #env: Record<string, string> = Deno.stdout.isTerminal() ? {} : { NO_COLOR: "1" };
  #reports = Deno.makeTempDirSync({ prefix: "ndr-test-" });

  constructor(private readonly denoTestArgs: string[]) {}

  /** Runs the suites one after the other; gives the exit status. */
  async run(suites: Suite[]): Promise<number> {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => {
        this.#endedBy = signal;
        this.#endChild();
      });
    }
    try {
      for (const suite of suites) {
        if (!PURE.includes(suite.name)) await this.#providePostgres();
        if (suite.name === "browser" && !(await this.#provideChromium())) continue;
        if (this.#endedBy) break;
        await this.#runSuite(suite);
      }
    } finally {
      await this.#postgres?.stop();
      await Deno.remove(this.#reports, { recursive: true });
    }
    if (this.#endedBy) {
      console.log(`Ended by ${this.#endedBy}: the tests are not complete.`);
      return 130;
    }
    this.#close();
    return this.#failed.length === 0 ? 0 : 1;
  }

  async #providePostgres(): Promise<void> {
    if (this.#postgres !== undefined) return;
    this.#postgres = await startPostgres();
    if (this.#postgres) {
      this.#env.NDR_TEST_DATABASE_URL = this.#postgres.url;
      console.log(`\nDatabases are tested on PGlite and ${this.#postgres.origin}`);
    } else this.#skip("PostgreSQL not found: only PGlite was tested");
  }

  async #provideChromium(): Promise<boolean> {
    const path = await findChromium();
    if (path) this.#env.NDR_TEST_CHROMIUM = path;
    else this.#skip("browser: no Chromium found; install it or set NDR_TEST_CHROMIUM");
    return path !== null;
  }

  #skip(what: string): void {
    this.#total.skipped.push(what);
    console.log(`\nSkipped: ${what}`);
  }

  async #runSuite(suite: Suite): Promise<void> {
    console.log(`\n== ${suite.name}`);
    const started = performance.now();
    const report = `${this.#reports}/${suite.name}.xml`;
    const options = suite.tests ? [`--junit-path=${report}`, ...this.denoTestArgs] : [];
    const success = await this.#deno([...suite.args.slice(0, 1), ...options, ...suite.args.slice(1)]);
    if (this.#endedBy) return;
    const counts: Counts = suite.tests && (await exists(report))
      ? countTests(await Deno.readTextFile(report))
      : { passed: success ? 1 : 0, failed: success ? 0 : 1, skipped: [] };
    // Something outside of any test: a module that does not load, an error nobody caught, a crash, the time limit.
    if (!success && counts.failed === 0) counts.failed = 1;
    if (counts.passed + counts.failed + counts.skipped.length === 0) {
      console.log("There are test files, but no test in them.");
      counts.failed = 1;
    }

    this.#total.passed += counts.passed;
    this.#total.failed += counts.failed;
    // A filter's choice is not worth a line for each test that it left out.
    if (this.denoTestArgs.length === 0) {
      this.#total.skipped.push(...counts.skipped.map((name) => `${suite.name}: ${name}`));
    }
    if (counts.failed > 0) this.#failed.push(suite.name);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${suite.name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`);
  }

  async #deno(args: string[]): Promise<boolean> {
    // A process group of its own, so that whatever a test leaves running can be ended with it.
    this.#child = new Deno.Command(Deno.execPath(), {
      args,
      cwd: ROOT,
      env: this.#env,
      stdin: "null",
      detached: true,
    }).spawn();
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      this.#endChild();
    }, LIMIT_MINUTES * 60_000);
    const { success } = await this.#child.status;
    clearTimeout(limit);
    this.#endChild();
    this.#child = null;
    if (late) console.log(`It was ended because it took longer than ${LIMIT_MINUTES} minutes.`);
    return success;
  }

  #endChild(): void {
    try {
      if (this.#child) Deno.kill(-this.#child.pid, "SIGKILL");
    } catch (error) {
      // Nothing of the group is left, which is the usual case.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  #close(): void {
    const { passed, failed, skipped } = this.#total;
    console.log("");
    for (const what of skipped) console.log(`skipped  ${what}`);
    for (const name of this.#failed) console.log(`FAILED   ${name} (see above, or: make test SUITE=${name})`);
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
    console.log(`${passed} passed, ${failed} failed${tail}`);
  }
}

async function allSuites(): Promise<Suite[]> {
  const own = (await Array.fromAsync(Deno.readDir(`${ROOT}/test`), ({ name }) => name))
    .filter((name) => name.endsWith("_test.ts")).map((name) => `test/${name}`);
  const suites: Suite[] = [
    { name: "fmt", args: ["fmt", "--check"], tests: false },
    { name: "lint", args: ["lint", "--quiet"], tests: false },
    { name: "check", args: ["check", "--quiet", "main.ts", "src", "test"], tests: false },
    testSuite("unit", "src", ...own),
  ];
  for (const name of await testFolders()) suites.push(testSuite(name, `test/${name}`));
  return suites;
}

/** Files run side by side, for each brings its own database, processes and ports. A browser alone wants the whole machine. */
function testSuite(name: string, ...paths: string[]): Suite {
  // Types were checked before.
  const args = ["test", "-A", "--no-check", ...(name === "browser" ? [] : ["--parallel"]), ...paths];
  return { name, args, tests: true };
}

/** The folders of `test/` that hold tests, in order, so that a new one cannot be forgotten. */
async function testFolders(): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of walkFiles(`${ROOT}/test`)) {
    const folder = path.slice(`${ROOT}/test/`.length).split("/")[0]!;
    if (/[_.]test\.tsx?$/.test(path) && !/\.tsx?$/.test(folder)) found.add(folder);
  }
  const place = (name: string) => ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length;
  return [...found].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

function chosen(suites: Suite[], names: string[]): Suite[] {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(
      `no such suite: ${unknown.join(", ")}; there are ${suites.map(({ name }) => name).join(", ")}`,
    );
    Deno.exit(2);
  }
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}

const separator = Deno.args.includes("--") ? Deno.args.indexOf("--") : Deno.args.length;
const suites = chosen(await allSuites(), Deno.args.slice(0, separator));
Deno.exit(await new Runner(Deno.args.slice(separator + 1)).run(suites));
