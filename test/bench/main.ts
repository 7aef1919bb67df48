// `make bench`: throughput and latency of the appliance, as ratios to plain COPY into the same PostgreSQL (L).
//
//     NDR_BENCH_RECORDS   records per run, 100000 by default
//     ARGS=postgres       only that engine (or: pglite)
//     ARGS=day            instead: whether the rate lasts over a day of simulated time (test/bench/day-bench.ts)
//     ARGS=api            instead: latency of reads with ten million flows (test/bench/api/api-bench.ts)
//     ARGS=search         instead: latency of searches with ten million flows (test/bench/search-bench.ts)
//     ARGS=graph          instead: cost of the live map's graphs (test/bench/graph-bench.ts)
//     ARGS=stream         instead: cost and delay of the live map's streams (test/bench/stream-bench.ts)
//     ARGS=shares         instead: what one reader's searches leave to other tenants (test/bench/shares-bench.ts)
//     ARGS=grid           instead: how fast lists of ten thousand rows react in Chromium (test/bench/grid-bench.ts)
//     ARGS=timing         instead: whether response times leak information (test/bench/timing-bench.ts)

import { alertLine } from "../support/record/alert-line.ts";
import type { TestPostgres } from "../support/postgres.ts";
import { apiBench } from "./api/api-bench.ts";
import { type Appliance, startAppliance } from "./appliance.ts";
import { measureByItself } from "./by-itself.ts";
import { copyRates } from "./copy-limit.ts";
import { dayBench } from "./day-bench.ts";
import { graphBench } from "./graph-bench.ts";
import { gridBench } from "./grid-bench.ts";
import { type Idle, idleByDatabase, idleByHealth } from "./idle.ts";
import { benchLines, secondsOf } from "./records.ts";
import { requestLatencies } from "./request-latency.ts";
import { sendAll, toBatches } from "./send.ts";
import { emptyDatabase, startBenchServer } from "./server.ts";
import { searchBench } from "./search-bench.ts";
import { measureStreams, streamBench, type StreamCosts, streamRows } from "./stream-bench.ts";
import { sharesBench } from "./shares-bench.ts";
import { measureSustained } from "./sustained.ts";
import { timingBench } from "./timing-bench.ts";
import { startReceiver, type WebhookReceiver } from "./webhook-out.ts";
import pg from "pg";

if (Deno.args[0] === "api") {
  await apiBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "search") {
  await searchBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "graph") {
  await graphBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "stream") {
  await streamBench();
  Deno.exit();
}

if (Deno.args[0] === "shares") {
  await sharesBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "grid") {
  await gridBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "day") {
  await dayBench(Deno.args.slice(1));
  Deno.exit();
}

if (Deno.args[0] === "timing") {
  await timingBench(Deno.args.slice(1));
  Deno.exit();
}

const RECORDS = Number(Deno.env.get("NDR_BENCH_RECORDS") ?? 100_000);
/**
 * Records before the timed ones, so that code is compiled and caches are filled. With half of these, V8's compiler still
 * took a fourteenth of the processors during the measurement.
 */
const WARM_UP = 100_000;
const SENDERS = 4;
const BATCH = 1000;
/** Records of the run in which senders stay close to the pipeline, and of the run without senders. */
const SUSTAINED = 3 * RECORDS;
/** Tenths of a second under steady load. */
const TICKS = 100;
const HOUR = 3_600_000;

interface Outcome {
  engine: string;
  /** Records per second. */
  acknowledged: number;
  /** Records per second from the first record sent to the last one processed, ingest and pipeline side by side. */
  pipeline: number;
  /** Records per second of the pipeline alone, from stored records; null if it cannot be measured. */
  byItself: number | null;
  /** Records per second that ingest and pipeline sustain together; null if it cannot be measured. */
  sustained: number | null;
  lagP50: number;
  lagP95: number;
  /** Milliseconds of dashboard requests under full ingest, sorted; null if they cannot be measured. */
  requests: number[] | null;
  /** Milliseconds from incidents to their receipt by webhook, sorted. */
  webhook: number[];
  /** Null if they were measured with another engine: they cost the same. */
  streams: StreamCosts | null;
  peakMemory: number;
  /** Stored bytes per byte of NDJSON; null if it cannot be measured. */
  storedShare: number | null;
}

const started = performance.now();
const directory = await Deno.makeTempDir({ prefix: "ndr-bench-" });
await Deno.chmod(directory, 0o755);
progress(`Making ${RECORDS} records from real ones`);
/** Warm-up, timed runs and the steady load at the end are one stream, which ends about now. */
const begin = Math.floor(Date.now() / 1000 - secondsOf(WARM_UP + 3 * RECORDS + 2 * SUSTAINED));
const lines = benchLines(RECORDS, begin, WARM_UP);
const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
const only = Deno.args[0];
const postgres = await startBenchServer();
try {
  const limits: number[] = [];
  const outcomes: Outcome[] = [];
  if (postgres) {
    const measureLimit = async () => {
      progress("Measuring L");
      limits.push(...await copyRates(postgres.url, lines, directory));
    };
    await measureLimit();
    if (only !== "pglite") {
      outcomes.push(await measure("PostgreSQL", postgres, measureLimit));
    }
  } else progress("PostgreSQL not found: L and the ratios cannot be measured");
  if (only !== "postgres") outcomes.push(await measure("PGlite", null));
  print(limits.sort((a, b) => a - b), outcomes);
  progress("Done");
} finally {
  await postgres?.stop();
  await Deno.remove(directory, { recursive: true });
}

/** @param rest Runs while the appliance is idle, before each long measurement and after the last. */
async function measure(
  engine: string,
  server: TestPostgres | null,
  rest: () => Promise<void> = () => Promise.resolve(),
): Promise<Outcome> {
  progress(`Measuring ${engine}`);
  const state = `${directory}/${engine.toLowerCase()}`;
  const databaseUrl = server ? await emptyDatabase(server.url) : null;
  const receiver = await startReceiver(`${state}/etc`);
  const appliance = await startAppliance(state, databaseUrl);
  const idle = databaseUrl ? await idleByDatabase(databaseUrl) : idleByHealth(appliance);
  try {
    await sendAll(
      appliance.coreUrl,
      appliance.token,
      toBatches(benchLines(WARM_UP, begin), BATCH),
      SENDERS,
    );
    await idle.reached();
    const bytesBefore = databaseUrl ? await databaseBytes(databaseUrl) : 0;
    const batches = toBatches(lines, BATCH);
    const begun = performance.now();
    const seconds = await sendAll(appliance.coreUrl, appliance.token, batches, SENDERS);
    await idle.reached();
    const whole = (performance.now() - begun) / 1000;
    const peakMemory = appliance.memory().peak;
    const storedShare = databaseUrl ? (await databaseBytes(databaseUrl) - bytesBefore) / bytes : null;
    const pipeline = RECORDS / whole;
    await rest();
    progress("Both at once");
    const sustained = databaseUrl === null
      ? null
      : await measureSustained(appliance, idle, longRun(RECORDS), SUSTAINED, SENDERS);
    await rest();
    progress("The pipeline by itself");
    const byItself = databaseUrl === null
      ? null
      : await measureByItself(databaseUrl, idle, SUSTAINED, () =>
        sendAll(appliance.coreUrl, appliance.token, longRun(RECORDS + SUSTAINED), SENDERS));
    await rest();
    progress("Requests, lag and webhook");
    const requests = databaseUrl === null ? null : await measureRequests(appliance, idle);
    receiver.begin();
    const lags = await measureLag(appliance, pipeline / 5);
    await idle.reached();
    await untilDelivered(receiver);
    const webhook = receiver.delays.sort((a, b) => a - b);
    const isFirst = databaseUrl !== null || only === "pglite" || postgres === null;
    const streams = isFirst ? await measureMap(appliance) : null;
    const acknowledged = RECORDS / seconds;
    const rates = { acknowledged, pipeline, byItself, sustained };
    return { engine, ...rates, requests, peakMemory, storedShare, webhook, streams, ...lags };
  } finally {
    await idle.close();
    await appliance.stop();
    await receiver.close();
  }
}

async function measureMap(appliance: Appliance): Promise<StreamCosts> {
  progress("Streams of the map");
  return await measureStreams(appliance);
}

/** Dashboard requests while senders stay close to the pipeline. */
async function measureRequests(appliance: Appliance, idle: Idle): Promise<number[]> {
  const lines = benchLines(RECORDS, begin, WARM_UP + RECORDS + 2 * SUSTAINED);
  return await requestLatencies(
    appliance,
    measureSustained(appliance, idle, toBatches(lines, BATCH), RECORDS, SENDERS),
  );
}

/** `SUSTAINED` records from this offset after the warm-up; made in pieces, as the lines alone take a gigabyte. */
function longRun(from: number): Uint8Array[] {
  const batches: Uint8Array[] = [];
  for (let made = 0; made < SUSTAINED; made += RECORDS) {
    batches.push(...toBatches(benchLines(RECORDS, begin, WARM_UP + from + made), BATCH));
  }
  return batches;
}

/** Waits until the incident of every alert was received. */
async function untilDelivered(receiver: WebhookReceiver): Promise<void> {
  const limit = performance.now() + 60_000;
  while (receiver.delays.length < TICKS && performance.now() < limit) await sleep(50);
  if (receiver.delays.length < TICKS) {
    console.error(`Only ${receiver.delays.length} of ${TICKS} incidents were received`);
  }
}

/** Age of the oldest unprocessed record during ten seconds at a steady rate, with an alert every tenth of a second. */
async function measureLag(appliance: Appliance, rate: number): Promise<{ lagP50: number; lagP95: number }> {
  const perTick = Math.max(1, Math.round(rate / 10));
  const steady = benchLines(perTick * TICKS, begin, WARM_UP + 2 * RECORDS + 2 * SUSTAINED);
  const ages: number[] = [];
  let running = true;
  const sampler = (async () => {
    while (running) {
      const oldest = (await appliance.health()).ingest.oldest_buffered_at;
      ages.push(oldest === null ? 0 : Math.max(0, Date.now() - Date.parse(oldest)));
      await sleep(20);
    }
  })();
  for (let tick = 0; tick < TICKS; tick++) {
    const due = performance.now() + 100;
    // Of three hours, since too many of one join an incident.
    const alert = alertLine(tick, new Date(Date.now() - tick % 3 * HOUR));
    await sendAll(appliance.coreUrl, appliance.alertToken, toBatches([alert], 1), 1);
    const some = steady.slice(tick * perTick, (tick + 1) * perTick);
    await sendAll(appliance.coreUrl, appliance.token, toBatches(some, BATCH), SENDERS);
    await sleep(Math.max(0, due - performance.now()));
  }
  running = false;
  await sampler;
  ages.sort((a, b) => a - b);
  return { lagP50: quantile(ages, 0.5), lagP95: quantile(ages, 0.95) };
}

/** Quantile of sorted values; NaN if there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function databaseBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select pg_database_size(current_database())::float8 as size");
  await client.end();
  return rows[0].size;
}

/** @param limits The measurements of L, sorted; empty without PostgreSQL. */
function print(limits: readonly number[], outcomes: Outcome[]): void {
  const limit = quantile(limits, 0.5);
  const share = (rate: number) => limits.length === 0 ? "" : ` (${(rate / limit).toFixed(2)} L)`;
  const maybe = (rate: number | null) => rate === null ? "not measured" : Math.round(rate) + share(rate);
  const table = [
    ["", ...outcomes.map((outcome) => outcome.engine)],
    ["acknowledged, records/s", ...outcomes.map((o) => Math.round(o.acknowledged) + share(o.acknowledged))],
    ["whole pipeline, records/s", ...outcomes.map((o) => Math.round(o.pipeline) + share(o.pipeline))],
    ["both at once, sustained", ...outcomes.map(({ sustained }) => maybe(sustained))],
    ["pipeline by itself, sustained", ...outcomes.map(({ byItself }) => maybe(byItself))],
    ["request under full ingest, p50", ...outcomes.map((o) => milliseconds(quantile(o.requests ?? [], 0.5)))],
    [
      "request under full ingest, p95",
      ...outcomes.map((o) => milliseconds(quantile(o.requests ?? [], 0.95))),
    ],
    ["lag at a fifth of that, p50", ...outcomes.map((o) => milliseconds(o.lagP50))],
    ["lag at a fifth of that, p95", ...outcomes.map((o) => milliseconds(o.lagP95))],
    ["webhook out at that load, p50", ...outcomes.map(({ webhook }) => milliseconds(quantile(webhook, 0.5)))],
    [
      "webhook out at that load, p95",
      ...outcomes.map(({ webhook }) => milliseconds(quantile(webhook, 0.95))),
    ],
    ["webhook out at that load, max", ...outcomes.map(({ webhook }) => milliseconds(quantile(webhook, 1)))],
    ...streamRows(outcomes.map(({ streams }) => streams)),
    ["peak resident memory", ...outcomes.map((o) => `${Math.round(o.peakMemory)} MB`)],
    ["stored bytes / NDJSON bytes", ...outcomes.map((o) => o.storedShare?.toFixed(2) ?? "not measured")],
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  console.log(
    `\n${RECORDS} records, ${
      Math.round(bytes / RECORDS)
    } bytes each, ${SENDERS} senders, batches of ${BATCH}`,
  );
  if (limits.length > 0) {
    const [least, most] = [limits[0]!, limits.at(-1)!].map(Math.round);
    console.log(`L = ${Math.round(limit)} rows/s by COPY (${least} to ${most})\n`);
  }
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join("   "));
}

/** Prints what begins now, and the time since the start. */
function progress(text: string): void {
  const seconds = Math.round((performance.now() - started) / 1000);
  console.error(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}  ${text}`);
}

function milliseconds(value: number): string {
  return Number.isNaN(value) ? "not measured" : `${Math.round(value)} ms`;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
