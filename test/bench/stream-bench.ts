// The live map's streams over HTTP; `make bench ARGS=stream` measures nothing else.

import { formatMicros } from "../../src/kit/time.ts";
import { EventReader } from "../support/transport/event-stream.ts";
import { conn } from "../contract/records.ts";
import { type Appliance, startAppliance } from "./appliance.ts";
import { type Idle, idleByDatabase } from "./idle.ts";
import { benchLines, secondsOf } from "./records.ts";
import { sendAll, toBatches } from "./send.ts";
import { emptyDatabase, startBenchServer } from "./server.ts";

const VIEWERS = 64;
/** Without a viewer, with one and with all, one after the other: what else the appliance does changes slowly. */
const ROUNDS = 3;
/** Commits of a measurement. */
const COMMITS = 8;
/** Records of a commit. */
const RECORDS = 20;
/** Between two commits, in milliseconds: longer than streams wait between two computations. */
const PACE = 1000;
/** The window moves once in it. */
const IDLE_MILLISECONDS = 60_000;
/** Before the streams in a run of their own, so that code is compiled and the map has something to show. */
const WARM_UP = 50_000;

export interface StreamCosts {
  /** Milliseconds from the acknowledgement of a batch to its delta at each of 64 viewers, sorted. */
  delays: number[];
  /** Processor time that a commit costs more with one viewer than without, in milliseconds, and with 64. */
  one: number;
  all: number;
  /** Processor time that an idle viewer costs in a minute, in milliseconds. */
  idle: number;
}

/** Measures an appliance that has nothing else to do. */
export async function measureStreams(appliance: Appliance): Promise<StreamCosts> {
  const commits = new Commits(appliance);
  const measure = (count: number) => withViewers(appliance, count, (viewers) => commits.measure(viewers));
  await measure(VIEWERS);
  const works = { none: [] as number[], one: [] as number[], all: [] as number[] };
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    works.none.push((await measure(0)).work);
    works.one.push((await measure(1)).work);
    const { work, delays: some } = await measure(VIEWERS);
    works.all.push(work);
    delays.push(...some);
  }
  const silence = await processorTime(appliance, pause);
  const idle = await withViewers(appliance, VIEWERS, (viewers) =>
    processorTime(appliance, async () => {
      const reading = viewers.map((viewer) => viewer.drain());
      await pause();
      await Promise.all(viewers.map((viewer) => viewer.close()));
      await Promise.all(reading);
    }));
  return {
    delays: delays.sort((a, b) => a - b),
    one: median(works.one) - median(works.none),
    all: median(works.all) - median(works.none),
    idle: (idle - silence) / VIEWERS,
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, IDLE_MILLISECONDS));
}

async function processorTime(appliance: Appliance, work: () => Promise<unknown>): Promise<number> {
  const before = appliance.processorTime();
  await work();
  return appliance.processorTime() - before;
}

class Commits {
  #made = 0;

  constructor(private readonly appliance: Appliance) {}

  /** Sends batches one after the other; returns the processor time of each in milliseconds, and its delays. */
  async measure(viewers: readonly Viewer[]): Promise<{ work: number; delays: number[] }> {
    const delays: number[] = [];
    const work = await processorTime(this.appliance, async () => {
      for (let commit = 0; commit < COMMITS; commit++) {
        const due = performance.now() + PACE;
        const sent = Date.now();
        const deltas = viewers.map((viewer) => viewer.deltaSince(sent));
        await sendAll(this.appliance.coreUrl, this.appliance.token, toBatches(this.#lines(), RECORDS), 1);
        const committed = performance.now();
        for (const received of await Promise.all(deltas)) delays.push(Math.max(0, received - committed));
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      }
    });
    return { work: work / COMMITS, delays };
  }

  #lines(): string[] {
    return Array.from({ length: RECORDS }, () => {
      const number = this.#made++;
      return conn({
        src: `10.0.${number % 4}.${number % 200 + 1}`,
        dst: `192.0.2.${number * 7 % 250}`,
        srcPort: 1024 + number % 60_000,
        at: Date.now() * 1000 - 2_000_000,
      });
    });
  }
}

async function withViewers<T>(
  appliance: Appliance,
  count: number,
  work: (viewers: Viewer[]) => Promise<T>,
): Promise<T> {
  const viewers: Viewer[] = [];
  try {
    for (let at = 0; at < count; at++) {
      // As many people: what one may open is limited.
      const viewer = new Viewer(await appliance.open("/api/v1/graph/stream", `viewer-${at}`));
      viewers.push(viewer);
      await viewer.deltaSince(0);
    }
    return await work(viewers);
  } finally {
    await Promise.all(viewers.map((viewer) => viewer.close()));
  }
}

class Viewer {
  readonly #reader: EventReader;

  constructor(response: Response) {
    this.#reader = new EventReader(response);
  }

  /** When the first delta arrived that includes what was committed until then; `time` by `Date.now()`. */
  async deltaSince(time: number): Promise<number> {
    for (;;) {
      const event = await this.#reader.next();
      if (event === null) throw new Error("a stream ended");
      if (event.event === "delta" && Date.parse(JSON.parse(event.data).watermark) >= time) {
        return performance.now();
      }
    }
  }

  /** Reads until the stream is closed. */
  async drain(): Promise<void> {
    while (await this.#reader.next() !== null);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

export async function streamBench(): Promise<void> {
  const server = await startBenchServer();
  if (server === null) throw new Error("the bench needs PostgreSQL");
  const directory = await Deno.makeTempDir({ prefix: "ndr-bench-" });
  try {
    const url = await emptyDatabase(server.url);
    const appliance = await startAppliance(directory, url);
    const idle = await idleByDatabase(url);
    try {
      await warmUp(appliance, idle);
      for (const row of streamRows([await measureStreams(appliance)])) console.log(row.join("   "));
    } finally {
      await idle.close();
      await appliance.stop();
    }
  } finally {
    await server.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

async function warmUp(appliance: Appliance, idle: Idle): Promise<void> {
  const begin = Math.floor(Date.now() / 1000 - secondsOf(WARM_UP));
  console.error(`Sending ${WARM_UP} records since ${formatMicros(begin * 1_000_000)}`);
  await sendAll(appliance.coreUrl, appliance.token, toBatches(benchLines(WARM_UP, begin), 1000), 4);
  await idle.reached();
}

/** Rows of the table: a title and a cell for each engine. */
export function streamRows(costs: readonly (StreamCosts | null)[]): string[][] {
  const cells = (text: (cost: StreamCosts) => string) =>
    costs.map((cost) => cost === null ? "not measured" : text(cost));
  const at = (share: number) => ({ delays }: StreamCosts) =>
    `${Math.round(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!)} ms`;
  return [
    ["map, commit to delta, p50", ...cells(at(0.5))],
    ["map, commit to delta, p95", ...cells(at(0.95))],
    [
      `map, a commit for ${VIEWERS} viewers / one`,
      ...cells(({ all, one }) => `${(all / one).toFixed(2)} (${all.toFixed(1)} / ${one.toFixed(1)} ms)`),
    ],
    ["map, idle viewer, per minute", ...cells(({ idle }) => `${idle.toFixed(1)} ms of a processor`)],
  ];
}
