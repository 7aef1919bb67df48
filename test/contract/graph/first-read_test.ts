import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { Graphs } from "../../../src/core/graph/graphs.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { SearchTooBroad } from "../../../src/store/search/search-transaction.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, SECOND, ZEEK } from "../api.ts";
import { conn } from "../records.ts";

/** A database on which a search ends after each chunk of rollups, `times` times. */
function interrupted(db: Database, times: number): { db: Database; read: () => number } {
  let chunks = 0;
  let read = 0;
  const slow = (tx: Tx): Tx => ({
    async rows<R extends object>(statement: Parameters<Tx["rows"]>[0]) {
      if (chunks > 0 && times > 0) {
        [chunks, times] = [0, times - 1];
        throw new SearchTooBroad("The search took too long.", { limit_ms: 1 });
      }
      const rows = await tx.rows<R>(statement);
      if (rows[0] !== undefined && "entry_no" in rows[0]) [chunks, read] = [chunks + 1, read + 1];
      return rows;
    },
    run: (statement) => tx.run(statement),
  });
  const slowed: Database = {
    engine: db.engine,
    tenant: (tenantId, work, limits) => db.tenant(tenantId, (tx) => work(slow(tx)), limits),
    shared: (work) => db.shared(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
  return { db: slowed, read: () => read };
}

testDatabase("graph: a first read that takes too long is continued by the next request", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  await db.owner((tx) =>
    tx.script(`
      insert into graph_traffic (tenant_id, batch_no, entry_no, minute, low, high, bytes_up, bytes_down, packets,
        first_seen, last_seen, flows, service)
      select tenant_id, batch_no, n, minute, low, high, 1, 0, 0, first_seen, last_seen, 1, service
      from graph_traffic cross join generate_series(1, 25000) n`)
  );
  const { site, networks } = defaultSite("main");
  const slow = interrupted(db, 2);
  const graphs = new Graphs({ db: slow.db, tenants: new Map([["main", { site, networks }]]) });
  const request = {
    scope: { scene: "network", focus: null, hops: 1, expand: [], filter: null } as const,
    window: { from: NOW - 15 * MINUTE, to: NOW + MINUTE },
    now: NOW + SECOND,
  };
  for (let time = 0; time < 2; time++) {
    await assert.rejects(graphs.of("main", request), {
      code: "source_unavailable",
      details: { reason: "still_reading" },
      retryAfter: 1,
    });
  }
  const { graph } = await graphs.of("main", request);
  assert.deepEqual(graph.links.map(({ flows }) => flows), [25_001]);
  // Each chunk of 10,000 rows was read once.
  assert.equal(slow.read(), 3);
});
