// Batches in their order, the next ones read while the last are being worked on.

import assert from "node:assert/strict";
import { readBody } from "../../../src/ingest/batch.ts";
import { HandOver } from "../../../src/pipeline/run/handoff.ts";
import { Intake } from "../../../src/pipeline/run/intake.ts";
import { understandBatch } from "../../../src/pipeline/run/understand.ts";
import type { PendingBatch } from "../../../src/store/record/pending.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, sensor } from "../../support/record/pipeline.ts";

const ZEEK = sensor("zeek-1");

function conn(second: number): string {
  return line("zeek.conn", `2026-01-31T12:00:${String(second).padStart(2, "0")}Z`, {
    "id.orig_h": "10.0.0.5",
    "id.orig_p": 50_000 + second,
    "id.resp_h": "192.0.2.7",
    "id.resp_p": 443,
    proto: "tcp",
  });
}

testDatabase(
  "batches that are read ahead come in their order, each once; what failed is read again",
  async (db) => {
    for (let second = 1; second <= 3; second++) await pushBatch(db, ZEEK, [conn(second)]);
    const asked: number[] = [];
    const failing = new Set([2]);
    const understand = (batch: PendingBatch) => {
      asked.push(batch.batch_no);
      if (failing.delete(batch.batch_no)) return Promise.reject(new Error("the thread has ended"));
      return Promise.resolve(understandBatch(batch));
    };
    const intake = new Intake(db, "main", { size: { batches: 1, records: 10 }, understand, ahead: true });
    const ports = async (after: number) => {
      const taken = await intake.after(after);
      return taken &&
        { last: taken.last, ports: taken.records.map(({ observation }) => observation.src.port) };
    };
    assert.deepEqual(await ports(0), { last: 1, ports: [50_001] });
    await assert.rejects(ports(1), /the thread has ended/);
    assert.deepEqual(await ports(1), { last: 2, ports: [50_002] });
    assert.deepEqual(await ports(2), { last: 3, ports: [50_003] });
    assert.deepEqual(asked, [1, 2, 2, 3]);

    // There was nothing to read ahead; what has come since is found all the same.
    assert.equal(await ports(3), null);
    await pushBatch(db, ZEEK, [conn(4)]);
    assert.deepEqual(await ports(3), { last: 4, ports: [50_004] });
    // Whoever begins anew gets what he asks for.
    assert.deepEqual(await ports(1), { last: 2, ports: [50_002] });
  },
);

testDatabase("what was handed over is not read again, and what lies between it is", async (db) => {
  const handed = new HandOver().of("main");
  const asked: number[] = [];
  const understand = (batch: PendingBatch) => {
    asked.push(batch.batch_no);
    return Promise.resolve(understandBatch(batch));
  };
  const intake = new Intake(db, "main", { understand, handed, ahead: true });
  assert.equal(await intake.after(0), null);
  const { sensorId, trust } = ZEEK;
  for (let second = 1; second <= 6; second++) {
    const { batchNo } = await pushBatch(db, ZEEK, [conn(second)]);
    // The third came from another core, the last one's receipt is still on its way.
    if ([3, 6].includes(second)) continue;
    const body = new TextEncoder().encode(conn(second));
    const { understood } = await readBody(body, ZEEK, true);
    const head = { sensorId, trust, receivedAt: 1_769_860_800_000_000, batchNo: batchNo! };
    handed.put({ head, records: 1, understood: understood! });
  }
  const rounds: (number | null)[][] = [];
  for (let after = 0; after < 6;) {
    const taken = await intake.after(after);
    rounds.push(taken!.records.map(({ observation }) => observation.src.port));
    after = taken!.last;
  }
  assert.deepEqual(rounds, [[50_001, 50_002], [50_003], [50_004, 50_005], [50_006]]);
  assert.deepEqual(asked, [3, 6]);
});

testDatabase("a backlog's first rounds are small, and so are those after its end", async (db) => {
  for (let second = 0; second < 20; second++) await pushBatch(db, ZEEK, [conn(second)]);
  const intake = new Intake(db, "main", { size: { batches: 100, records: 40 }, ahead: true });
  const rounds: number[] = [];
  let last = 0;
  const takeAll = async () => {
    for (let taken = await intake.after(last); taken !== null; taken = await intake.after(last)) {
      rounds.push(taken.batches);
      last = taken.last;
    }
  };
  await takeAll();
  assert.deepEqual(rounds.splice(0), [5, 10, 5]);
  for (let second = 20; second < 40; second++) await pushBatch(db, ZEEK, [conn(second)]);
  await takeAll();
  assert.deepEqual(rounds, [5, 10, 5]);
});
