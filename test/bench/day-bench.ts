// `make bench ARGS=day`: whether the rate lasts. The offices' stream goes on for a day of their time, longer than their hosts'
// longest connections, with as many stored flows, devices and memories of detectors as that makes.
//
//     --pieces 10         that are measured one after another
//     --records 250000    of each

import { startAppliance } from "./appliance.ts";
import { idleByDatabase } from "./idle.ts";
import { benchLines, secondsOf } from "./records.ts";
import { toBatches } from "./send.ts";
import { emptyDatabase, startBenchServer } from "./server.ts";
import { measureSustained } from "./sustained.ts";

/** Records before those that are measured, for the engine's compiler. */
const WARM_UP = 100_000;
const SENDERS = 4;
const BATCH = 1000;
/** Lines that are made at once. */
const MADE = 50_000;
/** Characters of the longest bar. */
const WIDTH = 40;

interface Piece {
  /** Of the offices' time, at its end. */
  hours: number;
  /** Records a second. */
  rate: number;
  /** Resident, in MB. */
  memory: number;
}

export async function dayBench(args: string[]): Promise<void> {
  const count = option(args, "--pieces", 10);
  const records = option(args, "--records", 250_000);
  const server = await startBenchServer();
  if (server === null) throw new Error("the bench needs PostgreSQL");
  const directory = await Deno.makeTempDir({ prefix: "ndr-bench-" });
  try {
    const url = await emptyDatabase(server.url);
    const appliance = await startAppliance(directory, url);
    const idle = await idleByDatabase(url);
    try {
      const all = WARM_UP + count * records;
      const begin = Math.floor(Date.now() / 1000 - secondsOf(all));
      const take = async (from: number, some: number) =>
        (await measureSustained(appliance, idle, stretch(begin, from, some), some, SENDERS))!;
      await take(0, WARM_UP);
      const pieces: Piece[] = [];
      for (let from = WARM_UP; from < all; from += records) {
        const rate = await take(from, records);
        pieces.push({ hours: secondsOf(from + records) / 3600, rate, memory: appliance.memory().now });
        console.error(`${from + records} of ${all} records`);
      }
      print(pieces);
    } finally {
      await idle.close();
      await appliance.stop();
    }
  } finally {
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

function option(args: readonly string[], name: string, other: number): number {
  const at = args.indexOf(name);
  if (at < 0) return other;
  const value = Number(args[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`${name}: expected a whole number of at least 1`);
  }
  return value;
}

function stretch(begin: number, from: number, count: number): Uint8Array[] {
  const batches: Uint8Array[] = [];
  for (let made = 0; made < count; made += MADE) {
    batches.push(...toBatches(benchLines(Math.min(MADE, count - made), begin, from + made), BATCH));
  }
  return batches;
}

function print(pieces: readonly Piece[]): void {
  const best = Math.max(...pieces.map(({ rate }) => rate));
  console.log("\n   hours   records/s   memory");
  for (const { hours, rate, memory } of pieces) {
    const bar = "█".repeat(Math.round(rate / best * WIDTH));
    console.log(
      `${hours.toFixed(1).padStart(8)}${Math.round(rate).toString().padStart(12)}${
        `${Math.round(memory)} MB`.padStart(9)
      }   ${bar}`,
    );
  }
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  console.log(`\nThe last piece goes at ${(last.rate / first.rate).toFixed(2)} of the first one's rate.`);
}
