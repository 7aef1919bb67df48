// Fills a migrated database with generated flows and their related rows, on the server itself: 31 days, 20,000 devices of
// which a few have a tenth of all flows each, common and rare services, protocols and peers. Deterministic.

import { encodeBlock } from "../../../src/store/record/block.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { conn } from "../../contract/records.ts";
import { pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { RETENTION_DAYS } from "./api-core.ts";
import { benchLines } from "../records.ts";
import { FUNCTIONS, OTHERS } from "./api-rows.ts";
import pg from "pg";

export interface Fill {
  flows: number;
  devices: number;
  incidents: number;
  /** Days over which the flows are spread, each with its partitions; `DAYS` by default. */
  days?: number;
}

export const DAYS = 31;
const DAY = 86_400_000_000;
/** Records per batch and block. */
const BATCH = 1000;
/** Concurrent connections. */
const HANDS = 2;

/** Logs a step with its duration. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const done = await work();
  console.error(`  ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return done;
}

/** @param now Start of the newest flow in microseconds. The database must be migrated and empty. */
export async function fill(url: string, now: number, size: Fill): Promise<void> {
  const { days = DAYS } = size;
  const db = new PostgresDatabase({ url, statementTimeout: 0 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("insert into tenant (tenant_id) values ('main'), ('branch') on conflict do nothing");
    await step("partitions", () => partitions(db, client, now, days));
    const indexes = await takeIndexes(client);
    await client.query(FUNCTIONS(now, days, size));
    await step(`${size.flows} flows`, () => flows(url, size.flows, days));
    await step("batches and blocks", () => blocks(client, size.flows));
    for (const [what, text] of OTHERS(size)) await step(what, () => client.query(text));
    for (const text of indexes) await step(text.replace(/ USING.*/, ""), () => client.query(text));
    await step("a record", () => addRecord(db, now));
    await step("analyze", () => client.query("vacuum (analyze)"));
  } finally {
    await client.end();
    await db.close();
  }
}

/** The generated evidence has no raw records of its own; this one is found by its evidence id. */
async function addRecord(db: Database, now: number): Promise<void> {
  await pushBatch(db, sensor("zeek-1"), [conn({ at: now - 60_000_000 })], now);
  await settle(db, { tenantId: "main", now });
}

/** One row per day makes upkeep create the day's partition. */
async function partitions(db: Database, client: pg.Client, now: number, days: number): Promise<void> {
  const starts = `generate_series(0, ${days}) n, lateral (select to_timestamp(${
    now / 1e6
  }) - n * interval '1 day' as at) t`;
  await client.query(`
    insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, proto, src_ip, dst_ip, semantics_no,
      observation_count, source_set, native_ids, primary_rank, primary_evidence_id, primary_record_kind, primary_sensor_id)
      select 'none', gen_random_uuid(), at, at, at, at, 'tcp', '::', '::', 1, 1, 1, '', 0, gen_random_uuid(), 1, '' from ${starts};
    insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position,
      src_low, record_kind_no)
      select 'none', gen_random_uuid(), gen_random_uuid(), at, at, at, at, 0, 0, true, 1 from ${starts};
    insert into dns_answer (tenant_id, address, day, client_ip, name, first_seen, last_seen, received_at, evidence_id, flow_id)
      select 'none', '::', date_trunc('day', at, 'UTC'), '::', '', at, at, at, gen_random_uuid(), gen_random_uuid() from ${starts};
    insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
      select 'none', at, n, '', 0, '' from ${starts};`);
  await createPartitions(db, now, RETENTION_DAYS);
  await client.query("truncate flow, evidence, dns_answer, raw_block");
}

/** Building an index at the end takes a tenth of the time of maintaining it. */
async function takeIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(`
    select indexname as name, indexdef as text from pg_indexes
    where schemaname = 'public' and indexname in (
      select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = any('{flow,evidence,dns_answer}') and not i.indisprimary)`);
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  // For a partitioned table, the catalogue lists the parent's indexes only.
  return rows.map((row) => row.text.replace(" ON ONLY ", " ON "));
}

async function flows(url: string, count: number, days: number): Promise<void> {
  const pieces = days * 4;
  let next = 0;
  const begun = performance.now();
  await Promise.all(Array.from({ length: HANDS }, async () => {
    const client = new pg.Client({ connectionString: url, options: "-c synchronous_commit=off" });
    await client.connect();
    while (next < pieces) {
      const piece = next++;
      const [from, to] = [piece, piece + 1].map((n) => Math.floor(count * n / pieces));
      await client.query("select made_flows($1, $2)", [from! + 1, to]);
      const seconds = (performance.now() - begun) / 1000;
      if (piece % 10 === 9) console.error(`    ${to} flows, ${Math.round(to! / seconds)}/s`);
    }
    await client.end();
  }));
}

/** A block per batch, all with the same bytes: real records of typical size. */
async function blocks(client: pg.Client, flows: number): Promise<void> {
  const lines = benchLines(BATCH, 1_769_843_700);
  const body = encodeBlock(lines.map((line, at) => {
    const { kind, observed_at: observedAtText, payload } = JSON.parse(line);
    const eventId = new Uint8Array(32);
    new DataView(eventId.buffer).setUint32(0, at);
    return { eventId, kind, observedAtText, payload: JSON.stringify(payload) };
  }));
  const batches = Math.ceil(flows / BATCH);
  await client.query(
    `insert into raw_block (tenant_id, received_at, block_id, sensor_id, record_count, body)
     select 'main', made_at(n * ${BATCH}), n, 'zeek-1', ${BATCH}, $1 from generate_series(0, ${batches}) n`,
    [body],
  );
  await client.query(`
    insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, block_id, accepted, unparsed, rejected)
      select 'main', n, made_at(n * ${BATCH}), 'zeek-1', 'packet', n, ${BATCH}, 0, 0 from generate_series(0, ${batches}) n;
    insert into sensor_receipt (tenant_id, sensor_id, last_event_at) values ('main', 'zeek-1', made_at(0));
    insert into tenant_counter (tenant_id, batch_no, event_no, incident_no) values ('main', ${batches}, 0, 1000000);
    insert into pipeline_cursor (tenant_id, batch_no, longest_flow, history_since, last_batch_at)
      values ('main', ${batches}, ${DAY / 4}, made_at(${flows}), made_at(0));`);
}
