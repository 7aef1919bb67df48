// Things are unplugged from a running appliance, and plugged in again: each time the health report, the metrics and the health
// page in a browser say what is the matter, and afterwards that all is well.

import assert from "node:assert/strict";
import { fullBelow, lowBelow } from "../../src/domain/health/disk.ts";
import { crash, freeze, startAgain, thaw } from "../support/postgres-power.ts";
import { startPostgres } from "../support/postgres.ts";
import { CAN_MOUNT, SmallDisk } from "../support/small-disk.ts";
import { unplug, Watched } from "../support/watched.ts";

unplug("the database hangs, or crashes, and comes back", true, async () => {
  const server = (await startPostgres())!;
  try {
    await using watched = await Watched.start({ databaseUrl: server.url });
    await watched.until("appliance", "ok");
    for (const [out, back] of [[freeze, thaw], [crash, startAgain]] as const) {
      await out(server);
      try {
        const { message } = await watched.until("store", "unavailable");
        assert.match(message!, /database does not respond/);
        await watched.until("appliance", "unavailable");
        await watched.says("Blind: the database does not answer, so no record is taken in.");
        assert.match((await watched.page.locator(".health-banner").textContent())!, /since \d\d:\d\d/);
        await watched.picture(`database-${out.name}`);
        assert.equal(await watched.send("edge"), 503);
        await watched.page.reload();
        await watched.says("NDR is not available");
        await watched.says("Blind: the database does not answer, so no record is taken in.");
        await watched.picture(`database-${out.name}-reloaded`);
      } finally {
        await back(server);
      }
      await watched.taken();
      // The page comes back by itself.
      await watched.until("store", "ok");
      await watched.until("appliance", "ok");
    }
  } finally {
    await server.stop();
  }
});

unplug("the disk fills up, and is emptied", CAN_MOUNT, async () => {
  await using disk = await SmallDisk.make(400);
  // So that its log does not take a small disk for itself.
  const settings = { min_wal_size: "32MB", max_wal_size: "64MB" };
  const server = (await startPostgres({ parent: disk.folder, settings }))!;
  try {
    await using watched = await Watched.start({ databaseUrl: server.url });
    await watched.until("appliance", "ok");
    const space = { size: disk.size, free: 0 };

    await disk.leave((lowBelow(space) + fullBelow(space)) / 2);
    const low = await watched.until("disk", "degraded");
    assert.match(low.message!, /free at .*: ingest stops below .*; free some space/);
    await watched.until("appliance", "degraded");
    assert.equal(await watched.send("edge"), 200);
    await watched.picture("disk-low");

    await disk.leave(fullBelow(space) / 2);
    const full = await watched.until("disk", "unavailable");
    assert.match(full.message!, /ingest is stopped until/);
    await watched.until("appliance", "unavailable");
    await watched.says("Blind: the disk is full, so no record is taken in.");
    assert.equal(await watched.send("edge"), 503);
    await watched.picture("disk-full");

    await disk.leave(lowBelow(space) * 2);
    await watched.until("disk", "ok");
    await watched.taken();
    await watched.until("appliance", "ok");
  } finally {
    await server.stop();
  }
});
