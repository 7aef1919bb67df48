import { fileIn } from "./in-file.ts";
import type { Job } from "./plan.ts";
import type { Counts, Failure, TestTime } from "./junit.ts";

export interface Result {
  job: Job;
  counts: Counts;
  seconds: number;
  processorSeconds: number;
  times: TestTime[];
  failures: Failure[];
}

/** Of each failure at the end of a run; the whole text stands where the test ran. */
const FAILURE_LINES = 16;

/** The results of a run so far, and its closing lines. */
export class Summary {
  readonly #results: Result[] = [];
  readonly #skipped: string[] = [];

  add(result: Result): void {
    this.#results.push(result);
  }

  /** Something that could not be tested at all. */
  skip(what: string): void {
    this.#skipped.push(what);
  }

  get failed(): boolean {
    return this.#results.some(({ counts }) => counts.failed > 0);
  }

  /** One line for each suite: its counts, and the time its processes took together. */
  suites(): string[] {
    const bySuite = Map.groupBy(this.#results, ({ job }) => job.suite);
    return [...bySuite].map(([suite, results]) => {
      const sum = (of: (result: Result) => number) => results.reduce((sum, result) => sum + of(result), 0);
      const processor = sum(({ processorSeconds }) => processorSeconds);
      return `${suite.padEnd(10)}${countsText(total(results))} (${
        sum(({ seconds }) => seconds).toFixed(0)
      } s${processor > 0 ? `, ${processor.toFixed(0)} s of a processor` : ""})`;
    });
  }

  /** The files whose tests took longest, slowest first; of a file with a process of its own, the time of that. */
  slowestFiles(count: number): string[] {
    const byFile = new Map<string, number>();
    for (const { job, seconds, times } of this.#results) {
      if (job.files.length === 1) byFile.set(job.files[0]!, seconds);
      else {
        for (const { name, seconds } of times) {
          const file = fileIn(name);
          if (file !== null) byFile.set(file, (byFile.get(file) ?? 0) + seconds);
        }
      }
    }
    return [...byFile].sort(([, a], [, b]) => b - a).slice(0, count)
      .map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }

  /** The slowest tests, slowest first. */
  slowest(count: number): string[] {
    return this.#results.flatMap(({ job, times }) => times.map((time) => ({ ...time, suite: job.suite })))
      .sort((a, b) => b.seconds - a.seconds).slice(0, count)
      .map(({ suite, name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${suite}: ${name}`);
  }

  /** What was skipped and what failed, then the line `N passed, N failed`, with `, N skipped` if any was. */
  closing(): string[] {
    const { passed, failed, skipped } = total(this.#results);
    const allSkipped = [...this.#skipped, ...skipped];
    return [
      ...allSkipped.map((what) => `skipped  ${what}`),
      ...this.#results.filter(({ counts }) => counts.failed > 0).flatMap(({ job, failures }) => [
        ...failures.flatMap(excerpt),
        ...failedFiles(job, failures).map((path) =>
          `FAILED   ${path} (see above, or: make test FILES=${path})`
        ),
      ]),
      `${passed} passed, ${failed} failed${allSkipped.length > 0 ? `, ${allSkipped.length} skipped` : ""}`,
    ];
  }
}

/** Those of the job that failed, or all if it failed outside of any test. */
function failedFiles(job: Job, failures: readonly Failure[]): string[] {
  const named = new Set(failures.map(({ name }) => fileIn(name)).filter((file) => file !== null));
  return named.size > 0 ? [...named] : job.files;
}

function excerpt({ name, text }: Failure): string[] {
  const lines = text.split("\n");
  const left = lines.length - FAILURE_LINES;
  return [
    `         ${name}`,
    ...lines.slice(0, FAILURE_LINES).map((line) => `           ${line}`),
    ...left > 0 ? [`           (${left} more lines)`] : [],
  ];
}

/** How a job is called in the output. */
export function nameOf({ suite, files }: Job): string {
  if (files.length <= 1) return files[0] ?? suite;
  return `${files[0]} and ${files.length - 1} more`;
}

export function countsText({ passed, failed, skipped }: Counts): string {
  return [
    `${passed} passed`,
    ...failed > 0 ? [`${failed} failed`] : [],
    ...skipped.length > 0 ? [`${skipped.length} skipped`] : [],
  ].join(", ");
}

function total(results: readonly Result[]): Counts {
  return {
    passed: results.reduce((sum, { counts }) => sum + counts.passed, 0),
    failed: results.reduce((sum, { counts }) => sum + counts.failed, 0),
    skipped: results.flatMap(({ job, counts }) => counts.skipped.map((name) => `${job.suite}: ${name}`)),
  };
}
