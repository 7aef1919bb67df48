// Searches for devices read each table a few times at most, with and without statistics of the planner.

import assert from "node:assert/strict";
import { devicePage } from "../../../src/store/device/read.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { Sql, sql } from "../../../src/store/engine/sql.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { testDatabases } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const DEVICES = 952;
const INCIDENTS = 75;
const RESULTS = 3000;
const INVOLVED = 600;
/** Rows that come out of all nodes of a plan, or are removed by their filters, for each row that is stored. */
const MAX_WORK = 8;

const NOON_SQL = `to_timestamp(${NOON / 1e6})`;
const deviceId = (i: string) => `('019b76da-a800-7000-a000-' || lpad((${i})::text, 12, '0'))::uuid`;
const incidentId = (i: string) => `('019b76da-a800-7000-b000-' || lpad((${i})::text, 12, '0'))::uuid`;

/** Every other device is merged into the one before it. */
const FILL = `
  insert into device (tenant_id, device_id, display_name, first_seen, last_seen, merged_into)
    select '${TENANT}', ${deviceId("i")}, 'device ' || i, ${NOON_SQL}, ${NOON_SQL} + i * interval '1 second',
      case when i % 2 = 1 then ${deviceId("i - 1")} end from generate_series(0, ${DEVICES - 1}) i;
  insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
    select tenant_id, '10.0.0.0'::inet + substr(display_name, 8)::integer, device_id, first_seen, last_seen from device;
  insert into device_tag (tenant_id, device_id, tag) select tenant_id, device_id, 'server' from device;
  insert into device_vlan (tenant_id, device_id, vlan_id) select tenant_id, device_id, 30 from device;
  insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, revision, opened_at)
    select '${TENANT}', ${incidentId("i")}, i, 'beacon', i::text, '{"beacon": 40}', 'Beaconing', '',
      (array['low', 'medium', 'high'])[1 + i % 3], 60, 'open', ${NOON_SQL}, ${NOON_SQL}, 1, ${NOON_SQL}
    from generate_series(1, ${INCIDENTS}) i;
  insert into incident_device (tenant_id, incident_id, device_id, ordinal)
    select '${TENANT}', ${incidentId(`1 + i % ${INCIDENTS}`)}, ${
  deviceId(`i * 7 % ${DEVICES}`)
}, i / ${INCIDENTS}
    from generate_series(0, ${INVOLVED - 1}) i;
  insert into model_result (tenant_id, analysis_id, incident_id, model_id, group_key, at, score, body)
    select '${TENANT}', gen_random_uuid(), ${
  incidentId(`1 + i % ${INCIDENTS}`)
}, 'beacon', '', ${NOON_SQL}, 40,
      '{"technique": "T1071"}'
    from generate_series(1, ${RESULTS}) i;`;
const STORED = 4 * DEVICES + INCIDENTS + INVOLVED + RESULTS;

const CASES = [
  { kind: "devices", text: "technique:T9999", found: 0 },
  { kind: "devices", text: "technique:T1071", found: 20 },
  { kind: "devices", text: "severity>=low", found: 20 },
  { kind: "devices", text: "-severity:high", found: 20 },
  { kind: "devices", text: "title:beac", found: 20 },
  { kind: "devices", text: "title:zzz", found: 0 },
  { kind: "devices", text: "detector=beacon", found: 20 },
  { kind: "devices", text: "severity:high or technique:T1071", found: 20 },
  { kind: "devices", text: "(severity:high or tag:server) -technique:T9999", found: 20 },
  { kind: "devices", text: "device.ip:10.0.0.0/16", found: 20 },
  { kind: "devices", text: "device.vlan:30", found: 20 },
  { kind: "devices", text: "-device.vlan:31", found: 20 },
  { kind: "devices", text: "tag:server", found: 20 },
  { kind: "incidents", text: "device:device", found: 20 },
  { kind: "incidents", text: "device.vlan:30", found: 20 },
  { kind: "incidents", text: "-tag:server", found: 0 },
  { kind: "flows", text: "tag:server", found: 0 },
  { kind: "flows", text: "device:device severity:high", found: 0 },
] as const;

interface Node {
  "Index Name"?: string;
  "Actual Loops"?: number;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Node[];
}

/** Executes each statement and counts the rows of all nodes of its plan, and how often indexes are looked up. */
class Worked implements Tx {
  rowsWorked = 0;
  lookups = 0;

  constructor(private readonly tx: Tx) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    const { strings, values } = statement;
    const explain = new Sql([`explain (analyze, format json) ${strings[0]}`, ...strings.slice(1)], values);
    const [row] = await this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(explain);
    this.#note(row!["QUERY PLAN"][0]!.Plan);
    return await this.tx.rows<R>(statement);
  }

  run(statement: Sql): Promise<number> {
    return this.tx.run(statement);
  }

  #note(node: Node): void {
    const { "Actual Loops": loops = 0, "Actual Rows": rows = 0 } = node;
    const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
    this.rowsWorked += loops * (rows + removed);
    if (node["Index Name"] !== undefined) this.lookups += loops;
    for (const plan of node.Plans ?? []) this.#note(plan);
  }
}

testDatabases("a search for devices works through a few times the stored rows", async (db) => {
  await db.owner((tx) => tx.script(FILL));
  await assertBounded(db, "without statistics");
  await db.owner((tx) => tx.script("analyze"));
  await assertBounded(db, "with statistics");
});

testDatabases("a list looks up merged devices only for those that have some", async (db) => {
  await db.owner((tx) => tx.script(`${FILL}; update device set merged_into = null; analyze`));
  await db.tenant(TENANT, async (tx) => {
    const worked = new Worked(tx);
    await list(worked);
    assert.ok(worked.lookups < DEVICES, `${worked.lookups} lookups`);
  });
});

async function assertBounded(db: Database, when: string): Promise<void> {
  const excessive: string[] = [];
  const note = (what: string, { rowsWorked }: Worked) => {
    if (rowsWorked > MAX_WORK * STORED) excessive.push(`${when}, ${what}: ${rowsWorked} rows`);
  };
  for (const { kind, text, found } of CASES) {
    const now = NOON + 1;
    const plan = searchPlan(kind, text, kind === "flows" ? { from: now - 7 * DAY, to: now } : null, now);
    await searchTransaction(db, TENANT, async (tx) => {
      const worked = new Worked(tx);
      const search = kind === "flows" ? searchFlows : kind === "devices" ? searchDevices : searchIncidents;
      const { rows } = await search(worked, TENANT, plan, null, 20);
      assert.equal(rows.length, found, `${kind}: ${text}`);
      note(`${kind}: ${text}`, worked);
    });
  }
  await db.tenant(TENANT, async (tx) => {
    const worked = new Worked(tx);
    await list(worked);
    note("the list", worked);
  });
  assert.deepEqual(excessive, []);
}

async function list(tx: Tx): Promise<void> {
  const rows = await devicePage(tx, TENANT, [sql`true`], { sort: "-last_seen", after: null, limit: 20 });
  assert.equal(rows.length, 20);
}
