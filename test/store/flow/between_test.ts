// What all flows between two ends add up to, whichever end is a device, and how many are examined.

import assert from "node:assert/strict";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { type FlowPair, type PairSum, sumsBetween } from "../../../src/store/flow/between.ts";
import type { Tx } from "../../../src/store/engine/database.ts";
import { Sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON } from "../record/records.ts";

const TENANT = "main";
const [A, B] = ["019b76da-a800-7000-a000-000000000007", "019b76da-a800-7000-a000-000000000008"];
const HOUR = DAY / 24;
const WINDOW = { from: NOON - HOUR, to: NOON };
/** Flows of device A with another peer, more than are examined. */
const BUSY = 5100;

/** `10.0.0.1` is device A, `10.0.0.2` device B. */
const FILL = `
  insert into flow (tenant_id, flow_id, anchor_at, start_at, end_at, received_at, tuple_hash, proto, src_ip, src_port,
      dst_ip, dst_port, src_device_id, dst_device_id, src_bytes, dst_bytes, semantics_no, observation_count, source_set,
      native_ids, primary_rank, primary_evidence_id, primary_record_kind, primary_sensor_id)
    select tenant, id, at, at, at, at, n, 'tcp', src::inet, 1000, dst::inet, 443, src_device::uuid, dst_device::uuid,
      sent::bigint, received::bigint, 1, 1, 1, '', 0, id, 1, 'zeek-1'
    from (
      select *, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid as id
      from (
        select *, to_timestamp(${NOON / 1e6}) - minutes * interval '1 minute' as at, row_number() over () as n
        from (
          values
            ('main', 10, '10.0.0.1', '${A}', '192.0.2.1', null, 100, 33000000),
            ('main', 50, '10.0.0.1', '${A}', '192.0.2.1', null, 5, null),
            ('main', 61, '10.0.0.1', '${A}', '192.0.2.1', null, 7, 7),
            ('main', 20, '10.0.0.9', null, '192.0.2.1', null, 9, 9),
            ('branch', 20, '10.0.0.1', null, '192.0.2.1', null, 9, 9),
            ('main', 20, '192.0.2.1', null, '10.0.0.1', '${A}', 1, 2),
            ('main', 20, '10.0.0.2', '${B}', '10.0.0.1', '${A}', null, null)
          union all
          select 'main', 30, '10.0.0.1', '${A}', '10.0.0.2', '${B}', 1, 1 from generate_series(1, ${BUSY})
        ) flows (tenant, minutes, src, src_device, dst, dst_device, sent, received)
      ) times
    ) ids;`;

const outside = (ip: string) => ({ ip, deviceId: null });
const [a, b, peer] = [{ ip: "10.0.0.1", deviceId: A }, { ip: "10.0.0.2", deviceId: B }, outside("192.0.2.1")];

testDatabases("all flows between two ends are added up, each direction apart", async (db) => {
  await createPartitions(db, NOON, 30);
  await db.owner((tx) => tx.script(FILL));
  const expected: [string, FlowPair, PairSum | null][] = [
    ["out", { src: a, dst: peer }, { flows: 2, srcBytes: 105, dstBytes: 33_000_000 }],
    ["in", { src: peer, dst: a }, { flows: 1, srcBytes: 1, dstBytes: 2 }],
    ["both outside", { src: outside("10.0.0.9"), dst: peer }, { flows: 1, srcBytes: 9, dstBytes: 9 }],
    ["unmeasured", { src: b, dst: a }, { flows: 1, srcBytes: null, dstBytes: null }],
    ["none", { src: b, dst: peer }, { flows: 0, srcBytes: null, dstBytes: null }],
    ["too many", { src: a, dst: b }, null],
  ];
  const sums = await db.tenant(
    TENANT,
    (tx) => sumsBetween(tx, TENANT, expected.map(([, pair]) => pair), WINDOW),
  );
  for (const [at, [name, , sum]] of expected.entries()) assert.deepEqual(sums[at], sum, name);
  assert.deepEqual(await db.tenant(TENANT, (tx) => sumsBetween(tx, TENANT, [], WINDOW)), []);
});

testDatabases("only the days of the window are planned, however many follow", async (db) => {
  await createPartitions(db, NOON + 20 * DAY, 30);
  const plans = await db.tenant(TENANT, async (tx) => {
    const made: Sql[] = [];
    const noting: Tx = {
      rows: <R extends object>(statement: Sql) => {
        made.push(statement);
        return tx.rows<R>(statement);
      },
      run: (statement) => tx.run(statement),
    };
    await sumsBetween(noting, TENANT, [{ src: a, dst: peer }], WINDOW);
    return await Promise.all(
      made.map(({ strings: [first, ...rest], values }) =>
        tx.rows<{ "QUERY PLAN": string }>(new Sql([`explain ${first}`, ...rest], values))
      ),
    );
  });
  const days = new Set(
    plans.flat().flatMap((row) => /\bon flow_\w+/.exec(row["QUERY PLAN"])?.[0] ?? []),
  );
  assert.ok(days.size >= 1 && days.size <= 2, [...days].join());
});
