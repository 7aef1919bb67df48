export interface RunOptions {
  /** Names of suites; empty means all. */
  suites: string[];
  /** Only tests below these paths, relative to the repository. */
  files: string[] | null;
  /** Only tests that reach a changed file. */
  changed: boolean;
  /** What `changed` compares with; null means the last commit. */
  base: string | null;
  /** Only tests that scale, of those that the other options select, with larger numbers. */
  soak: boolean;
  /** How many of the slowest tests to list at the end. */
  slowest: number;
  /** Passed on to `deno test`. */
  testArgs: string[];
}

/** How many tests `--slowest` lists. */
const SLOWEST = 15;

/** Parses `[suite …] [--files "path …"] [--changed] [--base ref] [--soak] [--slowest] [-- <arguments of deno test>]`. */
export function parseOptions(args: readonly string[]): RunOptions {
  const separator = args.includes("--") ? args.indexOf("--") : args.length;
  const options: RunOptions = {
    suites: [],
    files: null,
    changed: false,
    base: null,
    soak: false,
    slowest: 0,
    testArgs: [],
  };
  const own = args.slice(0, separator);
  for (let at = 0; at < own.length; at++) {
    const value = () => {
      const next = own[++at];
      if (next === undefined) throw new Error(`${own[at - 1]} needs a value`);
      return next;
    };
    switch (own[at]) {
      case "--files":
        options.files = value().split(/\s+/).filter((path) => path !== "").map(normal);
        break;
      case "--changed":
        options.changed = true;
        break;
      case "--base":
        options.base = value();
        break;
      case "--soak":
        options.soak = true;
        break;
      case "--slowest":
        options.slowest = SLOWEST;
        break;
      default:
        if (own[at]!.startsWith("-")) throw new Error(`unknown option ${own[at]}`);
        options.suites.push(own[at]!);
    }
  }
  // `make test ARGS=--slowest` needs no second variable.
  for (const arg of args.slice(separator + 1)) {
    if (arg === "--slowest") options.slowest = SLOWEST;
    else options.testArgs.push(arg);
  }
  return options;
}

function normal(path: string): string {
  return path.replace(/^\.\//, "").replace(/\/+$/, "");
}
