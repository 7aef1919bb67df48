// The map's intelligence marks are what the lists say now, whenever an indicator was added or removed.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { IntelBackfill } from "../../../src/core/jobs/intel/intel-backfill.ts";
import { isDeviceAddress } from "../../../src/domain/device/presence.ts";
import { compileIntel, emptyIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { takeIntel } from "../../../src/pipeline/stages/intel.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, settle } from "../../support/record/pipeline.ts";
import { Api, NOW, ZEEK } from "../api.ts";
import { conn, dns } from "../records.ts";
import { liveWith, MapClient, snapshotOf } from "./stream-client.ts";

const RESOLVER = "10.0.0.53";
const SERVER = "198.51.100.7";

function setOf(text: string): IntelSet {
  return new IntelSet(compileIntel([{ name: "feed.txt", pieces: [text] }]).data);
}

/** A core with lists that can be replaced, as the core's jobs do it. */
function listedApi(db: Database) {
  const { networks } = defaultSite("main");
  let set = emptyIntel();
  const intel = { current: () => set, isInternal: (_: string, ip: string) => isDeviceAddress(ip, networks) };
  const api = new Api(db, [], { intel }, liveWith().live);
  let hour = NOW;
  // The job pauses between its passes.
  const clock = { now: () => hour };
  const past = new IntelBackfill({ tenants: new Map([["main", { networks }]]) }, {
    db,
    clock,
    logger: silentLogger,
    intel: () => set,
  });
  return {
    api,
    async take(lines: string[]) {
      await pushBatch(db, ZEEK, lines, NOW);
      await settle(db, { now: NOW, intel: set });
    },
    async list(text: string) {
      set = text === "" ? emptyIntel() : setOf(text);
      await takeIntel(db, "main", set);
      hour += 3600 * 1_000_000;
      await past.run();
    },
  };
}

/** The labels of marked ends. */
async function marked(api: Api, query: Record<string, string> = {}) {
  const { nodes, links } = await snapshotOf(api, query);
  assert.equal(links.some(({ intel }) => intel), nodes.some(({ intel }) => intel));
  return nodes.flatMap(({ intel, ip }) => intel ? [ip!] : []).sort();
}

testDatabase(
  "map: an indicator added after the traffic marks it, and a removed one does not",
  async (db) => {
    const { api, take, list } = listedApi(db);
    await take([conn(), dns({ query: "www.evil.example" }), conn({ dst: "192.0.2.1", srcPort: 50_001 })]);
    const client = new MapClient("main", await snapshotOf(api));
    await client.connect(api);
    const expectMarks = async (ips: string[]) => {
      assert.deepEqual(await marked(api), ips);
      await client.reaches(api, (window) => snapshotOf(api, window));
      const nodes = [...client.state.nodes.values()];
      assert.deepEqual(nodes.flatMap(({ intel, ip }) => intel ? [ip!] : []).sort(), ips);
    };
    await expectMarks([]);
    await list(SERVER);
    await expectMarks(["10.0.0.5", SERVER]);
    await list("evil.example");
    await expectMarks(["10.0.0.5", RESOLVER]);
    await list(`evil.example\n192.0.2.0/24`);
    await expectMarks(["10.0.0.5", RESOLVER, "192.0.2.1"]);
    await list("");
    await expectMarks([]);
    await client.disconnect();
  },
);

async function storedMarks(db: Database): Promise<string[]> {
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ row: string }>(
      sql`select (to_jsonb(m))::text as row from graph_mark m order by minute, low, high, kind, indicator`,
    ));
  return rows.map(({ row }) => row);
}

testDatabase("map: marks are the same whether a list or the records came first", async (db) => {
  const { take, list } = listedApi(db);
  const lines = [
    conn(),
    dns({ query: "www.evil.example" }),
    dns({ query: "mail.example.org", srcPort: 50_002, more: { answers: ["203.0.113.9"] } }),
  ];
  await list("evil.example\n203.0.113.9");
  await take(lines);
  const before = await storedMarks(db);
  assert.equal(before.length, 2);
  await db.tenant("main", (tx) => tx.run(sql`delete from graph_mark`));
  await list("");
  await list("evil.example\n203.0.113.9");
  assert.deepEqual(await storedMarks(db), before);
  // A flow that no map shows any more.
  await take([dns({ query: "old.evil.example", srcPort: 50_003, at: NOW - 40 * 3600 * 1_000_000 })]);
  await db.tenant("main", (tx) => tx.run(sql`delete from graph_mark`));
  await list("");
  await list("evil.example");
  assert.equal((await storedMarks(db)).length, 1);
});
