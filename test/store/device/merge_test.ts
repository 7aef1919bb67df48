// Merged devices with concurrent scoring and upkeep.

import assert from "node:assert/strict";
import type { DeviceAnchor } from "../../../src/domain/device/identity/anchor-sightings.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { allAnchors, expireIdentities, writeAnchors } from "../../../src/store/device/anchor.ts";
import { deviceGroup, survivorsOf } from "../../../src/store/device/group.ts";
import {
  endMerges,
  insertMerges,
  lockDevices,
  mergesOf,
  writeSides,
} from "../../../src/store/device/merge.ts";
import { appendDeviceScores, deviceStandings, rescoreDevices } from "../../../src/store/device/scores.ts";
import { recordDevices } from "../../../src/store/device/write.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { testTwoCores } from "../engine/one-database.ts";
import { DAY, NOON } from "../record/records.ts";

const OLD = "019b7746-0c00-7000-a000-000000000005";
const NEW = "019b7746-0c00-7000-a000-000000000006";
const INCIDENT = "019b7746-0c00-7000-b000-000000000001";

async function twoDevices(db: Database): Promise<void> {
  const seen = [OLD, NEW].map((deviceId, i) => ({
    ip: `10.0.0.${5 + i}`,
    deviceId,
    firstSeen: i,
    lastSeen: i,
  }));
  await db.tenant("main", (tx) => recordDevices(tx, "main", seen, 1));
}

async function merge(tx: Tx): Promise<void> {
  const sides = await lockDevices(tx, "main", [OLD, NEW]);
  await writeSides(tx, "main", [{ ...sides.get(NEW)!, merged_into: OLD }]);
}

/** An incident of 70 points that names the newer device. */
async function addIncident(tx: Tx): Promise<void> {
  await tx.run(sql`
    insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary,
      severity, score, status, first_seen, last_seen, opened_at, revision)
    values ('main', ${INCIDENT}::uuid, 1, 'm', 'g', '{}', 't', 's', 'high', 70, 'open', now(), now(), now(), 1)`);
  await tx.run(sql`
    insert into incident_device (tenant_id, incident_id, device_id, ordinal)
    values ('main', ${INCIDENT}::uuid, ${NEW}::uuid, 0)`);
}

async function scores(db: Database): Promise<Record<string, number>> {
  const rows = await db.tenant(
    "main",
    (tx) => tx.rows<{ device_id: string; score: number }>(sql`select device_id, score from device`),
  );
  return Object.fromEntries(rows.map((row) => [row.device_id, row.score]));
}

testDatabases("a merged device's incidents count for the survivor's score", async (db) => {
  await twoDevices(db);
  await db.tenant("main", async (tx) => {
    await merge(tx);
    await addIncident(tx);
    await rescoreDevices(tx, "main", [NEW], 1000, "found");
    assert.deepEqual(await deviceGroup(tx, "main", NEW), [OLD, NEW]);
    assert.deepEqual(await deviceGroup(tx, "main", OLD), [OLD, NEW]);
    assert.deepEqual([...await survivorsOf(tx, "main", [OLD, NEW])], [[NEW, OLD]]);
    const standings = await deviceStandings(tx, "main", [NEW, OLD]);
    assert.deepEqual(
      standings.map(({ deviceId, requested, score }) => ({ deviceId, requested: requested.sort(), score })),
      [
        { deviceId: OLD, requested: [OLD, NEW], score: 70 },
      ],
    );
  });
  assert.deepEqual(await scores(db), { [OLD]: 70, [NEW]: 0 });
});

/** Resolves when the other transaction waits for this one's locks. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 200));

testTwoCores(
  "a score that is being written when a merge begins reaches the survivor",
  async (pipeline, job) => {
    await twoDevices(pipeline);
    let merging: Promise<void> = Promise.resolve();
    await pipeline.tenant("main", async (tx) => {
      const [standing] = await deviceStandings(tx, "main", [NEW]);
      merging = job.tenant("main", async (tx) => {
        await merge(tx);
        await rescoreDevices(tx, "main", [OLD], 2000, "merged");
      });
      await aMoment();
      await addIncident(tx);
      await appendDeviceScores(tx, "main", [{
        deviceId: standing!.deviceId,
        at: 1000,
        score: 70,
        reason: "found",
      }]);
    });
    await merging;
    assert.equal((await scores(pipeline))[OLD], 70);
  },
);

testTwoCores(
  "a score that is written during a merge reaches the survivor",
  async (pipeline, job) => {
    await twoDevices(pipeline);
    let scoring: Promise<void> = Promise.resolve();
    await job.tenant("main", async (tx) => {
      await merge(tx);
      scoring = pipeline.tenant("main", async (tx) => {
        await addIncident(tx);
        const [standing] = await deviceStandings(tx, "main", [NEW]);
        const { deviceId } = standing!;
        await appendDeviceScores(tx, "main", [{ deviceId, at: 1000, score: 70, reason: "found" }]);
      });
      await aMoment();
    });
    await scoring;
    assert.deepEqual(await scores(pipeline), { [OLD]: 70, [NEW]: 0 });
  },
);

function anchor(deviceId: string, value: string): DeviceAnchor {
  return { deviceId, class: "mac", value, source: "suricata", firstSeen: 1, lastSeen: 2, days: [0, 3] };
}

testDatabases("anchors and ended merges expire, active merges do not", async (db) => {
  await twoDevices(db);
  await db.tenant("main", async (tx) => {
    await writeAnchors(tx, "main", [anchor(OLD, "old"), anchor(OLD, "fresh")], NOON - 40 * DAY);
    await writeAnchors(tx, "main", [{ ...anchor(OLD, "fresh"), lastSeen: 9, days: [0, 3, 9] }], NOON);
    const merges = [OLD, NEW].map((from, i) => ({
      merge_id: `019b7746-0c00-7000-c000-00000000000${i}`,
      from_device_id: from,
      into_device_id: "019b7746-0c00-7000-a000-000000000009",
      at: NOON - 50 * DAY,
      reason: "same",
      weight: 1,
      support: [],
    }));
    await insertMerges(tx, "main", merges);
    const mergeId = merges[0]!.merge_id;
    await endMerges(
      tx,
      "main",
      [{ mergeId, cause: "contradicted", reason: "not the same" }],
      NOON - 40 * DAY,
    );
    await expireIdentities(tx, "main", NOON - 30 * DAY);
    assert.deepEqual((await allAnchors(tx, "main")).map(({ value, days }) => [value, days]), [["fresh", [
      0,
      3,
      9,
    ]]]);
    assert.deepEqual((await mergesOf(tx, "main", [OLD, NEW])).map((row) => row.from_device_id), [NEW]);
  });
});
