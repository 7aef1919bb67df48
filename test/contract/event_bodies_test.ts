import assert from "node:assert/strict";
import { EVENT_BODIES } from "../../src/contract/event.ts";
import { sql } from "../../src/store/sql.ts";
import { testDatabases } from "../support/database.ts";
import { Api, checked, MINUTE, NOW, SURICATA } from "./api.ts";
import { alert } from "./records.ts";

testDatabases("events: each row of the log is what its type promises", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ at: NOW - 3 * MINUTE })]);
  // Further signatures and peers raise the score.
  const more = Array.from(
    { length: 12 },
    (_, n) =>
      alert({
        at: NOW - 2 * MINUTE + n,
        dst: `198.51.100.${8 + n}`,
        sid: 2_018_001 + n,
        signature: `ET MALWARE C${n}`,
      }),
  );
  await api.take(SURICATA, more);
  const { id: incident_id, revision } = (await api.read("listIncidents")).data[0]!;
  const change = { revision, body: { status: "resolved", comment: "cleaned" } };
  await checked("patchIncident", await api.change("patchIncident", { incident_id }, change));
  const rows = await db.tenant(
    "main",
    (tx) =>
      tx.rows<{ type: keyof typeof EVENT_BODIES; body: unknown }>(
        sql`select type, body from event_log order by event_no`,
      ),
  );
  for (const { type, body } of rows) EVENT_BODIES[type].parse(body);
  assert.deepEqual(
    [...new Set(rows.map(({ type }) => type))],
    ["incident.created", "incident.escalated", "incident.closed"],
  );
});
