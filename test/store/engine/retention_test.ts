import { LEARNING } from "../../../src/domain/detect/kernel/learning.ts";
import assert from "node:assert/strict";
import { applyRetention, keepOpenEvidence } from "../../../src/core/jobs/retention.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { keptOfFlow } from "../../../src/store/incident/kept-evidence.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { expireRows } from "../../../src/store/upkeep/retention.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { Api, DAY, MINUTE, NOW, SURICATA, ZEEK } from "../../contract/api.ts";
import { alert, conn } from "../../contract/records.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase } from "./one-database.ts";

const RETENTION = 30;

/** An appliance with its partitions. `sleep` lets days pass, with upkeep on the last one. */
class Appliance extends Api {
  static async on(db: Database): Promise<Appliance> {
    await registerTenants(db, ["main", "branch"]);
    await createPartitions(db, NOW, RETENTION);
    return new Appliance(db);
  }

  async sleep(days: number): Promise<void> {
    this.clock.advance(days * 86_400);
    await createPartitions(this.db, this.clock.now(), RETENTION);
    await applyRetention(this.db, this.clock.now(), RETENTION);
  }

  /** The only incident. */
  async incident() {
    const ever = { from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
    const [incident] = (await this.read("listIncidents", ever)).data;
    return (await this.read("getIncident", {}, {}, { incident_id: incident!.id })).data;
  }

  async setStatus(status: string): Promise<void> {
    const { id, revision } = await this.incident();
    const body = { status, comment: "looked at it" };
    const answer = await this.change("patchIncident", { incident_id: id }, { revision, body });
    assert.equal(answer.status, 200, await answer.text());
  }

  async count(table: string): Promise<number> {
    const [row] = await this.db.tenant(
      "main",
      (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`),
    );
    return row!.n;
  }
}

const ALERTS = [1, 2, 3].map((minutes) => alert({ at: NOW - minutes * MINUTE, srcPort: 50_000 + minutes }));

testDatabases("evidence of an open incident outlives the retention, with its record", async (db) => {
  const appliance = await Appliance.on(db);
  await appliance.take(SURICATA, ALERTS);
  const before = await appliance.incident();
  const [first] = before.evidence;
  const shown = (await appliance.read("getFlowEvidence", {}, {}, { flow_id: first!.flow_id })).data;
  assert.ok(shown[0]!.raw);

  await appliance.sleep(32);
  assert.equal(await appliance.count("evidence") + await appliance.count("flow"), 0);
  assert.equal(await appliance.count("raw_record"), 0);
  const after = await appliance.incident();
  assert.deepEqual(after.evidence, before.evidence);
  assert.deepEqual(after.unresolved_evidence_ids, []);
  assert.deepEqual(
    (await appliance.read("getFlowEvidence", {}, {}, { flow_id: first!.flow_id })).data,
    shown,
  );

  await appliance.sleep(10);
  assert.deepEqual((await appliance.incident()).evidence, before.evidence, "after the next rounds, too");
  const branch = await db.tenant("branch", (tx) => keptOfFlow(tx, "branch", first!.flow_id, null, 10));
  assert.deepEqual(branch, []);
});

testDatabase("evidence of a closed incident is dropped with its day, and its ids stay", async (db) => {
  const appliance = await Appliance.on(db);
  await appliance.take(SURICATA, ALERTS);
  const before = await appliance.incident();
  await appliance.setStatus("resolved");
  await appliance.sleep(32);
  const after = await appliance.incident();
  assert.deepEqual(after.evidence, []);
  assert.deepEqual(after.unresolved_evidence_ids, before.evidence.map((item) => item.evidence_id));
  assert.deepEqual(after.model_results, before.model_results, "results are not evidence");
  assert.equal(await appliance.count("kept_evidence"), 0);
});

testDatabase("evidence whose flow began a day earlier is copied before that day is dropped", async (db) => {
  const appliance = await Appliance.on(db);
  const midnight = Date.UTC(2026, 0, 31) * 1000;
  await appliance.take(ZEEK, [conn({ at: midnight - 10 * MINUTE, seconds: 1200, srcPort: 50_001 })]);
  await appliance.take(SURICATA, [alert({ at: midnight + 5 * MINUTE, srcPort: 50_001 })]);
  const before = await appliance.incident();
  assert.equal(before.evidence.length, 1);
  const flows = { from: "2026-01-30T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  assert.deepEqual((await appliance.read("listFlows", flows)).data.map((flow) => flow.observation_count), [
    2,
  ]);

  await appliance.sleep(30);
  assert.equal(await appliance.count("flow"), 0, "January 30th is gone");
  assert.equal(await appliance.count("evidence"), 1, "January 31st is not");
  assert.deepEqual((await appliance.incident()).evidence, before.evidence);
});

testDatabase("kept evidence is deleted one retention after the incident was closed", async (db) => {
  const appliance = await Appliance.on(db);
  await appliance.take(SURICATA, ALERTS);
  await appliance.sleep(32);
  const { evidence } = await appliance.incident();
  await appliance.setStatus("resolved");
  await appliance.sleep(29);
  assert.deepEqual((await appliance.incident()).evidence, evidence, "so it can still be reopened");
  await appliance.sleep(2);
  assert.equal(await appliance.count("kept_evidence"), 0);
  const after = await appliance.incident();
  assert.deepEqual(after.unresolved_evidence_ids, evidence.map((item) => item.evidence_id));
});

testDatabase("copies more evidence than one round can, some without its flow", async (db) => {
  const appliance = await Appliance.on(db);
  const many = Array.from({ length: 450 }, (_, i) => alert({ at: NOW - i * 1_000_000, srcPort: 1000 + i }));
  await appliance.take(SURICATA, many);
  await db.tenant("main", async (tx) => {
    await tx.run(sql`
      insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
      select i.tenant_id, i.incident_id, e.evidence_id, e.observed_at, e.flow_id from incident i, evidence e
      on conflict do nothing`);
    await tx.run(sql`delete from flow where src_port % 2 = 0`);
  });
  await appliance.sleep(32);
  assert.equal(await appliance.count("kept_evidence"), 225);
});

/** Notes the size of each statement: the bytes of the columns that it writes. */
function measuring(db: Database, note: (bytes: number) => void): Database {
  const measured = (tx: Tx): Tx => ({
    rows: (statement) => tx.rows(statement),
    run: (statement) => {
      const sizes = statement.values.map((value) => value instanceof Uint8Array ? value.length : 0);
      note(sizes.reduce((sum, size) => sum + size, 0));
      return tx.run(statement);
    },
  });
  return {
    engine: db.engine,
    tenant: (tenantId, work) => db.tenant(tenantId, (tx) => work(measured(tx))),
    shared: (work) => db.shared(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
}

testDatabase("copies large evidence in parts, so few records are in memory at once", async (db) => {
  const appliance = await Appliance.on(db);
  const padding = "x".repeat(200_000);
  const many = Array.from(
    { length: 60 },
    (_, i) => alert({ at: NOW - i * 1_000_000, srcPort: 1000 + i, more: { padding } }),
  );
  for (let from = 0; from < many.length; from += 20) {
    await appliance.take(SURICATA, many.slice(from, from + 20));
  }
  await db.tenant("main", (tx) =>
    tx.run(sql`
      insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
      select i.tenant_id, i.incident_id, e.evidence_id, e.observed_at, e.flow_id from incident i, evidence e
      on conflict do nothing`));
  let largest = 0;
  await keepOpenEvidence(measuring(db, (size) => largest = Math.max(largest, size)), NOW + DAY);
  assert.equal(await appliance.count("kept_evidence"), many.length);
  assert.ok(largest > padding.length && largest < 6_000_000, `a statement of ${largest} bytes`);
});

testDatabase("rows outside of day partitions expire, unless still needed", async (db) => {
  const appliance = await Appliance.on(db);
  await appliance.take(SURICATA, ALERTS);
  await appliance.take(SURICATA, [alert({ at: NOW, sid: 2_018_001, srcPort: 50_010 })]);
  const said = (await appliance.incident()).model_results;
  assert.ok(await appliance.count("model_result") > said.length, "a detector has several results");

  // Detector states and results expire by the database's clock.
  const later = Date.now() * 1000 + 40 * DAY;
  await db.tenant("main", (tx) => expireRows(tx, "main", later, RETENTION));
  assert.equal(await appliance.count("model_result"), said.length);
  assert.deepEqual(
    (await appliance.incident()).model_results,
    said,
    "the last result of each detector stays",
  );
  assert.equal(await appliance.count("raw_batch"), 0);
  const states = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ state_type: number }>(sql`select state_type from detector_state where tenant_id = 'main'`),
  );
  assert.deepEqual(
    states.map((row) => row.state_type),
    [LEARNING.id],
    "a site without records for a year is not a new site",
  );
});

testDatabase("an unprocessed batch never expires", async (db) => {
  const appliance = await Appliance.on(db);
  await appliance.take(SURICATA, ALERTS);
  await db.tenant("main", (tx) => tx.run(sql`update pipeline_cursor set batch_no = 0`));
  await db.tenant("main", (tx) => expireRows(tx, "main", NOW + 100 * DAY, RETENTION));
  assert.equal(await appliance.count("raw_batch"), 1);
});
