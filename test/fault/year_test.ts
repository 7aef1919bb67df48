// Months of steady work on one database, with the clock moved day by day: once the retention is reached, nothing grows.

import assert from "node:assert/strict";
import v8 from "node:v8";
import vm from "node:vm";
import { DeviceUpkeep } from "../../src/core/jobs/device-upkeep.ts";
import { EventLogKeeper } from "../../src/core/jobs/event-log-keeper.ts";
import { StatisticsKeeper } from "../../src/core/jobs/statistics-keeper.ts";
import { TermCounter } from "../../src/core/jobs/term-counter.ts";
import { defaultSite } from "../../src/config/sites.ts";
import { readSources } from "../../src/config/sources.ts";
import { Faults } from "../../src/config/yaml/faults.ts";
import { systemInput } from "../../src/config/yaml/input.ts";
import { SourceTable } from "../../src/ingest/source-table.ts";
import { type Logger, silentLogger } from "../../src/observe/log.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { partitionsOf } from "../../src/store/engine/schema/partitions.ts";
import { identifier, sql } from "../../src/store/engine/sql.ts";
import { DAYS_AHEAD, PARTITIONED_TABLES } from "../../src/store/engine/tables.ts";
import { registerTenants } from "../../src/store/engine/tenants.ts";
import { DAY, MINUTE } from "../contract/api.ts";
import { conn, dns } from "../contract/records.ts";
import { ENGINES, freshDatabase, freshPglite } from "../support/database.ts";
import { pushBatch, sensor, settle } from "../support/record/pipeline.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { Machine } from "../support/store/machine.ts";
import { DAY_MS, INSTALL_ID, MINUTE_MS, NOON, TelemetryBench } from "../support/telemetry/telemetry.ts";
import { slotAt } from "../../src/domain/telemetry/heartbeat/schedule.ts";

const RETENTION = 4;
/** A year in a soak. */
const DAYS = scaled(37);
/** Retention, partitions, and detector states with their longer lives are full by then. */
const FULL = Math.floor(DAYS * 0.6);
/**
 * The database states by its own clock when a detector's state was saved. The last simulated day must not be ahead of it:
 * the retention would take every state for an old one and remove it, and known servers would be reported as new.
 */
const START = Math.min(NOON, Math.floor(Date.now() * 1000 / DAY - DAYS) * DAY + DAY / 2);
const ROUNDS = 4;
/** Days over which the size of a table is looked at. */
const SAMPLE_DAYS = 5;
const RECORDS = 60;
const ZEEK = sensor("zeek-1");

/** Kept longer than these days: the audit 400 days, states of health and the telemetry log 90. */
const LONGER_KEPT = ["telemetry_log", "health_transition", "audit", "audit_outside"];
/** A table may have some pages more at one moment than at another. */
const SLACK_BYTES = 256 * 1024;
v8.setFlagsFromString("--expose-gc");
/** Without it the heap also has what the next collection would free, tens of megabytes. */
const collectGarbage = vm.runInNewContext("gc") as () => void;

const SLACK_HEAP = 24 * 1024 * 1024;

interface Sample {
  rows: Map<string, number>;
  /** With indexes. */
  bytes: Map<string, number>;
  heap: number;
}

/** The work is the same on a server; its space is its autovacuum's. */
for (const engine of IS_SOAK ? ENGINES : ENGINES.slice(0, 1)) {
  Deno.test(`months of steady work let no table and no memory grow (${engine})`, async () => {
    const db = engine === "pglite" ? await freshPglite() : await freshDatabase(engine);
    try {
      await registerTenants(db, ["main"]);
      await TelemetryBench.with(db, (bench) => simulate(db, bench));
    } finally {
      await db.close();
    }
  });
}

async function simulate(db: Database, bench: TelemetryBench): Promise<void> {
  const machine = new Machine(START);
  const errors: string[] = [];
  const logger: Logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const deps = { db, clock: machine.clock, logger };
  const time = machine.keeper(db);
  const tenants = new Map([["main", defaultSite("main")]]);
  const jobs = [
    machine.upkeep(db, time, { retentionDays: RETENTION, logger }),
    new EventLogKeeper(deps),
    new StatisticsKeeper(deps),
    new TermCounter({ tenants: tenants.keys() }, deps),
    new DeviceUpkeep({ tenants, inventory: [] }, deps),
  ];
  const telemetry = bench.telemetry();
  await telemetry.round();
  bench.server.take();
  const full: Sample[] = [];
  const last: Sample[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let round = 0; round < ROUNDS; round++) {
      await time.read();
      await work(db, machine.clock.now());
      for (const job of jobs) await job.run();
      machine.run(DAY / ROUNDS);
    }
    await heartbeatInSlot(bench, telemetry);
    assert.deepEqual(errors, []);
    if (day > 2 * RETENTION) await partitionsAreRight(db, day);
    if (day > FULL - SAMPLE_DAYS && day <= FULL) full.push(await sample(db));
    if (day >= DAYS - SAMPLE_DAYS) last.push(await sample(db));
    if (day === FULL) await tokenIsReplaced(bench.directory, machine.clock);
  }
  await telemetry.stop();
  compare(extreme(full, Math.max), extreme(last, Math.min), db.engine);
}

/** The same devices and peers each time; other ports, as clients have. */
async function work(db: Database, now: number): Promise<void> {
  const lines = Array.from({ length: RECORDS }, (_, at) => {
    const ends = {
      at: now - at * MINUTE,
      src: `10.0.0.${at % 20}`,
      srcPort: 40_000 + (now / MINUTE + at) % 20_000,
    };
    return at % 3 === 0
      ? dns({ ...ends, query: `host${at % 7}.example.com` })
      : conn({ ...ends, dst: `198.51.100.${at % 9}` });
  });
  await pushBatch(db, ZEEK, lines, now);
  await settle(db, { now });
}

/** Nothing is sent a minute before the slot of the day, and one heartbeat in it. */
async function heartbeatInSlot(bench: TelemetryBench, telemetry: { round(): Promise<void> }): Promise<void> {
  const slot = slotAt(bench.time.now(), INSTALL_ID) / 1000 + DAY_MS;
  bench.time.advance(slot - MINUTE_MS - bench.time.now() / 1000);
  await telemetry.round();
  assert.deepEqual(bench.server.take(), []);
  bench.time.advance(MINUTE_MS);
  await telemetry.round();
  assert.deepEqual(bench.server.take(), ["POST /v1/heartbeats", "GET /v1/updates"]);
}

/** As a reload does after an administrator exchanged the token in its file. */
async function tokenIsReplaced(folder: string, clock: Machine["clock"]): Promise<void> {
  await Deno.writeTextFile(
    `${folder}/sources.yaml`,
    "sources: [{sensor_id: zeek-1, tenant_id: main, token_env: NDR_TOKEN_ZEEK, trust: packet, allowed_kinds: [zeek.conn]}]\n",
  );
  const input = {
    ...systemInput,
    env: (name: string) => name === "NDR_TOKEN_ZEEK_FILE" ? `${folder}/zeek.token` : undefined,
  };
  const read = async (token: string) => {
    await Deno.writeTextFile(`${folder}/zeek.token`, `${token}\n`);
    const faults = new Faults();
    const sources = readSources(input, folder, faults);
    assert.deepEqual(faults.list, []);
    return sources!;
  };
  const [former, present] = ["former-token-of-zeek", "present-token-of-zeek"];
  const table = new SourceTable(await read(former), { ratePerSecond: 1000, burst: 1000 }, clock);
  assert.equal((await table.find(`Bearer ${former}`))?.source.sensorId, "zeek-1");
  table.replace(await read(present));
  assert.equal(await table.find(`Bearer ${former}`), null);
  assert.equal((await table.find(`Bearer ${present}`))?.source.sensorId, "zeek-1");
}

async function partitionsAreRight(db: Database, day: number): Promise<void> {
  for (const table of PARTITIONED_TABLES) {
    const names = await partitionsOf(db, table);
    // The days kept, today, and those ahead; a day is dropped up to a day late, because running time pays for it.
    const expected = RETENTION + table.extraDays + 1 + DAYS_AHEAD;
    assert.ok(
      names.length >= expected - 1 && names.length <= expected + 1,
      `day ${day}: ${names.length} partitions of ${table.name} instead of ${expected}`,
    );
  }
}

async function sample(db: Database): Promise<Sample> {
  collectGarbage();
  const { heapUsed: heap } = Deno.memoryUsage();
  const found: Sample = { rows: new Map(), bytes: new Map(), heap };
  await db.owner(async (tx) => {
    const tables = await tx.rows<{ name: string; bytes: number }>(sql`
      select relname::text as name, pg_total_relation_size(oid) as bytes from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname !~ '_[0-9]{8}$' order by 1`);
    for (const { name, bytes } of tables) {
      const [row] = await tx.rows<{ rows: number }>(
        sql`select count(*)::integer as rows from ${identifier(name)}`,
      );
      found.rows.set(name, row!.rows);
      found.bytes.set(name, bytes);
    }
  });
  return found;
}

/**
 * A table that is emptied and filled again, such as the journal of detectors, has another size each day: what grows has at
 * its smallest more than it had at its largest.
 */
function extreme(samples: readonly Sample[], of: (...values: number[]) => number): Sample {
  const { heap, bytes, rows } = samples.at(-1)!;
  const over = (sizes: (one: Sample) => Map<string, number>, names: Iterable<string>) =>
    new Map(Array.from(names, (name) => [name, of(...samples.map((one) => sizes(one).get(name) ?? 0))]));
  return {
    heap,
    bytes: over((one) => one.bytes, bytes.keys()),
    rows: over((one) => one.rows, rows.keys()),
  };
}

/** A server's own autovacuum runs by the real time, so only the embedded database's space can be compared. */
function compare(before: Sample, after: Sample, engine: Database["engine"]): void {
  const grown: string[] = [];
  for (const [name, rows] of after.rows) {
    if (LONGER_KEPT.includes(name)) continue;
    const had = before.rows.get(name)!;
    if (rows > had + Math.max(20, had / 10)) grown.push(`${name}: ${had} rows, then ${rows}`);
    const bytes = [before.bytes.get(name)!, after.bytes.get(name)!] as const;
    if (engine === "pglite" && bytes[1] > bytes[0] + SLACK_BYTES) {
      grown.push(`${name}: ${bytes[0]} bytes, then ${bytes[1]}`);
    }
  }
  assert.deepEqual(grown, []);
  if (IS_SOAK) console.log(`${DAYS} days, heap ${before.heap} bytes, then ${after.heap}`);
  assert.ok(after.heap < before.heap + SLACK_HEAP, `heap ${before.heap}, then ${after.heap}`);
}
