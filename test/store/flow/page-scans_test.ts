// What keyset paging promises while flows move and others are inserted between two pages.

import assert from "node:assert/strict";
import fc from "fast-check";
import { timeUuid } from "../../../src/kit/id.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { plainArray } from "../../../src/store/engine/literals.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import type { FlowPosition } from "../../../src/store/flow/filter.ts";
import { insertFlows, updateFlows } from "../../../src/store/flow/flows.ts";
import { useRepeatableRead } from "../../../src/store/flow/list.ts";
import { flowsByIds } from "../../../src/store/flow/read.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { testDatabases } from "../../support/database.ts";
import { searchPlan } from "../../support/store/search-plan.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const DAYS = 8;
const FLOWS = 48;
const DEVICE = "019b76da-a800-7000-a000-000000000007";
const PEER = "203.0.113.5";
const WINDOW = { from: NOON - DAYS * DAY, to: NOON };

/** Flows over several days, four of each start; every filter matches every other one. */
const FILL = `
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, service, semantics_no, observation_count, source_set, native_ids, primary_rank,
      primary_evidence_id, primary_record_kind, primary_sensor_id)
    select '${TENANT}', id, at, at, at, at, i, 'tcp', '10.0.0.1', i,
      (case when i % 2 = 0 then '${PEER}' else '198.51.100.1' end)::inet, 443,
      case when i % 2 = 0 then '${DEVICE}'::uuid end, case when i % 2 = 0 then 'rdp' else 'dns' end,
      1, 1, 1, '', 0, id, 1, 'zeek-1'
    from (
      select i, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid as id
      from (
        select i, date_trunc('second', to_timestamp(${
  NOON / 1e6
}) - (1 + i / 4) * interval '${DAYS} days' / ${2 + FLOWS / 4}) as at
        from generate_series(0, ${FLOWS - 1}) i
      ) times
    ) ids;
  insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
    values ('${TENANT}', '${DEVICE}', 'seven', now(), now());
  insert into pipeline_cursor (tenant_id, batch_no, longest_flow) values ('${TENANT}', 1, ${DAYS * DAY});`;

const FILTERS = [
  "",
  "proto=tcp",
  "service=rdp",
  `device.id=${DEVICE}`,
  `ip=${PEER}`,
  `device.id=${DEVICE} ip=${PEER}`,
];

function pageAfter(db: Database, filter: string, after: FlowPosition | null, limit: number) {
  return db.tenant(TENANT, async (tx) => {
    await useRepeatableRead(tx);
    return await searchFlows(tx, TENANT, searchPlan("flows", filter, WINDOW), after, limit, "list");
  });
}

/** Moves a flow's start back, as a joining observation that began earlier does. */
async function moveBack(db: Database, flowId: string, by: number): Promise<void> {
  await db.tenant(TENANT, async (tx) => {
    const flow = (await flowsByIds(tx, TENANT, [flowId])).get(flowId)!;
    await tx.run(updateFlows(TENANT, [{ ...flow, start: flow.start - by }]));
  });
}

/** Inserts a flow like `original`, which matches the same filters. */
async function insertLike(db: Database, original: string, start: number, serial: number): Promise<void> {
  const random = new Uint8Array(10).fill(0xff);
  new DataView(random.buffer).setUint32(2, serial);
  await db.tenant(TENANT, async (tx) => {
    const flow = (await flowsByIds(tx, TENANT, [original])).get(original)!;
    const flowId = timeUuid(start, random);
    await tx.run(insertFlows(TENANT, [{ ...flow, flowId, anchor: start, start, end: start }]));
  });
}

type Change = { insertAt: number; like: number } | { move: number; by: number };

testDatabases("page scans: no flow is skipped because others were inserted or moved", async (db) => {
  for (let day = 0; day <= DAYS; day++) await createPartitions(db, NOON - day * DAY, 30);
  await db.owner((tx) => tx.script(FILL));
  const all = await db.tenant(
    TENANT,
    (tx) => tx.rows<{ id: string }>(sql`select flow_id as id from flow where tenant_id = ${TENANT}`),
  );
  const ids = all.map(({ id }) => id);
  const original = plainArray(ids);
  const reset = async () => {
    await db.owner(async (tx) => {
      await tx.run(sql`delete from flow where flow_id <> all(${original}::uuid[])`);
      await tx.run(sql`update flow set start_at = anchor_at`);
    });
  };
  const flow = fc.nat({ max: FLOWS - 1 });
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ move: flow, by: fc.integer({ min: 1, max: 2 * DAY }) }),
    fc.record({ insertAt: fc.integer({ min: WINDOW.from, max: WINDOW.to - 1 }), like: flow }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILTERS),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.array(change, { maxLength: 4 }), { minLength: FLOWS, maxLength: FLOWS }),
      async (filter, limit, changes) => {
        await reset();
        const before = (await pageAfter(db, filter, null, 500)).rows;
        const seen: { flowId: string; start: number }[] = [];
        let inserted = 0;
        let position: FlowPosition | null = null;
        for (let page = 0; page === 0 || position !== null; page++) {
          const { rows, next } = await pageAfter(db, filter, position, limit);
          seen.push(...rows);
          position = next;
          for (const one of changes[page] ?? []) {
            if ("move" in one) await moveBack(db, ids[one.move]!, one.by);
            else await insertLike(db, ids[one.like]!, one.insertAt, ++inserted);
          }
        }
        const after = new Map(
          (await pageAfter(db, filter, null, 500)).rows.map((one) => [one.flowId, one.start]),
        );
        const still = before.filter(({ flowId, start }) => after.get(flowId) === start);
        const stillIds = new Set(still.map(({ flowId }) => flowId));
        assert.deepEqual(
          seen.filter(({ flowId }) => stillIds.has(flowId)).map(({ flowId }) => flowId),
          still.map(({ flowId }) => flowId),
          "a flow that kept its start appears once, in its order",
        );
        const shown = new Set(seen.map(({ flowId }) => flowId));
        for (const { flowId } of before) {
          assert.ok(shown.has(flowId) || !after.has(flowId), "a flow that moved within the window appears");
        }
        assert.equal(
          new Set(seen.map(({ flowId, start }) => `${flowId} ${start}`)).size,
          seen.length,
          "a flow that appears twice has moved in between",
        );
      },
    ),
    { numRuns: 20 },
  );
});
