// Receivers that come and go, and retries that end differently from the attempt before.

import assert from "node:assert/strict";
import type { ConfiguredConnector } from "../../src/config/connectors.ts";
import { testDatabase } from "../support/database.ts";
import { HAS_OPENSSL, selfSigned } from "../support/certificates.ts";
import { answer, hang } from "../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { HOLD } from "../support/connector/sink-faults.ts";
import { logged, secretsIn, SinkHarness, SINKS } from "../support/connector/sink-harness.ts";

const GOOD = answer(204);

for (const sort of SINKS) {
  const test = (
    name: string,
    work: (harness: SinkHarness) => Promise<void>,
    change: Partial<ConfiguredConnector["webhook"]> = {},
  ) =>
    testDatabase(`${sort.name}: ${name}`, async (db) => {
      await SinkHarness.run(sort, db, await HostileReceiver.start(GOOD), work, change);
    });

  test("a receiver that goes down and comes back gets everything in order", async (harness) => {
    const ids = await harness.log(2);
    await harness.untilIdle();
    for (let outage = 1; outage <= 3; outage++) {
      await harness.receiver.stopListening();
      const before = harness.receiver.connections;
      ids.push(...await harness.log(3));
      await harness.throughRound(3);
      const hold = await harness.held();
      assert.equal(harness.receiver.connections, before, "no receiver is listening");
      await harness.assertState({
        ...{ state: "error", failureClass: "unreachable", failed: outage, pending: 3 },
        consecutiveFailures: 1,
      }, `outage ${outage}`);
      await harness.receiver.listenAgain();
      await harness.throughHold(hold);
      await harness.untilIdle();
      harness.assertInOrder(ids, `outage ${outage}`);
      await harness.assertState({ state: "ok", failureClass: null, pending: 0 }, `outage ${outage}`);
    }
    assert.deepEqual(harness.ids(), ids, "each event once");
  });

  test("backoff: 30 s up to 15 min, and from the start again after a success", async (harness) => {
    harness.receiver.behave([], answer(503));
    const ids = await harness.log(1);
    const began = harness.time.now();
    const holds: number[] = [];
    let since = 0;
    for (let round = 1; round <= 10; round++) {
      await harness.throughRound(3);
      const ms = await harness.held();
      holds.push(ms / 1000);
      since ||= harness.time.now();
      await harness.assertState({
        ...{
          state: "error",
          failureClass: "unreachable",
          failed: round,
          consecutiveFailures: round,
          pending: 1,
        },
        since,
      }, `round ${round}`);
      if (round < 10) await harness.throughHold(ms);
    }
    assert.equal(harness.receiver.connections, 30);
    assert.ok(since >= began);
    assert.ok(holds[0]! < 2 * HOLD.shortest, `the first hold is ${holds[0]} s`);
    assert.ok(holds.slice(-3).every((seconds) => seconds >= HOLD.longest / 2), `the holds are ${holds}`);
    holds.slice(0, 5).forEach((seconds, index) => {
      assert.ok(holds[index + 1]! > seconds, `each hold is longer than the one before: ${holds}`);
    });

    harness.receiver.behave([], GOOD);
    await harness.throughHold(await harness.holding());
    await harness.untilIdle();
    harness.assertInOrder(ids, "after the outage");
    harness.receiver.behave([], answer(401));
    await harness.log(1);
    assert.ok(await harness.held() < 2 * HOLD.shortest * 1000, "the hold is short again");
  });

  const rounds: {
    name: string;
    script: Behaviour[];
    failed: number;
    rejected: number;
    connections: number;
  }[] = [
    { name: "500 and then 204", script: [answer(500)], failed: 0, rejected: 0, connections: 2 },
    {
      name: "500, 502 and then 204",
      script: [answer(500), answer(502)],
      failed: 0,
      rejected: 0,
      connections: 3,
    },
    { name: "500 and then 413", script: [answer(500), answer(413)], failed: 0, rejected: 1, connections: 2 },
  ];
  for (const { name, script, failed, rejected, connections } of rounds) {
    test(`a round that succeeds: ${name}`, async (harness) => {
      harness.receiver.behave(script);
      await harness.log(1);
      await harness.throughRound(connections);
      await harness.untilIdle();
      assert.equal(harness.receiver.connections, connections);
      const { failed: counted, rejected: refused, delivered, pending } = await harness.state();
      assert.deepEqual({ counted, refused, delivered, pending }, {
        ...{ counted: failed, refused: rejected, delivered: 1 - rejected, pending: 0 },
      });
    });
  }

  test("a response that imposes a hold ends the round: 500, then 401 or 429", async (harness) => {
    harness.receiver.behave([answer(500), answer(401), answer(500), answer(429, ["Retry-After: 700"])]);
    const ids = await harness.log(1);
    await harness.throughRound(2);
    const first = await harness.held();
    await harness.assertState({ state: "error", failureClass: "auth", failed: 1 }, "401");
    assert.equal(harness.receiver.connections, 2);
    await harness.throughHold(first);
    await harness.throughRound(2);
    const second = await harness.held(700);
    await harness.assertState({ state: "error", failureClass: "rate_limited", failed: 2 }, "429");
    assert.equal(harness.receiver.connections, 4);
    await harness.throughHold(second);
    await harness.untilIdle();
    harness.assertInOrder(ids, "at the end");
  });

  const testTls = HAS_OPENSSL ? test : (name: string) => Deno.test.ignore(`${sort.name}: ${name}`, () => {});
  testTls("a certificate change at run time stops the queue until the old one is back", async (harness) => {
    const [first, second] = await Promise.all([selfSigned("localhost"), selfSigned("localhost")]);
    await harness.receiver.useCredentials(first);
    await harness.restart({
      url: new URL(harness.receiver.url("localhost")),
      fingerprint: first.fingerprint,
    });
    const ids = await harness.log(1);
    await harness.untilIdle();
    await harness.receiver.useCredentials(second);
    ids.push(...await harness.log(2));
    await harness.throughRound(3);
    const hold = await harness.held();
    await harness.assertState({ state: "error", failureClass: "tls", failed: 1, pending: 2 }, "another one");
    assert.equal(harness.receiver.requests.length, 1, "nothing is sent to a peer with another certificate");
    await harness.receiver.useCredentials(first);
    await harness.throughHold(hold);
    await harness.untilIdle();
    assert.deepEqual(harness.ids(), ids);
    await harness.assertState({ state: "ok", failureClass: null, pending: 0 }, "back");
  });

  test("beyond max_pending the oldest are dropped and counted; the rest stays in order", async (harness) => {
    harness.receiver.behave([], answer(403));
    const ids = await harness.log(4);
    const hold = await harness.held();
    ids.push(...await harness.log(16));
    await harness.time.sleeping();
    await harness.assertState({
      ...{ state: "error", failureClass: "forbidden", pending: 10, dropped: 10, failed: 1, delivered: 0 },
    }, "ten over the limit");
    assert.equal(harness.receiver.connections, 1, "new events do not shorten the hold");
    assert.ok(await harness.holding() < hold);
    harness.receiver.behave([], GOOD);
    await harness.throughHold(await harness.holding());
    await harness.untilIdle();
    assert.deepEqual(harness.ids(), [ids[0], ...ids.slice(-10)]);
    await harness.assertState({
      ...{ state: "ok", failureClass: null, pending: 0, dropped: 10, delivered: 10, failed: 1 },
    }, "afterwards");
  }, { maxPending: 10 });

  test("a restart does not shorten a hold, keeps the state, and resets the counters", async (harness) => {
    harness.receiver.behave([], answer(429, ["Retry-After: 600"]));
    const ids = await harness.log(2);
    const hold = await harness.held(600);
    await harness.restart();
    assert.ok(Math.abs(await harness.holding() - hold) < 1);
    await harness.assertState({
      ...{ state: "error", failureClass: "rate_limited", consecutiveFailures: 1 },
      ...{ failed: 0, delivered: 0, pending: 2 },
    }, "after the restart");
    harness.receiver.behave([], GOOD);
    await harness.throughHold(hold);
    await harness.untilIdle();
    harness.assertInOrder(ids, "after the restart");
  });

  test("a clock change of one day neither stops the queue nor extends a hold by a day", async (harness) => {
    const day = 86_400_000;
    for (const leap of [-day, day]) {
      harness.receiver.behave([answer(401)], GOOD);
      const before = harness.ids().length;
      const ids = await harness.log(2);
      const hold = await harness.held();
      harness.time.leap(leap);
      harness.time.advance(15_000);
      await harness.time.sleeping();
      if (leap < 0) {
        assert.ok(hold < 3_600_000);
        // At most the longest hold.
        harness.time.advance(3_600_000);
      }
      await harness.untilIdle();
      assert.deepEqual(harness.ids().slice(before), [ids[0], ...ids], `${leap}`);
      await harness.assertState({ state: "ok", failureClass: null, pending: 0 }, `${leap}`);
    }
  });

  test("a stop does not wait for a receiver that hangs; its event is resent", async (harness) => {
    harness.receiver.behave([hang()]);
    const ids = await harness.log(1);
    await harness.receiver.received(1);
    await harness.restart();
    await harness.untilIdle();
    assert.deepEqual(harness.ids(), [ids[0], ids[0]]);
    harness.assertInOrder(ids, "after the restart");
    // Longer than the test waits.
  }, { timeoutMs: 3_600_000 });
}

Deno.test("no log line contains the signing key or the secret part of a URL", () => {
  assert.ok(logged.length > 10);
  assert.deepEqual(secretsIn(logged), []);
});
