// Batches are read in order, the next ones ahead of time.

import assert from "node:assert/strict";
import { parseBody } from "../../../src/ingest/parse-body.ts";
import { Handoff } from "../../../src/pipeline/run/handoff.ts";
import { Intake } from "../../../src/pipeline/run/intake.ts";
import { RecordPacker } from "../../../src/pipeline/run/packed-records.ts";
import { parseBatch } from "../../../src/pipeline/run/parse-batch.ts";
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
  "batches read ahead arrive in order, each once, and a failed read is repeated",
  async (db) => {
    for (let second = 1; second <= 3; second++) await pushBatch(db, ZEEK, [conn(second)]);
    const reads: number[] = [];
    const failing = new Set([2]);
    const parse = (batch: PendingBatch) => {
      reads.push(batch.batch_no);
      if (failing.delete(batch.batch_no)) return Promise.reject(new Error("the thread has ended"));
      return Promise.resolve(parseBatch(batch));
    };
    const intake = new Intake(db, "main", { size: { batches: 1, records: 10 }, parse, ahead: true });
    const ports = async (after: number) => {
      const taken = await intake.after(after);
      return taken &&
        { last: taken.last, ports: taken.records.map(({ observation }) => observation.src.port) };
    };
    assert.deepEqual(await ports(0), { last: 1, ports: [50_001] });
    await assert.rejects(ports(1), /the thread has ended/);
    assert.deepEqual(await ports(1), { last: 2, ports: [50_002] });
    assert.deepEqual(await ports(2), { last: 3, ports: [50_003] });
    assert.deepEqual(reads, [1, 2, 2, 3]);

    // There was nothing to read ahead; a batch committed since is found.
    assert.equal(await ports(3), null);
    await pushBatch(db, ZEEK, [conn(4)]);
    assert.deepEqual(await ports(3), { last: 4, ports: [50_004] });
    // An intake that restarts at an earlier batch reads from there.
    assert.deepEqual(await ports(1), { last: 2, ports: [50_002] });
  },
);

testDatabase("batches in the handoff are not read, gaps between them are", async (db) => {
  const handoff = new Handoff().of("main");
  const reads: number[] = [];
  const parse = (batch: PendingBatch) => {
    reads.push(batch.batch_no);
    return Promise.resolve(parseBatch(batch));
  };
  const intake = new Intake(db, "main", { parse, handoff, ahead: true });
  assert.equal(await intake.after(0), null);
  const { sensorId, trust } = ZEEK;
  for (let second = 1; second <= 6; second++) {
    const { batchNo } = await pushBatch(db, ZEEK, [conn(second)]);
    // The third batch came from another core; the last one is not in the handoff yet.
    if ([3, 6].includes(second)) continue;
    const body = new TextEncoder().encode(conn(second));
    const newPacker = (sensorId: string, capacity: number) => new RecordPacker(sensorId, capacity);
    const { parsed } = await parseBody(body, ZEEK, newPacker);
    const head = { sensorId, trust, receivedAt: 1_769_860_800_000_000, batchNo: batchNo! };
    handoff.put({ head, records: 1, parsed: parsed! });
  }
  const rounds: (number | null)[][] = [];
  for (let after = 0; after < 6;) {
    const taken = await intake.after(after);
    rounds.push(taken!.records.map(({ observation }) => observation.src.port));
    after = taken!.last;
  }
  assert.deepEqual(rounds, [[50_001, 50_002], [50_003], [50_004, 50_005], [50_006]]);
  assert.deepEqual(reads, [3, 6]);
});

testDatabase("the first rounds of a backlog are small, and so are those after its end", async (db) => {
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
