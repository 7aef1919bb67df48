import assert from "node:assert/strict";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import type { FlowPosition } from "../../../src/store/flow/filter.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { Sql, sql } from "../../../src/store/engine/sql.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { withPools } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const DAYS = 20;
const FLOWS = 60_000;
const DEVICE = "019b76da-a800-7000-a000-000000000007";
const PEER = "203.0.113.5";

/** Flows over several days; few match the service, device and peer of the filters. */
const FILL = `
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, service, semantics_no, observation_count, source_set, native_ids, primary_rank,
      primary_evidence_id, primary_record_kind, primary_sensor_id)
    select '${TENANT}', id, at, at, at, at, hashint8extended(i, 0), 'tcp', '10.0.0.1', 50000,
      (case when i % 400 = 0 then '${PEER}' else '198.51.' || i % 200 || '.' || i % 7 end)::inet, 443,
      ('019b76da-a800-7000-a000-' || lpad((i % 300)::text, 12, '0'))::uuid,
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
    values ('${TENANT}', '${DEVICE}', 'seven', now(), now());
  analyze;`;

interface Node {
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Node[];
}

/** Plans prepared statements generically, and collects the partition indexes that they use, by columns. */
class KeptPlans implements Tx {
  readonly indexes = new Set<string>();

  constructor(private readonly tx: Tx, private readonly partitions: ReadonlySet<string>) {}

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    const { text, values, name } = statement.compile();
    if (name !== undefined) {
      await this.tx.run(raw("set local plan_cache_mode = force_generic_plan"));
      await this.tx.run(raw(`prepare planned as ${text}`));
      const [row] = await this.tx.rows<{ "QUERY PLAN": { Plan: Node }[] }>(
        raw(`explain (format json) execute planned(${values.map(literal).join(", ")})`),
      );
      await this.tx.run(raw("deallocate planned"));
      this.#note(row!["QUERY PLAN"][0]!.Plan);
    }
    return await this.tx.rows<R>(statement);
  }

  run(statement: Sql): Promise<number> {
    return this.tx.run(statement);
  }

  #note(node: Node): void {
    const { "Index Name": name, "Relation Name": table = "" } = node;
    if (name !== undefined && this.partitions.has(table)) this.indexes.add(name.replace(`${table}_`, ""));
    for (const plan of node.Plans ?? []) this.#note(plan);
  }
}

/** Partitions that are not nearly empty; for those any index is as good as another. */
async function filledPartitions(db: Database): Promise<Set<string>> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class where relname like 'flow\_2%' and relkind = 'r' and reltuples > 1000`)
  );
  return new Set(rows.map(({ name }) => name));
}

function raw(text: string): Sql {
  return new Sql([text], []);
}

function literal(value: unknown): string {
  return value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`;
}

Deno.test("first and later pages of rare flows use the index of their filter (postgres)", {
  ignore: POSTGRES_URL === "",
}, async (t) => {
  const { url, drop } = await freshPostgres();
  await withPools([url], async ([db]) => {
    for (let day = 0; day <= DAYS; day++) await createPartitions(db!, NOON - day * DAY, 30);
    await db!.owner((tx) => tx.script(FILL));
    const filled = await filledPartitions(db!);
    assert.ok(filled.size >= DAYS - 1);
    const window = { from: NOON - DAYS * DAY, to: NOON };
    const cases: [string, string, RegExp][] = [
      ["service", "service=rdp", /^tenant_id_service_start_at_idx$/],
      ["device", `device.id=${DEVICE}`, /^src_device_id_start_at_idx$/],
      ["peer", `ip=${PEER}`, /^dst_ip_tenant_id_start_at_idx$/],
      ["device and peer", `device.id=${DEVICE} ip=10.0.0.1`, /^src_device_id_start_at_idx$/],
    ];
    for (const [name, filter, index] of cases) {
      await t.step(name, async () => {
        const pageAfter = (position: FlowPosition | null) =>
          db!.tenant(TENANT, async (tx) => {
            const kept = new KeptPlans(tx, filled);
            const page = await searchFlows(
              kept,
              TENANT,
              searchPlan("flows", filter, window),
              position,
              20,
              "list",
            );
            return { ...page, indexes: [...kept.indexes] };
          });
        const first = await pageAfter(null);
        assert.equal(first.rows.length, 20);
        const later = await pageAfter(first.next);
        assert.equal(later.rows.length, 20);
        assert.ok(later.rows[0]!.start < first.rows.at(-1)!.start);
        for (const { indexes } of [first, later]) {
          assert.ok(indexes.some((one) => index.test(one)), indexes.join(" "));
          assert.ok(!indexes.includes("tenant_id_start_at_flow_id_idx"), indexes.join(" "));
        }
      });
    }
  });
  await drop();
});
