// What the heartbeat reads from the store: counts per configured tenant, and no names.

import assert from "node:assert/strict";
import { LEARNING, type LearningPhase } from "../../../src/domain/detect/kernel/learning.ts";
import { configureConnectors } from "../../../src/store/connector/connectors.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { saveStates, stateKeyHash } from "../../../src/store/detector/state.ts";
import { heartbeatFacts } from "../../../src/store/telemetry/heartbeat-facts.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const HOUR = DAY / 24;

async function addDevices(db: Database, tenantId: string, count: number): Promise<void> {
  await db.tenant(tenantId, (tx) =>
    tx.run(sql`
      insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
      select ${tenantId}, gen_random_uuid(), 'fw01', now(), now() from generate_series(1, ${count}::int)`));
}

async function addBatch(
  db: Database,
  tenantId: string,
  batch: { no: number; at: number; unparsed?: number; rejected?: number },
): Promise<void> {
  const { no, at, unparsed = 0, rejected = 0 } = batch;
  await db.tenant(tenantId, (tx) =>
    tx.run(sql`
      insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, accepted, unparsed, rejected)
      values (${tenantId}, ${no}, to_timestamp(${
      at / 1e6
    }::float8), 'zeek-1', 'packet', 100, ${unparsed}, ${rejected})`));
}

async function learn(db: Database, tenantId: string, phase: LearningPhase): Promise<void> {
  const days = new Map(phase === "learning" ? [[1, 1]] : []);
  const state = LEARNING.encode({ complete: phase === "complete", days });
  const row = { typeId: LEARNING.id, keyHash: stateKeyHash(""), state };
  await db.tenant(tenantId, (tx) => saveStates(tx, tenantId, [row]));
}

testDatabase("an empty tenant reports nothing", async (db) => {
  assert.deepEqual(await heartbeatFacts(db, ["main"], NOON), [
    { devices: 0, connectors: new Map(), learning: "unknown", ingestErrors: 0 },
  ]);
  assert.deepEqual(await heartbeatFacts(db, [], NOON), []);
});

testDatabase("configured tenants are counted separately, others not at all", async (db) => {
  await addDevices(db, "main", 3);
  await addDevices(db, "branch", 2);
  await addDevices(db, "former", 50);
  const facts = await heartbeatFacts(db, ["main", "branch"], NOON);
  assert.deepEqual(facts.map(({ devices }) => devices), [3, 2]);
});

testDatabase("merged devices count once", async (db) => {
  await addDevices(db, "main", 3);
  await db.tenant("main", (tx) =>
    tx.run(sql`
      update device set merged_into = (select max(device_id::text)::uuid from device where tenant_id = 'main')
      where tenant_id = 'main' and device_id = (select min(device_id::text)::uuid from device where tenant_id = 'main')`));
  const [facts] = await heartbeatFacts(db, ["main"], NOON);
  assert.equal(facts!.devices, 2);
});

testDatabase("counting stops at the last bucket", async (db) => {
  await addDevices(db, "main", 1500);
  const [facts] = await heartbeatFacts(db, ["main"], NOON);
  assert.equal(facts!.devices, 1001);
});

testDatabases(
  "configured connector instances are counted by type, disabled ones too, without their names",
  async (db) => {
    const instance = (name: string, active = true) => ({ instance: name, connector: "webhook", active });
    const configure = (...instances: ReturnType<typeof instance>[]) =>
      db.tenant("main", (tx) => configureConnectors(tx, "main", instances, NOON));
    const counted = async () => (await heartbeatFacts(db, ["main"], NOON))[0]!.connectors;

    await configure(instance("siem-at-examplecorp"), instance("chat"), instance("old", false));
    assert.deepEqual(await counted(), new Map([["webhook", 3]]));
    await configure(instance("chat"));
    assert.deepEqual(
      await counted(),
      new Map([["webhook", 1]]),
      "an instance that is no longer configured is not counted",
    );
    await configure();
    assert.deepEqual(await counted(), new Map());
  },
);

testDatabase("the learning phase is the tenant's own", async (db) => {
  await learn(db, "main", "learning");
  await learn(db, "branch", "complete");
  const facts = await heartbeatFacts(db, ["main", "branch", "third"], NOON);
  assert.deepEqual(facts.map(({ learning }) => learning), ["learning", "complete", "unknown"]);
});

testDatabases("ingest errors are the rejected and unparsed lines of the last 24 hours", async (db) => {
  await addBatch(db, "main", { no: 1, at: NOON - DAY - HOUR, unparsed: 70, rejected: 70 });
  await addBatch(db, "main", { no: 2, at: NOON - DAY + HOUR, unparsed: 3 });
  await addBatch(db, "main", { no: 3, at: NOON - HOUR, rejected: 4 });
  await addBatch(db, "main", { no: 4, at: NOON });
  await addBatch(db, "branch", { no: 1, at: NOON, rejected: 9 });
  const [facts] = await heartbeatFacts(db, ["main"], NOON);
  assert.equal(facts!.ingestErrors, 7);
});

/** Collects the tables that each statement's plan reads, and their page counts. */
class Watching implements Tx {
  readonly tables = new Set<string>();
  pages = 0;

  constructor(private readonly tx: Tx) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    const [row] = await this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(
      sql`explain (analyze, buffers, format json) ${statement}`,
    );
    const { Plan } = row!["QUERY PLAN"][0]!;
    this.pages += Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
    for (const table of tablesOf(Plan)) this.tables.add(table);
    return await this.tx.rows<R>(statement);
  }

  async run(statement: Sql): Promise<number> {
    return (await this.rows(statement)).length;
  }
}

interface Node {
  "Relation Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Node[];
}

function tablesOf(node: Node): string[] {
  const own = node["Relation Name"] === undefined ? [] : [node["Relation Name"]];
  return [...own, ...(node.Plans ?? []).flatMap(tablesOf)];
}

testDatabase("reads neither records nor flows, and only a day of batches", async (db) => {
  await addDevices(db, "main", 20_000);
  await db.owner((tx) =>
    tx.script(`
      insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, accepted, unparsed, rejected)
      select t, i, to_timestamp(${
      NOON / 1e6
    }) - i * interval '30 days' / 30000, 'zeek-1', 'packet', 1000, 0, 0
      from unnest(array['main', 'branch']) t, generate_series(1, 30000) i`)
  );
  await db.owner((tx) => tx.script("analyze"));
  const watched: Watching[] = [];
  const watching: Database = {
    engine: db.engine,
    tenant: (tenantId, work, limits) =>
      db.tenant(tenantId, (tx) => {
        const one = new Watching(tx);
        watched.push(one);
        return work(one);
      }, limits),
    shared: (work, limits) => db.shared(work, limits),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
  const [facts] = await heartbeatFacts(watching, ["main"], NOON);
  assert.equal(facts!.devices, 1001);
  assert.deepEqual([...watched[0]!.tables].sort(), [
    "connector_state",
    "detector_state",
    "device",
    "raw_batch",
  ]);
  assert.ok(watched[0]!.pages < 200, `${watched[0]!.pages} pages`);
});
