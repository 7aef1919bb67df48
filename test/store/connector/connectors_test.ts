import assert from "node:assert/strict";
import {
  claimConnector,
  configureConnectors,
  type ConnectorProgress,
  connectorStates,
  ConnectorTaken,
  eventHeadsAfter,
  resetConnector,
  saveConnector,
} from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { pruneEvents } from "../../../src/store/connector/event-log.ts";
import { testDatabases } from "../../support/database.ts";
import { logCreated } from "../../support/connector/logged-events.ts";

const NOW = Date.UTC(2026, 0, 31, 7, 15) * 1000;
const DAY = 86_400_000_000;

function configure(db: Database, names: Record<string, boolean>, now = NOW): Promise<void> {
  const instances = Object.entries(names)
    .map(([instance, active]) => ({ instance, connector: "webhook", active }));
  return db.tenant("main", (tx) => configureConnectors(tx, "main", instances, now));
}

function claim(db: Database, instance: string, epoch: number): Promise<ConnectorProgress> {
  return db.tenant("main", (tx) => claimConnector(tx, "main", instance, epoch));
}

function save(db: Database, instance: string, epoch: number, progress: ConnectorProgress): Promise<void> {
  return db.tenant("main", (tx) => saveConnector(tx, "main", instance, epoch, progress));
}

async function states(db: Database) {
  const all = await db.tenant("main", (tx) => connectorStates(tx, "main"));
  return new Map(all.map((one) => [one.instance, one]));
}

testDatabases(
  "a new instance starts at the head of the log and gets no earlier events",
  async (db) => {
    await logCreated(db, "main", 1, 3, NOW);
    await configure(db, { soc: true, off: false });
    const [soc, off] = [(await states(db)).get("soc")!, (await states(db)).get("off")!];
    assert.deepEqual([soc.state, soc.bookmark, soc.since], ["unknown", 3, NOW]);
    assert.deepEqual([off.state, off.bookmark], ["disabled", null]);

    await logCreated(db, "main", 4, 4, NOW);
    await configure(db, { soc: true, off: true }, NOW + 1);
    const [same, on] = [(await states(db)).get("soc")!, (await states(db)).get("off")!];
    assert.deepEqual([same.state, same.bookmark, same.since], ["unknown", 3, NOW], "nothing changed");
    assert.deepEqual([on.state, on.bookmark, on.since], ["unknown", 4, NOW + 1]);
  },
);

testDatabases(
  "a disabled or unconfigured instance keeps its bookmark unchanged",
  async (db) => {
    await configure(db, { soc: true });
    const held = await claim(db, "soc", 1);
    await save(db, "soc", 1, {
      ...held,
      state: "error",
      failureClass: "auth",
      message: "answered 401",
      pending: 2,
      failed: 2,
      holds: 2,
      blockedUntil: NOW + 60,
    });
    await logCreated(db, "main", 1, 2, NOW);
    await configure(db, { soc: false }, NOW + 5);
    const { state, bookmark, pending, failed, failureClass, blockedUntil } = (await states(db)).get("soc")!;
    assert.deepEqual([state, bookmark, pending, failed, failureClass, blockedUntil], [
      "disabled",
      0,
      0,
      0,
      null,
      null,
    ]);
    await configure(db, {});
    assert.deepEqual(await states(db), new Map(), "an unconfigured instance is hidden");
    await assert.rejects(claim(db, "soc", 2), ConnectorTaken);
    await configure(db, { soc: true });
    assert.equal((await states(db)).get("soc")!.bookmark, 0);
  },
);

testDatabases(
  "a restart keeps the state, ok or error, and all saved progress",
  async (db) => {
    await configure(db, { soc: true });
    const written: ConnectorProgress = {
      state: "error",
      failureClass: "tls",
      message: "its certificate is not the one of tls_fingerprint_sha256",
      since: NOW + 1,
      lastSuccessAt: NOW - 1,
      consecutiveFailures: 3,
      itemsLastHour: 4,
      delivered: 5,
      failed: 6,
      rejected: 7,
      dropped: 8,
      pending: 9,
      bookmark: 10,
      blockedUntil: NOW + 2,
      holds: 11,
    };
    await claim(db, "soc", 1);
    await save(db, "soc", 1, written);
    await configure(db, { soc: true });
    assert.deepEqual(await claim(db, "soc", 2), { instance: "soc", connector: "webhook", ...written });
    const { holds: _, ...shown } = written;
    assert.deepEqual((await states(db)).get("soc"), { instance: "soc", connector: "webhook", ...shown });
  },
);

testDatabases("a former lease holder cannot move the bookmark", async (db) => {
  await configure(db, { soc: true });
  const former = await claim(db, "soc", 1);
  const present = await claim(db, "soc", 2);
  await assert.rejects(save(db, "soc", 1, { ...former, bookmark: 7 }), ConnectorTaken);
  await assert.rejects(claim(db, "soc", 1), ConnectorTaken);
  await save(db, "soc", 2, { ...present, bookmark: 8 });
  assert.equal((await states(db)).get("soc")!.bookmark, 8);
  assert.equal((await claim(db, "soc", 2)).bookmark, 8, "the same holder can claim it again");
});

testDatabases("reset-cursor sets the bookmark before the oldest kept event", async (db) => {
  await configure(db, { soc: true });
  const reset = () => db.tenant("main", (tx) => resetConnector(tx, "main", "soc"));
  await logCreated(db, "main", 1, 3, NOW - 8 * DAY);
  await logCreated(db, "main", 4, 6, NOW);
  const held = await claim(db, "soc", 1);
  await save(db, "soc", 1, { ...held, bookmark: 6, holds: 3, blockedUntil: NOW + DAY });
  assert.equal(await db.tenant("main", (tx) => pruneEvents(tx, "main", NOW)), 3);
  assert.equal(await reset(), true);
  const { bookmark, blockedUntil } = (await states(db)).get("soc")!;
  assert.deepEqual([bookmark, blockedUntil], [3, null]);
  assert.equal(await db.tenant("main", (tx) => resetConnector(tx, "main", "other")), false);

  await db.tenant("main", (tx) => pruneEvents(tx, "main", NOW + 8 * DAY));
  assert.equal(await reset(), true);
  assert.equal((await states(db)).get("soc")!.bookmark, 6, "the log is empty");
});

testDatabases("event heads are returned in order, with severity and without bodies", async (db) => {
  await logCreated(db, "main", 1, 3, NOW);
  const heads = await db.tenant("main", (tx) => eventHeadsAfter(tx, "main", 1, 10));
  assert.deepEqual(heads, [
    { eventNo: 2, type: "incident.created", severity: "high" },
    { eventNo: 3, type: "incident.created", severity: "high" },
  ]);
});

testDatabases("a tenant does not see another tenant's connectors", async (db) => {
  await configure(db, { soc: true });
  assert.deepEqual(await db.tenant("branch", (tx) => connectorStates(tx, "main")), []);
  await assert.rejects(db.tenant("branch", (tx) => claimConnector(tx, "main", "soc", 9)), ConnectorTaken);
});
