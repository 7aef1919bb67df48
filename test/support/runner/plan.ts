import { isTest, listModules, Reach } from "./reach.ts";

/** One process: a static check, or `deno test` over a few files. */
export interface Job {
  suite: string;
  /** The test files, relative to the repository; empty for a static check. */
  files: string[];
  /** Arguments of `deno`; those that a run adds for `deno test` come after the first. */
  args: string[];
  needsPostgres: boolean;
  needsChromium: boolean;
  /** Whether it starts the program. */
  needsProgram: boolean;
}

const CHECKS = ["fmt", "lint", "check"];
/**
 * Suites that wait for programs and timeouts more than they work. Those with a browser first: few run at a time, so that
 * their chain is as long as the whole run.
 */
const WAITING = ["browser", "fault", "program"];
/** Suites that keep a processor busy, quick tests first. Other folders come last. */
const WORKING = ["unit", "golden", "contract", "store", "pipeline", "web", "fuzz"];
const ORDER = [...CHECKS, ...WAITING, ...WORKING];
/**
 * How many files of a suite share a process and an isolate, so that the program is loaded once for all of them and not for a
 * second each. Files of other suites have a process of their own.
 */
const TOGETHER = new Map([["unit", 80], ["contract", 15], ["store", 13], ["pipeline", 13], ["web", 13]]);
/** As many as answer soon, of those that are equally near to a change. */
const CHANGED_TOGETHER = 10;
const DASHBOARD = "src/dashboard/";
/** After the tests that import what changed. */
const BROWSER_DISTANCE = 2;
/** Below `test`; written in full, they would count as modules that this one uses. */
const [SCALE, DATABASE, CHROMIUM, PROGRAM] = [
  "support/scale.ts",
  "support/database.ts",
  "support/runner/chromium.ts",
  "support/program.ts",
];
const LOADER = "support/runner/together.ts";
const SOURCES = ["main.ts", "src", "test"];
const FORMATTED = /\.(tsx?|jsx?|json|md|css|html|ya?ml)$/;
const LINTED = /\.(tsx?|jsx?)$/;

/** The test files of the repository by suite, and the processes that run them. */
export class Plan {
  private constructor(private readonly modules: readonly string[], private readonly reach: Reach) {}

  static async read(root: string): Promise<Plan> {
    const modules = await listModules(root);
    return new Plan(modules, await Reach.read(root, modules));
  }

  /** The names of all suites in the order they start. */
  suites(): string[] {
    const found = new Set([...CHECKS, ...this.modules.filter(isTest).map(suiteOf)]);
    const place = (name: string) => ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length;
    return [...found].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  }

  /** Everything in the named suites. */
  jobs(suites: readonly string[]): Job[] {
    const tests = this.modules.filter(isTest);
    const [checks, waiting, working]: [Job[], Job[], Job[]] = [[], [], []];
    for (const suite of this.suites().filter((suite) => suites.includes(suite))) {
      if (CHECKS.includes(suite)) checks.push(...everything(suite));
      else (WAITING.includes(suite) ? waiting : working).push(...this.#testJobs(suite, tests));
    }
    // Tests that work fill the pauses of those that wait.
    return [...checks, ...spread(waiting, working)];
  }

  /**
   * The tests below files and folders, and static checks of these paths. A source file stands for the tests that
   * import it.
   */
  jobsBelow(paths: readonly string[]): Job[] {
    const tests = this.#testsBelow(paths);
    return [...checksOf(paths, paths), ...this.suites().flatMap((suite) => this.#testJobs(suite, tests))];
  }

  /** The tests that reach a changed file, nearest first, and static checks of these files and their direct users. */
  jobsReaching(changed: readonly string[]): Job[] {
    const modules = changed.filter((path) => this.modules.includes(path));
    const users = [...this.reach.from(modules)].filter(([, distance]) => distance <= 1).map(([path]) => path);
    // A removed file is reached only by name, and only its users can be checked.
    const distances = new Map(this.reach.tests(changed));
    // Browsers load what the build makes of the dashboard, so no import leads there.
    if (changed.some((path) => path.startsWith(DASHBOARD))) {
      for (const path of this.modules.filter((path) => isTest(path) && suiteOf(path) === "browser")) {
        if (!distances.has(path)) distances.set(path, BROWSER_DISTANCE);
      }
    }
    const tests = [...distances].map(([path, distance]) => ({ path, distance, suite: suiteOf(path) }))
      // At the same distance, the quick suites start first.
      .sort((a, b) => a.distance - b.distance || quickness(a.suite) - quickness(b.suite));
    const groups = Map.groupBy(tests, ({ distance, suite }) => `${distance} ${suite}`);
    const jobs = [...groups.values()].flatMap((group) => {
      const { suite } = group[0]!;
      return this.#testJobs(suite, group.map(({ path }) => path), CHANGED_TOGETHER);
    });
    return [...checksOf(modules, users), ...jobs];
  }

  /** The tests whose numbers `scale.ts` sets; with paths, those below them. */
  jobsThatScale(paths: readonly string[] | null = null): Job[] {
    const scaling = this.reach.from([`test/${SCALE}`]);
    const tests = (paths === null ? this.modules.filter(isTest) : this.#testsBelow(paths))
      .filter((path) => scaling.has(path));
    return this.suites().flatMap((suite) => this.#testJobs(suite, tests));
  }

  #testsBelow(paths: readonly string[]): string[] {
    const isNamed = (module: string) =>
      paths.some((path) => module === path || module.startsWith(`${path}/`));
    const users = this.reach.from(paths.filter((path) => this.modules.includes(path)));
    return this.modules.filter(isTest).filter((path) => isNamed(path) || users.get(path) === 1);
  }

  #testJobs(suite: string, tests: readonly string[], most = Infinity): Job[] {
    const files = tests.filter((path) => suiteOf(path) === suite);
    const count = Math.ceil(files.length / Math.min(most, TOGETHER.get(suite) ?? 1));
    // Of equal size, so that no process is left to run alone.
    const start = (at: number) => Math.round(at * files.length / count);
    return Array.from(
      { length: count },
      (_, at) => this.#testJob(suite, files.slice(start(at), start(at + 1))),
    );
  }

  #testJob(suite: string, files: string[]): Job {
    const postgres = this.reach.from([`test/${DATABASE}`]);
    const chromium = this.reach.from([`test/${CHROMIUM}`, "npm:playwright-core"]);
    const program = this.reach.from([`test/${PROGRAM}`]);
    return {
      suite,
      files,
      // The types were checked before.
      args: [
        "test",
        "-A",
        "--no-check",
        ...(files.length === 1 ? files : [`test/${LOADER}`, "--", ...files]),
      ],
      needsPostgres: files.some((path) => postgres.has(path)),
      needsChromium: files.some((path) => chromium.has(path)),
      needsProgram: files.some((path) => program.has(path)),
    };
  }
}

/** `src` and the files directly in `test` are the suite `unit`; each folder in `test` is a suite. */
export function suiteOf(path: string): string {
  const [top, folder, ...rest] = path.split("/");
  return top === "test" && rest.length > 0 ? folder! : "unit";
}

/** Both lists in their order, each spread evenly over the whole. */
function spread<T>(one: readonly T[], other: readonly T[]): T[] {
  return [one, other].flatMap((list) => list.map((item, at) => ({ item, place: (at + 0.5) / list.length })))
    .sort((a, b) => a.place - b.place).map(({ item }) => item);
}

function everything(suite: string): Job[] {
  if (suite === "fmt") return [check("fmt", ["fmt", "--check"])];
  if (suite === "lint") return [check("lint", ["lint", "--quiet"]), hookRules([DASHBOARD])];
  return [check("check", ["check", "--quiet", ...SOURCES])];
}

/** React's rules of hooks, which `deno lint` does not know. */
function hookRules(paths: readonly string[]): Job {
  const program = "node_modules/eslint/bin/eslint.js";
  return check("lint", ["run", "-A", program, "--config", `${DASHBOARD}eslint.config.ts`, ...paths]);
}

/** Static checks of the paths as they are written, and of the types in these modules. */
function checksOf(written: readonly string[], typed: readonly string[]): Job[] {
  const some = (paths: readonly string[], files: RegExp) =>
    paths.filter((path) => files.test(path) || !/\.\w+$/.test(path));
  const [formatted, linted, checked] = [some(written, FORMATTED), some(written, LINTED), some(typed, LINTED)];
  const hooked = linted.flatMap((path) => {
    if (path.startsWith(DASHBOARD)) return [path];
    return DASHBOARD.startsWith(`${path}/`) ? [DASHBOARD] : [];
  });
  return [
    ...formatted.length === 0 ? [] : [check("fmt", ["fmt", "--check", ...formatted])],
    ...linted.length === 0 ? [] : [check("lint", ["lint", "--quiet", ...linted])],
    ...hooked.length === 0 ? [] : [hookRules(hooked)],
    ...checked.length === 0 ? [] : [check("check", ["check", "--quiet", ...checked])],
  ];
}

function quickness(suite: string): number {
  return [...WORKING, ...WAITING.toReversed()].indexOf(suite);
}

function check(suite: string, args: string[]): Job {
  return { suite, files: [], args, needsPostgres: false, needsChromium: false, needsProgram: false };
}
