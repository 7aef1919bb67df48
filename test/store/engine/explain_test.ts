import assert from "node:assert/strict";
import { DEVICE_SORTS } from "../../../src/contract/device/query.ts";
import { INCIDENT_SORTS, type IncidentSort } from "../../../src/contract/incident/incident.ts";
import type { SearchPlan } from "../../../src/domain/search/plan.ts";
import { hasIndex, type IncidentPosition } from "../../../src/store/incident/page.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { factsOfDevices } from "../../../src/store/device/facts.ts";
import { deviceGroup } from "../../../src/store/device/group.ts";
import { readBehaviour } from "../../../src/store/device/behaviour.ts";
import { nameDevices } from "../../../src/store/device/names.ts";
import { devicesByAddress } from "../../../src/store/device/write.ts";
import { readStates } from "../../../src/store/detector/state.ts";
import { leasesOfDevices } from "../../../src/store/device/dhcp-leases.ts";
import { answersFor } from "../../../src/store/flow/dns-answers.ts";
import { evidenceOfFlow, flowsByIds } from "../../../src/store/flow/read.ts";
import { flowsNear, latestOfTuples, updateFlows } from "../../../src/store/flow/flows.ts";
import { marksOf } from "../../../src/store/graph/marks.ts";
import { incidentTraffic, trafficOfIncident } from "../../../src/store/graph/incident-traffic.ts";
import { trafficOf, trafficOfFlows } from "../../../src/store/graph/traffic.ts";
import { ingestFacts } from "../../../src/store/health/read.ts";
import { activityOf } from "../../../src/store/device/identity-evidence.ts";
import { incidentFlowsOf } from "../../../src/store/incident/devices.ts";
import { incidentsWithMarks, shownAs, standingsOf, verdictsOf } from "../../../src/store/incident/join.ts";
import { newestIncident, undecided } from "../../../src/store/incident/summary.ts";
import { evidenceByLinks, evidenceLinks, latestResults } from "../../../src/store/incident/read.ts";
import { inventoryNames, inventoryOfDevices } from "../../../src/store/device/inventory.ts";
import {
  flowsOfAddresses,
  flowsOfRange,
  observationsOfFlows,
  scanFacts,
  scanFlows,
} from "../../../src/store/intel/scan.ts";
import { keptOfFlow } from "../../../src/store/incident/kept-evidence.ts";
import { takeStatistics } from "../../../src/store/engine/schema/statistics.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { completeTerms, termIds } from "../../../src/store/search/terms.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { pendingBatches } from "../../../src/store/record/pending.ts";
import { endangeredEvidence } from "../../../src/store/upkeep/retention.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { heldBackBy } from "../../../src/store/review/suppressions.ts";
import { heldBack, saveVerdict } from "../../../src/store/incident/verdicts.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { withPools } from "./one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const HOUR = DAY / 24;
const FLOWS = 12_000;
/** A quarter of the usual: so few flows are read from an index as readily as four times as many. */
const CHEAP_PAGES = sql`set local random_page_cost = 1`;

/**
 * Two tenants' flows of two days, an observation each, devices, and incidents of which some have 400 links.
 */
const FILL = `
  create function made_id(at timestamptz, variant text, i bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || variant
      || lpad(to_hex(i), 15, '0'))::uuid $$;
  create temp table made as
    select case when i % 5 = 0 then 'branch' else 'main' end as tenant_id, i,
      to_timestamp(${NOON / 1e6}) - i * interval '172800 seconds' / ${FLOWS} as at
    from generate_series(1, ${FLOWS}) i;
  insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
    select t, made_id('2026-01-01', 'a', n), '10.0.0.' || n, '2026-01-01', '2026-01-31'
    from unnest(array['main', 'branch']) t, generate_series(0, 499) n;
  insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
    select tenant_id, ('10.0.' || n / 250 || '.' || n % 250)::inet, device_id, first_seen, last_seen
    from (select *, row_number() over (partition by tenant_id order by device_id) - 1 as n from device) d;
  insert into inventory_entry (tenant_id, entry_id, name, tags, read_at)
    select tenant_id, device_id, display_name, '{}', first_seen from device;
  insert into inventory_address (tenant_id, ip, entry_id) select tenant_id, ip, device_id from device_address;
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, semantics_no, observation_count, source_set, native_ids, primary_rank,
      primary_evidence_id, primary_record_kind, primary_sensor_id)
    select tenant_id, made_id(at, '8', i), at, at, at, at, hashint8extended(i, 0), 'tcp',
      ('10.0.' || (i % 500) / 250 || '.' || (i % 500) % 250)::inet, 50000,
      ('203.0.' || i % 200 || '.' || i % 7)::inet, 443, made_id('2026-01-01', 'a', i % 500), 1, 1,
      1, '', 0, made_id(at, '9', i), 1, 'zeek-1' from made;
  insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position,
      src_low, record_kind_no)
    select tenant_id, made_id(at, '8', i), made_id(at, '9', i), at, at, at, at, i / 50, 0, true, 1 from made;
  insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, block_id, accepted, unparsed, rejected)
    select tenant_id, i / 50, min(at), 'zeek-1', 'packet', i / 50, 50, 0, 0 from made group by 1, 2, 4, 5, 6;
  insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, opened_at, revision)
    select tenant_id, made_id(at, 'b', i), i, 'beacon', i::text, '{}', 't', 's', 'low', 30, 'open', at, at, at, 1
    from made where i % 2 = 1;
  insert into incident_mark (tenant_id, incident_id, mark)
    select tenant_id, made_id(at, 'b', i), mark from made,
      unnest(array['device ' || made_id('2026-01-01', 'a', i % 500), 'group beacon ' || i,
        'address 203.0.' || i % 200 || '.' || i % 7]) mark where i % 2 = 1;
  insert into verdict (tenant_id, incident_id, entry_no, model_id, device_id, subject, score)
    select tenant_id, made_id(at, 'b', i), 1, 'beacon', made_id('2026-01-01', 'a', i % 500),
      'to 203.0.113.' || i % 7 || ' 443', 50 from made where i % 2 = 1;
  insert into model_result (tenant_id, analysis_id, incident_id, held_by, model_id, group_key, at, score, body)
    select tenant_id, made_id(at, 'c', i), case when i % 2 = 1 then made_id(at, 'b', i) end,
      case when i % 2 = 0 then made_id(at, 'b', i / 100) end, 'beacon', i::text, at, 30, '{}' from made;
  insert into incident_device (tenant_id, incident_id, device_id, ordinal)
    select tenant_id, made_id(at, 'b', i), made_id('2026-01-01', 'a', i % 500), 0 from made where i % 2 = 1;
  insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
    select m.tenant_id, i.incident_id, made_id(m.at, '9', m.i), m.at, made_id(m.at, '8', m.i)
    from made m join incident i on i.tenant_id = m.tenant_id and i.incident_no = m.i / 500 * 500 + 1;
  insert into dns_answer (tenant_id, address, day, client_ip, name, first_seen, last_seen, received_at, evidence_id,
      flow_id)
    select tenant_id, ('203.0.' || i % 200 || '.' || i % 7)::inet, date_trunc('day', at, 'UTC'),
      ('10.0.' || (i % 500) / 250 || '.' || (i % 500) % 250)::inet, 'n' || i || '.example', at, at, at,
      made_id(at, '9', i), made_id(at, '8', i) from made;
  insert into device_fact (tenant_id, device_id, kind, value, first_seen, last_seen, received_at, seen_count, source_set,
      evidence_id, flow_id)
    select tenant_id, made_id('2026-01-01', 'a', i % 500), (array['domain', 'user_agent', 'smb_host'])[1 + i % 3],
      'v' || i, at, at, at, 1, 1, made_id(at, '9', i), made_id(at, '8', i) from made;
  insert into dhcp_lease (tenant_id, ip, mac, first_seen, last_seen, received_at, granted_at, host_name, source_set,
      evidence_id, flow_id)
    select tenant_id, ip, '9c:b6:d0:00:00:01', first_seen, last_seen, last_seen, last_seen, 'ws', 2, device_id, device_id
    from device_address;
  insert into suppression (tenant_id, suppression_id, source, detector, reason, created_by, created_at, expires_at)
    select distinct tenant_id, made_id('2026-01-01', 'd', 0), '10.0.0.1', 'beacon', 'r', 'ada', timestamptz '2026-01-01',
      timestamptz '2036-01-01' from made;
  update incident set suppressed_by = made_id('2026-01-01', 'd', 0) where incident_no % 50 = 1;
  update model_result set suppressed_by = made_id('2026-01-01', 'd', 0) where group_key like '%7';
  insert into detector_state (tenant_id, state_type, key_hash, state)
    select tenant_id, 3, i, sha512(i::text::bytea) from made;
  insert into term (tenant_id, day, kind, term_id, text, reversed, record_count, magnitude, received_at)
    select tenant_id, date_trunc('day', at, 'UTC'), 1 + i % 2, hashint8extended(i, 0), 'n' || i || '.example',
      'elpmaxe.' || reverse(i::text) || 'n', i % 50 + 1, i % 50 / 15 , at from made;
  insert into flow_term (tenant_id, term_id, day, batch_no, from_at, to_at, received_at, record_count, flow_ids)
    select tenant_id, hashint8extended(i, 0), date_trunc('day', at, 'UTC'), i / 50, at, at, at, 1,
      array[made_id(at, '8', i)] from made;
  insert into address_geo (tenant_id, ip, country, asn, build, seen_day)
    select tenant_id, '203.0.0.0'::inet + i, 'C' || i % 20, i % 300, 'a' || i % 100, date_trunc('day', at, 'UTC')
    from made;
  insert into graph_traffic (tenant_id, batch_no, entry_no, minute, low, high, bytes_up, bytes_down, packets, flows,
      first_seen, last_seen)
    select tenant_id, i / 50, i, date_trunc('minute', at), ('10.0.' || (i % 500) / 250 || '.' || (i % 500) % 250)::inet,
      ('203.0.' || i % 200 || '.' || i % 7)::inet, 1, 1, 1, 1, at, at from made;
  insert into graph_mark (tenant_id, minute, low, high, kind, indicator)
    select tenant_id, date_trunc('minute', at), ('10.0.' || (i % 500) / 250 || '.' || (i % 500) % 250)::inet,
      ('203.0.' || i % 200 || '.' || i % 7)::inet, 'domain', 'n' || i || '.example' from made;
  drop table made;`;

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Plan Rows": number;
  Plans?: Node[];
}

/** Collects the plans of a store function's statements. */
class Explaining implements Tx {
  readonly plans: Node[] = [];

  constructor(private readonly tx: Tx) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    // Sent together, because the setting is reset after the statement.
    const [answer, [row]] = await Promise.all([
      this.tx.rows<R>(statement),
      this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(sql`explain (format json) ${statement}`),
    ]);
    this.plans.push(row!["QUERY PLAN"][0]!.Plan);
    return answer;
  }

  async run(statement: Sql): Promise<number> {
    if (statement.strings[0]!.startsWith("set local ")) return await this.tx.run(statement);
    return (await this.rows(statement)).length;
  }
}

/** Tables and partitions that a plan scans in full. */
function scanned(node: Node): string[] {
  const own = node["Node Type"] === "Seq Scan" ? [node["Relation Name"]!] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scanned)];
}

function outline(node: Node, depth = 0): string {
  const { "Node Type": type, "Relation Name": table = "", "Plan Rows": rows, Plans = [] } = node;
  const line = `${" ".repeat(depth)}${type} ${table} ${rows}`;
  return [line, ...Plans.map((plan) => outline(plan, depth + 1))].join("\n");
}

const TENANT = "main";
const DEVICE = "019b7746-0c00-7000-a000-000000000007";
const SUPPRESSION = "019b7746-0c00-7000-d000-000000000000";

Deno.test("as the plain role, statements of pages and pipeline use an index", {
  ignore: POSTGRES_URL === "",
}, async (t) => {
  const { url, drop } = await freshPostgres();
  await withPools([url], async ([db]) => {
    await createPartitions(db!, NOON, 30);
    await db!.owner((tx) => tx.script(FILL));
    await createPartitions(db!, NOON, 30);
    for (const [name, ask] of UNKNOWN_DAYS) await t.step(name, () => db!.tenant(TENANT, ask).then(() => {}));
    await db!.owner((tx) => tx.script("analyze"));
    const large = await largeTables(db!);
    assert.ok(
      large.includes("flow_20260130") && large.includes("evidence_20260130") && large.includes("incident"),
    );

    const calls = await storeCalls(db!);
    const checkAll = async (statistics: string) => {
      for (const [name, call] of calls) {
        await t.step(`${name} (${statistics})`, () => check(db!, call, large));
      }
      // Orders of incidents by a text have no index: a page may read all incidents of the window, and for each its first device.
      for (const sort of INCIDENT_SORTS.filter((sort) => !hasIndex(sort))) {
        const plan = { ...searchPlan("incidents", "", null), lastSeen: { from: 0, to: null } };
        await t.step(
          `incidents by ${sort} (${statistics})`,
          () =>
            check(
              db!,
              (tx) => searchIncidents(tx, TENANT, plan, { key: "m", before: 1e6 }, 101, sort),
              large.filter((table) => !["incident", "incident_device", "device"].includes(table)),
            ),
        );
      }
      // No order of devices has an index, so a page may read the tenant's devices, and nothing else in full.
      const others = large.filter((table) => table !== "device");
      for (const sort of DEVICE_SORTS) {
        const key = AFTER[sort.replace("-", "")] ?? "m";
        const plan = searchPlan("devices", "", null);
        await t.step(
          `devices by ${sort} (${statistics})`,
          () =>
            check(
              db!,
              (tx) => searchDevices(tx, TENANT, plan, { key, after: DEVICE }, 101, sort),
              others,
            ),
        );
      }
    };
    await checkAll("the server's statistics");
    for (const table of large) await takeStatistics(db!, table);
    await checkAll("ours");
  });
  await drop();
});

/** Keys of the devices after which a page begins; of other orders, a text. */
const AFTER: Readonly<Record<string, string | number>> = {
  first_seen: NOON - HOUR,
  last_seen: NOON - HOUR,
  score: 50,
  address: "10.0.0.9",
  vlan: 7,
  incident_count: 1,
};

/** Statements on days without statistics. */
const UNKNOWN_DAYS: readonly [string, Ask][] = [
  ["flows are upserted by key alone, also on a day without statistics", async (tx) => {
    const ids = await tx.rows<{ flow_id: string }>(sql`
    select flow_id from flow where tenant_id = ${TENANT} order by flow_id desc limit 500`);
    const flows = await flowsByIds(tx, TENANT, ids.map((row) => row.flow_id));
    const explaining = new Explaining(tx);
    await explaining.run(updateFlows(TENANT, [...flows.values()]));
    const [plan] = explaining.plans;
    assert.equal(plan!["Node Type"], "ModifyTable");
    assert.deepEqual(plan!.Plans!.flatMap(readTables), [], outline(plan!));
  }],
  ["flows are looked up by tuple alone, also on a day without statistics", async (tx) => {
    const tuples = Array.from({ length: 20 }, (_, i) => `6|10.0.0.1|${i}|203.0.113.7|443`);
    const hour = { from: NOON - HOUR, to: NOON };
    const explaining = new Explaining(tx);
    const since = tuples.map((tuple) => ({ tuple, since: hour.from }));
    await latestOfTuples(explaining, TENANT, since, hour.from, 32);
    await flowsNear(explaining, TENANT, tuples.map((tuple) => ({ tuple, ...hour })), hour, [1n]);
    for (const plan of explaining.plans) {
      const used = usedIndexes(plan);
      assert.ok(used.includes("flow_20260131_tuple_hash_idx"), outline(plan));
      assert.deepEqual(used.filter((name) => !name.endsWith("_tuple_hash_idx")), [], outline(plan));
    }
  }],
];

/** Indexes that a plan uses. */
function usedIndexes(node: Node): string[] {
  const own = node["Index Name"];
  return [...own === undefined ? [] : [own], ...(node.Plans ?? []).flatMap(usedIndexes)];
}

/** Tables and partitions that a plan reads. */
function readTables(node: Node): string[] {
  const own = node["Relation Name"];
  return [...own === undefined ? [] : [own], ...(node.Plans ?? []).flatMap(readTables)];
}

/** Fails if a plan scans a large table in full. */
async function check(db: Database, ask: Ask, large: readonly string[]): Promise<void> {
  await db.tenant(TENANT, async (tx) => {
    await tx.run(CHEAP_PAGES);
    const explaining = new Explaining(tx);
    await ask(explaining);
    assert.ok(explaining.plans.length > 0);
    const read = explaining.plans.flatMap(scanned).filter((table) => large.includes(table));
    assert.deepEqual(read, [], explaining.plans.map((plan) => outline(plan)).join("\n"));
  });
}

async function largeTables(db: Database): Promise<string[]> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 450`)
  );
  return rows.map((row) => row.name);
}

type Ask = (tx: Tx) => Promise<unknown>;

async function storeCalls(db: Database): Promise<[string, Ask][]> {
  const ids = await db.tenant(TENANT, async (tx) => {
    const flows = await tx.rows<{ id: string }>(sql`
      select flow_id as id from flow where tenant_id = ${TENANT} order by flow_id limit 500`);
    const incidents = await tx.rows<{ id: string }>(sql`
      select incident_id as id from incident_evidence where tenant_id = ${TENANT}
      group by 1 having count(*) > 300 limit 1`);
    return { flows: flows.map((row) => row.id), incident: incidents[0]!.id };
  });
  const [flow] = ids.flows as [string];
  const day = { from: NOON - 24 * HOUR, to: NOON };
  const recent = { from: NOON - HOUR / 4, to: NOON };
  const after = { start: NOON - HOUR, flowId: flow };
  const tuples = Array.from({ length: 8000 }, (_, i) => `6|10.0.0.1|${i}|203.0.113.7|443`);
  const since = tuples.map((tuple) => ({ tuple, since: NOON - HOUR }));
  const near = tuples.map((tuple) => ({ tuple, from: NOON - HOUR / 10, to: NOON }));
  const around = { from: NOON - 2 * HOUR, to: NOON };
  const states = Array.from({ length: 1000 }, (_, i) => ({ typeId: 3, keyHash: BigInt(i) }));
  const peerIp = "203.0.113.5";
  const incidentPage = (
    tx: Tx,
    filter: string,
    more: Partial<SearchPlan>,
    sort: IncidentSort = "-last_seen",
    position: IncidentPosition | null = null,
  ) =>
    searchIncidents(tx, TENANT, { ...searchPlan("incidents", filter, null), ...more }, position, 101, sort);
  const flowPage = (tx: Tx, filter: string, window: typeof day, position: typeof after | null = null) =>
    searchFlows(tx, TENANT, searchPlan("flows", filter, window), position, 101, "list");
  const lookUps = Array.from({ length: 1000 }, (_, i) => ({
    clientIp: `10.0.${i % 2}.${i % 250}`,
    address: `203.0.${i % 200}.${i % 7}`,
    day: Math.floor(NOON / DAY) * DAY - (i % 2) * DAY,
  }));
  return [
    ["flows of the last quarter of an hour", (tx) => flowPage(tx, "", recent)],
    ["flows of a day", (tx) => flowPage(tx, "", day)],
    ["flows of a day, a later page", (tx) => flowPage(tx, "", day, after)],
    ["flows of a device", (tx) => flowPage(tx, `device.id=${DEVICE}`, day)],
    [
      "flows of a device, a later page",
      (tx) => flowPage(tx, `device.id=${DEVICE}`, day, after),
    ],
    ["traffic of the last quarter of an hour", (tx) => trafficOf(tx, TENANT, recent)],
    ["the same after an earlier batch", (tx) => trafficOf(tx, TENANT, recent, { through: 3 })],
    ["marks of the last quarter of an hour", (tx) => marksOf(tx, TENANT, recent)],
    ["traffic of older flows", (tx) => trafficOfFlows(tx, TENANT, recent)],
    ["traffic of an incident", async (tx) => {
      const traffic = await incidentTraffic(tx, TENANT, ids.incident);
      return await trafficOfIncident(tx, TENANT, traffic!, traffic!.window);
    }],
    ["flows of a peer", (tx) => flowPage(tx, `ip=${peerIp}`, day)],
    [
      "flows of an incident",
      (tx) => flowPage(tx, `incident=${ids.incident}`, day),
    ],
    ["observations of a flow", (tx) => evidenceOfFlow(tx, TENANT, flow, null, 101)],
    ["kept observations of a flow", (tx) => keptOfFlow(tx, TENANT, flow, null, 101)],
    ["flows that a batch may join", (tx) => latestOfTuples(tx, TENANT, since.slice(0, 50), around.from, 32)],
    ["flows that a backlog's round may join", (tx) => latestOfTuples(tx, TENANT, since, around.from, 32)],
    [
      "flows that a batch may join, of tuples with many",
      (tx) => flowsNear(tx, TENANT, near.slice(0, 5), around, [1n, 2n]),
    ],
    [
      "flows that a round of a backlog may join, of tuples with many",
      (tx) => flowsNear(tx, TENANT, near, around, tuples.map((_, i) => BigInt(i))),
    ],
    ["flows by id", (tx) => flowsByIds(tx, TENANT, ids.flows)],
    [
      "incidents of the last quarter of an hour",
      (tx) => incidentPage(tx, "", { lastSeen: recent }),
    ],
    ...INCIDENT_SORTS.filter(hasIndex).map((sort): [string, Ask] => [
      `incidents by ${sort}, a later page`,
      (tx) => {
        const byScore = /score|severity/.test(sort);
        const after = { key: byScore ? 50 : NOON - HOUR, then: NOON - HOUR, before: 1e6 };
        return incidentPage(tx, "", { lastSeen: { from: 0, to: null } }, sort, after);
      },
    ]),
    [
      "the queue of open work, whatever its age",
      (tx) =>
        incidentPage(
          tx,
          "status=(investigating, open)",
          { lastSeen: { from: 0, to: null }, suppressed: { is: false, at: NOON } },
          "-severity",
          { key: 50, then: NOON - HOUR, before: 1e6 },
        ),
    ],
    [
      "incidents of a device",
      (tx) => incidentPage(tx, `device.id=${DEVICE}`, { lastSeen: day }),
    ],
    [
      "incidents that results may join",
      (tx) =>
        incidentsWithMarks(tx, TENANT, [`device ${DEVICE}`, "group beacon 77", "address 203.0.5.5"], {
          from: NOON - DAY,
          to: NOON,
        }),
    ],
    ["the newest incident", (tx) => newestIncident(tx, TENANT)],
    ["decisions that wait", (tx) => undecided(tx, TENANT)],
    ["devices merged into one of a result", (tx) => shownAs(tx, TENANT, [DEVICE])],
    ["verdicts about a device", (tx) => verdictsOf(tx, TENANT, [DEVICE])],
    ["owner and tags of a device", (tx) => standingsOf(tx, TENANT, [DEVICE])],
    ["results of an incident", (tx) => latestResults(tx, TENANT, ids.incident)],
    ["saving a verdict", (tx) => saveVerdict(tx, TENANT, ids.incident)],
    ["results that a verdict held back", (tx) => heldBack(tx, TENANT, ids.incident)],
    ["results that a suppression held back", (tx) => heldBackBy(tx, TENANT, [SUPPRESSION])],
    [
      "incidents that a suppression covers",
      (tx) => incidentPage(tx, "", { lastSeen: recent, suppressed: { is: true, at: NOON } }),
    ],
    [
      "evidence of an incident",
      async (tx) => evidenceByLinks(tx, TENANT, await evidenceLinks(tx, TENANT, ids.incident, 500)),
    ],
    [
      "evidence to keep",
      (tx) => endangeredEvidence(tx, TENANT, ids.incident, { cutoff: NOON - DAY, after: null, limit: 200 }),
    ],
    ["devices by address", (tx) => devicesByAddress(tx, TENANT, ["10.0.0.1", "10.0.0.2"])],
    ["inventory names of addresses", (tx) => inventoryNames(tx, TENANT, ["10.0.0.1", "10.0.0.2"])],
    ["inventory entries of a device", (tx) => inventoryOfDevices(tx, TENANT, [DEVICE])],
    ["behaviour of a device", (tx) => readBehaviour(tx, TENANT, [DEVICE], day)],
    ["merged devices", (tx) => deviceGroup(tx, TENANT, DEVICE)],
    ["when a device was active", (tx) => activityOf(tx, TENANT, DEVICE, NOON - DAY, NOON)],
    ["flows behind a device's incidents", (tx) => incidentFlowsOf(tx, TENANT, [DEVICE])],
    ["names of a page of flows", (tx) => answersFor(tx, TENANT, lookUps)],
    ["facts of a device", (tx) => factsOfDevices(tx, TENANT, [DEVICE], 100)],
    ["leases of a device", (tx) => leasesOfDevices(tx, TENANT, [DEVICE], 100)],
    ["naming devices", (tx) => nameDevices(tx, TENANT, [DEVICE], ["10.0.0.1", "10.0.0.2"])],
    ["a scan of flows", (tx) => scanFlows(tx, TENANT, flow, 500)],
    ["flows of listed addresses", (tx) => flowsOfAddresses(tx, TENANT, [peerIp, "203.0.113.6"], 500)],
    [
      "flows of a listed network",
      (tx) => flowsOfRange(tx, TENANT, { from: "203.0.113.0", to: "203.0.113.7" }, 500),
    ],
    ["observations of listed addresses", (tx) => observationsOfFlows(tx, TENANT, ids.flows.slice(0, 50))],
    [
      "a scan of facts",
      (tx) => scanFacts(tx, TENANT, { flowId: flow, evidenceId: flow, observedAt: NOON - DAY }, 500),
    ],
    ["detector states of many keys", (tx) => readStates(tx, TENANT, states)],
    [
      "most used names that begin with a text",
      (tx) => completeTerms(tx, TENANT, "server_name", "n12", NOON - DAY, 20),
    ],
    ["most used names", (tx) => completeTerms(tx, TENANT, "server_name", "", NOON - DAY, 20)],
    ["names with a suffix", (tx) => termIds(tx, TENANT, "server_name", { suffix: "99.example" }, day, 100)],
    [
      "names with a prefix",
      (tx) => termIds(tx, TENANT, "server_name", { wildcard: "n12*.example" }, day, 100),
    ],
    ["pending batches", (tx) => pendingBatches(tx, TENANT, 900, { batches: 4, records: 1000 })],
    ["ingest of the last five minutes", (tx) => ingestFacts(tx, TENANT, NOON - HOUR / 12)],
  ];
}
