// `make bench ARGS=graph`: what a graph of the last 24 hours costs, at the density of ten million flows in 31 days.
//
//     --rows 322000       rows of rollups in 25 hours
//     --rounds 10         graphs after a batch of 1,000 rows each

import process from "node:process";
import { defaultSite } from "../../src/config/sites.ts";
import { Graphs } from "../../src/core/graph/graphs.ts";
import { type GraphScope } from "../../src/core/graph/graph-scope.ts";
import { MINUTE } from "../../src/domain/graph/traffic.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { trafficOf } from "../../src/store/graph/traffic.ts";
import { startPostgres } from "../support/postgres.ts";
import { emptyDatabase } from "./server.ts";
import { addTraffic, fillDevices } from "./graph-rows.ts";

const BATCH = 1000;
const DAY = 1440 * MINUTE;
const SCOPE: GraphScope = { scene: "network", focus: null, hops: 1, expand: [], filter: null };
const NOWHERE = { country: null, city: null, latitude: null, longitude: null, asOrganisation: null };
/** Two hundred networks. */
const GEOIP = {
  build: "bench",
  lookup: (ip: string) => ({ ...NOWHERE, asn: 64500 + Number(ip.split(".")[2]) % 200 }),
};

interface Cost {
  milliseconds: number;
  /** Processor time of this process: the database server's is not in it. */
  work: number;
}

export async function graphBench(args: string[]): Promise<void> {
  const option = (name: string, fallback: number) =>
    args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback;
  const postgres = await startPostgres();
  if (!postgres) throw new Error("the bench needs PostgreSQL");
  const db = new PostgresDatabase({ url: await emptyDatabase(postgres.url) });
  try {
    await migrate(db);
    await run(db, option("--rows", 322_000), option("--rounds", 10));
  } finally {
    await db.close();
    await postgres.stop();
  }
}

async function run(db: Database, rows: number, rounds: number): Promise<void> {
  const now = Math.floor(Date.now() / 60_000) * MINUTE;
  await fillDevices(db, now);
  await addTraffic(db, { first: 0, count: rows, total: rows, now });
  await db.owner((tx) => tx.script("analyze graph_traffic; analyze device; analyze device_address"));
  const tenants = new Map([["main", defaultSite("main")]]);
  const graphs = new Graphs({ db, tenants, geoip: GEOIP });
  const graph = (minutes: number, to = now) =>
    graphs.compute("main", { scope: SCOPE, window: { from: to - minutes * MINUTE, to }, now });

  print("rows from the database, as before", [
    await cost(() => db.tenant("main", (tx) => trafficOf(tx, "main", { from: now - DAY, to: now }))),
  ]);
  print("first graph of 24 h", [await cost(() => graph(1440))]);
  console.log(`rollups in memory: ${(graphs.cache.traffic.bytes / 2 ** 20).toFixed(1)} MB`);
  const [again, short, live] = [[], [], []] as [Cost[], Cost[], Cost[]];
  for (let round = 0; round < rounds; round++) {
    again.push(await cost(() => graph(1440, now - round * MINUTE)));
    short.push(await cost(() => graph(15, now - round * MINUTE)));
  }
  print("24 h, other windows", again);
  print("15 min, other windows", short);
  for (let round = 0; round < rounds; round++) {
    await addTraffic(db, { first: rows + round * BATCH, count: BATCH, total: rows, now: now - 60_000_000 });
    live.push(await cost(() => graph(1440)));
  }
  print(`24 h, after ${BATCH} rows each`, live);
}

async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - begun, work: (user + system) / 1000 };
}

function print(what: string, costs: readonly Cost[]): void {
  const at = (values: number[], share: number) =>
    Math.round(values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!);
  const [times, works] = [costs.map(({ milliseconds }) => milliseconds), costs.map(({ work }) => work)];
  console.log(
    `${what}: ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms; on a processor ${at(works, 0.5)} ms, p95 ${
      at(works, 0.95)
    } ms`,
  );
}
