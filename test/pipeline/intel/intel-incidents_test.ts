// List matches become incidents exactly once, whether the list or the records came first.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import type { AnnounceBackfill } from "../../../src/core/jobs/intel/intel-backfill-pass.ts";
import { IntelBackfill } from "../../../src/core/jobs/intel/intel-backfill.ts";
import { compileIntel, emptyIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { announcePast } from "../../../src/pipeline/stages/past-intel.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;
const ZEEK = sensor("zeek-1");
const SITE = defaultSite("main");
const BOT = "172.16.253.129";
/** The server of the capture's bot. */
const LIST = setOf("feed.txt", "188.173.32.149 # bitcoin miner");

function setOf(name: string, text: string): IntelSet {
  return new IntelSet(compileIntel([{ name, pieces: [text] }]).data);
}

async function records(): Promise<string[]> {
  return await linesOfFiles(`${DATA}sample/brobeat/conn.log`, `${DATA}sample/brobeat/dns.log`);
}

function pastMatcher(
  db: Database,
  announce: AnnounceBackfill = announcing,
): { look(set: IntelSet): Promise<void> } {
  let now = emptyIntel();
  let time = systemClock.now();
  const clock = { now: () => time += 60_000_000 };
  const tenants = new Map([["main", SITE]]);
  const past = new IntelBackfill({ tenants }, {
    db,
    clock,
    logger: silentLogger,
    intel: () => now,
    announce,
  });
  return {
    async look(set) {
      now = set;
      // Each run is an hour after the previous one: the job pauses in between.
      time += 3_600_000_000;
      await past.run();
    },
  };
}

const announcing: AnnounceBackfill = (tx, tenantId, found) =>
  announcePast(tx, { tenantId, networks: SITE.networks, found, now: systemClock.now() });

interface Raised {
  incidents: { title: string; score: number; models: string[]; revision: number }[];
  results: { score: number; subject: string; incident: boolean }[];
  evidence: number;
}

/** The incidents raised by threat intelligence. */
async function raised(db: Database): Promise<Raised> {
  return await db.tenant("main", async (tx) => {
    const incidents = await tx.rows<
      { title: string; score: number; revision: number; scores: Record<string, number> }
    >(sql`
      select title, score, revision, model_scores as scores from incident where model_scores ? 'threat-intel' order by incident_no`);
    const results = await tx.rows<{ score: number; subject: string; incident: boolean }>(sql`
      select score, body->>'subject' as subject, incident_id is not null as incident from model_result
      where model_id = 'threat-intel' order by at, score`);
    const [evidence] = await tx.rows<{ n: number }>(sql`
      select count(*)::int as n from incident_evidence x join observation o
        on o.tenant_id = x.tenant_id and o.flow_id = x.flow_id and o.evidence_id = x.evidence_id`);
    return {
      incidents: incidents.map(({ scores, ...rest }) => ({ ...rest, models: Object.keys(scores).sort() })),
      results,
      evidence: evidence!.n,
    };
  });
}

testDatabase("a list that was loaded before the records", async (db) => {
  await push(db, ZEEK, await records());
  await settle(db, { intel: LIST });
  const { incidents, results } = await raised(db);
  assert.equal(incidents.length, 1);
  assert.ok(results.length > 2 && results.every(({ incident }) => incident));
  assert.equal(results[0]!.subject, `${BOT} and 188.173.32.149`);
});

testDatabase("a list loaded after the records raises one incident, once", async (db) => {
  await push(db, ZEEK, await records());
  await settle(db, { intel: emptyIntel() });
  assert.deepEqual((await raised(db)).results, []);
  await settle(db, { intel: LIST });
  const past = pastMatcher(db);
  // The pipeline picks a list up with the records that follow.
  await push(db, ZEEK, [(await records())[0]!]);
  await settle(db, { intel: LIST });
  await past.look(LIST);
  const first = await raised(db);
  assert.equal(first.results.length, 1);
  assert.equal(first.incidents.length, 1);
  assert.ok(first.results[0]!.score >= 40 && first.results[0]!.incident);
  assert.ok(first.incidents[0]!.models.includes("threat-intel"));
  assert.ok(first.evidence > 0);
  await past.look(LIST);
  await settle(db, { intel: LIST });
  assert.deepEqual(await raised(db), first);
  // Removing the list and adding it again is nothing new either.
  for (const set of [emptyIntel(), LIST]) {
    await settle(db, { intel: set });
    await past.look(set);
  }
  assert.equal((await raised(db)).incidents.length, 1);
});

testDatabase("if the announcement fails, the matches are announced again", async (db) => {
  await push(db, ZEEK, await records());
  await settle(db, { intel: emptyIntel() });
  await settle(db, { intel: LIST });
  const failing = pastMatcher(db, async (tx, tenantId, found) => {
    await announcing(tx, tenantId, found);
    throw new Error("the disk is full");
  });
  await failing.look(LIST);
  assert.deepEqual((await raised(db)).results, []);
  await pastMatcher(db).look(LIST);
  assert.equal((await raised(db)).results.length, 1);
});
