// Threat intelligence lists and records: either order yields the same matches.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { IntelBackfill } from "../../../src/core/jobs/intel/intel-backfill.ts";
import { applyRetention } from "../../../src/core/jobs/retention.ts";
import { compileIntel, emptyIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { takeIntel } from "../../../src/pipeline/stages/intel.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { intelState, isMatched } from "../../../src/store/intel/state.ts";
import { acquireLease, releaseLease } from "../../../src/store/engine/leases.ts";
import { CursorMoved } from "../../../src/store/record/pending.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";

const SAMPLE = new URL("../../data/sample/brobeat/", import.meta.url).pathname;
const CAPTURE = new URL("../../data/captures/brobeat/", import.meta.url).pathname;
const ZEEK = sensor("zeek-1");

/** The server of the capture's bot, by address and by requested name; and other hosts the bot contacted. */
const LIST = `188.173.32.149 # bitcoin miner
http://188.173.32.149/test.txt
216.224.124.0/24
google.com
`;
const TENANTS = new Map([["main", defaultSite("main")]]);

function setOf(lists: Record<string, string>): IntelSet {
  return new IntelSet(
    compileIntel(Object.entries(lists).map(([name, text]) => ({ name, pieces: [text] }))).data,
  );
}

async function lines(): Promise<string[]> {
  return await linesOfFiles(
    `${SAMPLE}conn.log`,
    `${SAMPLE}dns.log`,
    `${CAPTURE}http.log`,
    `${CAPTURE}ssl.log`,
  );
}

/** All stored match data except receipt times; whole rows as texts. */
async function matches(db: Database): Promise<Record<string, unknown>[]> {
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ row: string }>(sql`
      select (to_jsonb(m) - '{tenant_id,received_at,counted_after}'::text[])::text as row from intel_match m
      order by party_ip, kind, indicator`));
  return rows.map(({ row }) => JSON.parse(row));
}

function pastMatcher(db: Database): { look(set: IntelSet): Promise<void> } {
  let now = emptyIntel();
  let time = systemClock.now();
  // Each run is an hour after the previous one: the job pauses in between.
  const clock = { now: () => time += 60_000_000 };
  const past = new IntelBackfill({ tenants: TENANTS }, { db, clock, logger: silentLogger, intel: () => now });
  return {
    async look(set) {
      now = set;
      time += 3_600_000_000;
      await past.run();
      const state = await db.tenant("main", (tx) => intelState(tx, "main"));
      assert.ok(isMatched(state, set.digest), JSON.stringify(state));
    },
  };
}

async function listedBefore(db: Database, set: IntelSet): Promise<Record<string, unknown>[]> {
  await push(db, ZEEK, await lines());
  await settle(db, { intel: set });
  return await matches(db);
}

testDatabase("a list that was loaded before the records: each match with its evidence", async (db) => {
  const found = await listedBefore(db, setOf({ "feed.txt": LIST }));
  const listed = found.map((row) => [row.party_ip, row.kind, row.indicator, row.description, row.listed]);
  const bot = "172.16.253.129";
  assert.deepEqual(listed, [
    [bot, "cidr", "216.224.124.0/24", null, true],
    [bot, "domain", "google.com", null, true],
    [bot, "ip", "188.173.32.149", "bitcoin miner", true],
    [bot, "url", "188.173.32.149/test.txt", null, true],
  ]);
  const server = found[2]!;
  // As counted by hand: grep -c 188.173.32.149 conn.log http.log
  const conn = (await Deno.readTextFile(`${SAMPLE}conn.log`)).split("\n").filter((line) =>
    line.includes("188.173.32.149")
  );
  const http = (await Deno.readTextFile(`${CAPTURE}http.log`)).split("\n").filter((line) =>
    line.includes("188.173.32.149")
  );
  assert.equal(server.seen_count, conn.length + http.length);
  assert.equal(server.first_seen, "2012-10-07T14:40:41.861106+00:00");
  const [evidence] = await db.tenant("main", (tx) =>
    tx.rows<{ src: string; dst: string; last: number }>(sql`
      select host(f.src_ip) as src, host(f.dst_ip) as dst, o.end_at as last from observation o
      join flow f on f.tenant_id = o.tenant_id and f.flow_id = o.flow_id
      where o.evidence_id = ${String(server.evidence_id)}::uuid and o.flow_id = ${
      String(server.flow_id)
    }::uuid`));
  assert.deepEqual([evidence?.src, evidence?.dst], [bot, "188.173.32.149"]);
});

testDatabase("a list loaded after the records finds the same, whatever list came before", async (db) => {
  const set = setOf({ "feed.txt": LIST });
  const past = pastMatcher(db);
  const all = await lines();
  // Some records before any list, some with another one, some with this one.
  await push(db, ZEEK, all.slice(0, 150), 40);
  await settle(db, { intel: emptyIntel() });
  await push(db, ZEEK, all.slice(150, 260), 40);
  await settle(db, { intel: setOf({ "other.txt": "216.224.124.0/24\n198.51.100.1" }) });
  await push(db, ZEEK, all.slice(260, 300), 40);
  await settle(db, { intel: set });
  await past.look(set);
  await push(db, ZEEK, all.slice(300), 40);
  await settle(db, { intel: set });
  const found = await matches(db);
  await past.look(set);
  assert.deepEqual(await matches(db), found, "records already scanned are not counted again");
  await clear(db);
  assert.deepEqual(found, await listedBefore(db, set));
});

testDatabase("indicators of a later list are scanned separately, with the same result", async (db) => {
  const past = pastMatcher(db);
  const all = await lines();
  const few = setOf({ "feed.txt": "198.51.100.1" });
  const more = setOf({ "feed.txt": `198.51.100.1\n188.173.32.149 # bitcoin miner\n216.224.124.0/24` });
  const whole = setOf({ "feed.txt": LIST });
  await push(db, ZEEK, all);
  await settle(db, { intel: few });
  await past.look(few);
  assert.deepEqual(await matches(db), []);
  for (const set of [more, whole]) {
    await settle(db, { intel: set });
    await past.look(set);
  }
  const found = await matches(db);
  await clear(db);
  assert.deepEqual(found, await listedBefore(db, whole));
});

testDatabase(
  "a restart with the same lists scans nothing; with other lists it finds what is new in them",
  async (db) => {
    const set = setOf({ "feed.txt": "188.173.32.149" });
    await push(db, ZEEK, await lines());
    await settle(db, { intel: set });
    await pastMatcher(db).look(set);
    const before = await matches(db);
    assert.equal(before.length, 1);
    await pastMatcher(db).look(set);
    assert.deepEqual(await matches(db), before);
    const other = setOf({ "feed.txt": LIST });
    await settle(db, { intel: other });
    await pastMatcher(db).look(other);
    const found = await matches(db);
    await clear(db);
    assert.deepEqual(found, await listedBefore(db, other));
  },
);

testDatabase(
  "matches of a removed indicator remain until they expire and are not listed; re-adding it restores them",
  async (db) => {
    const set = setOf({ "feed.txt": LIST });
    const all = await lines();
    const past = pastMatcher(db);
    await push(db, ZEEK, all.slice(0, 200));
    await settle(db, { intel: set });
    const before = await matches(db);
    const rest = setOf({ "feed.txt": "google.com # search" });
    await settle(db, { intel: rest });
    const dropped = await matches(db);
    assert.deepEqual(
      dropped.map((row) => ({ ...row, description: null, listed: true })),
      before.map((row) => ({ ...row, description: null })),
    );
    assert.deepEqual(
      dropped.map(({ listed, kind }) => [kind, listed]),
      before.map(({ kind }) => [kind, kind === "domain"]),
    );
    assert.equal(dropped.find(({ kind }) => kind === "domain")?.description, "search");
    await push(db, ZEEK, all.slice(200));
    await settle(db, { intel: emptyIntel() });
    assert.ok((await matches(db)).every(({ listed }) => listed === false));
    await past.look(emptyIntel());
    await settle(db, { intel: set });
    await past.look(set);
    const again = await matches(db);
    await clear(db);
    assert.deepEqual(again, await listedBefore(db, set));
  },
);

testDatabase(
  "a process exit in the middle leaves nothing that would be counted twice",
  async (db) => {
    const set = setOf({ "feed.txt": LIST });
    await push(db, ZEEK, await lines());
    await settle(db, { intel: emptyIntel() });
    await settle(db, { intel: set });
    const stopped = new IntelBackfill({ tenants: TENANTS }, {
      db,
      clock: systemClock,
      logger: silentLogger,
      intel: () => set,
    });
    const running = stopped.run();
    await stopped.stop();
    await running;
    await pastMatcher(db).look(set);
    const found = await matches(db);
    await clear(db);
    assert.deepEqual(found, await listedBefore(db, set));
  },
);

testDatabase("two cores with different lists: only matches known to the cursor are written", async (db) => {
  const [one, two] = [setOf({ "a.txt": "188.173.32.149" }), setOf({ "a.txt": "google.com" })];
  await pushBatch(db, ZEEK, (await lines()).slice(0, 200));
  await takeIntel(db, "main", one);
  const site = defaultSite("main");
  const round = await prepareRound(db, { tenantId: "main", settings: site, intel: one });
  await takeIntel(db, "main", two);
  await assert.rejects(applyRound(db, round!, { now: systemClock.now() }), CursorMoved);
  const again = await prepareRound(db, { tenantId: "main", settings: site, intel: two });
  await applyRound(db, again!, { now: systemClock.now() });
  assert.deepEqual((await matches(db)).map(({ indicator }) => indicator), ["google.com"]);
});

testDatabase("while another core scans, or the disk is full, this one does not", async (db) => {
  const set = setOf({ "feed.txt": LIST });
  await push(db, ZEEK, await lines());
  await settle(db, { intel: emptyIntel() });
  await settle(db, { intel: set });
  let mayWrite = false;
  const past = new IntelBackfill({ tenants: TENANTS }, {
    db,
    clock: systemClock,
    logger: silentLogger,
    intel: () => set,
    mayWrite: () => mayWrite,
  });
  await past.run();
  mayWrite = true;
  const lease = await acquireLease(db, "intel:main", "another core", 60);
  await past.run();
  assert.deepEqual(await matches(db), []);
  await releaseLease(db, lease!);
  await past.run();
  assert.equal((await matches(db)).length, 4);
});

testDatabase("matches are removed with their records", async (db) => {
  await registerTenants(db, ["main"]);
  await listedBefore(db, setOf({ "feed.txt": LIST }));
  await applyRetention(db, systemClock.now(), 30);
  assert.equal((await matches(db)).length, 4);
  await applyRetention(db, systemClock.now() + 31 * 86_400_000_000, 30);
  assert.deepEqual(await matches(db), []);
});

/** Removes all records and matches. */
async function clear(db: Database): Promise<void> {
  await db.owner((tx) =>
    tx.script(
      `truncate raw_record, raw_block, raw_batch, evidence, flow, graph_traffic, graph_mark, pipeline_cursor, tenant_counter, device,
      device_address, device_vlan, device_fact, dns_answer, detector_state, detector_journal, incident, incident_device, incident_evidence,
      incident_score, model_result, event_log, intel_match, device_score, sensor_receipt,
      term, term_use, flow_term, address_geo`,
    )
  );
}
