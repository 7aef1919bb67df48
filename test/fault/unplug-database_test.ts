// The database of a running appliance becomes read-only, its disk fills up, and its retention runs while the clock is far
// ahead.

import assert from "node:assert/strict";
import { fullBelow, lowBelow } from "../../src/domain/health/disk.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { eventsAfter } from "../../src/store/connector/event-log.ts";
import { recordedHealth } from "../../src/store/health/state.ts";
import { identifier, sql } from "../../src/store/engine/sql.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { FAKETIME, SettableClock } from "../support/other-clock.ts";
import { installedPrograms, startPostgres } from "../support/postgres.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { CAN_MOUNT, SmallDisk } from "../support/small-disk.ts";
import { outageTest, Watched } from "../support/watched.ts";

const DAY_SECONDS = 86_400;
const TABLES = ["flow", "evidence", "raw_record", "raw_block", "raw_batch"];

/** A database of its own, and the administrator's connection to it. */
async function withDatabase(body: (url: string, admin: Database) => Promise<void>): Promise<void> {
  const { url, drop } = await freshPostgres();
  const admin = new PostgresDatabase({ url });
  try {
    await body(url, admin);
  } finally {
    await admin.close();
    await drop();
  }
}

/** Switches the database for new connections, and ends the others. */
function setReadOnly(admin: Database, value: "on" | "off"): Promise<void> {
  return admin.owner(async (tx) => {
    await tx.script(`
      set local transaction_read_only = off;
      do $$ begin
        execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
      end $$`);
  }).then(() =>
    admin.owner(async (tx) =>
      void await tx.rows(sql`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    )
  );
}

/** Outages in which the health watch buffered its observations of the tenant main, by the log. */
function buffered({ up }: Watched): number {
  const line = '"cannot record health, buffering changes","tenant":"main"';
  return up.output().split(line).length - 1;
}

async function storeTransitions(admin: Database): Promise<string[]> {
  const events = await admin.tenant("main", (tx) => eventsAfter(tx, "main", 0, 1000));
  return events.filter(({ type }) => type === "health.transition")
    .map(({ body }) => (body as { health: { component_id: string; from: string; to: string } }).health)
    .filter(({ component_id }) => component_id === "store").map(({ from, to }) => `${from} > ${to}`);
}

outageTest("the database", [
  {
    name: "it becomes read-only and writable again",
    needs: POSTGRES_URL !== "",
    run: readOnly,
  },
  {
    name: "the disk fills up and is emptied",
    needs: CAN_MOUNT && (await installedPrograms()).length > 0,
    run: fullDisk,
  },
  {
    name: "the clock of the appliance is 40 days ahead while the retention runs",
    // The short form is in test/store/engine/clock_test.ts.
    needs: IS_SOAK && POSTGRES_URL !== "" && FAKETIME !== null,
    run: retentionUnderWrongClock,
  },
]);

async function readOnly(): Promise<void> {
  await withDatabase(async (databaseUrl, admin) => {
    await using watched = await Watched.start({ databaseUrl });
    await watched.until("appliance", "ok");
    await watched.eventually("the first observation, which emits nothing, is recorded", async () => {
      const states = await admin.tenant("main", (tx) => recordedHealth(tx, "main"));
      return states.get("store")?.status === "ok";
    });
    for (let outage = 0; outage < scaled(1); outage++) {
      await setReadOnly(admin, "on");
      await watched.until("store", "unavailable", { message: /cannot commit: .*read-only/ });
      await watched.until("appliance", "unavailable");
      assert.equal(await watched.send("edge"), 503);
      await watched.eventually(
        "the health watch has observed it",
        () => Promise.resolve(buffered(watched) === outage + 1),
      );
      await setReadOnly(admin, "off");
      await watched.until("store", "ok");
      await watched.deliverAll();
      await watched.until("appliance", "ok");
      // The watch reports buffering once until it has recorded what it buffered.
      await watched.eventually(
        "every transition is in the event log",
        async () => (await storeTransitions(admin)).length === 2 * (outage + 1),
      );
    }
    const pair = ["ok > unavailable", "unavailable > ok"];
    assert.deepEqual(await storeTransitions(admin), Array.from({ length: scaled(1) }, () => pair).flat());
  });
}

async function fullDisk(): Promise<void> {
  await using disk = await SmallDisk.make(400);
  // Keeps the write-ahead log from filling the small disk.
  const settings = { min_wal_size: "32MB", max_wal_size: "64MB" };
  const server = (await startPostgres({ parent: disk.folder, settings }))!;
  try {
    await using watched = await Watched.start({ databaseUrl: server.url });
    await watched.until("appliance", "ok");
    const space = { size: disk.size, free: 0 };

    await disk.leave((lowBelow(space) + fullBelow(space)) / 2);
    const low = /free at .*: ingest stops below .*; free some space/;
    await watched.until("disk", "degraded", { message: low });
    await watched.until("appliance", "degraded");
    assert.equal(await watched.send("edge"), 200);

    await disk.leave(fullBelow(space) / 2);
    await watched.until("disk", "unavailable", { message: /ingest is stopped until/ });
    await watched.until("appliance", "unavailable");
    await watched.untilHeadline("Blind: the disk is full, so records are not accepted.");
    assert.equal(await watched.send("edge"), 503);

    await disk.leave(lowBelow(space) * 2);
    await watched.until("disk", "ok");
    await watched.deliverAll();
    await watched.until("appliance", "ok");
  } finally {
    await server.stop();
  }
}

async function retentionUnderWrongClock(): Promise<void> {
  await withDatabase(async (databaseUrl, admin) => {
    await using clock = await SettableClock.make();
    await using watched = await Watched.start({ databaseUrl, env: clock.env });
    await watched.deliverAll();
    await watched.until("appliance", "ok");
    const before = await counts(admin);
    assert.ok(before.flow! > 0 && before.raw_record! > 0);
    for (let leap = 0; leap < scaled(1); leap++) {
      await admin.shared((tx) => tx.run(sql`delete from lease where name = 'upkeep'`));
      await clock.set(secondsToUpkeep());
      await watched.eventually("the hourly upkeep has run under the wrong clock", async () => {
        const rows = await admin.shared((tx) =>
          tx.rows(sql`select from lease where name = 'upkeep' and expires_at < now()`)
        );
        return rows.length > 0;
      });
      await clock.set(0);
      await watched.eventually(
        "the session, expired by that clock, is valid again",
        () => watched.report().then(() => true, () => false),
      );
      await watched.signIn();
      await watched.until("clock", "ok");
      assert.deepEqual(await counts(admin), before);
    }
  });
}

/** An offset of 40 days that is just before the hourly upkeep, at minute 7. */
function secondsToUpkeep(): number {
  const second = Math.floor(Date.now() / 1000) % 3600;
  return 40 * DAY_SECONDS + (6.5 * 60 - second + 3600) % 3600;
}

async function counts(admin: Database): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await admin.tenant(
      "main",
      (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from ${identifier(table)}`),
    );
    found[table] = row!.n;
  }
  return found;
}
