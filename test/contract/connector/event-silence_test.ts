// What the interface excludes from events emits none.

import assert from "node:assert/strict";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";
import { Reporting } from "../health/reporting.ts";
import { decide, propose, scene } from "../responses.ts";

testDatabase(
  "not events: open to investigating, reopening, a switch of verdicts, new evidence at an unchanged score, proposals and approvals by people",
  async (db) => {
    const { api } = new Reporting(db);
    const types = async () => {
      const rows = await db.tenant(
        "main",
        (tx) => tx.rows<{ type: string }>(sql`select type from event_log order by event_no`),
      );
      return rows.map(({ type }) => type);
    };
    const { incident_id, device_id } = await scene(api);
    const created = ["incident.created", "incident.created"];
    assert.deepEqual(await types(), created);
    const incident = async () => (await api.read("getIncident", {}, {}, { incident_id })).data;
    const set = async (status: string) => {
      const { revision } = await incident();
      const body = { status, comment: "looked at" };
      const response = await api.change("patchIncident", { incident_id }, { revision, body });
      assert.equal(response.status, 200, await response.text());
    };

    await set("investigating");
    assert.deepEqual(await types(), created, "open to investigating");

    const told = [...created];
    let quiet = 0;
    for (let n = 1; quiet < 2; n++) {
      assert.ok(n < 30, "each further signature weighs less");
      const before = await incident();
      await api.take(SURICATA, [
        alert({ at: NOW - MINUTE + n, sid: 2_018_100 + n, signature: `ET MALWARE ${n}` }),
      ]);
      const after = await incident();
      assert.ok(after.evidence.length > before.evidence.length);
      if (after.score > before.score) told.push("incident.escalated");
      else quiet++;
      assert.deepEqual(await types(), told, "new evidence at an unchanged score is no escalation");
    }

    const action = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
    assert.deepEqual(await types(), told, "a proposal created by a person");
    await decide(api, action, "approved");
    assert.deepEqual(await types(), told, "a human approval");

    await set("resolved");
    const closed = [...told, "incident.closed"];
    assert.deepEqual(await types(), closed);
    await set("false_positive");
    assert.deepEqual(await types(), closed, "a later switch between them is not a second closure");
    await set("open");
    assert.deepEqual(await types(), closed, "reopening");
  },
);
