// Evidence identical to its flow is stored on the flow's own row; layers above the store cannot tell.

import assert from "node:assert/strict";
import type { Database } from "../../../src/store/engine/database.ts";
import { evidenceOfFlow, type EvidenceRow } from "../../../src/store/flow/read.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";

const ZEEK = sensor("zeek-1");
const OTHER = sensor("zeek-2");
const AT = "2026-01-31T12:00:00.123456Z";

const ENDS = {
  ts: AT,
  "id.orig_h": "192.0.2.7",
  "id.orig_p": 443,
  "id.resp_h": "10.0.0.5",
  "id.resp_p": 50_000,
};

function http(uid: string): string {
  return line("zeek.http", AT, {
    ...ENDS,
    uid,
    method: "GET",
    host: "files.example",
    uri: "/",
    status_code: 200,
  });
}

function conn(uid: string, more: object = {}): string {
  return line("zeek.conn", AT, {
    ...ENDS,
    uid,
    proto: "tcp",
    duration: 2.5,
    orig_bytes: 100,
    resp_bytes: 2000,
    orig_pkts: 3,
    resp_pkts: 4,
    ...more,
  });
}

async function rowsOfTheirOwn(db: Database): Promise<number> {
  const [row] = await db.tenant(
    "main",
    (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from evidence`),
  );
  return row!.n;
}

async function observations(db: Database): Promise<EvidenceRow[]> {
  return await db.tenant("main", async (tx) => {
    const flows = await tx.rows<{ flow_id: string }>(sql`select flow_id from flow order by flow_id`);
    const lists = await Promise.all(
      flows.map(({ flow_id }) => evidenceOfFlow(tx, "main", flow_id, null, 100)),
    );
    return lists.flat();
  });
}

/** The content on which both storage forms must agree; location fields are dropped. */
function content({ received_at: _, block_id: __, position: ___, ...rest }: EvidenceRow) {
  const { sensor_id: ____, evidence_id: _____, ...content } = rest as typeof rest & { batch_no: number };
  return { ...content, batch_no: 0, folded: false };
}

testDatabase("one record: its evidence is complete, and has no row of its own", async (db) => {
  await pushBatch(db, ZEEK, [conn("C1")]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 0);
  const [alone] = await observations(db);
  assert.equal(alone!.sensor_id, "zeek-1");
  assert.equal(alone!.observed_at, Date.parse("2026-01-31T12:00:00Z") * 1000 + 123_456);
  assert.deepEqual([alone!.src_bytes, alone!.src_packets, alone!.dst_bytes, alone!.dst_packets], [
    100,
    3,
    2000,
    4,
  ]);
  assert.equal(alone!.src_low, false, "the record named the higher address first");
  assert.deepEqual([alone!.facts, alone!.warnings, alone!.record_kind], [null, null, "zeek.conn"]);
});

testDatabase("another observation gives the first one the row it would have had", async (db) => {
  await pushBatch(db, ZEEK, [conn("C1")]);
  await settle(db);
  const [alone] = await observations(db);
  await pushBatch(db, OTHER, [conn("C2")]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 2);
  const both = await observations(db);
  assert.equal(both.length, 2);
  const first = both.find(({ evidence_id }) => evidence_id === alone!.evidence_id)!;
  assert.deepEqual({ ...first, folded: null }, { ...alone!, folded: null });
  // A row written as one of two from the start looks the same.
  const second = both.find(({ evidence_id }) => evidence_id !== alone!.evidence_id)!;
  assert.deepEqual(content(second), content(alone!));
});

testDatabase("two in one round, and records with more content, have rows from the start", async (db) => {
  await pushBatch(db, ZEEK, [conn("C1")]);
  await pushBatch(db, OTHER, [conn("C2", { duration: 3.5 })]);
  await pushBatch(db, ZEEK, [conn("C3", { "id.orig_p": 444, orig_bytes: "many" })]);
  await settle(db);
  assert.equal(
    await rowsOfTheirOwn(db),
    2,
    "a warning has no place on a flow; the record that ends last does",
  );
  assert.equal((await observations(db)).length, 3);
});

testDatabase("next to evidence with more content, the primary observation still needs no row", async (db) => {
  // Zeek logs a request when it is answered, and its connection when it ends.
  await pushBatch(db, ZEEK, [http("C1")]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 1);
  await pushBatch(db, ZEEK, [conn("C1")]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 1);
  const two = await observations(db);
  assert.deepEqual(two.map(({ record_kind }) => record_kind).sort(), ["zeek.conn", "zeek.http"]);
  const folded = two.find(({ record_kind }) => record_kind === "zeek.conn")!;
  assert.equal(folded.dst_bytes, 2000);

  await pushBatch(db, OTHER, [conn("C2", { duration: 3.5 })]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 2, "the record that ends later is folded instead");
  const three = await observations(db);
  const unfolded = three.find(({ evidence_id }) => evidence_id === folded.evidence_id)!;
  assert.deepEqual({ ...unfolded, folded: null }, { ...folded, folded: null });
});

testDatabase("evidence folded and unfolded within one round exists once", async (db) => {
  await pushBatch(db, ZEEK, [http("C1")]);
  await settle(db);
  await pushBatch(db, ZEEK, [conn("C1")]);
  await pushBatch(db, OTHER, [conn("C2", { duration: 3.5 })]);
  await settle(db);
  assert.equal(await rowsOfTheirOwn(db), 2);
  const all = await observations(db);
  assert.deepEqual(all.map(({ record_kind }) => record_kind).sort(), ["zeek.conn", "zeek.conn", "zeek.http"]);
  const ends = all.map(({ end_at, start_at }) => end_at - start_at).sort((a, b) => a - b);
  assert.deepEqual(ends.slice(1), [2_500_000, 3_500_000]);
});
