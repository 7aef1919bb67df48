// The database is unplugged from a running appliance and plugged in again: the health report, the metrics and the health
// page in a browser name the problem each time, and report recovery afterwards.

import assert from "node:assert/strict";
import { crash, freeze, startAgain, thaw } from "../support/postgres-power.ts";
import { startPostgres } from "../support/postgres.ts";
import { CAN_WATCH, WatchedPage } from "../support/watched-page.ts";

Deno.test({
  name: "unplugged: the database hangs or crashes, and comes back",
  ignore: !CAN_WATCH,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const server = (await startPostgres())!;
    try {
      await using watched = await WatchedPage.start({ databaseUrl: server.url });
      await watched.until("appliance", "ok");
      for (const [out, back] of [[freeze, thaw], [crash, startAgain]] as const) {
        await out(server);
        try {
          await watched.until("store", "unavailable", { message: /database does not respond/ });
          await watched.until("appliance", "unavailable");
          await watched.untilText("Blind: the database does not answer, so records are not accepted.");
          assert.match((await watched.page.locator(".health-banner").textContent())!, /since \d\d:\d\d/);
          await watched.picture(`database-${out.name}`);
          assert.equal(await watched.send("edge"), 503);
          await watched.page.reload();
          await watched.untilText("NDR is not available");
          await watched.untilText("Blind: the database does not answer, so records are not accepted.");
          await watched.picture(`database-${out.name}-reloaded`);
        } finally {
          await back(server);
        }
        await watched.deliverAll();
        // The page recovers by itself.
        await watched.until("store", "ok");
        await watched.until("appliance", "ok");
      }
    } finally {
      await server.stop();
    }
  },
});
