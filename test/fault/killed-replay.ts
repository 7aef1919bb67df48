// Replays recordings into the running program, kills it (kill -9) at random instants meanwhile and restarts it each
// time. NDR_TEST_SEED sets the instants.

import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import type { ReplayResult } from "../../src/cli/replay/types.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { type Engine, freshPostgres } from "../support/database.ts";
import { type ApiClient, launchUp, signIn, startUp, type Up, type UpOptions } from "../support/up.ts";
import { type Snapshot, snapshot } from "../support/record/snapshot.ts";
import { delay, type Instant, type Recordings, Replays } from "./replays.ts";

const SEED = Number(Deno.env.get("NDR_TEST_SEED") ?? Math.floor(Math.random() * 1e6));

/** How long a kill waits for the instant that it should hit. */
const PATIENCE_MILLISECONDS = 5_000;

export interface Kill {
  instant: Instant;
  /** Whether the pipeline had pending batches; null if unknown. */
  behind: boolean | null;
  /** Phases of the open transactions; empty on the embedded database. */
  transactions: string[];
}

interface Target {
  options: UpOptions;
  /** Connection string of the database once the program has stopped. */
  databaseUrl: string;
  cleanUp(): Promise<void>;
}

async function makeTarget(engine: Engine): Promise<Target> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-kill-" });
  const server = engine === "postgres" ? await freshPostgres() : null;
  const [web, core] = [await freePort(), await freePort()];
  return {
    options: {
      stateDir,
      sample: false,
      databaseUrl: server?.url,
      // The sender expects the same addresses after each restart.
      env: { NDR_WEB_LISTEN: `127.0.0.1:${web}`, NDR_CORE_LISTEN: `127.0.0.1:${core}` },
    },
    databaseUrl: server?.url ?? `embedded:${stateDir}/database`,
    async cleanUp() {
      await server?.drop();
      await Deno.remove(stateDir, { recursive: true });
    },
  };
}

interface KilledReplayOptions {
  recordings: readonly Recordings[];
  kills: number;
  /** Records per request; few enough for the replay to outlast the kills. */
  batchLines: number;
  /** Reads from the program when all records are processed. */
  inspect?: (up: Up) => Promise<void>;
}

interface Outcome {
  results: ReplayResult[];
  taken: Snapshot;
  kills: Kill[];
}

/** Replays into a fresh database and kills the program `kills` times meanwhile. */
export async function killedReplay(engine: Engine, options: KilledReplayOptions): Promise<Outcome> {
  const { recordings, kills, batchLines, inspect } = options;
  const target = await makeTarget(engine);
  const replays = new Replays(recordings, batchLines);
  let up = await startUp(target.options);
  try {
    const person = await signIn(up.baseUrl, "reader");
    const replaying = replays.run(up);
    replaying.catch(() => {});
    const done: Kill[] = [];
    while (done.length < kills) {
      const { kill, next } = await killOnce(up, target, replays, person, done.length);
      done.push(...kill);
      up = next;
    }
    const results = await replaying;
    await untilIdle(person);
    await inspect?.(up);
    await up.stop();
    const db: Database = await openDatabase(target.databaseUrl);
    try {
      return { results, taken: await snapshot(db), kills: done };
    } finally {
      await db.close();
    }
  } finally {
    replays.abort();
    await up.kill();
    await target.cleanUp();
  }
}

/** Waits for some progress, then kills and restarts the program; some restarts are killed, too. */
async function killOnce(
  up: Up,
  target: Target,
  replays: Replays,
  person: ApiClient,
  number: number,
): Promise<{ kill: Kill[]; next: Up }> {
  const kills: Kill[] = [];
  const before = replays.acknowledged;
  await waitFor(
    () => replays.acknowledged > before || replays.state === "sent",
    "a record to be acknowledged",
  );
  await delay(random() * 400);
  let kill = await describe(target, replays, person);
  // By turns into ingest and into the pipeline, so that few kills hit both.
  const hits = () => number % 2 === 0 ? kill.instant === "sending" : kill.behind === true;
  const limit = performance.now() + PATIENCE_MILLISECONDS;
  while (!hits() && replays.state !== "sent" && performance.now() < limit) {
    await delay(random() * 20);
    kill = await describe(target, replays, person);
  }
  kills.push(kill);
  await up.kill();
  await expireLeases(target);
  if (number % 5 === 2) {
    const starting = await launchUp(target.options);
    await delay(random() * 1500);
    kills.push({ instant: "starting", behind: null, transactions: [] });
    await starting.kill();
    await expireLeases(target);
  }
  return { kill: kills, next: await startUp(target.options) };
}

async function describe(target: Target, replays: Replays, person: ApiClient): Promise<Kill> {
  if (target.options.databaseUrl === undefined) {
    return { behind: await isBehind(person), transactions: [], instant: replays.state };
  }
  const transactions = await query<{ query: string }>(
    target.databaseUrl,
    "select query from pg_stat_activity where datname = current_database() and application_name = 'ndr'" +
      " and state in ('active', 'idle in transaction')",
  );
  const [numbers] = await query<{ behind: boolean }>(
    target.databaseUrl,
    "select coalesce((select max(batch_no) from raw_batch), 0) > coalesce((select max(batch_no) from pipeline_cursor), 0) as behind",
  );
  return {
    instant: replays.state,
    behind: numbers!.behind,
    transactions: transactions.map(({ query }) => phaseOf(query)),
  };
}

function phaseOf(statement: string): string {
  if (/raw_record|insert into "?raw_|tenant_counter \(tenant_id, batch_no\)/.test(statement)) return "ingest";
  return /flow|evidence|device|detector_state|detector_journal|incident|pipeline_cursor|event_log|raw_batch/
      .test(
        statement,
      )
    ? "pipeline"
    : "other";
}

/** Expires the leases of the killed process: waiting for them is not the subject of this test. */
async function expireLeases(target: Target): Promise<void> {
  if (target.options.databaseUrl === undefined) return;
  await query(target.databaseUrl, "update lease set expires_at = now() - interval '1 second'");
}

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

async function isBehind(person: ApiClient): Promise<boolean> {
  const health = await person.get<{ ingest: { oldest_buffered_at: string | null } }>("/api/v1/health");
  return health.ingest.oldest_buffered_at !== null;
}

async function untilIdle(person: ApiClient): Promise<void> {
  const limit = performance.now() + 60_000;
  while (await isBehind(person)) {
    assert.ok(performance.now() < limit, "the pipeline does not become idle");
    await delay(50);
  }
}

async function waitFor(condition: () => boolean, what: string): Promise<void> {
  const limit = performance.now() + 60_000;
  while (!condition()) {
    assert.ok(performance.now() < limit, `waited a minute for ${what}`);
    await delay(2);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let state = SEED;
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
}

export function totals(results: readonly ReplayResult[]) {
  const sum = (of: (result: ReplayResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    outcomes: results.map(({ outcome }) => outcome),
    accepted: sum(({ accepted }) => accepted),
    duplicates: sum(({ duplicates }) => duplicates),
    rejected: sum(({ rejected }) => rejected),
  };
}

export function killReport(kills: readonly Kill[], killed: ReturnType<typeof totals>): string {
  const count = (condition: (kill: Kill) => boolean) => kills.filter(condition).length;
  const parts = [
    `${count(({ instant }) => instant === "starting")} while starting`,
    `${count(({ instant }) => instant === "sending")} with a request under way`,
    `${count(({ behind }) => behind === true)} with pending batches`,
  ];
  if (kills.some(({ transactions }) => transactions.length > 0)) {
    for (const phase of ["ingest", "pipeline"]) {
      parts.push(
        `${count(({ transactions }) => transactions.includes(phase))} inside a transaction of the ${phase}`,
      );
    }
  }
  return `${kills.length} kills (seed ${SEED}): ${
    parts.join(", ")
  }; ${killed.accepted} records acknowledged as new, ` +
    `${killed.duplicates} as known`;
}
