// A core keeps running while its database server is stopped and an older copy of its data is started.

import assert from "node:assert/strict";
import { defaultSite } from "../../src/config/sites.ts";
import { Graphs } from "../../src/core/graph/graphs.ts";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { MINUTE, NOW, SECOND } from "../contract/api.ts";
import { conn } from "../contract/records.ts";
import { installedPrograms, startPostgres } from "../support/postgres.ts";
import { pushBatch, sensor, settle } from "../support/record/pipeline.ts";

/** Only a server started by the test can be stopped. */
const ignore = (await installedPrograms()).length === 0;

const SCOPE = { scene: "network", focus: null, hops: 1, expand: [], filter: null } as const;

Deno.test(
  "restored database: a core that kept running shows what the restored one has",
  { ignore },
  async () => {
    const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "ndr-restore-" });
    let server = (await startPostgres({ keep: folder }))!;
    const pools: PostgresDatabase[] = [];
    const pool = () => {
      const db = new PostgresDatabase({ url: server.url, poolSize: 4 });
      pools.push(db);
      return db;
    };
    const tenants = new Map([["main", defaultSite("main")]]);
    const graphOf = async (graphs: Graphs) => {
      const window = { from: NOW - 15 * MINUTE, to: NOW };
      const { graph, version } = await graphs.of("main", { scope: SCOPE, window, now: NOW });
      return { graph, batchNo: version.batchNo };
    };
    try {
      const core = pool();
      await migrate(core);
      const graphs = new Graphs({ db: core, tenants });
      const take = async (host: number) => {
        const lines = [conn({ src: `10.0.0.${host}`, dst: `192.0.2.${host}`, srcPort: 1000 + host })];
        await pushBatch(core, sensor("zeek-1"), lines, NOW - SECOND);
        await settle(core, { now: NOW });
        return await graphOf(graphs);
      };
      await take(1);
      await server.stop();
      await run("cp", "-a", `${folder}/data`, `${folder}/copy`);
      server = (await startPostgres({ keep: folder }))!;
      await take(2);
      const before = await take(3);

      await server.stop();
      await run("rm", "-r", `${folder}/data`);
      await run("mv", `${folder}/copy`, `${folder}/data`);
      server = (await startPostgres({ keep: folder }))!;
      // As many batches as before, so that their numbers show nothing.
      await take(4);
      const after = await take(5);
      assert.equal(after.batchNo, before.batchNo);
      assert.deepEqual(
        after,
        await graphOf(new Graphs({ db: pool(), tenants })),
        "what a core shows that started later",
      );
      assert.deepEqual(
        after.graph.nodes.map(({ label }) => label).sort(),
        [1, 4, 5].flatMap((host) => [`10.0.0.${host}`, `192.0.2.${host}`]).sort(),
      );
    } finally {
      await Promise.all(pools.map((db) => db.close()));
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    }
  },
);

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}
