import assert from "node:assert/strict";
import fc from "fast-check";
import { FAILURE_CLASSES } from "../contract/connector/connector.ts";
import type { ConnectorProgress } from "../store/connector/connectors.ts";
import { type Failed, Progress } from "./progress.ts";
import { Tally } from "./tally.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const NOW = 1_769_860_800 * SECOND;
const STORED: ConnectorProgress = {
  state: "unknown",
  failureClass: null,
  message: null,
  since: NOW - 1,
  lastSuccessAt: null,
  consecutiveFailures: 0,
  itemsLastHour: 0,
  delivered: 7,
  failed: 7,
  rejected: 7,
  dropped: 7,
  pending: 7,
  bookmark: 40,
  blockedUntil: null,
  holds: 0,
};
const HELD: Failed = {
  kind: "held",
  failure: "unreachable",
  status: 503,
  message: "receiver.example answered 503",
  retryAfterSeconds: null,
  again: true,
};
const REJECTED: Failed = { ...HELD, kind: "rejected", failure: "rejected", status: 404, again: false };

function progress(change: Partial<ConnectorProgress> = {}, random = () => 0, tally = new Tally()): Progress {
  return new Progress({ ...STORED, ...change }, tally, random);
}

Deno.test("counters: life of the process, reset on restart; the rest continues", () => {
  const { delivered, failed, rejected, dropped, pending, bookmark } = progress().snapshot();
  assert.deepEqual([delivered, failed, rejected, dropped, pending, bookmark], [0, 0, 0, 0, 0, 40]);
  const tally = new Tally();
  progress({}, () => 0, tally).acknowledged(NOW);
  const taken = progress({}, () => 0, tally).snapshot();
  assert.equal(taken.delivered, 1, "the same process takes over the instance again");
});

Deno.test("deliveries acknowledged, or nothing pending: ok", () => {
  const idle = progress();
  idle.observe(1, NOW);
  assert.equal(idle.snapshot().state, "unknown");
  idle.observe(0, NOW);
  assert.deepEqual([idle.snapshot().state, idle.snapshot().since], ["ok", NOW]);
  const failing = progress();
  failing.held(HELD, NOW);
  failing.acknowledged(NOW + 40 * SECOND);
  const { state, failureClass, message, since, lastSuccessAt, consecutiveFailures, holds, blockedUntil } =
    failing
      .snapshot();
  assert.deepEqual([state, failureClass, message, since], ["ok", null, null, NOW + 40 * SECOND]);
  assert.deepEqual([lastSuccessAt, consecutiveFailures, holds, blockedUntil], [
    NOW + 40 * SECOND,
    0,
    0,
    null,
  ]);
});

Deno.test("a delivery round was not acknowledged: error, with the failure class, since the first of them", () => {
  for (const failure of FAILURE_CLASSES) {
    const one = progress();
    one.held({ ...HELD, failure }, NOW);
    one.held({ ...HELD, failure }, NOW + MINUTE);
    const { state, failureClass, since, consecutiveFailures, failed } = one.snapshot();
    assert.deepEqual([state, failureClass, since, consecutiveFailures, failed], [
      "error",
      failure,
      NOW,
      2,
      2,
    ]);
  }
});

Deno.test("a permanently rejected event is counted and reported while others are pending", () => {
  const one = progress();
  one.rejected(REJECTED, NOW);
  one.observe(1, NOW);
  const { state, failureClass, rejected, failed, consecutiveFailures } = one.snapshot();
  assert.deepEqual([state, failureClass, rejected, failed, consecutiveFailures], [
    "error",
    "rejected",
    1,
    0,
    1,
  ]);
  assert.equal(one.waitAt(NOW), 0, "the queue moves on");
  one.observe(0, NOW);
  assert.deepEqual([one.snapshot().state, one.snapshot().rejected], ["ok", 1], "nothing is pending");
});

Deno.test("a held event that left the log, with nothing else pending: ok", () => {
  const one = progress();
  one.held(HELD, NOW);
  one.dropped(1);
  one.observe(0, NOW + MINUTE);
  assert.deepEqual([one.snapshot().state, one.snapshot().dropped, one.waitAt(NOW + MINUTE)], ["ok", 1, 0]);
});

Deno.test("held: backoff 30 s up to 15 min, with jitter", () => {
  for (const random of [0, 0.5, 0.999]) {
    const one = progress({}, () => random);
    const waits = Array.from({ length: 12 }, () => one.held(HELD, NOW) / SECOND);
    assert.ok(waits[0]! >= 30 && waits[0]! < 38, String(waits));
    assert.ok(waits.every((wait) => wait >= 30 && wait <= 900), String(waits));
    assert.ok(waits.every((wait, index) => index === 0 || wait >= waits[index - 1]!), String(waits));
    assert.ok(waits.at(-1)! >= 720, String(waits));
  }
});

Deno.test("429, 408, 425: Retry-After (seconds) is the backoff floor", () => {
  const wait = (retryAfterSeconds: number) => progress().held({ ...HELD, retryAfterSeconds }, NOW) / SECOND;
  assert.deepEqual([1, 29, 31, 600, 3600].map(wait), [30, 30, 31, 600, 3600]);
});

Deno.test("a restart does not shorten a hold, and a clock set back does not extend one without limit", () => {
  const one = progress();
  const wait = one.held(HELD, NOW);
  const next = progress(one.snapshot());
  assert.equal(next.waitAt(NOW), wait);
  assert.equal(next.waitAt(NOW + wait), 0);
  const setBack = NOW - 24 * 60 * MINUTE;
  assert.equal(next.waitAt(setBack), 60 * MINUTE);
  assert.equal(next.waitAt(setBack + 60 * MINUTE), 0);
});

Deno.test("the health line: items of the last hour, by minute", () => {
  const one = progress();
  one.acknowledged(NOW);
  one.acknowledged(NOW + MINUTE);
  one.observe(0, NOW + 2 * MINUTE);
  assert.equal(one.snapshot().itemsLastHour, 2);
  one.observe(0, NOW + 60 * MINUTE);
  assert.equal(one.snapshot().itemsLastHour, 1);
  one.observe(0, NOW + 62 * MINUTE);
  assert.equal(one.snapshot().itemsLastHour, 0);
});

Deno.test("a webhook's state is always unknown, ok or error, never stale", () => {
  const happenings = fc.array(
    fc.tuple(fc.constantFrom("ack", "held", "rejected", "observe", "drop"), fc.nat(2)),
  );
  fc.assert(fc.property(happenings, (happenings) => {
    const one = progress();
    let now = NOW;
    for (const [what, pending] of happenings) {
      now += 10 * MINUTE;
      if (what === "ack") one.acknowledged(now);
      if (what === "held") one.held(HELD, now);
      if (what === "rejected") one.rejected(REJECTED, now);
      if (what === "observe") one.observe(pending, now);
      if (what === "drop") one.dropped(pending);
      const { state, failureClass, message } = one.snapshot();
      assert.ok(["unknown", "ok", "error"].includes(state));
      assert.equal(failureClass !== null && message !== null, state === "error");
    }
  }));
});

Deno.test("saved progress is written again only after a change", () => {
  const one = progress();
  assert.equal(one.isSaved, false, "the counters of the previous process are still there");
  one.saved();
  one.observe(7, NOW);
  assert.equal(one.isSaved, false);
  one.saved();
  one.observe(7, NOW);
  one.passed(40);
  one.dropped(0);
  assert.equal(one.isSaved, true);
  one.passed(41);
  assert.deepEqual([one.isSaved, one.bookmark], [false, 41]);
  one.passed(3);
  assert.equal(one.bookmark, 41, "a bookmark never moves back");
});
