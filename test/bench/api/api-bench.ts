// `make bench ARGS=api`: latency of every API read with ten million flows in the store.
//
//     --flows 10000000    flows to generate
//     --keep DIR          keep the database in this folder, or reuse the one that is there
//     --calls 200         requests per kind
//     --only TEXT         only kinds whose name contains this text

import pg from "pg";
import { migrate } from "../../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { startPostgres } from "../../support/postgres.ts";
import { type Kind, kindsOf } from "./api-calls.ts";
import { type BenchCore, startBenchCore } from "./api-core.ts";
import { type Fill, fill, step } from "./api-fill.ts";
import { LATER } from "./api-later.ts";
import { scansOf } from "./api-plans.ts";
import { interesting } from "./api-values.ts";

const GOAL_MILLISECONDS = 50;
const LATER_PAGE = 50;
/** A kind whose requests take seconds, such as an export, is sent for so long at most, milliseconds. */
const KIND_MS = 10_000;
/** Of the server that holds the generated flows. */
export const SERVER_SETTINGS = {
  shared_buffers: "1GB",
  max_wal_size: "8GB",
  maintenance_work_mem: "512MB",
  synchronous_commit: "off",
};

interface Measured {
  name: string;
  p50: number;
  p95: number;
  max: number;
  /** Processor time, same statistics. */
  work50: number;
  work95: number;
  /** The slowest request. */
  worst: string;
}

export async function apiBench(args: string[]): Promise<void> {
  const option = (name: string) => args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const flows = Number(option("--flows") ?? 10_000_000);
  const calls = Number(option("--calls") ?? 200);
  const keep = option("--keep");
  if (keep !== undefined) await Deno.mkdir(keep, { recursive: true });
  const postgres = await startPostgres({ keep, settings: SERVER_SETTINGS });
  if (!postgres) throw new Error("the bench needs PostgreSQL");
  try {
    const url = postgres.url.replace("/postgres?", "/ndr_api_bench?");
    await provide(postgres.url, url, flows);
    const core = await startBenchCore(url);
    try {
      const { values, spans } = await interesting(url);
      const kinds = kindsOf(values, spans).filter(({ name }) => name.includes(option("--only") ?? ""));
      const measured: Measured[] = [];
      for (const kind of kinds.filter(({ streams }) => !streams)) {
        measured.push(...await measure(core, kind, calls));
      }
      print(measured, flows);
      await printScans(url, kinds);
    } finally {
      await core.stop();
    }
  } finally {
    await postgres.stop();
  }
}

/** The filled database, created if it does not exist; it is renamed once it is complete. */
export async function provide(serverUrl: string, url: string, flows: number): Promise<void> {
  const size: Fill = { flows, devices: 20_000, incidents: 5000 };
  await asSuperuser(serverUrl, async (server) => {
    const found = await server.query("select from pg_database where datname = 'ndr_api_bench'");
    if (found.rowCount !== 0) return;
    await server.query("drop database if exists ndr_api_bench_draft");
    await server.query("create database ndr_api_bench_draft");
    const draft = url.replace("/ndr_api_bench?", "/ndr_api_bench_draft?");
    await migrated(draft);
    console.error("Filling a database");
    const now = Math.floor(Date.now() / 1000) * 1_000_000;
    await step("all", () => fill(draft, now, size));
    await server.query("alter database ndr_api_bench_draft rename to ndr_api_bench");
  });
  // A kept database may be older than the newest migration.
  await migrated(url);
  await asSuperuser(url, async (client) => {
    for (const [what, text] of LATER(size)) await step(what, () => client.query(text));
  });
}

async function migrated(url: string): Promise<void> {
  const db = new PostgresDatabase({ url, statementTimeout: 0 });
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
}

export async function asSuperuser(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function measure(core: BenchCore, kind: Kind, calls: number): Promise<Measured[]> {
  if (kind.targets.length === 0) return [];
  const measured = [await time(core, kind.name, kind.targets, calls)];
  if (kind.walk) {
    const later = [];
    for (const target of kind.targets) later.push(...await laterPage(core, target));
    if (later.length > 0) measured.push(await time(core, `${kind.name}, page ${LATER_PAGE}`, later, calls));
  }
  for (const { name, p50, p95, work50, work95, worst } of measured) {
    console.error(
      `  ${name}: ${[p50, p95, work50, work95].map(Math.round).join(" ")} ${work95 > 40 ? worst : ""}`,
    );
  }
  return measured;
}

async function time(core: BenchCore, name: string, targets: string[], calls: number): Promise<Measured> {
  // The first request of each kind warms the server's caches.
  for (const target of targets) await core.get(target);
  const times: { milliseconds: number; work: number; target: string }[] = [];
  const until = performance.now() + KIND_MS;
  for (let n = 0; n < Math.max(calls, targets.length) && (n === 0 || performance.now() < until); n++) {
    const target = targets[n % targets.length]!;
    const { milliseconds, work } = await core.get(target);
    times.push({ milliseconds, work, target });
  }
  times.sort((a, b) => a.milliseconds - b.milliseconds);
  const works = times.map(({ work }) => work).sort((a, b) => a - b);
  const at = (share: number) => Math.min(times.length - 1, Math.floor(times.length * share));
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => times[at(share)]!.milliseconds) as [
    number,
    number,
    number,
  ];
  const worst = times.reduce((a, b) => b.work > a.work ? b : a).target;
  return { name, p50, p95, max, work50: works[at(0.5)]!, work95: works[at(0.95)]!, worst };
}

/** The URL of page 50 of a scan, or of its last page. */
async function laterPage(core: BenchCore, target: string): Promise<string[]> {
  let last: string | null = null;
  let next = target;
  for (let page = 2; page <= LATER_PAGE; page++) {
    const { body } = await core.get(next);
    if (!body.next_cursor) break;
    next = last = `${target}${target.includes("?") ? "&" : "?"}cursor=${
      encodeURIComponent(body.next_cursor)
    }`;
  }
  return last === null ? [] : [last];
}

function print(measured: Measured[], flows: number): void {
  const width = Math.max(...measured.map(({ name }) => name.length));
  console.log(
    `\n${flows} flows; milliseconds from request to last byte, and on a processor (core and server)\n`,
  );
  console.log(`${"".padEnd(width)}     p50     p95     max     p50     p95 on a processor`);
  for (const { name, p50, p95, max, work50, work95, worst } of measured) {
    const slow = p95 > GOAL_MILLISECONDS ? `  more than ${GOAL_MILLISECONDS}, worst ${worst}` : "";
    console.log(
      `${name.padEnd(width)}${
        [p50, p95, max, work50, work95].map((one) => one.toFixed(1).padStart(8)).join("")
      }${slow}`,
    );
  }
  const slow = measured.filter(({ p95 }) => p95 > GOAL_MILLISECONDS).length;
  console.log(`\n${measured.length - slow} of ${measured.length} within ${GOAL_MILLISECONDS} ms at p95`);
}

/** Statements that scan a whole partition; there should be none. */
async function printScans(url: string, kinds: readonly Kind[]): Promise<void> {
  const db = new PostgresDatabase({ url });
  try {
    const { found, statements } = await scansOf(db, kinds.flatMap(({ targets }) => targets.slice(0, 4)), 5, {
      forbidScans: false,
    });
    console.log(`\n${statements} statements planned, ${found.length} of them read a whole partition`);
    for (const one of found) console.log(one);
  } finally {
    await db.close();
  }
}
