import assert from "node:assert/strict";
import fc from "fast-check";
import {
  backoff,
  DAY,
  dueSends,
  MAX_ATTEMPTS,
  MINUTE,
  needsBaseline,
  type SendHistory,
  type SendKind,
  type SendOutcome,
  type SendRecord,
  slotAt,
  slotMinute,
} from "./schedule.ts";

const ID = `ins_${"0".repeat(24)}000002a5`; // minute 677: 11:17 UTC
const SECOND = 1_000_000;
const V1 = { product: "0.1.0", bundle: "0.1.0-1" };

const at = (text: string) => Date.parse(text) * 1000;
const NOON = at("2026-01-31T12:00:00Z");
const SLOT = at("2026-01-31T11:17:00Z");

function send(kind: SendKind, when: number, outcome: SendOutcome, versions = V1): SendRecord {
  return { kind, at: when, outcome, ...versions };
}

/** Registered long ago; nothing sent in the current slot. */
function history(changes: Partial<SendHistory> = {}): SendHistory {
  return {
    registered: true,
    newestAt: SLOT - DAY,
    newest: V1,
    baselineSlot: SLOT - 30 * DAY,
    sends: [],
    ...changes,
  };
}

const due = (changes: Partial<SendHistory>, now = NOON, versions = V1) =>
  dueSends(history(changes), slotAt(now, ID), versions, now);

Deno.test("heartbeat: daily, at a fixed minute derived from install_id", () => {
  assert.equal(slotMinute(ID), 677);
  assert.equal(slotAt(NOON, ID), SLOT);
  assert.equal(slotAt(SLOT, ID), SLOT);
  assert.equal(slotAt(SLOT - 1, ID), SLOT - DAY);
  assert.deepEqual(due({}, SLOT).kinds, ["heartbeat"]);
  const sent = [send("heartbeat", SLOT, "sent"), send("update", SLOT, "sent")];
  for (const later of [1, 3600 * SECOND, DAY - 1]) {
    assert.deepEqual(due({ sends: sent }, SLOT + later), { kinds: [], againAt: null });
  }
  assert.deepEqual(due({}, SLOT + DAY).kinds, ["heartbeat"], "and again in the next slot");
});

Deno.test("the fixed minutes of many installations are spread over the whole day", () => {
  const hours = new Set<number>();
  for (let i = 0; i < 500; i++) {
    const minute = slotMinute(`ins_${crypto.getRandomValues(new Uint8Array(16)).toHex()}`);
    assert.ok(Number.isInteger(minute) && minute >= 0 && minute < 1440);
    hours.add(Math.floor(minute / 60));
  }
  assert.equal(hours.size, 24);
});

Deno.test("daylight saving moves no slot: it is the same UTC minute every day", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
    const slot = slotAt(seconds * SECOND, ID);
    assert.ok(slot <= seconds * SECOND && seconds * SECOND - slot < DAY);
    assert.equal(new Date(slot / 1000).toISOString().slice(11), "11:17:00.000Z");
  }));
});

Deno.test("registration: once at the first start; the first heartbeat waits for its slot", () => {
  const first = { registered: false, baselineSlot: SLOT };
  assert.deepEqual(due(first).kinds, ["registration"]);
  const registered = { ...first, registered: true, sends: [send("registration", NOON, "sent")] };
  assert.deepEqual(due(registered), { kinds: [], againAt: null });
  assert.deepEqual(due({ ...first, registered: true }, SLOT + DAY).kinds, ["heartbeat"]);
});

Deno.test("a failed registration is retried in the next slots, beside the heartbeat", () => {
  const failed = Array.from({ length: 5 }, () => send("registration", NOON, "failed"));
  assert.deepEqual(due({ registered: false, baselineSlot: SLOT, sends: failed }, NOON + 3600 * SECOND), {
    kinds: [],
    againAt: null,
  });
  assert.deepEqual(due({ registered: false, baselineSlot: SLOT }, SLOT + DAY).kinds, [
    "registration",
    "heartbeat",
  ]);
});

for (
  const [what, changed] of [
    ["product_version", { ...V1, product: "0.2.0" }],
    ["bundle_version", { ...V1, bundle: "0.1.0-2" }],
  ] as const
) {
  Deno.test(`extra heartbeat: immediately on a change of ${what}, and the next regular one at its slot`, () => {
    const sent = [send("heartbeat", SLOT, "sent"), send("update", SLOT, "sent")];
    assert.deepEqual(due({ sends: sent }, NOON, changed).kinds, ["heartbeat"]);
    assert.deepEqual(
      due({ baselineSlot: SLOT }, NOON, changed).kinds,
      ["heartbeat"],
      "immediately after the start",
    );
    const extra = [
      ...sent,
      send("heartbeat", NOON, "sent", changed),
      send("update", NOON, "sent", changed),
    ];
    const after = { newest: changed, sends: extra };
    assert.deepEqual(due(after, NOON + MINUTE, changed), { kinds: [], againAt: null });
    assert.deepEqual(due({ newest: changed }, SLOT + DAY, changed).kinds, ["heartbeat"]);
    assert.deepEqual(due(after, NOON + MINUTE, V1).kinds, ["heartbeat"], "a downgrade is a change too");
  });
}

Deno.test("a changed version gets its own attempts after those of the slot are exhausted", () => {
  const failed = Array.from({ length: 5 }, (_, i) => send("heartbeat", SLOT + i * MINUTE, "failed"));
  const newer = { ...V1, product: "0.2.0" };
  assert.deepEqual(due({ sends: failed }).kinds, []);
  assert.deepEqual(due({ sends: failed }, NOON, newer).kinds, ["heartbeat"]);
  const again = [...failed, send("heartbeat", NOON, "failed", newer)];
  assert.deepEqual(due({ newest: newer, sends: again }, NOON, newer), {
    kinds: [],
    againAt: NOON + 30 * SECOND,
  });
});

Deno.test("update check: immediately after a successful heartbeat, and only then", () => {
  assert.deepEqual(due({ sends: [send("heartbeat", SLOT, "sent")] }).kinds, ["update"]);
  for (const outcome of ["failed", "refused", "pending"] as const) {
    const { kinds } = due({ sends: [send("heartbeat", SLOT, outcome)] }, SLOT + SECOND);
    assert.ok(!kinds.includes("update"), outcome);
  }
  const extra = [
    send("heartbeat", SLOT, "sent"),
    send("update", SLOT, "sent"),
    send("heartbeat", NOON, "sent"),
  ];
  assert.deepEqual(due({ sends: extra }).kinds, ["update"], "after an extra one too");
});

Deno.test("a failed send is retried with backoff from 30 seconds doubling, at most five attempts per cycle", () => {
  for (const outcome of ["failed", "pending"] as const) {
    const waits: number[] = [];
    const sends: SendRecord[] = [];
    for (let now = SLOT; sends.length < MAX_ATTEMPTS;) {
      assert.deepEqual(due({ sends }, now).kinds, ["heartbeat"]);
      sends.push(send("heartbeat", now, outcome));
      const { kinds, againAt } = due({ sends }, now);
      assert.deepEqual(kinds, []);
      if (againAt === null) break;
      assert.deepEqual(due({ sends }, againAt - 1).kinds, []);
      waits.push((againAt - now) / SECOND);
      now = againAt;
    }
    assert.equal(sends.length, 5);
    assert.deepEqual(waits, [30, 60, 120, 240]);
    assert.deepEqual(due({ sends }, SLOT + DAY - 1), { kinds: [], againAt: null });
    assert.deepEqual(
      due({}, SLOT + DAY).kinds,
      ["heartbeat"],
      "retries do not displace the next regular slot",
    );
  }
});

Deno.test("the backoff is capped at 15 minutes", () => {
  assert.deepEqual([1, 2, 5, 6, 7, 60].map((failures) => backoff(failures) / SECOND), [
    30,
    60,
    480,
    900,
    900,
    900,
  ]);
});

Deno.test("a send refused by the guards is not retried before the next slot", () => {
  assert.deepEqual(due({ sends: [send("heartbeat", SLOT, "refused")] }), { kinds: [], againAt: null });
  assert.deepEqual(due({}, SLOT + DAY).kinds, ["heartbeat"]);
});

Deno.test("a clock set back after a failure does not extend the wait", () => {
  const sends = [send("heartbeat", NOON + 3600 * SECOND, "failed")];
  assert.deepEqual(due({ sends }).kinds, ["heartbeat"]);
});

Deno.test("a baseline is recorded at the first start and after the clock was set by more than a day either way", () => {
  assert.equal(needsBaseline(null, NOON, 0), true);
  assert.equal(
    needsBaseline({ newestAt: NOON - 400 * DAY }, NOON, 0),
    false,
    "a long downtime is not a jump",
  );
  assert.equal(needsBaseline({ newestAt: NOON + DAY }, NOON, 0), false);
  assert.equal(needsBaseline({ newestAt: NOON + DAY + 1 }, NOON, 0), true);
  assert.equal(needsBaseline({ newestAt: NOON }, NOON, DAY + 1), true);
  assert.equal(needsBaseline({ newestAt: NOON }, NOON, -DAY - 1), true);
  assert.equal(needsBaseline({ newestAt: NOON }, NOON, 3600 * SECOND), false);
});
