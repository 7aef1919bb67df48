// `make bench ARGS=day`: whether the rate lasts. The simulated offices run for a day of their time, longer than their
// longest connections, and fill the store with flows, devices and detector states.
//
//     --pieces 10         measurements, one after another
//     --records 250000    records of each

import { startAppliance } from "./appliance.ts";
import { idleByDatabase } from "./idle.ts";
import { benchLines, secondsOf } from "./records.ts";
import { toBatches } from "./send.ts";
import { emptyDatabase, startBenchServer } from "./server.ts";
import { measureSustained } from "./sustained.ts";

/** Records before the measured ones, so that code is compiled. */
const WARM_UP = 100_000;
const SENDERS = 4;
const BATCH = 1000;
/** Lines generated at once. */
const MADE = 50_000;
/** Width of the longest bar in characters. */
const WIDTH = 40;

interface Piece {
  /** Simulated time at the end of the piece. */
  hours: number;
  /** Records per second. */
  rate: number;
  /** Resident memory in MB. */
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
  console.log(`\nThe last piece runs at ${(last.rate / first.rate).toFixed(2)} of the first one's rate.`);
}
