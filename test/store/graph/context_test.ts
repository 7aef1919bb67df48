// What the map reads of incidents.

import assert from "node:assert/strict";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { MIGRATIONS } from "../../../src/store/engine/schema/migrations.ts";
import { openIncidentsOf } from "../../../src/store/graph/context.ts";
import { linkEvidence, trimEvidence } from "../../../src/store/incident/write.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const FLOWS = 3000;
/** Incidents of which only every hundredth is open. */
const INCIDENTS = 2000;

/**
 * Flows of two days: the first is between 10.0.0.1 and 203.0.113.1, all others are in both directions between 10.0.0.2
 * and 203.0.113.2. Each incident but the first has ten pairs.
 */
const FILL = `
  create function made_id(at timestamptz, variant text, i bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || variant
      || lpad(to_hex(i), 15, '0'))::uuid $$;
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, semantics_no, observation_count, source_set, native_ids, primary_rank, primary_evidence_id,
      primary_record_kind, primary_sensor_id)
    select '${TENANT}', made_id(at, '8', i), at, at, at, at, i, 'tcp',
      (case when i = 0 then '10.0.0.1' when i % 2 = 0 then '10.0.0.2' else '203.0.113.2' end)::inet, 50000,
      (case when i = 0 then '203.0.113.1' when i % 2 = 0 then '203.0.113.2' else '10.0.0.2' end)::inet, 443,
      1, 1, 1, '', 0, made_id(at, '9', i), 1, 'zeek-1'
    from (select i, to_timestamp(${
  NOON / 1e6
}) - interval '2 days' + i * interval '172800 seconds' / ${FLOWS} as at
      from generate_series(0, ${FLOWS - 1}) i) times;
  insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, opened_at, revision)
    select '${TENANT}', made_id('2026-01-01', 'b', i), i, 'beacon', i::text, '{}', 't', 's', 'high', 100 - i / 100.0,
      case when i % 100 = 1 then 'open' else 'resolved' end, '2026-01-01', '2026-01-01', '2026-01-01', 1
    from generate_series(1, ${INCIDENTS}) i;
  insert into incident_pair (tenant_id, incident_id, low, high)
    select '${TENANT}', made_id('2026-01-01', 'b', i), ('10.1.0.' || n)::inet, '203.0.113.9'
    from generate_series(2, ${INCIDENTS}) i, generate_series(1, 10) n;`;

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: Node[];
}

/** Runs statements and counts the rows that each table's scans returned. */
class Counting implements Pick<Tx, "rows"> {
  readonly read = new Map<string, number>();
  readonly scans = new Set<string>();

  constructor(private readonly tx: Tx) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    const [row] = await this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    this.#count(row!["QUERY PLAN"][0]!.Plan);
    return await this.tx.rows<R>(statement);
  }

  #count({ "Relation Name": table, "Actual Rows": rows, "Actual Loops": loops, ...node }: Node): void {
    if (table !== undefined) this.read.set(table, (this.read.get(table) ?? 0) + rows * loops);
    if (node["Node Type"] === "Seq Scan") this.scans.add(table!);
    for (const below of node.Plans ?? []) this.#count(below);
  }
}

async function filled(db: Database): Promise<{ incidentId: string; flowIds: string[] }> {
  await db.owner(async (tx) => {
    await tx.run(sql`select set_config('ndr.tenant', ${TENANT}, true)`);
    await tx.script(FILL);
  });
  return await db.tenant(TENANT, async (tx) => {
    const flows = await tx.rows<{ flow_id: string }>(
      sql`select flow_id from flow where tenant_id = ${TENANT} order by anchor_at`,
    );
    const [incident] = await tx.rows<{ incident_id: string }>(
      sql`select incident_id from incident where tenant_id = ${TENANT} and incident_no = 1`,
    );
    return { incidentId: incident!.incident_id, flowIds: flows.map((row) => row.flow_id) };
  });
}

function linksOf(incidentId: string, flowIds: readonly string[]) {
  return flowIds.map((flowId) => ({
    incidentId,
    ref: { evidenceId: flowId, flowId, observedAt: NOON - DAY },
  }));
}

testDatabases("map: the ends of all evidence are read as often as they differ", async (db) => {
  const { incidentId, flowIds } = await filled(db);
  await db.tenant(TENANT, (tx) => linkEvidence(tx, TENANT, linksOf(incidentId, flowIds)));
  await db.tenant(TENANT, async (tx) => {
    const counting = new Counting(tx);
    const incidents = await openIncidentsOf(counting as unknown as Tx, TENANT, NOON);
    assert.equal(incidents.length, INCIDENTS / 100);
    assert.deepEqual(incidents[0]!.pairs, [["10.0.0.1", "203.0.113.1"], ["10.0.0.2", "203.0.113.2"]]);
    // Those of the open incidents, without the pairs of the others; PostgreSQL rounds the average of the lookups.
    const read = counting.read.get("incident_pair")!;
    assert.ok(read > 0 && read <= INCIDENTS / 100 * 10, `${read} rows`);
    assert.ok(!counting.scans.has("incident_pair"), [...counting.scans].join());
    assert.deepEqual([...counting.read.keys()].filter((table) => /^flow|evidence/.test(table)), []);
  });
});

testDatabases("upkeep: the pairs of an incident stay until there are too many", async (db) => {
  const { incidentId, flowIds } = await filled(db);
  const pairs = () =>
    db.tenant(TENANT, async (tx) => (await openIncidentsOf(tx, TENANT, NOON))[0]!.pairs.map(String));
  await db.tenant(TENANT, (tx) => linkEvidence(tx, TENANT, linksOf(incidentId, flowIds)));
  await db.tenant(TENANT, (tx) => trimEvidence(tx, TENANT));
  assert.deepEqual(await pairs(), ["10.0.0.1,203.0.113.1", "10.0.0.2,203.0.113.2"]);
  await db.tenant(TENANT, (tx) =>
    tx.run(sql`
      insert into incident_pair (tenant_id, incident_id, low, high)
      select ${TENANT}, ${incidentId}::uuid, '10.2.0.0'::inet + n, '203.0.113.9' from generate_series(1, 2000) n`));
  await db.tenant(TENANT, (tx) => trimEvidence(tx, TENANT));
  // The link of the first was trimmed.
  assert.deepEqual(await pairs(), ["10.0.0.2,203.0.113.2"]);
});

testDatabases("migration: incidents of before have their pairs", async (db) => {
  const { incidentId, flowIds } = await filled(db);
  await db.tenant(TENANT, (tx) => linkEvidence(tx, TENANT, linksOf(incidentId, flowIds)));
  await db.tenant(TENANT, (tx) => tx.run(sql`delete from incident_pair where tenant_id = ${TENANT}`));
  const { text } = MIGRATIONS.find(({ name }) => name === "incident-pair")!;
  await db.owner(async (tx) => {
    await tx.run(sql`insert into tenant (tenant_id) values (${TENANT}) on conflict do nothing`);
    await tx.script(text.slice(text.indexOf("do $$")));
  });
  const pairs = await db.tenant(TENANT, async (tx) => (await openIncidentsOf(tx, TENANT, NOON))[0]!.pairs);
  assert.deepEqual(pairs, [["10.0.0.1", "203.0.113.1"], ["10.0.0.2", "203.0.113.2"]]);
});
