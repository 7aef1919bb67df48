import assert from "node:assert/strict";
import fc from "fast-check";
import type { Database } from "../../../src/store/engine/database.ts";
import {
  type FlowFilter,
  flowPage,
  type FlowPosition,
  seeOneSnapshot,
} from "../../../src/store/flow/list.ts";
import { flowsByIds } from "../../../src/store/flow/read.ts";
import { updateFlows } from "../../../src/store/flow/flows.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const DAYS = 8;
const FLOWS = 48;
const DEVICE = "019b76da-a800-7000-a000-000000000007";
const PEER = "203.0.113.5";
const WINDOW = { from: NOON - DAYS * DAY, to: NOON };

/** Flows of some days, of which a filter finds every other one; four of each start. */
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

const FILTERS: Partial<FlowFilter>[] = [
  {},
  { proto: "tcp" },
  { service: "rdp" },
  { deviceId: DEVICE },
  { peerIp: PEER },
  { deviceId: DEVICE, peerIp: PEER },
];

/** Where they stood at first, and as if they had never moved. */
const RESET = `update flow set start_at = anchor_at, moved_xid = null, move_xids = null, moved_from = null`;

function pageAfter(db: Database, filter: Partial<FlowFilter>, after: FlowPosition | null, limit: number) {
  return db.tenant(TENANT, async (tx) => {
    await seeOneSnapshot(tx);
    return await flowPage(tx, TENANT, { window: WINDOW, ...filter }, after, limit);
  });
}

/** A longer observation joins: the flow turns out to have begun before, perhaps some days. */
async function moveBack(db: Database, flowId: string, by: number): Promise<void> {
  await db.tenant(TENANT, async (tx) => {
    const flow = (await flowsByIds(tx, TENANT, [flowId])).get(flowId)!;
    await tx.run(updateFlows(TENANT, [{ ...flow, start: flow.start - by }]));
  });
}

testDatabase(
  "a walk over many days meets each flow where it stood, wherever flows move meanwhile",
  async (db) => {
    for (let day = 0; day <= DAYS; day++) await createPartitions(db, NOON - day * DAY, 30);
    await db.owner((tx) => tx.script(FILL));
    const all = await db.tenant(
      TENANT,
      (tx) => tx.rows<{ id: string }>(sql`select flow_id as id from flow where tenant_id = ${TENANT}`),
    );
    const ids = all.map(({ id }) => id);
    const move = fc.record({ of: fc.nat({ max: FLOWS - 1 }), by: fc.integer({ min: 1, max: 2 * DAY }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILTERS),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.array(move, { maxLength: 4 }), { minLength: FLOWS, maxLength: FLOWS }),
        async (filter, limit, moves) => {
          await db.owner((tx) => tx.script(RESET));
          const expected = (await pageAfter(db, filter, null, 500)).flows.map(({ flowId }) => flowId);
          const met: string[] = [];
          let position: FlowPosition | null = null;
          for (let page = 0; page === 0 || position !== null; page++) {
            const { flows, next } = await pageAfter(db, filter, position, limit);
            met.push(...flows.map(({ flowId }) => flowId));
            position = next;
            if (page < FLOWS) { for (const { of, by } of moves[page]!) await moveBack(db, ids[of]!, by); }
          }
          assert.deepEqual(met, expected);
        },
      ),
      { numRuns: 25 },
    );
  },
);
