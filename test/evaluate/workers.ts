// Evaluates captures on several processor cores: each worker has a database of its own and takes the next capture.

import { availableParallelism } from "node:os";
import type { CaptureOutcome } from "./judge.ts";
import type { CaptureSet } from "./captures.ts";

/** Memory, not only cores, bounds the number of embedded databases. */
const MOST_WORKERS = 4;

/** What a worker is asked for. */
export interface Task {
  set: CaptureSet;
  name: string;
}

/** What a worker answers: nothing when it has started, otherwise an outcome and a line for the terminal. */
export type Answer = { ready: true } | { outcome: CaptureOutcome; line: string } | { error: unknown };

/**
 * The outcomes in the order of the names, whatever the order of work.
 *
 * @param names Captures of the set, those that take longest first
 * @param tell called with one line after each capture
 * @throws what a worker throws
 */
export async function evaluateInWorkers(
  set: CaptureSet,
  names: readonly string[],
  tell: (line: string) => void,
): Promise<CaptureOutcome[]> {
  const outcomes = new Map<string, CaptureOutcome>();
  const waiting = [...names];
  const count = Math.min(MOST_WORKERS, availableParallelism(), names.length);
  await Promise.all(Array.from({ length: count }, () => {
    const worker = new Worker(new URL("worker.ts", import.meta.url), { type: "module" });
    return new Promise<void>((resolve, reject) => {
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ("error" in data) return reject(data.error);
        if ("outcome" in data) {
          outcomes.set(data.outcome.name, data.outcome);
          tell(data.line);
        }
        const name = waiting.shift();
        if (name === undefined) return resolve();
        worker.postMessage({ set, name } satisfies Task);
      };
    }).finally(() => worker.terminate());
  }));
  return names.map((name) => outcomes.get(name)!);
}
