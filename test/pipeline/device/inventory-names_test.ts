// Incidents use the inventory's device names, whether or not the devices were seen before.

import assert from "node:assert/strict";
import { storeInventory } from "../../../src/core/jobs/inventory.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";

const SAMPLE = new URL("../../data/sample/", import.meta.url).pathname;

testDatabase(
  "an incident names a device of the inventory, however the batches are cut",
  async (db) => {
    const lines = await linesOfFiles(`${SAMPLE}brobeat/conn.log`, `${SAMPLE}brobeat/dns.log`);
    const device = {
      name: "Reception",
      type: null,
      owner: null,
      tags: [],
      addresses: ["172.16.253.129"],
      macAddresses: [],
    };
    for (const batchSize of [1000, 40]) {
      const tenantId = `by-${batchSize}`;
      await storeInventory(db, tenantId, [device], 0);
      await push(db, sensor("zeek-1", { tenantId }), lines, batchSize);
      await settle(db, { tenantId, batchesPerRound: 2 });
      const titles = await db.tenant(tenantId, (tx) => tx.rows(sql`select title from incident`));
      assert.deepEqual(titles, [{ title: "Beaconing from Reception to 188.173.32.149:91" }], tenantId);
    }
  },
);
