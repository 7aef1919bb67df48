// What automatic mode proposes to people, with its database: when, only once, and with an event.

import assert from "node:assert/strict";
import { EVENT_BODIES } from "../../../src/contract/connector/event.ts";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";
import { DAY, HOUR, result as anyResult, T0 } from "../../support/domain/incident-fixtures.ts";
import type { Gates } from "../../../src/domain/review/response/automatic.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { type Finding, IncidentRound } from "../../../src/pipeline/stages/incident-round.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { incidentById, updateStatus } from "../../../src/store/incident/read.ts";
import { decideAction, insertActions } from "../../../src/store/review/response-actions.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshDatabase, testDatabases } from "../../support/database.ts";
import { snapshot } from "../../support/record/snapshot.ts";

const NOW = T0 + 400 * DAY;
const [WS7, WS8] = [7, 8].map((n) => timeUuid(T0, new Uint8Array(10).fill(n))) as [string, string];
const SITE = {
  nameOf: (id: string) => `ws-${parseInt(id.slice(-2), 16)}`,
  isInternal: (ip: string) => ip.startsWith("10."),
  confirmedType: () => null,
};
const QUARANTINE: Gates = { quarantine_device: { minScore: 50 } };

async function fill(db: Database): Promise<void> {
  await db.tenant("main", async (tx) => {
    for (const [at, id] of [WS7, WS8].entries()) {
      await tx.run(sql`insert into device (tenant_id, device_id, display_name, first_seen, last_seen)
        values ('main', ${id}::uuid, ${`d${at}`}, '2020-01-01', '2020-01-01')`);
      await tx.run(sql`insert into device_address (tenant_id, ip, device_id, first_seen, last_seen)
        values ('main', ${`10.0.0.${7 + at}`}::inet, ${id}::uuid, '2020-01-01', '2020-01-01')`);
    }
  });
}

let evidence = 0;

function finding(score: number, more: Partial<DetectorResult> = {}): Finding {
  const { deviceId = WS7, modelId = "beacon" } = more;
  const one = anyResult(score, {
    deviceId,
    deviceIds: [deviceId!],
    groupKey: `${deviceId}|${modelId}`,
    ...more,
  });
  const evidenceId = timeUuid(one.at, new TextEncoder().encode(String(evidence++).padStart(10, "0")));
  const ref = { evidenceId, observedAt: one.at, flowId: evidenceId };
  return { trigger: evidenceId, result: { ...one, evidence: [ref] } };
}

async function take(db: Database, gates: Gates, ...findings: Finding[]): Promise<void> {
  await db.tenant("main", async (tx) => {
    const round = await IncidentRound.load(tx, { tenantId: "main", findings, site: SITE, now: NOW, gates });
    await round.write(tx);
  });
}

interface Action {
  action_id: string;
  incident_id: string;
  kind: string;
  mode: string;
  status: string;
  device_id: string;
  address: string;
  identity: string;
  severity: "medium" | "high" | "critical";
  reason: string;
  proposed_by: string;
  revision: number;
}

async function actions(db: Database): Promise<Action[]> {
  return await db.tenant(
    "main",
    (tx) => tx.rows<Action>(sql`select * from response_action order by severity, device_id, kind, action_id`),
  );
}

/** Each must match its type. */
async function events(
  db: Database,
): Promise<{ type: string; body: Record<string, Record<string, unknown>> }[]> {
  const rows = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ type: keyof typeof EVENT_BODIES; body: Record<string, Record<string, unknown>> }>(
        sql`select type, body from event_log order by event_no`,
      ),
  );
  for (const { type, body } of rows) EVENT_BODIES[type].parse(body);
  return rows;
}

async function reject(db: Database, { action_id, revision, incident_id }: Action): Promise<void> {
  await db.tenant("main", async (tx) => {
    const { severity } = (await incidentById(tx, "main", incident_id))!;
    const decided = { status: "rejected", by: "bob", at: NOW, comment: null, severity } as const;
    assert.ok(await decideAction(tx, "main", action_id, revision, decided));
  });
}

testDatabases(
  "automatic: an action is proposed when the score reaches the gate, with an event",
  async (db) => {
    await fill(db);
    await take(db, QUARANTINE, finding(49));
    assert.deepEqual(await actions(db), []);
    await take(db, QUARANTINE, finding(70, { at: T0 + HOUR, lastSeen: T0 + HOUR }));
    const [action, ...others] = await actions(db);
    assert.equal(others.length, 0);
    const { action_id, incident_id, reason, ...rest } = action!;
    assert.match(reason, /^The incident's score reached [\d.]+; this is proposed from 50 on\.$/);
    assert.deepEqual(
      [rest.kind, rest.mode, rest.status, rest.device_id, rest.address, rest.identity, rest.proposed_by],
      ["quarantine_device", "automatic", "proposed", WS7, "10.0.0.7", "address_only", "automatic"],
    );
    const logged = await events(db);
    assert.deepEqual(logged.map(({ type }) => type), [
      "incident.created",
      "incident.escalated",
      "response.proposed",
    ]);
    const { incident, response } = logged.at(-1)!.body;
    assert.deepEqual(response, {
      action_id,
      incident_id,
      kind: "quarantine_device",
      mode: "automatic",
      status: "proposed",
      device_id: WS7,
      address: "10.0.0.7",
      identity: "address_only",
      detail: reason,
    });
    assert.deepEqual(
      [incident!.id, incident!.score, incident!.revision],
      [incident_id, logged[1]!.body.incident!.score, logged[1]!.body.incident!.revision],
    );
    const history = await db.tenant(
      "main",
      (tx) =>
        tx.rows(sql`select actor, action, to_value, comment from workflow_history
      where object_id = ${action_id}::uuid`),
    );
    assert.deepEqual(history, [{
      actor: "automatic",
      action: "proposed",
      to_value: null,
      comment: reason,
    }]);
  },
);

testDatabases(
  "automatic: without a gate, or for a closed incident, nothing is proposed",
  async (db) => {
    await fill(db);
    await take(db, {}, finding(95));
    assert.deepEqual(await actions(db), []);
    const [incident] = await db.tenant(
      "main",
      (tx) => tx.rows<{ incident_id: string }>(sql`select * from incident`),
    );
    await db.tenant("main", (tx) => updateStatus(tx, "main", incident!.incident_id, 1, "resolved"));
    await take(db, QUARANTINE, finding(99, { at: T0 + HOUR, lastSeen: T0 + HOUR }));
    assert.deepEqual(await actions(db), []);
  },
);

testDatabases(
  "automatic: once per device, kind and incident, and after a refusal only if worse",
  async (db) => {
    await fill(db);
    const later = (hours: number) => ({ at: T0 + hours * HOUR, lastSeen: T0 + hours * HOUR });
    const gates = { ...QUARANTINE, notify_only: { minScore: 50 } };
    await take(db, gates, finding(62), finding(63, later(1)));
    await take(db, gates, finding(66, later(2)));
    assert.deepEqual((await actions(db)).map(({ kind }) => kind), ["notify_only", "quarantine_device"]);
    const quarantine = (await actions(db))[1]!;
    assert.equal(quarantine.severity, "high");
    await reject(db, quarantine);
    await take(db, gates, finding(70, later(3)));
    assert.equal((await actions(db)).length, 2);
    await take(db, gates, finding(96, later(4)));
    const all = await actions(db);
    assert.deepEqual(all.map(({ kind, severity, status }) => [kind, severity, status]), [
      ["quarantine_device", "critical", "proposed"],
      ["notify_only", "high", "proposed"],
      ["quarantine_device", "high", "rejected"],
    ]);
    await reject(db, all[0]!);
    await take(db, gates, finding(99, later(5)));
    assert.equal((await actions(db)).length, 3);
    const logged = (await events(db)).filter(({ type }) => type === "response.proposed");
    assert.deepEqual(
      logged.map(({ body }) => body.response!.action_id).sort(),
      all.map((one) => one.action_id).sort(),
    );
  },
);

testDatabases("automatic: no proposal if the incident was as severe when refused", async (db) => {
  await fill(db);
  await take(db, QUARANTINE, finding(62));
  // It rose before the refusal, so the refusal covers it.
  await take(db, QUARANTINE, finding(96, { at: T0 + HOUR, lastSeen: T0 + HOUR }));
  await reject(db, (await actions(db))[0]!);
  await take(db, QUARANTINE, finding(99, { at: T0 + 2 * HOUR, lastSeen: T0 + 2 * HOUR }));
  assert.equal((await actions(db)).length, 1);
});

testDatabases("automatic: a person's proposal is not repeated and emits no event", async (db) => {
  await fill(db);
  await take(db, {}, finding(95));
  const [incident] = await db.tenant(
    "main",
    (tx) => tx.rows<{ incident_id: string }>(sql`select * from incident`),
  );
  const own = {
    action_id: timeUuid(NOW, new Uint8Array(10)),
    incident_id: incident!.incident_id,
    kind: "quarantine_device",
    mode: "proposal",
    device_id: WS7,
    address: "10.0.0.7",
    identity: null,
    severity: "critical",
    reason: "x",
    proposed_by: "rosa",
    proposed_at: NOW,
  } as const;
  const findings = [finding(99, { at: T0 + HOUR, lastSeen: T0 + HOUR })];
  // Between the engine's read and its write.
  await db.tenant("main", async (tx) => {
    const round = await IncidentRound.load(tx, {
      tenantId: "main",
      findings,
      site: SITE,
      now: NOW,
      gates: QUARANTINE,
    });
    await insertActions(tx, "main", [own]);
    await round.write(tx);
  });
  assert.deepEqual((await actions(db)).map(({ mode }) => mode), ["proposal"]);
  assert.equal((await events(db)).some(({ type }) => type === "response.proposed"), false);
});

Deno.test("automatic: the split of results into rounds does not matter", async () => {
  const gates = { ...QUARANTINE, notify_only: { minScore: 60 } };
  const findings = [[40, WS7], [55, WS8], [62, WS7], [58, WS8], [97, WS7], [99, WS8]].map((
    [score, device],
    at,
  ) => finding(Number(score), { deviceId: String(device), at: T0 + at * HOUR, lastSeen: T0 + at * HOUR }));
  const whole = await snapshotAfter([findings], gates);
  assert.equal(whole.response_action!.length, 4);
  assert.deepEqual(await snapshotAfter(findings.map((one) => [one]), gates), whole);
});

async function snapshotAfter(rounds: Finding[][], gates: Gates) {
  const db = await freshDatabase();
  try {
    await fill(db);
    for (const round of rounds) await take(db, gates, ...round);
    const { response_action, event_log } = await snapshot(db);
    return { response_action, event_log };
  } finally {
    await db.close();
  }
}
