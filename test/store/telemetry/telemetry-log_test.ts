import assert from "node:assert/strict";
import { Ledger } from "../../support/domain/ledger-fixtures.ts";
import {
  DAY,
  MINUTE,
  type SendKind,
  type SendOutcome,
  slotAt,
} from "../../../src/domain/telemetry/heartbeat/schedule.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { acquireLease } from "../../../src/store/engine/leases.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import {
  beginSend,
  endSend,
  expireTelemetryLog,
  readTelemetry,
  recordBaseline,
  recordDryRun,
  type Sender,
  sendHistory,
  TELEMETRY_LOG_ROWS,
} from "../../../src/store/telemetry/telemetry-log.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase } from "../engine/one-database.ts";

const ID = `ins_${"ab".repeat(16)}`;
const SENDER: Sender = { installId: ID, origin: "https://registration.example", licenseKeyIdHash: null };
const NOW = Date.parse("2026-01-31T12:00:00.125Z") * 1000;
const SLOT = slotAt(NOW, ID);
const V1 = { product: "0.1.0", bundle: "0.1.0-1" };

interface Sent {
  kind: SendKind;
  at?: number;
  outcome?: SendOutcome;
  versions?: typeof V1;
  payload?: string | null;
  failure?: string | null;
  answer?: string | null;
  sender?: Sender;
}

async function send(db: Database, given: Sent): Promise<void> {
  const { kind, at = NOW, outcome = "sent", versions = V1, payload = null, sender = SENDER } = given;
  const lease = (await acquireLease(db, "telemetry", "test", 60))!;
  const start = { kind, at, slot: slotAt(at, ID), versions, payload };
  const id = await db.shared((tx) => beginSend(tx, lease, sender, start));
  assert.ok(id !== null);
  if (outcome === "pending") return;
  const failure = given.failure ?? (outcome === "sent" ? null : "it answered 500");
  await db.shared((tx) =>
    endSend(tx, id, { at: at + MINUTE, outcome, failure, answer: given.answer ?? null })
  );
}

const baseline = (db: Database, at = NOW, sender = SENDER) =>
  db.shared((tx) => recordBaseline(tx, sender, { at, slot: slotAt(at, ID), versions: V1 }));
const history = (db: Database, sender = SENDER, slot = SLOT) =>
  db.shared((tx) => sendHistory(tx, sender, slot));
const view = (db: Database, sender = SENDER) => db.shared((tx) => readTelemetry(tx, sender));

testDatabases(
  "telemetry log: the stored history equals that of a year's simulation in memory",
  async (db) => {
    const ledger = new Ledger();
    assert.equal(await history(db), null);
    const V2 = { ...V1, bundle: "0.1.0-2" };
    const steps: (Sent | "baseline")[] = [
      "baseline",
      { kind: "registration", outcome: "failed" },
      { kind: "registration" },
      { kind: "heartbeat", outcome: "failed" },
      { kind: "heartbeat", at: NOW - DAY },
      { kind: "heartbeat", outcome: "pending" },
      { kind: "heartbeat", versions: V2 },
      { kind: "update", outcome: "failed", versions: V2 },
      "baseline",
      { kind: "heartbeat", outcome: "refused", versions: V2 },
      { kind: "heartbeat", at: NOW + DAY },
    ];
    for (const step of steps) {
      if (step === "baseline") {
        await baseline(db);
        ledger.add({ kind: "baseline", at: NOW, slot: SLOT, outcome: "sent", ...V1 });
      } else {
        await send(db, step);
        const { kind, at = NOW, outcome = "sent", versions = V1 } = step;
        ledger.add({ kind, at, slot: slotAt(at, ID), outcome, ...versions });
      }
      for (const slot of [SLOT - DAY, SLOT, SLOT + DAY]) {
        assert.deepEqual(await history(db, SENDER, slot), ledger.history(slot));
      }
    }
  },
);

testDatabases(
  "telemetry log: another server, installation or licence needs its own registration",
  async (db) => {
    await baseline(db);
    await send(db, { kind: "registration" });
    assert.equal((await history(db))!.registered, true);
    const pro = { ...SENDER, licenseKeyIdHash: "0123456789abcdef" };
    const before = (await history(db, pro))!;
    assert.deepEqual(
      [before.registered, before.sends],
      [false, []],
      "the licence's seat is not bound yet",
    );
    await send(db, { kind: "registration", sender: pro });
    assert.equal((await history(db, pro))!.registered, true);
    assert.equal((await history(db))!.registered, true);
    assert.equal(await history(db, { ...SENDER, origin: "https://other.example" }), null);
    assert.equal(await history(db, { ...SENDER, installId: `ins_${"0".repeat(32)}` }), null);
  },
);

testDatabases(
  "telemetry log: a dry run is the last payload, and the schedule ignores it",
  async (db) => {
    await baseline(db);
    const before = await history(db);
    const dry = { at: NOW + 1, slot: SLOT, versions: V1, payload: '{"dry":1}', failure: null };
    await db.shared((tx) => recordDryRun(tx, SENDER, dry));
    assert.equal((await view(db)).lastPayload, '{"dry":1}');
    await db.shared((tx) => recordDryRun(tx, SENDER, { ...dry, payload: null, failure: "refused" }));
    assert.deepEqual(await history(db), before);
    const { lastPayload, lastSentAt, sendFailure } = await view(db);
    assert.deepEqual([lastPayload, lastSentAt, sendFailure], ['{"dry":1}', null, null]);
  },
);

testDatabases("telemetry log: transmissions with times and outcomes", async (db) => {
  const nothing = {
    lastSentAt: null,
    sendFailure: null,
    lastPayload: null,
    lastCheckAt: null,
    checkFailure: null,
    release: null,
  };
  await baseline(db);
  assert.deepEqual(await view(db), nothing);
  await send(db, { kind: "registration", outcome: "failed" });
  assert.deepEqual(await view(db), { ...nothing, sendFailure: "it answered 500" });
  await send(db, { kind: "registration" });
  await send(db, { kind: "heartbeat", payload: '{"schema_version":1}' });
  await send(db, { kind: "update", answer: '{"latest_version":"1.2.3"}' });
  const good = {
    ...nothing,
    lastSentAt: NOW + MINUTE,
    lastPayload: '{"schema_version":1}',
    lastCheckAt: NOW + MINUTE,
    release: '{"latest_version":"1.2.3"}',
  };
  assert.deepEqual(await view(db), good);
  await send(db, {
    kind: "heartbeat",
    at: NOW + DAY,
    outcome: "pending",
    payload: '{"schema_version":1,"a":2}',
  });
  assert.deepEqual(await view(db), { ...good, lastPayload: '{"schema_version":1,"a":2}' });
  await send(db, { kind: "heartbeat", at: NOW + DAY, outcome: "failed" });
  await send(db, { kind: "update", at: NOW + DAY, outcome: "failed" });
  assert.deepEqual(await view(db), {
    ...good,
    lastPayload: '{"schema_version":1,"a":2}',
    sendFailure: "it answered 500",
    lastCheckAt: NOW + DAY + MINUTE,
    checkFailure: "it answered 500",
  });
});

testDatabases("telemetry log: only the core with the lease can start a transmission", async (db) => {
  const lease = (await acquireLease(db, "telemetry", "one", 60))!;
  const start = { kind: "heartbeat" as const, at: NOW, slot: SLOT, versions: V1, payload: "{}" };
  await db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 second'`));
  const other = (await acquireLease(db, "telemetry", "other", 60))!;
  assert.equal(await db.shared((tx) => beginSend(tx, lease, SENDER, start)), null);
  assert.notEqual(await db.shared((tx) => beginSend(tx, other, SENDER, start)), null);
  const [row] = await db.shared((tx) =>
    tx.rows<{ count: number }>(sql`select count(*)::int as count from telemetry_log`)
  );
  assert.equal(row!.count, 1);
});

testDatabase("telemetry log: bounded to 400 days and 20,000 entries; the registration stays", async (db) => {
  await baseline(db);
  await send(db, { kind: "registration" });
  await send(db, { kind: "heartbeat" });
  const expire = (now: number) => db.shared((tx) => expireTelemetryLog(tx, SENDER, now));
  assert.equal(await expire(NOW + 400 * DAY), 0);
  assert.equal(await expire(NOW + 400 * DAY + 1), 1);
  assert.equal((await history(db))!.registered, true);
  await db.shared((tx) =>
    tx.run(sql`
      insert into telemetry_log (at, kind, outcome, install_id, origin, slot, product_version, bundle_version)
      select now(), 'heartbeat', 'failed', ${ID}, ${SENDER.origin}, now(), '0.1.0', '0.1.0'
      from generate_series(1, ${TELEMETRY_LOG_ROWS + 50}::int)`)
  );
  assert.equal(await expire(NOW), 50);
  assert.equal((await history(db))!.registered, true);
});
