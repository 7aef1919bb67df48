// Tests that need more flows than can be sent as records: generated ones, like the ten million of `make bench
// ARGS=api`.

import assert from "node:assert/strict";
import type { TimeSpan } from "../../../src/contract/filter/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import type { FlowPosition } from "../../../src/store/flow/filter.ts";
import { useRepeatableRead } from "../../../src/store/flow/list.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { type Sql, sql } from "../../../src/store/engine/sql.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { kindsOf } from "../../bench/api/api-calls.ts";
import { fill } from "../../bench/api/api-fill.ts";
import { scansOf } from "../../bench/api/api-plans.ts";
import { interesting } from "../../bench/api/api-values.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { scaled } from "../../support/scale.ts";
import { searchPlan } from "../../support/store/search-plan.ts";

const FLOWS = 40_000;
/** Planning takes as long as there are partitions, whose plans are alike. */
const DAYS = 8;
const DAY = 86_400_000_000;

Deno.test("many flows", { ignore: POSTGRES_URL === "" }, async (t) => {
  const { url, drop } = await freshPostgres();
  const db = new PostgresDatabase({ url });
  try {
    const now = Math.floor(Date.now() / 1000) * 1_000_000;
    await fill(url, now, { flows: FLOWS, devices: 2000, incidents: 200, days: DAYS });
    const window = { from: now - DAYS * DAY - DAY, to: now + DAY };
    await t.step("paging finds every matching flow once, however few a page finds", async () => {
      for (const [filter, condition] of filters(await resolver(db))) {
        await walks(db, filter, window, condition);
      }
    });
    await t.step("a page scans a bounded number of flows", async () => {
      const { rows: flows, next } = await page(db, "source=unbound", window, null);
      assert.deepEqual(
        [flows.length, next === null],
        [0, false],
        "none is found, and there is more to scan",
      );
    });
    // With ten million flows the planner uses it when there is much to read.
    await t.step(
      "every statement of every operation can use an index of each partitioned table",
      async () => {
        const { values, spans } = await interesting(url, DAYS);
        const reads = kindsOf(values, spans).flatMap(({ targets }) => targets.slice(0, scaled(2)));
        const { found, statements, untried } = await scansOf(db, reads, scaled(25), {
          forbidScans: true,
          most: 3,
        });
        assert.deepEqual(found, [], found.join("\n\n"));
        assert.deepEqual(untried, []);
        assert.ok(statements > 1000, `only ${statements} statements`);
      },
    );
  } finally {
    await db.close();
    await drop();
  }
});

/** The device that answers a tenth of all flows. */
async function resolver(db: Database): Promise<string> {
  const [row] = await db.owner((tx) => tx.rows<{ id: string }>(sql`select made_device(0) as id`));
  return row!.id;
}

/** Filters and their meaning. */
function filters(device: string): [string, Sql][] {
  const ofDevice = sql`(src_device_id = ${device}::uuid or dst_device_id = ${device}::uuid)`;
  const peer = "198.18.0.2";
  const withPeer = sql`(src_ip = ${peer}::inet or dst_ip = ${peer}::inet)`;
  return [
    ["source=suricata", sql`source_set & 2 <> 0`],
    ["source=unbound", sql`false`],
    ["proto=icmp", sql`proto = 'icmp'`],
    ["proto=gre", sql`proto = 'gre'`],
    ["service=SMB", sql`(service = 'smb' or service like '%,smb')`],
    ["service=http source=netflow", sql`service = 'http' and source_set & 4 <> 0`],
    ["service=rdp proto=tcp", sql`service = 'rdp' and proto = 'tcp'`],
    [`device.id=${device} service=ssl`, sql`${ofDevice} and service = 'ssl'`],
    [`device.id=${device} proto=udp`, sql`${ofDevice} and proto = 'udp'`],
    [`device.id=${device} ip=${peer}`, sql`${ofDevice} and ${withPeer}`],
    [`ip=${peer} service=http`, sql`${withPeer} and service = 'http'`],
  ];
}

async function walks(db: Database, filter: string, window: TimeSpan, condition: Sql): Promise<void> {
  const found: { start: number; flowId: string }[] = [];
  let after: FlowPosition | null = null;
  let pages = 0;
  do {
    const { rows, next }: Awaited<ReturnType<typeof page>> = await page(db, filter, window, after);
    found.push(...rows);
    after = next;
    assert.ok(++pages < 500, `${filter}: paging ends`);
  } while (after !== null);
  const expected = await db.tenant("main", (tx) =>
    tx.rows<{ flow_id: string }>(sql`
      select flow_id from flow where tenant_id = 'main' and ${condition} order by start_at desc, flow_id desc`));
  assert.deepEqual(found.map(({ flowId }) => flowId), expected.map((row) => row.flow_id), filter);
}

function page(db: Database, filter: string, window: TimeSpan, after: FlowPosition | null) {
  return db.tenant("main", async (tx) => {
    await useRepeatableRead(tx);
    return await searchFlows(tx, "main", searchPlan("flows", filter, window), after, 100, "list");
  });
}
