import assert from "node:assert/strict";
import type { Destination } from "../../../src/domain/detect/kernel/result.ts";
import type { SuppressionPattern } from "../../../src/domain/incident/suppression.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { recordDevices } from "../../../src/store/device/write.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { coverIncidents, suppressor, uncoverIncidents } from "../../../src/store/review/suppression-match.ts";
import {
  type ActiveSuppression,
  activeSuppressions,
  heldBackBy,
  insertSuppression,
  revokeSuppression,
} from "../../../src/store/review/suppressions.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON } from "../record/records.ts";

const OLD = "019b7746-0c00-7000-a000-000000000005";
const NEW = "019b7746-0c00-7000-a000-000000000006";
const ACT = { actor: "ada", at: NOON, reason: "known" };
const PEER: Destination = { ip: "198.51.100.9", name: null, port: 443 };

/** Two merged devices with different addresses. */
async function mergedDevices(db: Database): Promise<void> {
  const seen = [OLD, NEW].map((deviceId, i) => ({
    ip: `10.0.${i}.5`,
    deviceId,
    firstSeen: i,
    lastSeen: i,
  }));
  await db.tenant("main", async (tx) => {
    await recordDevices(tx, "main", seen, 1);
    await tx.run(sql`update device set merged_into = ${OLD}::uuid where device_id = ${NEW}::uuid`);
  });
}

async function accept(
  tx: Tx,
  n: number,
  pattern: Partial<SuppressionPattern>,
  expiresAt = NOON + DAY,
): Promise<ActiveSuppression> {
  const id = idOf(n, 0);
  await insertSuppression(
    tx,
    "main",
    { suppression_id: id, reason: "known", created_by: "ada", created_at: NOON, expires_at: expiresAt },
    { source: null, destination: null, port: null, detector: null, ...pattern },
  );
  return (await activeSuppressions(tx, "main", NOON)).find(({ suppressionId }) => suppressionId === id)!;
}

function idOf(kind: number, n: number): string {
  return timeUuid(NOON, new Uint8Array([0, 0, 0, 0, 0, 0, kind, 0, n >> 8, n & 255]));
}

/** Open incidents of the newer device, each with one result that names these destinations. */
async function openIncidents(tx: Tx, count: number, destinations: Destination[]): Promise<void> {
  const body = JSON.stringify({ device_id: NEW, destinations });
  for (let n = 1; n <= count; n++) {
    const id = idOf(9, n);
    await tx.run(sql`
      insert into incident (tenant_id, incident_id, incident_no, model_id, group_key, model_scores, title, summary,
        severity, score, status, first_seen, last_seen, opened_at, revision)
      values ('main', ${id}::uuid, ${n}::bigint, 'beacon', 'g', '{"beacon": 70}', 't', 's', 'high', 70, 'open', now(),
        now(), now(), 1)`);
    await tx.run(sql`
      insert into incident_device (tenant_id, incident_id, device_id, ordinal)
      values ('main', ${id}::uuid, ${NEW}::uuid, 0)`);
    await tx.run(sql`
      insert into model_result (tenant_id, analysis_id, incident_id, model_id, group_key, at, score, body)
      values ('main', ${id}::uuid, ${id}::uuid, 'beacon', 'g', now(), 70, ${body}::text::jsonb)`);
  }
}

testDatabases(
  "suppressor: without active suppressions nothing matches; ended ones do not count",
  async (db) => {
    await mergedDevices(db);
    const beacon = { modelId: "beacon", deviceIds: [OLD], destinations: [PEER] };
    await db.tenant("main", async (tx) => {
      const before = await suppressor(tx, "main", [beacon], NOON);
      assert.equal(before(beacon), null);
      const one = await accept(tx, 1, { source: OLD, detector: "beacon" }, NOON + 5);
      const other = await accept(tx, 2, { source: OLD, detector: "beacon" }, NOON + 3);
      const at = async (now: number) =>
        (await suppressor(tx, "main", [beacon], now))(beacon)?.suppressionId ?? null;
      assert.equal(await at(NOON), one.suppressionId, "the longest one");
      assert.equal(await at(NOON + 4), one.suppressionId);
      assert.equal(await at(NOON + 5), null);
      const revoked = { by: "ada", at: NOON, reason: "no more" };
      assert.equal(await revokeSuppression(tx, "main", one.suppressionId, 2, revoked), false);
      assert.equal(await revokeSuppression(tx, "main", one.suppressionId, 1, revoked), true);
      assert.equal(await at(NOON), other.suppressionId);
    });
  },
);

testDatabases("suppressor: a device includes all merged devices and their addresses", async (db) => {
  await mergedDevices(db);
  const of = (deviceId: string) => ({ modelId: "beacon", deviceIds: [deviceId], destinations: [PEER] });
  const both = [of(OLD), of(NEW)];
  for (const source of [OLD, NEW, "10.0.0.5", "10.0.1.0/24"]) {
    await db.tenant("main", async (tx) => {
      await tx.run(sql`delete from suppression where tenant_id = 'main'`);
      const made = await accept(tx, 1, { source, port: 443 });
      const held = await suppressor(tx, "main", both, NOON);
      assert.deepEqual(
        both.map((result) => held(result)?.suppressionId),
        [made.suppressionId, made.suppressionId],
        source,
      );
      assert.equal(held({ ...of(OLD), destinations: [{ ...PEER, port: 80 }] }), null);
      assert.equal(held({ ...of(idOf(7, 7)), deviceIds: [] }), null);
    });
  }
});

testDatabases("covering: all matching incidents, however many, and their devices' scores", async (db) => {
  await mergedDevices(db);
  await db.tenant("main", async (tx) => {
    await openIncidents(tx, 450, [PEER]);
    const made = await accept(tx, 1, {
      source: "10.0.0.0/24",
      destination: "198.51.100.9",
      detector: "beacon",
    });
    await tx.run(sql`update device set score = 70 where device_id = ${OLD}::uuid`);
    await coverIncidents(tx, "main", made, ACT);
    const ids = [made.suppressionId];
    assert.deepEqual((await heldBackBy(tx, "main", ids)).get(ids[0]!), { results: 0, incidents: 450 });
    const score = async () =>
      (await tx.rows<{ score: number }>(sql`select score from device where device_id = ${OLD}::uuid`))[0]!
        .score;
    assert.equal(await score(), 0);
    await revokeSuppression(tx, "main", ids[0]!, 1, { by: "ada", at: NOON, reason: "no more" });
    await uncoverIncidents(tx, "main", ids[0]!, ACT);
    assert.equal(await score(), 70);
    const lines = await tx.rows<{ action: string; n: number }>(
      sql`select action, count(*)::int as n from workflow_history group by 1 order by 1`,
    );
    assert.deepEqual(lines, [{ action: "suppressed", n: 450 }, { action: "suppression_revoked", n: 450 }]);
  });
});

testDatabases(
  "covering: results without destinations match by device and detector only",
  async (db) => {
    await mergedDevices(db);
    await db.tenant("main", async (tx) => {
      await openIncidents(tx, 1, [PEER]);
      await tx.run(sql`update model_result set body = body - 'destinations'`);
      const named = await accept(tx, 1, { source: OLD, destination: "198.51.100.9" });
      await coverIncidents(tx, "main", named, ACT);
      const plain = await accept(tx, 2, { source: NEW, detector: "beacon" });
      await coverIncidents(tx, "main", plain, ACT);
      const held = await heldBackBy(tx, "main", [named.suppressionId, plain.suppressionId]);
      assert.deepEqual([...held], [[plain.suppressionId, { results: 0, incidents: 1 }]]);
    });
  },
);
