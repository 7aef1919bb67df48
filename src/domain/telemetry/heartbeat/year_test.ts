// Simulates a year of an installation minute by minute: restarts, updates, server outages and clock changes.

import assert from "node:assert/strict";
import { Ledger } from "../../../../test/support/domain/ledger-fixtures.ts";
import { DAY, dueSends, MINUTE, needsBaseline, type SendKind, slotAt, type Versions } from "./schedule.ts";

const HOUR = 60 * MINUTE;
const STEP = MINUTE;
const START = Date.parse("2026-01-01T00:00:00Z") * 1000;
const YEAR = 365 * DAY;

interface Sent {
  kind: SendKind;
  /** True time, independent of the installation's clock. */
  true: number;
  slot: number;
  ok: boolean;
  versions: Versions;
}

/** A repeatable random sequence per seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Options {
  /** Maximum clock change; 0 for none. */
  jump: number;
  outages: boolean;
  restarts: boolean;
  seed: number;
}

interface Year {
  sent: Sent[];
  /** True times of events that may hurry or delay a send. */
  disruptions: number[];
}

function simulate(options: Options): Year {
  const random = randomOf(options.seed);
  const chance = (aDay: number) => random() < (aDay * STEP) / DAY;
  const ledger = new Ledger();
  const sent: Sent[] = [];
  const disruptions: number[] = [];
  const id = `ins_${"0".repeat(24)}${Math.floor(random() * 2 ** 32).toString(16).padStart(8, "0")}`;
  let offset = 0;
  let [serverBack, processBack] = [0, 0];
  let build = 1;
  /** The last check of this process. */
  let lastCheck: { now: number; true: number } | null = null;

  for (let time = START; time < START + YEAR; time += STEP) {
    if (options.outages && chance(1 / 10)) {
      serverBack = time + random() * 2 * DAY;
      disruptions.push(time, serverBack);
    }
    if (options.jump > 0 && chance(1 / 15)) {
      offset += (random() * 2 - 1) * options.jump;
      disruptions.push(time);
    }
    if (options.restarts && chance(1 / 5)) {
      processBack = time + (random() < 0.5 ? MINUTE : random() * 3 * DAY);
      disruptions.push(time, processBack);
      lastCheck = null;
      if (random() < 0.3) build++;
    }
    if (time < processBack) continue;
    const now = Math.round(time + offset);
    let drift = lastCheck === null ? 0 : now - lastCheck.now - (time - lastCheck.true);
    lastCheck = { now, true: time };
    const versions = { product: "0.1.0", bundle: `0.1.0-${build}` };
    const slot = slotAt(now, id);
    for (let rounds = 0;; rounds++) {
      assert.ok(rounds < 8, "a round terminates");
      let history = ledger.history(slot);
      if (needsBaseline(history, now, drift)) {
        ledger.add({ kind: "baseline", at: now, slot, outcome: "sent", ...history?.newest ?? versions });
        history = ledger.history(slot);
      }
      drift = 0;
      const [kind] = dueSends(history!, slot, versions, now).kinds;
      if (kind === undefined) break;
      const ok = time >= serverBack;
      ledger.add({ kind, at: now, slot, outcome: ok ? "sent" : "failed", ...versions });
      sent.push({ kind, true: time, slot, ok, versions });
    }
  }
  return { sent, disruptions };
}

/** Heartbeats not caused by a changed version. */
function regular(sent: readonly Sent[]): Sent[] {
  const sentHeartbeats = sent.filter(({ kind, ok }) => kind === "heartbeat" && ok);
  return sentHeartbeats.filter(({ versions }, i) =>
    i === 0 || sentHeartbeats[i - 1]!.versions.bundle === versions.bundle
  );
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, i) => time - times[i]!);
}

Deno.test("a quiet year: one registration, a daily heartbeat at the same minute, an update check after each", () => {
  const { sent } = simulate({ jump: 0, outages: false, restarts: false, seed: 1 });
  assert.deepEqual(sent.slice(0, 3).map(({ kind }) => kind), ["registration", "heartbeat", "update"]);
  const heartbeats = sent.filter(({ kind }) => kind === "heartbeat");
  assert.equal(heartbeats.length, 365);
  assert.deepEqual([...new Set(gaps(heartbeats.map((one) => one.true)))], [DAY]);
  for (const [i, { kind, true: time }] of sent.entries()) {
    if (kind === "heartbeat") assert.deepEqual([sent[i + 1]?.kind, sent[i + 1]?.true], ["update", time]);
  }
  assert.equal(sent.length, 1 + 2 * 365);
});

for (const seed of [2, 3, 4]) {
  Deno.test(`a year of restarts, updates and outages: one heartbeat per slot, at most five attempts per cycle (${seed})`, () => {
    const { sent } = simulate({ jump: 0, outages: true, restarts: true, seed });
    assert.equal(sent.filter(({ kind, ok }) => kind === "registration" && ok).length, 1);
    const slots = regular(sent).map(({ slot }) => slot);
    assert.equal(new Set(slots).size, slots.length, "one regular heartbeat per slot");
    assert.ok(slots.length > 180, `${slots.length}`);
    for (const kind of ["registration", "heartbeat", "update"] as const) {
      const cycles = new Map<string, number>();
      for (const one of sent.filter((one) => one.kind === kind)) {
        const key = `${one.slot} ${one.versions.bundle}`;
        cycles.set(key, (cycles.get(key) ?? 0) + 1);
      }
      // A check after a regular heartbeat and one after an extra one may share these two.
      assert.ok(Math.max(...cycles.values()) <= (kind === "update" ? 10 : 5), kind);
    }
    // Each version that ran while the server was up was reported: immediately or at the next slot.
    const sentHeartbeats = new Set(sent.filter(({ ok }) => ok).map(({ versions }) => versions.bundle));
    const tried = new Set(sent.map(({ versions }) => versions.bundle));
    assert.ok(sentHeartbeats.size >= tried.size * 0.7 && tried.size > 10);
  });
}

for (
  const [what, jump] of [["hours", 20 * HOUR], ["months", 90 * DAY], ["years", 1500 * DAY]] as const
) {
  for (const seed of [5, 6]) {
    Deno.test(`a year with the clock set by ${what} either way: never twice a day, never silent for long (${seed})`, () => {
      const { sent, disruptions } = simulate({ jump, outages: false, restarts: false, seed });
      assert.ok(disruptions.length > 10, "the clock was set often enough");
      assert.equal(sent.filter(({ kind }) => kind === "registration").length, 1);
      const times = regular(sent).map((one) => one.true);
      const limit = what === "hours" ? 72 * HOUR : 48 * HOUR;
      for (const [i, gap] of gaps(times).entries()) {
        const [from, to] = [times[i]!, times[i + 1]!];
        const set = disruptions.filter((time) => time > from - DAY && time <= to).length;
        // After a clock change the day may be longer or shorter than 24 hours, but two heartbeats are never
        // within a few hours.
        if (set === 0) assert.equal(gap, DAY);
        assert.ok(gap <= limit * Math.max(1, set), `silent for ${gap / HOUR} h`);
      }
      for (const [i, time] of times.entries()) {
        const within = times.slice(i).filter((other) => other < time + DAY).length;
        assert.ok(within <= 2, `${within} within a day`);
      }
      assert.ok(times.length >= 365 - 2 * disruptions.length && times.length <= 365 + disruptions.length);
    });
  }
}

Deno.test("a clock that swings by months every hour causes no more sends than one that stands still", () => {
  const ledger = new Ledger();
  const versions = { product: "0.1.0", bundle: "0.1.0" };
  const id = `ins_${"0".repeat(32)}`;
  let [sends, before] = [0, START];
  for (let hour = 0; hour < 240; hour++) {
    const now = START + hour * HOUR + (hour % 2) * 90 * DAY;
    const drift = hour === 0 ? 0 : now - before - HOUR;
    before = now;
    const slot = slotAt(now, id);
    const history = ledger.history(slot);
    if (needsBaseline(history, now, drift)) {
      ledger.add({ kind: "baseline", at: now, slot, outcome: "sent", ...versions });
    }
    sends += dueSends(ledger.history(slot)!, slot, versions, now).kinds.filter((kind) =>
      kind === "heartbeat"
    ).length;
  }
  assert.equal(sends, 0);
});
