// The event log by type: what is written, and that it is written together with what it describes or not at
// all.

import assert from "node:assert/strict";
import { EVENT_BODIES } from "../../../src/contract/connector/event.ts";
import { WEBHOOK_EVENT_TYPES } from "../../../src/contract/connector/webhook.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { Watched } from "../../support/health/health-watching.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, settle } from "../../support/record/pipeline.ts";
import { snapshot } from "../../support/record/snapshot.ts";
import { MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";
import { Reporting } from "../health/reporting.ts";
import { decide } from "../responses.ts";

type EventType = keyof typeof EVENT_BODIES;

interface Step {
  type: EventType;
  /** Preparation that emits no event of the type. */
  before?: () => Promise<unknown>;
  /** What emits the event. */
  act: () => Promise<unknown>;
}

/** Actions on an appliance that emit each event type in turn. */
function story(db: Database): Step[] {
  const reporting = new Reporting(db);
  const { api } = reporting;
  const watched = new Watched(db);
  let actionId = "";
  const alerts = (count: number, minutes: number) =>
    Array.from({ length: count }, (_, n) => {
      const sid = 2_018_001 + count + n;
      const at = NOW - minutes * MINUTE + n;
      return alert({ at, dst: `198.51.100.${8 + n}`, sid, signature: `ET MALWARE C${sid}` });
    });
  const push = (lines: string[]) => pushBatch(db, SURICATA, lines, api.clock.now());
  const run = (minScore: number) => settle(db, { now: NOW, automatic: { quarantine_device: { minScore } } });
  const close = async () => {
    const { id: incident_id, revision } = (await api.read("listIncidents")).data[0]!;
    const body = { status: "resolved", comment: "cleaned" };
    await succeeded(await api.change("patchIncident", { incident_id }, { revision, body }));
  };
  const report = (status: string) => async () =>
    // A report that was not recorded may be sent again under its key.
    await succeeded(await reporting.report(actionId, { status }, { key: status }));
  const approve = async () => {
    const { data } = await api.read("listResponseActions");
    actionId = (await decide(api, data[0]!, "approved")).action_id;
  };
  return [
    { type: "incident.created", before: () => push(alerts(1, 5)), act: () => run(100) },
    { type: "incident.escalated", before: () => push(alerts(12, 4)), act: () => run(100) },
    { type: "response.proposed", before: () => push(alerts(14, 3)), act: () => run(10) },
    { type: "incident.closed", act: close },
    { type: "response.failed", before: approve, act: report("failed") },
    { type: "response.executed", act: report("executed") },
    { type: "response.released", act: report("rolled_back") },
    { type: "health.transition", before: () => watched.pass("ok"), act: () => watched.pass("full") },
  ];
}

async function succeeded(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}

interface Logged {
  type: EventType;
  event_id: string;
  body: unknown;
}

async function logged(db: Database): Promise<Logged[]> {
  return await db.tenant(
    "main",
    (tx) => tx.rows<Logged>(sql`select type, event_id, body from event_log order by event_no`),
  );
}

/** Everything that an event may describe. */
async function described(db: Database): Promise<Record<string, unknown>> {
  const more = await db.tenant("main", async (tx) => ({
    outcomes: await tx.rows(sql`select * from response_outcome order by action_id, report_key`),
    health: await tx.rows(sql`select * from health_state order by component_id`),
    observation: await tx.rows(sql`select * from health_observation`),
  }));
  return { ...await snapshot(db), ...more };
}

testDatabase("events: each row of the log matches its type", async (db) => {
  const seen = new Set<string>();
  for (const { type, before, act } of story(db)) {
    await before?.();
    await act();
    const rows = await logged(db);
    assert.ok(rows.some((row) => row.type === type), type);
    for (const row of rows) {
      EVENT_BODIES[row.type].parse(row.body);
      seen.add(row.type);
    }
    assert.equal(new Set(rows.map(({ event_id }) => event_id)).size, rows.length, "event ids are unique");
  }
  const kept = WEBHOOK_EVENT_TYPES.filter((type) => type !== "test");
  assert.deepEqual([...seen].sort(), [...kept].sort(), "a test is sent and never stored");
  assert.deepEqual(Object.keys(EVENT_BODIES).sort(), [...kept].sort());
});

testDatabase("events are written in the same transaction as what they describe", async (db) => {
  for (const { type, before, act } of story(db)) {
    await before?.();
    const ruled = await described(db);
    await db.owner((tx) =>
      tx.script(`alter table event_log add constraint refused check (type <> '${type}') not valid`)
    );
    await act().catch(() => {});
    assert.deepEqual(await described(db), ruled, `${type}: without its event nothing has changed`);
    await db.owner((tx) => tx.script("alter table event_log drop constraint refused"));
    await act();
    const count = (await logged(db)).filter((row) => row.type === type).length;
    assert.ok(count > 0, type);
    assert.notDeepEqual(await described(db), ruled, type);
  }
});
