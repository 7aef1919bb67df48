// Every sink against every fault of a receiver: order, at-least-once delivery, waits, counters, state and bookmark follow
// the interface document.

import assert from "node:assert/strict";
import type { Database } from "../../src/store/engine/database.ts";
import { testDatabase } from "../support/database.ts";
import { answer } from "../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../support/connector/hostile-receiver.ts";
import {
  redirect,
  REDIRECTS,
  SINK_FAULTS,
  type SinkFault,
  TIMEOUT_MS,
} from "../support/connector/sink-faults.ts";
import { logged, secretsIn, SinkHarness, SINKS, type SinkSort } from "../support/connector/sink-harness.ts";

const GOOD = answer(204);

async function check(sort: SinkSort, db: Database, fault: SinkFault): Promise<void> {
  const receiver = await HostileReceiver.start(GOOD);
  const checks = { acknowledged: checkAcknowledged, held: checkHeld, skipped: checkSkipped };
  const change = fault.failure === "timeout" ? { timeoutMs: TIMEOUT_MS } : {};
  const work = (harness: SinkHarness) => checks[fault.fate](harness, fault);
  await SinkHarness.run(sort, db, receiver, work, change).catch((error: unknown) => {
    throw new Error(fault.name, { cause: error });
  });
}

async function checkAcknowledged(harness: SinkHarness, { name, does }: SinkFault): Promise<void> {
  const bookmark = await bookmarkOf(harness);
  harness.receiver.behave([], does);
  const ids = await harness.log(3);
  await harness.untilIdle();
  harness.assertInOrder(ids, name);
  assert.deepEqual(harness.ids(), ids, `${name}: acknowledged events are never sent again`);
  assert.equal(harness.receiver.connections, 3, name);
  await harness.assertState({
    ...{ state: "ok", failureClass: null, consecutiveFailures: 0, bookmark: bookmark + 3 },
    ...{ delivered: 3, failed: 0, rejected: 0, dropped: 0, pending: 0, itemsLastHour: 3 },
    lastSuccessAt: harness.time.now(),
  }, name);
}

async function checkHeld(harness: SinkHarness, fault: SinkFault): Promise<void> {
  const { name, does, attempts, failure: failureClass, floor } = fault;
  const bookmark = await bookmarkOf(harness);
  harness.receiver.behave([], does);
  const ids = await harness.log(3);
  await harness.throughRound(attempts);
  const hold = await harness.held(floor);
  assert.equal(harness.receiver.connections, attempts, `${name}: ${attempts} attempts`);
  assert.ok(harness.ids().every((id) => id === ids[0]), `${name}: the queue waits for the first event`);
  await harness.assertState({
    ...{ state: "error", failureClass, consecutiveFailures: 1, bookmark, lastSuccessAt: null },
    ...{ delivered: 0, failed: 1, rejected: 0, dropped: 0, pending: 3, itemsLastHour: 0 },
    since: harness.time.now(),
  }, name);

  harness.receiver.behave([], GOOD);
  await harness.throughHold(hold);
  await harness.untilIdle();
  harness.assertInOrder(ids, name);
  assert.equal(harness.receiver.connections, attempts + 3, `${name}: each event is sent once after the hold`);
  await harness.assertState({
    ...{ state: "ok", failureClass: null, consecutiveFailures: 0, bookmark: bookmark + 3 },
    ...{ delivered: 3, failed: 1, rejected: 0, dropped: 0, pending: 0, blockedUntil: null },
  }, name);
}

async function checkSkipped(harness: SinkHarness, fault: SinkFault): Promise<void> {
  const { name, does } = fault;
  const bookmark = await bookmarkOf(harness);
  harness.receiver.behave([does], GOOD);
  const ids = await harness.log(3);
  await harness.untilIdle();
  assert.deepEqual(harness.ids(), ids, `${name}: the queue continues, and nothing is sent again`);
  await harness.assertState({
    ...{ state: "ok", failureClass: null, consecutiveFailures: 0, bookmark: bookmark + 3 },
    ...{ delivered: 2, failed: 0, rejected: 1, dropped: 0, pending: 0 },
  }, name);

  harness.receiver.behave([does], GOOD);
  const [last] = await harness.log(1);
  await harness.untilIdle();
  assert.deepEqual(harness.ids(), [...ids, last], `${name}: not resent either`);
  await harness.assertState({
    ...{ state: "ok", failureClass: null, consecutiveFailures: 1, bookmark: bookmark + 4 },
    ...{ delivered: 2, failed: 0, rejected: 2, dropped: 0, pending: 0, blockedUntil: null },
  }, `${name}, with nothing queued behind it`);
}

async function bookmarkOf(harness: SinkHarness): Promise<number> {
  const { bookmark } = await harness.state();
  assert.ok(bookmark !== null);
  return bookmark;
}

for (const sort of SINKS) {
  for (const fate of ["acknowledged", "held", "skipped"] as const) {
    testDatabase(`${sort.name}: each response after which the event is ${fate}`, async (db) => {
      const rows = SINK_FAULTS.filter((fault) => fault.fate === fate);
      assert.ok(rows.length > 5);
      for (const fault of rows) if (fault.failure !== "timeout") await check(sort, db, fault);
      // The faults with waits run concurrently.
      await Promise.all(
        rows.filter(({ failure }) => failure === "timeout").map((fault) => check(sort, db, fault)),
      );
    });
  }

  testDatabase(`${sort.name}: 3xx is rejected, and redirects are never followed`, async (db) => {
    const elsewhere = await HostileReceiver.start(GOOD);
    for (const status of REDIRECTS) await check(sort, db, redirect(status, elsewhere.url()));
    assert.equal(elsewhere.connections, 0);
    await elsewhere.close();
  });
}

Deno.test("no log line contains the signing key or the secret part of a URL", () => {
  assert.ok(logged.length > 50);
  assert.deepEqual(secretsIn(logged), []);
});
