// The summary that clients poll: its counts, its marks and its entity tag.

import assert from "node:assert/strict";
import type { Summary } from "../../../src/contract/summary.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, DAY, MINUTE, NOW, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

const MARKS = ["incident_mark", "device_mark", "flow_mark", "decision_mark"] as const;

async function summaryOf(api: Api, subject = "ada", tenantId = "main"): Promise<Summary> {
  return (await api.read("getSummary", {}, { subject, tenantId })).data;
}

/** The marks that differ. */
function moved(before: Summary, after: Summary): string[] {
  return MARKS.filter((mark) => before[mark] !== after[mark]);
}

testDatabase("summary: counts open work whatever its age, without what is suppressed", async (db) => {
  const api = new Api(db);
  const empty = await summaryOf(api);
  assert.deepEqual(
    { ...empty, incident_mark: "", device_mark: "", flow_mark: "", decision_mark: "" },
    {
      open_incidents: 0,
      high_incidents: 0,
      unassigned_incidents: 0,
      mine: 0,
      pending_decisions: 0,
      pending_proposals: 0,
      newest_incident: null,
      incident_mark: "",
      device_mark: "",
      flow_mark: "",
      decision_mark: "",
      health: null,
      watermark: null,
    },
  );

  await api.take(SURICATA, [
    alert({ at: NOW - 20 * DAY, src: "10.0.0.1" }),
    alert({ at: NOW - MINUTE, src: "10.0.0.2" }),
    alert({ at: NOW - MINUTE, src: "10.0.0.3" }),
  ]);
  const listed = (await api.read("listIncidents", { from: "1970-01-01T00:00:00Z" })).data;
  assert.equal(listed.length, 3);
  const [one, other, third] = listed;
  await checked(
    "assignIncident",
    await api.change("assignIncident", { incident_id: one!.id }, { revision: 1, body: { assignee: "ada" } }),
  );
  await api.change("patchIncident", { incident_id: other!.id }, {
    revision: 1,
    body: { status: "resolved", comment: "done" },
  });
  const own = await summaryOf(api);
  assert.deepEqual([own.open_incidents, own.unassigned_incidents, own.mine], [2, 1, 1]);
  assert.equal((await summaryOf(api, "bob")).mine, 0);
  assert.equal((await summaryOf(api, "ada", "branch")).open_incidents, 0);
  assert.ok(own.watermark !== null);

  const suppression = {
    pattern: { source: third!.device_ids[0], detector: "signature-alert" },
    reason: "a scanner of ours",
    expires_at: "2026-01-31T08:15:00Z",
  };
  await checked("createSuppression", await api.change("createSuppression", {}, { body: suppression }));
  const covered = await summaryOf(api);
  assert.deepEqual([covered.open_incidents, covered.unassigned_incidents], [1, 0]);
  api.clock.advance(3601);
  assert.equal((await summaryOf(api)).open_incidents, 2, "an expired suppression covers nothing");

  const raised = await db.tenant(
    "main",
    (tx) => tx.run(sql`update incident set severity = 'critical' where incident_id = ${one!.id}::uuid`),
  );
  assert.equal(raised, 1);
  assert.equal((await summaryOf(api)).high_incidents, 1);
});

testDatabase("summary: each mark changes with its lists, and only then", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ at: NOW - MINUTE })]);
  const incident = (await api.read("listIncidents")).data[0]!;
  const path = { incident_id: incident.id };
  let before = await summaryOf(api);
  const step = async (about: string, expected: string[], act: () => Promise<Response | void>) => {
    const response = await act();
    if (response) {
      assert.ok(response.ok, `${about}: ${response.status}`);
      await response.body?.cancel();
    }
    const after = await summaryOf(api);
    assert.deepEqual(moved(before, after), expected, about);
    before = after;
  };

  await step("a second read", [], () => Promise.resolve());
  await step(
    "records",
    ["incident_mark", "device_mark", "flow_mark"],
    () => api.take(SURICATA, [alert({ at: NOW - MINUTE, src: "10.0.0.9" })]),
  );
  await step(
    "a status",
    ["incident_mark", "device_mark"],
    () => api.change("patchIncident", path, { revision: 1, body: { status: "investigating" } }),
  );
  await step(
    "an assignment",
    ["incident_mark", "device_mark"],
    () => api.change("assignIncident", path, { revision: 2, body: { assignee: "ada" } }),
  );
  await step(
    "the same assignment",
    [],
    () => api.change("assignIncident", path, { revision: 3, body: { assignee: "ada" } }),
  );
  await step(
    "a device",
    ["device_mark"],
    () =>
      api.change("patchDevice", { device_id: incident.device_ids[0] }, {
        revision: 1,
        body: { display_name: "Printer" },
      }),
  );
  await step("a proposed action", ["decision_mark"], () =>
    api.change("proposeResponseAction", path, {
      roles: ["responder"],
      body: { kind: "notify_only", reason: "the owner must know" },
    }));
  assert.equal(before.pending_decisions, 1);
  const action = (await api.read("listResponseActions")).data[0]!;
  await step(
    "its decision",
    ["decision_mark"],
    () =>
      api.change("decideResponseAction", { action_id: action.action_id }, {
        roles: ["responder"],
        revision: 1,
        body: { decision: "rejected" },
      }),
  );
  assert.equal(before.pending_decisions, 0);
  await step("a proposal", ["decision_mark"], () =>
    api.change("proposeTriage", {}, {
      body: { incident_id: incident.id, incident_status: "resolved", reason: "seen before" },
    }));
  assert.equal(before.pending_proposals, 1);
});

testDatabase("summary: 304 without a body for the tag of an unchanged answer", async (db) => {
  const api = new Api(db);
  const ask = (tag?: string, subject = "ada") =>
    api.core.send({
      target: "/api/v1/summary",
      subject,
      headers: tag === undefined ? {} : { "if-none-match": tag },
    });
  const first = await ask();
  const tag = first.headers.get("etag")!;
  assert.match(tag, /^"[\w-]+"$/);
  await checked("getSummary", first);
  api.clock.advance(60);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
    const same = await ask(known);
    assert.deepEqual([same.status, await same.text(), same.headers.get("etag")], [304, "", tag], known);
  }
  await api.take(SURICATA, [alert({ at: NOW - MINUTE })]);
  const changed = await ask(tag);
  assert.notEqual(changed.headers.get("etag"), tag);
  const { data } = await checked("getSummary", changed);
  assert.equal(data.newest_incident?.revision, 1);
});
