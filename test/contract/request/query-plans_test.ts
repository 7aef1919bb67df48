// Every read must be able to use an index, under the plain role with row-level security: reads that can only
// scan a whole table show it here, where scans are disabled as far as PostgreSQL allows.

import assert from "node:assert/strict";
import type { OperationId } from "../../../src/contract/routes.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { Sql, sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns } from "../records.ts";

/** A database that plans each statement before running it. */
function planning(db: Database, plans: string[]): Database {
  const explaining = (tx: Tx): Tx => ({
    run: (statement) => tx.run(statement),
    async rows<R extends object>(statement: Sql): Promise<R[]> {
      const [first, ...rest] = statement.strings;
      const explain = new Sql([`explain (costs off) ${first}`, ...rest], statement.values);
      const lines = await tx.rows<{ "QUERY PLAN": string }>(explain);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
      return await tx.rows<R>(statement);
    },
  });
  return {
    engine: db.engine,
    tenant: (tenantId, work) =>
      db.tenant(tenantId, async (tx) => {
        await tx.run(sql`set local enable_seqscan = off`);
        return await work(explaining(tx));
      }),
    shared: (work) => db.shared(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
}

testDatabase("plans: every read has a usable index", async (db) => {
  const api = new Api(db);
  // Enough varied rows for the planner to choose.
  const many = Array.from({ length: 3000 }, (_, n) =>
    conn({
      at: NOW - n * 12 * MINUTE,
      src: `10.1.${n % 40}.${n % 97}`,
      dst: `198.18.${n % 13}.${n % 250}`,
      srcPort: 1024 + n,
    }));
  await api.take(ZEEK, [...many, conn({ src: "10.0.0.5" }), dns()]);
  await api.take(SURICATA, [alert()]);
  await db.owner((tx) => tx.script("analyze"));
  const flow = (await api.read("listFlows")).data[0]!;
  const incident_id = (await api.read("listIncidents")).data[0]!.id;
  const device_id = (await api.read("listFlows", { service: "dns" })).data[0]!.src.device_id!;
  const { evidence_id } = flow.primary_evidence;
  const path = { device_id, incident_id, flow_id: flow.flow_id, evidence_id };

  const plans: string[] = [];
  const planned = new Api(planning(db, plans));
  /**
   * Checks a read's plans: none may scan a table, and each of `keys` (a column, an index) is among its
   * lookups.
   */
  const check = async (id: OperationId, query: Record<string, string>, keys: string[]) => {
    plans.length = 0;
    await planned.read(id, query, {}, path);
    const text = plans.join("\n");
    const what = `${id} ${JSON.stringify(query)}:\n${text}`;
    // Counters and cursors with one row per tenant do not matter.
    const scans = [...text.matchAll(/Seq Scan on (\w+)/g)].map((match) => match[1]!);
    assert.deepEqual(
      scans.filter((table) => !["pipeline_cursor", "sensor_receipt"].includes(table)),
      [],
      what,
    );
    const used = [...text.matchAll(/(?:Index|Recheck) Cond: .*|Index.* (?:using|on) .*/g)].map((match) =>
      match[0]
    );
    for (const key of keys) assert.ok(used.some((one) => one.includes(key)), `${key}: ${what}`);
  };

  const month = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T12:00:00Z" };
  await check("listFlows", month, ["start_at", "dns_answer"]);
  await check("listFlows", { ...month, proto: "tcp", service: "ssl", source: "zeek" }, []);
  await check("listFlows", { ...month, device_id }, ["src_device_id", "dst_device_id"]);
  const outside = { ...month, peer_ip: "198.51.100.7" };
  await check("listFlows", outside, ["src_ip", "dst_ip"]);
  await check("listFlows", { ...outside, device_id }, ["src_device_id", "dst_device_id"]);
  const inside = { ...month, peer_ip: "10.0.0.5" };
  await check("listFlows", inside, ["src_ip", "dst_ip", "src_device_id", "dst_device_id"]);
  await check("listFlows", { ...month, incident_id }, ["flow_id", "incident_id"]);
  await check("getFlowEvidence", {}, ["flow_id", "block_id", "batch_no"]);
  await check("getFlow", {}, ["flow_id", "dns_answer"]);
  await check("getEvidence", {}, [
    "observed_at",
    "event_id",
    "tuple_hash",
    "flow_id",
    "block_id",
    "batch_no",
  ]);
  await check("getRawRecord", {}, ["observed_at", "event_id", "block_id"]);
  await check("listDevices", { limit: "2" }, ["tenant_id"]);
  await check("getDevice", month, ["src_device_id", "dst_device_id", "device_fact", "dhcp_lease"]);
  await check("listIncidents", month, ["incident_last_seen"]);
  await check("listIncidents", { ...month, sort: "-first_seen", limit: "1" }, ["incident_first_seen"]);
  await check("listIncidents", { ...month, status: "open" }, ["tenant_id"]);
  await check("listIncidents", { ...month, device_id }, ["incident_device"]);
  await check("getIncident", {}, ["incident_evidence", "model_result", "evidence"]);
  await check("getHealth", {}, ["received_at", "batch_no"]);
  await check("getCoverage", month, ["raw_batch_received"]);
  await check("getDailyBrief", { date: "2026-01-30" }, [
    "incident_opened",
    "graph_traffic_minute",
    "traffic_day_pkey",
    "health_transition_time",
    "raw_batch_received",
  ]);
  await check("getTrends", {}, ["incident_opened", "workflow_history", "graph_traffic_minute"]);
  // A brief costs as much as the rollups of a day, however many flows there are.
  assert.doesNotMatch(plans.join("\n"), / on (?:flow|evidence|raw_record)\w* /);
  await check("getBriefCalendar", {}, ["tenant_id"]);
});

testDatabase("plans: a page costs the same number of statements whatever it contains", async (db) => {
  const api = new Api(db);
  const plans: string[] = [];
  const planned = new Api(planning(db, plans));
  const count = async (id: OperationId, path = {}) => {
    plans.length = 0;
    await planned.read(id, {}, {}, path);
    return plans.length;
  };
  await api.take(SURICATA, [alert({ more: { flow_id: 1 } })]);
  const incident = (await api.read("listIncidents")).data[0]!;
  const path = { incident_id: incident.id, device_id: incident.device_ids[0]! };
  const reads = [
    "listFlows",
    "listDevices",
    "listIncidents",
    "getDevice",
    "getIncident",
    "getHealth",
  ] as const;
  const few = [];
  for (const id of reads) few.push(await count(id, path));
  for (let n = 0; n < 5; n++) {
    await api.take(SURICATA, [
      alert({ sid: n, more: { flow_id: n } }),
      alert({ src: `10.0.1.${n}`, more: { flow_id: 100 + n } }),
    ]);
  }
  const many = [];
  for (const id of reads) many.push(await count(id, path));
  assert.deepEqual(many, few);
});
