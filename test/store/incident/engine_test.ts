// The incident engine with its database: what joins, what is held back, and that neither depends on how
// results are split into rounds.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";
import { DAY, HOUR, result as anyResult, T0 } from "../../support/domain/incident-fixtures.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { type Finding, IncidentRound } from "../../../src/pipeline/stages/incident-round.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { updateStatus } from "../../../src/store/incident/read.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { joinedSince } from "../../../src/store/incident/openings.ts";
import { deleteVerdict, heldBack, saveVerdict } from "../../../src/store/incident/verdicts.ts";
import { freshDatabase, testDatabases } from "../../support/database.ts";
import { assertSameSnapshot, type Snapshot, snapshot } from "../../support/record/snapshot.ts";

const NOW = T0 + 400 * DAY;
const [WS7, WS8, GONE, SERVER] = [7, 8, 9, 10].map(device) as [string, string, string, string];
const C2 = { ip: "198.51.100.9", name: null, port: 443 };
const SITE = {
  nameOf: (id: string) => `ws-${parseInt(id.slice(-2), 16)}`,
  isInternal: (ip: string) => ip.startsWith("10."),
  confirmedType: () => null,
};

function device(n: number): string {
  return timeUuid(T0, new Uint8Array(10).fill(n));
}

function result(score: number, more: Partial<DetectorResult> = {}): DetectorResult {
  const { deviceId = WS7, modelId = "beacon" } = more;
  return anyResult(score, {
    deviceId,
    deviceIds: deviceId === null ? [] : [deviceId],
    destinations: [C2],
    groupKey: `${deviceId}|${modelId}`,
    title: `${modelId} of ${deviceId === null ? "nobody" : SITE.nameOf(deviceId)}`,
    ...more,
  });
}

let evidence = 0;

function finding(one: DetectorResult): Finding {
  const evidenceId = timeUuid(one.at, new TextEncoder().encode(String(evidence++).padStart(10, "0")));
  return {
    trigger: evidenceId,
    result: { ...one, evidence: [{ evidenceId, observedAt: one.at, flowId: evidenceId }] },
  };
}

async function fill(db: Database): Promise<void> {
  await db.tenant("main", async (tx) => {
    for (const [at, id] of [WS7, WS8, GONE, SERVER].entries()) {
      await tx.run(
        sql`insert into device (tenant_id, device_id, display_name, first_seen, last_seen, merged_into)
        values ('main', ${id}::uuid, ${`d${at}`}, '2020-01-01', '2020-01-01', ${
          id === GONE ? WS8 : null
        }::uuid)`,
      );
    }
    await tx.run(
      sql`insert into device_tag (tenant_id, device_id, tag) values ('main', ${SERVER}::uuid, 'critical')`,
    );
  });
}

async function take(db: Database, findings: readonly Finding[]): Promise<void> {
  await db.tenant("main", async (tx) => {
    const round = await IncidentRound.load(tx, { tenantId: "main", findings, site: SITE, now: NOW });
    await round.write(tx);
  });
}

interface Row {
  incident_id: string;
  title: string;
  score: number;
  status: string;
  revision: number;
  continues: string | null;
}

async function incidents(db: Database): Promise<Row[]> {
  return await db.tenant("main", (tx) => tx.rows<Row>(sql`select * from incident order by incident_no`));
}

async function results(db: Database): Promise<{ incident_id: string | null; held_by: string | null }[]> {
  return await db.tenant(
    "main",
    (tx) => tx.rows(sql`select incident_id, held_by, suppressed_by from model_result order by result_no`),
  );
}

/** As the API does it. */
async function close(
  db: Database,
  incidentId: string,
  status: "false_positive" | "resolved" | "open",
): Promise<void> {
  await db.tenant("main", async (tx) => {
    const [row] = await tx.rows<{ revision: number }>(
      sql`select revision from incident where incident_id = ${incidentId}::uuid`,
    );
    assert.ok(await updateStatus(tx, "main", incidentId, row!.revision, status));
    await (status === "false_positive" ? saveVerdict : deleteVerdict)(tx, "main", incidentId);
  });
}

testDatabases(
  "results of one device join, and another device with the same destination makes it a campaign",
  async (db) => {
    await fill(db);
    await take(db, [finding(result(60))]);
    await take(db, [finding(result(15, { modelId: "sensor-anomaly", destinations: [] }))]);
    await take(db, [
      finding(result(50, { modelId: "exfiltration", phrase: "2.2 MB uploaded to 198.51.100.9:443" })),
    ]);
    await take(db, [finding(result(55, { deviceId: WS8, groupKey: "ws-8" }))]);
    await take(db, [finding(result(45, { deviceId: SERVER, modelId: "scan", destinations: [] }))]);
    const all = await incidents(db);
    assert.deepEqual(all.map(({ title, score }) => [title, score]), [
      ["ws-7 and 1 more device: beacon, also 2.2 MB uploaded there", 72.2],
      ["scan of ws-10", 56.3],
    ]);
    assert.ok((await results(db)).every(({ incident_id }) => incident_id !== null));
  },
);

testDatabases("several escalations of one batch are one event with the last score", async (db) => {
  await fill(db);
  await take(db, [finding(result(45))]);
  await take(db, [finding(result(55)), finding(result(62)), finding(result(50)), finding(result(75))]);
  await take(db, [finding(result(80))]);
  const events = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ type: string; body: { incident: Record<string, unknown> } }>(
        sql`select type, body from event_log order by event_no`,
      ),
  );
  assert.deepEqual(
    events.map((
      { type, body: { incident } },
    ) => [type, incident.previous_score, incident.score, incident.revision]),
    [
      ["incident.created", undefined, 45, 1],
      ["incident.escalated", 45, 75, 4],
      ["incident.escalated", 75, 80, 5],
    ],
  );
});

testDatabases(
  "a false-positive verdict holds back the same findings, not stronger or corroborated ones",
  async (db) => {
    await fill(db);
    await take(db, [finding(result(50))]);
    const [first] = await incidents(db);
    await close(db, first!.incident_id, "false_positive");
    const closed = (await incidents(db))[0]!;

    await take(db, [finding(result(55)), finding(result(64, { groupKey: "another group" }))]);
    assert.deepEqual(await incidents(db), [closed], "neither opened nor raised");
    assert.deepEqual((await results(db)).map(({ held_by }) => held_by), [
      null,
      first!.incident_id,
      first!.incident_id,
    ]);
    const held = await db.tenant("main", (tx) => heldBack(tx, "main", first!.incident_id));
    assert.deepEqual(held, { count: 2, last_at: T0 });

    await take(db, [finding(result(65))]);
    assert.deepEqual((await incidents(db)).map(({ score, status }) => [score, status]), [[
      50,
      "false_positive",
    ], [
      65,
      "open",
    ]]);
    await close(db, (await incidents(db))[1]!.incident_id, "false_positive");
    await take(db, [finding(result(79))]);
    assert.equal((await incidents(db)).length, 2, "the verdict covers the stronger result, too");

    await take(db, [finding(result(40, { modelId: "scan", destinations: [] }))]);
    await take(db, [finding(result(50))]);
    const last = (await incidents(db))[2]!;
    assert.deepEqual([last.score, last.title], [60, "ws-7: beacon, also scan"]);
    const destination = { ...C2, ip: "203.0.113.1" };
    await close(db, last.incident_id, "resolved");
    await take(db, [finding(result(40, { destinations: [destination], groupKey: "elsewhere" }))]);
    assert.equal((await incidents(db)).length, 4, "no verdict covers another destination");
  },
);

testDatabases("a withdrawn verdict holds nothing back", async (db) => {
  await fill(db);
  await take(db, [finding(result(50, { deviceId: WS8 }))]);
  const id = (await incidents(db))[0]!.incident_id;
  await close(db, id, "false_positive");
  await take(db, [finding(result(50, { deviceId: WS8, groupKey: "later" }))]);
  assert.equal((await results(db)).at(-1)!.held_by, id);
  for (const status of ["open", "resolved"] as const) {
    await close(db, id, status);
    await take(db, [finding(result(50, { deviceId: WS8 }))]);
    assert.deepEqual((await results(db)).at(-1), { incident_id: id, held_by: null, suppressed_by: null });
  }
});

testDatabases("incidents and verdicts of a device from before its merge stay with it", async (db) => {
  await fill(db);
  const elsewhere = { destinations: [], modelId: "scan" };
  await db.tenant("main", (tx) => tx.run(sql`update device set merged_into = null`));
  await take(db, [finding(result(50, { deviceId: GONE }))]);
  await db.tenant(
    "main",
    (tx) => tx.run(sql`update device set merged_into = ${WS8}::uuid where device_id = ${GONE}::uuid`),
  );
  await take(db, [finding(result(50, { ...elsewhere, deviceId: WS8 }))]);
  const [one, ...others] = await incidents(db);
  assert.deepEqual(others, []);
  await close(db, one!.incident_id, "false_positive");
  await take(db, [finding(result(50, { deviceId: WS8 }))]);
  assert.equal((await results(db)).at(-1)!.held_by, one!.incident_id);
});

testDatabases("under an active suppression, a result is stored and has no other effect", async (db) => {
  await fill(db);
  const id = device(77);
  const suppress = (revoked: boolean) =>
    db.tenant("main", (tx) =>
      tx.run(sql`
      insert into suppression (tenant_id, suppression_id, source, detector, reason, created_by, created_at, expires_at)
      values ('main', ${id}::uuid, ${WS7}, 'beacon', 'ours', 'ana', now(), to_timestamp(${
        NOW / 1e6
      }) + interval '1 day')
      on conflict (tenant_id, suppression_id) do update set revoked_at = ${
        revoked ? "now" : null
      }::timestamptz`));
  await suppress(false);
  await take(db, [finding(result(60)), finding(result(60, { deviceId: WS8 }))]);
  assert.equal((await incidents(db)).length, 1);
  assert.deepEqual((await results(db))[0], { incident_id: null, held_by: null, suppressed_by: id });
  await suppress(true);
  await take(db, [finding(result(60))]);
  assert.equal((await incidents(db))[0]!.title, "ws-8 and 1 more device: beacon");
});

testDatabases("an incident that is too long is continued by another one", async (db) => {
  await fill(db);
  for (let day = 0; day <= 32; day++) await take(db, [finding(result(50, { lastSeen: T0 + day * DAY }))]);
  const [first, second, ...others] = await incidents(db);
  assert.deepEqual([others.length, first!.continues, second!.continues], [0, null, first!.incident_id]);
});

/** Results of one detector about sources that each occur once, which one hour brings. */
function storm(count: number, score = 25): Finding[] {
  return Array.from({ length: count }, (_, n) =>
    finding(result(score, {
      deviceId: null,
      destinations: [],
      groupKey: `source ${n}`,
      subject: `source ${n}`,
      title: `guessing by source ${n}`,
      lastSeen: T0 + n,
    })));
}

testDatabases("a storm of 5,000 changing sources opens 50 incidents and one campaign", async (db) => {
  await fill(db);
  const all = storm(5_000);
  for (let from = 0; from < all.length; from += 1_000) await take(db, all.slice(from, from + 1_000));
  const rows = await incidents(db);
  assert.equal(rows.length, 51);
  const { title, summary } = rows.at(-1)! as Row & { summary: string };
  assert.equal(title, "Beacon: more than 2000 further sources in one incident");
  assert.match(summary, /^4950 further sources joined this incident with 4950 results,/);
  assert.match(summary, /First sources: source 50, source 51, /);
  assert.ok(summary.length < 2_400);
  const [links] = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ count: number }>(sql`select count(*)::int as count from incident_evidence
      where incident_id = ${rows.at(-1)!.incident_id}::uuid`),
  );
  assert.equal(links!.count, 16, "evidence of the first sources");
  const joined = (since: number) => db.tenant("main", (tx) => joinedSince(tx, "main", since));
  assert.deepEqual([await joined(T0 - HOUR), await joined(T0 + HOUR)], [4_950, 0], "as health counts them");

  await take(db, all.slice(-10));
  const repeated = await incidents(db);
  assert.deepEqual(repeated.length, 51);
  const counted = summary.replace("4950 results", "4960 results");
  assert.equal((repeated.at(-1)! as Row & { summary: string }).summary, counted, "a repeat is no new source");
});

testDatabases("a stronger result opens its own incident during a storm of low ones", async (db) => {
  await fill(db);
  await take(db, [...storm(200), finding(result(70, { deviceId: WS8, groupKey: "strong" }))]);
  const last = (await incidents(db)).at(-1)!;
  assert.deepEqual([(await incidents(db)).length, last.score], [52, 70]);
});

testDatabases("all detectors together open at most 200 low incidents in an hour", async (db) => {
  await fill(db);
  const models = ["beacon", "scan", "dga", "flood", "brute-force", "certificate"];
  const all = models.flatMap((modelId) =>
    storm(60).map((one) => ({ ...one, result: { ...one.result, modelId } }))
  );
  await take(db, all);
  assert.equal((await incidents(db)).length, 200 + models.length);
});

testDatabases(
  "a storm that is spread over many hours of source time is bounded by its receipt",
  async (db) => {
    await fill(db);
    const at = (n: number) => T0 - Math.floor(n / 10) * HOUR;
    const all = storm(1_000).map((one, n) => ({
      ...one,
      result: { ...one.result, at: at(n), firstSeen: at(n), lastSeen: at(n) },
    }));
    for (let from = 0; from < all.length; from += 250) await take(db, all.slice(from, from + 250));
    const rows = await incidents(db);
    const campaigns = rows.filter(({ title }) => title.includes("further sources"));
    assert.equal(rows.length - campaigns.length, 200);
    // What counts is when the records came, whenever a round takes them up.
    const later = all.map((one, n) => ({
      ...one,
      receivedAt: NOW + 2 * HOUR,
      result: { ...one.result, groupKey: `later ${n}`, subject: `later ${n}` },
    }));
    await take(db, later.slice(0, 300));
    assert.equal((await incidents(db)).filter(({ title }) => !title.includes("further sources")).length, 400);
    // The 80 hours after the first 200 sources; sources far apart in time do not join.
    assert.ok(campaigns.length >= 1 && campaigns.length <= 5, `${campaigns.length} campaigns`);
  },
);

testDatabases("a storm gives the same incidents in rounds of any size", async (db) => {
  const all = storm(120);
  const whole = await inRounds(db, all, [all.length]);
  assertSameSnapshot(await inRounds(db, all, [1, 7, 30]), whole, "rounds");
});

Deno.test("the same incidents result however results are split into rounds", async () => {
  const models = ["beacon", "beacon-name", "scan", "exfiltration", "signature-alert"];
  const results: fc.Arbitrary<DetectorResult> = fc.record({
    modelId: fc.constantFrom(...models),
    deviceId: fc.constantFrom(WS7, WS8, SERVER, device(11), null),
    score: fc.integer({ min: 50, max: 950 }).map((tenths) => tenths / 10),
    hours: fc.integer({ min: 0, max: 300 }),
    lasting: fc.integer({ min: 0, max: 30 }),
    place: fc.integer({ min: 0, max: 4 }),
    wild: fc.constantFrom(0, 0, 0, 0, -T0, 4 * T0),
    odd: fc.constantFrom("", "", "\0", "\ud83d", "😀"),
  }).map(({ modelId, deviceId, score, hours, lasting, place, wild, odd }) =>
    result(score, {
      modelId,
      deviceId,
      groupKey: `${deviceId}|${place}${odd}`,
      destinations: [{
        ip: `203.0.113.${place}`,
        name: place === 3 ? `a${odd}.example.com` : null,
        port: 443,
      }],
      title: `${modelId}${odd} of ${deviceId === null ? "nobody" : SITE.nameOf(deviceId)} to ${place}`,
      firstSeen: T0 + (hours - lasting) * HOUR + Math.min(0, wild),
      lastSeen: T0 + hours * HOUR + Math.max(0, wild),
    })
  );
  const cases = fc.tuple(
    fc.array(results, { minLength: 20, maxLength: 60 }),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  );
  const db = await freshDatabase();
  try {
    await fc.assert(
      fc.asyncProperty(cases, async ([all, sizes]) => {
        const findings = all.map(finding);
        const whole = await inRounds(db, findings, [findings.length]);
        assertSameSnapshot(await inRounds(db, findings, sizes), whole, JSON.stringify(sizes));
        assert.ok(whole.incident!.length > 0);
      }),
      { numRuns: 6 },
    );
  } finally {
    await db.close();
  }
});

/** The outcome of the findings, split into rounds of these sizes. */
async function inRounds(
  db: Database,
  findings: readonly Finding[],
  sizes: readonly number[],
): Promise<Snapshot> {
  const tables = ["device", "device_tag", "device_score", "model_result", "event_log", "tenant_counter"];
  const stories = ["", "_device", "_mark", "_evidence", "_score", "_opening"].map((name) =>
    `incident${name}`
  );
  await db.owner((tx) => tx.script(`truncate ${[...tables, ...stories].join(", ")}`));
  await fill(db);
  for (let from = 0, n = 0; from < findings.length; n++) {
    const to = from + sizes[n % sizes.length]!;
    await take(db, findings.slice(from, to));
    from = to;
  }
  return await snapshot(db);
}

testDatabases("texts of results enter incidents, results and events as plain text", async (db) => {
  await fill(db);
  const hostile = "\u202e\u200b\u2066\u2028\x1b\n";
  const shown = "\\u{202e}\\u{200b}\\u{2066}\\u{2028}\\u{1b}\\u{a}";
  const text = {
    title: `t${hostile}`,
    summary: `s${hostile}`,
    subject: `u${hostile}`,
    phrase: `p${hostile}`,
  };
  await take(db, [finding(result(60, text))]);
  const [row] = await incidents(db) as (Row & { summary: string })[];
  assert.equal(row!.title, `t${shown}`);
  assert.ok(row!.summary.startsWith(`s${shown}`));
  const stored = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ body: string }>(sql`select body::text as body from model_result
      union all select body::text from event_log
      union all select to_jsonb(reason)::text from incident_score`),
  );
  for (const { body } of stored) {
    assert.doesNotMatch(JSON.stringify(JSON.parse(body)), /[\u200b\u202e\u2066\u2028]|\\u001b/u);
  }
});
