// Searches use the index of their most selective condition, as the role that requests have.

import assert from "node:assert/strict";
import type { ResultKind } from "../../../src/contract/filter/tree.ts";
import { FLOW_SORTS, type FlowSort, MAX_FACT_SORTED_FLOWS } from "../../../src/contract/flow/flow.ts";
import { hash64 } from "../../../src/kit/hash64.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { createPartitions, dayOf } from "../../../src/store/engine/schema/partitions.ts";
import { Sql, sql } from "../../../src/store/engine/sql.ts";
import { tupleHashOfCommunityId } from "../../../src/store/flow/flows.ts";
import { timeOfId } from "../../../src/store/flow/read.ts";
import { aggregate } from "../../../src/store/search/aggregate.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { flowPage } from "../../../src/store/flow/list.ts";
import { flowSearch, searchFlows } from "../../../src/store/search/flows.ts";
import { searchSortedFlows } from "../../../src/store/search/sorted-flows.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { SearchTooBroad, searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { termWrites } from "../../../src/store/search/term-writes.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { withPools } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const DAYS = 8;
const FLOWS = 40_000;
const COMMUNITY_ID = "1:wCb3OG7yAFWelaUydu0D+125CLM=";
/** There are about 2,000 rows of postings; several statements read them. */
const MAX_POSTINGS_READ = 20_000;
const INCIDENT = "019b76da-a800-7000-b000-000000000001";
const DEVICE = "019b76da-a800-7000-a000-000000000007";

/** Flows over several days, of which few match each filter; every flow has the same destination port. */
const FILL = `
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, service, semantics_no, observation_count, source_set, native_ids, primary_rank,
      primary_evidence_id, primary_record_kind, primary_sensor_id)
    select '${TENANT}', id, at, at, at, at,
      case when i = 777 then ${tupleHashOfCommunityId(TENANT, COMMUNITY_ID)} else hashint8extended(i, 0) end,
      case when i % 400 = 1 then 'sctp' else 'tcp' end, ('10.0.0.' || i % 200)::inet, 50000,
      ('198.51.' || i % 200 || '.' || i % 7)::inet, 443,
      ('019b76da-a800-7000-a000-' || lpad((i % 200)::text, 12, '0'))::uuid,
      case when i % 300 = 0 then 'rdp' else (array['dns', 'ssl', 'http'])[1 + i % 3] end,
      1, 1, 1, '', 0, id, 1, 'zeek-1'
    from (
      select i, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid as id
      from (
        select i, to_timestamp(${NOON / 1e6}) - i * interval '${DAYS} days' / ${FLOWS} as at
        from generate_series(1, ${FLOWS}) i
      ) times
    ) ids;
  insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
    select '${TENANT}', ('019b76da-a800-7000-a000-' || lpad(i::text, 12, '0'))::uuid, 'device ' || i,
      to_timestamp(${NOON / 1e6}), to_timestamp(${NOON / 1e6}) from generate_series(0, 199) i;
  insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
    select tenant_id, ('10.0.0.' || substr(display_name, 8))::inet, device_id, first_seen, last_seen from device;
  insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary, severity,
      score, status, first_seen, last_seen, revision, opened_at)
    values ('${TENANT}', '${INCIDENT}', 1, 'beacon', '', '{"beacon": 40}', 'Beaconing', '', 'high', 60, 'open',
      to_timestamp(${NOON / 1e6}), to_timestamp(${NOON / 1e6}), 1, to_timestamp(${NOON / 1e6}));
  insert into evidence (tenant_id, flow_id, evidence_id, observed_at, start_at, end_at, received_at, batch_no, position,
      src_low, record_kind_no, facts)
    select tenant_id, flow_id, flow_id, anchor_at, start_at, end_at, received_at, 1, 0, true, 2,
      '{"type":"http","userAgent":"agent ' || dst_port % 7 || '"}' from flow;
  insert into incident_evidence (tenant_id, incident_id, evidence_id, observed_at, flow_id)
    select '${TENANT}', '${INCIDENT}', flow_id, anchor_at, flow_id from flow where dst_ip <<= '198.51.100.0/24' limit 1000;
  analyze;`;

/** Terms: a rare name, and one that half of the flows have. */
async function fillTerms(db: Database): Promise<void> {
  await db.tenant(TENANT, async (tx) => {
    const rows = await tx.rows<{ flow_id: string }>(
      sql`select flow_id from flow where tenant_id = ${TENANT}`,
    );
    const uses = (text: string, flowIds: string[], kind: "server_name" | "http_host" = "server_name") =>
      [...Map.groupBy(flowIds, (id) => dayOf(timeOfId(id)))].map(([day, ids]) => ({
        kind,
        text,
        shown: text,
        day,
        flowIds: ids,
        records: ids.length,
        from: Math.min(...ids.map(timeOfId)),
        to: Math.max(...ids.map(timeOfId)),
        receivedAt: NOON,
      }));
    const ids = rows.map(({ flow_id }) => flow_id);
    const rare = ids.filter((id) => hash64(id) % 2000n === 0n);
    assert.ok(rare.length > 2);
    const half = ids.filter((id) => hash64(id) % 2n === 0n);
    const hosted = Map.groupBy(ids.filter((id) => hash64(id) % 20n === 0n), (id) => hash64(id) % 700n);
    const written = [
      ...uses("www.rare.example", rare),
      ...uses("www.common.example", half),
      ...[...hosted].flatMap(([no, flowIds]) => uses(`host-${no}.example`, flowIds, "http_host")),
    ];
    for (const statement of termWrites(TENANT, 1, written)) await tx.run(statement);
  });
  await db.owner((tx) => tx.script("analyze term; analyze flow_term;"));
}

interface Node {
  "Node Type": string;
  "Actual Loops"?: number;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Node[];
}

/** Collects the indexes and the sequential scans of filled flow partitions in the plan of each statement. */
class Explained implements Tx {
  readonly indexes = new Set<string>();
  readonly scans = new Set<string>();

  constructor(private readonly tx: Tx, private readonly partitions: ReadonlySet<string>) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    const { strings, values } = statement;
    if (/^\s*(select|with)/.test(strings[0]!)) {
      const explain = new Sql([`explain (format json) ${strings[0]}`, ...strings.slice(1)], values);
      const [row] = await this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(explain);
      this.#note(row!["QUERY PLAN"][0]!.Plan);
    }
    return await this.tx.rows<R>(statement);
  }

  run(statement: Sql): Promise<number> {
    return this.tx.run(statement);
  }

  #note(node: Node): void {
    const { "Index Name": name, "Relation Name": table = "", "Node Type": type } = node;
    if (name !== undefined) this.indexes.add(name.replace(/_\d{8}/, ""));
    if (this.partitions.has(table) && type === "Seq Scan") this.scans.add(table);
    for (const plan of node.Plans ?? []) this.#note(plan);
  }
}

/** Executes each statement and counts the rows of postings that it reads. */
class Executed implements Tx {
  postings = 0;

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
    const { "Relation Name": table = "", "Actual Loops": loops = 0, "Actual Rows": rows = 0 } = node;
    if (table.startsWith("flow_term_")) {
      this.postings += loops * (rows + (node["Rows Removed by Filter"] ?? 0));
    }
    for (const plan of node.Plans ?? []) this.#note(plan);
  }
}

async function filledPartitions(db: Database): Promise<Set<string>> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class where relname like 'flow\_2%' and relkind = 'r' and reltuples > 1000`)
  );
  return new Set(rows.map(({ name }) => name));
}

function planOf(kind: ResultKind, text: string) {
  const now = NOON + 1;
  return searchPlan(kind, text, kind === "flows" ? { from: now - (DAYS + 1) * DAY, to: now } : null, now);
}

interface Case {
  kind: ResultKind;
  text: string;
  /** Index of the flow partitions, or of another table. */
  index: RegExp;
  rows: number;
}

const FLOW_CASES: Case[] = [
  { kind: "flows", text: "service:rdp bytes<1", index: /^flow_tenant_id_service_start_at_idx$/, rows: 0 },
  { kind: "flows", text: "service:rdp", index: /^flow_tenant_id_service_start_at_idx$/, rows: 20 },
  { kind: "flows", text: "proto:sctp port:443", index: /^flow_tenant_id_proto_start_at_idx$/, rows: 20 },
  { kind: "flows", text: "src.ip:10.0.0.7", index: /^flow_src_device_id_start_at_idx$/, rows: 20 },
  {
    kind: "flows",
    text: "ip:198.51.100.2 dst.port:443",
    index: /^flow_dst_ip_tenant_id_start_at_idx$/,
    rows: 20,
  },
  { kind: "flows", text: `device.id:${DEVICE}`, index: /^flow_src_device_id_start_at_idx$/, rows: 20 },
  { kind: "flows", text: 'device="device 7"', index: /^flow_src_device_id_start_at_idx$/, rows: 20 },
  { kind: "flows", text: `community_id="${COMMUNITY_ID}"`, index: /^flow_tuple_hash_idx$/, rows: 1 },
  { kind: "flows", text: "server_name:www.rare.example", index: /^flow_pkey$/, rows: -1 },
  {
    kind: "flows",
    text: "server_name:*.rare.example",
    index: /^term_tenant_id_kind_reversed_idx|^term_pkey|^flow_term_term_id_idx/,
    rows: -1,
  },
  {
    kind: "flows",
    text: "server_name:www.common.example",
    index: /^flow_tenant_id_start_at_flow_id_idx$|^flow_pkey$/,
    rows: 20,
  },
  { kind: "flows", text: `incident:${INCIDENT}`, index: /^flow_pkey$/, rows: -1 },
  { kind: "flows", text: "dst.port:443", index: /^flow_tenant_id_start_at_flow_id_idx$/, rows: 20 },
  { kind: "flows", text: "dst.port:80", index: /^flow_tenant_id_start_at_flow_id_idx$/, rows: 0 },
  { kind: "devices", text: "server_name:www.rare.example", index: /^flow_pkey$/, rows: -1 },
  { kind: "incidents", text: "server_name:www.rare.example", index: /^flow_pkey$/, rows: 0 },
];

const POSTING_CASES = [
  { kind: "flows", text: "http.host:*", found: 20 },
  { kind: "flows", text: "http.host:* server_name:*", found: 20 },
  { kind: "flows", text: "http.host:host-*", found: 20 },
  { kind: "flows", text: "-http.host:* proto:sctp", found: 20 },
  { kind: "incidents", text: "http.host:*", found: 1 },
  { kind: "incidents", text: "http.host:* user_agent:*", found: 0 },
] as const;

Deno.test("searches use the index of their most selective condition (postgres)", {
  ignore: POSTGRES_URL === "",
}, async (t) => {
  const { url, drop } = await freshPostgres();
  await withPools([url], async ([db]) => {
    for (let day = 0; day <= DAYS; day++) await createPartitions(db!, NOON - day * DAY, 30);
    await db!.owner((tx) => tx.script(FILL));
    await fillTerms(db!);
    const filled = await filledPartitions(db!);
    assert.ok(filled.size >= DAYS - 1);
    for (const { kind, text, index, rows } of FLOW_CASES) {
      await t.step(`${kind}: ${text}`, async () => {
        const plan = planOf(kind, text);
        const { found, indexes, scans } = await searchTransaction(db!, TENANT, async (tx) => {
          const explained = new Explained(tx, filled);
          const search = kind === "flows"
            ? searchFlows
            : kind === "devices"
            ? searchDevices
            : searchIncidents;
          const { rows } = await search(explained, TENANT, plan, null, 20);
          return { found: rows.length, indexes: [...explained.indexes], scans: [...explained.scans] };
        });
        if (rows >= 0) assert.equal(found, rows);
        else assert.ok(found > 0);
        assert.ok(indexes.some((one) => index.test(one)), indexes.join(" "));
        assert.deepEqual(scans, []);
      });
    }

    await t.step("a page that examined enough says down to which time", async () => {
      const { where, window, context } = planOf("flows", "dst.port:80");
      const page = await searchTransaction(db!, TENANT, async (tx) => {
        const search = await flowSearch(tx, TENANT, { where, context, window: window! });
        return await flowPage(tx, TENANT, search, { after: null, limit: 20, effort: "search" });
      });
      assert.deepEqual(page.flows, []);
      assert.ok(page.reached! > window!.from && page.reached! < NOON - DAY);
      assert.equal(page.next!.start, page.reached);
    });

    for (const { kind, text, found } of POSTING_CASES) {
      await t.step(`the postings are read once, not for each flow: ${kind}: ${text}`, async () => {
        const read = await searchTransaction(db!, TENANT, async (tx) => {
          const executed = new Executed(tx);
          const search = kind === "flows" ? searchFlows : searchIncidents;
          const { rows } = await search(executed, TENANT, planOf(kind, text), null, 20);
          return { found: rows.length, postings: executed.postings };
        });
        assert.equal(read.found, found);
        assert.ok(read.postings <= MAX_POSTINGS_READ, `${read.postings} rows`);
      });
    }

    await t.step("sorted flows are read by the filter's index, and too many are refused", async () => {
      const sorted = (text: string, most: number | undefined, sort: FlowSort = "-duration") =>
        searchTransaction(db!, TENANT, async (tx) => {
          const explained = new Explained(tx, filled);
          const paging = { sort, after: null, limit: 20, ...most && { most } };
          const { rows } = await searchSortedFlows(explained, TENANT, planOf("flows", text), paging);
          return { found: rows.length, indexes: [...explained.indexes], scans: [...explained.scans] };
        });
      for (const sort of FLOW_SORTS.filter((sort) => sort !== "-start")) {
        const few = await sorted(`device.id:${DEVICE}`, FLOWS / 100, sort);
        assert.equal(few.found, 20, sort);
        assert.ok(
          few.indexes.includes("flow_src_device_id_start_at_idx"),
          `${sort}: ${few.indexes.join(" ")}`,
        );
        assert.deepEqual(few.scans, [], sort);
        if (/user_agent|dns|alert/.test(sort)) {
          assert.ok(
            few.indexes.some((one) => /^evidence_.*pkey$/.test(one)),
            `${sort}: ${few.indexes.join(" ")}`,
          );
        }
      }
      assert.equal((await sorted("dst.port:443", FLOWS + 1)).found, 20);
      await assert.rejects(sorted("dst.port:443", undefined, "user_agent"), (error) => {
        assert.ok(error instanceof SearchTooBroad);
        assert.equal(error.details.most, MAX_FACT_SORTED_FLOWS);
        return true;
      });
      await assert.rejects(sorted("dst.port:443", FLOWS / 2), (error) => {
        assert.ok(error instanceof SearchTooBroad);
        // Half of the flows are in the newer half of the time.
        const from = Date.parse(String(error.details.from)) * 1000;
        assert.ok(Math.abs(from - (NOON - DAYS * DAY / 2)) < DAY / 24, String(error.details.from));
        return true;
      });
    });

    await t.step("an aggregate of few flows reads them by index", async () => {
      const plan = planOf("flows", "server_name:www.rare.example");
      const { indexes, scans } = await searchTransaction(db!, TENANT, async (tx) => {
        const explained = new Explained(tx, filled);
        const by = { by: ["dst.ip"] as const, measure: "bytes" as const, top: 10, bucket: null };
        await aggregate(explained, TENANT, plan, by);
        return { indexes: [...explained.indexes], scans: [...explained.scans] };
      });
      assert.ok(indexes.includes("flow_pkey"), indexes.join(" "));
      assert.deepEqual(scans, []);
    });
  });
  await drop();
});
