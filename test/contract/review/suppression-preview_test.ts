// What a suppression would cover, before it exists, and what is possible for an incident.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, refusal, SURICATA } from "../api.ts";
import { alert } from "../records.ts";

type Pattern = Record<string, string | number | null>;

async function preview(api: Api, pattern: Pattern, more: Record<string, unknown> = {}) {
  const response = await api.send("previewSuppression", {}, { body: { pattern, ...more } });
  return (await checked("previewSuppression", response)).data;
}

testDatabase("suppression preview: covers what the suppression then covers", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [
    ...Array.from({ length: 4 }, (_, n) => alert({ at: NOW - MINUTE, src: `10.0.0.${n + 1}`, sid: n })),
    alert({ at: NOW - MINUTE, src: "10.9.0.7", sid: 70 }),
  ]);
  const pattern = { source: "10.0.0.0/24", detector: "signature-alert" };
  const before = await preview(api, pattern);
  assert.deepEqual([before.accepted, before.faults, before.open_incidents], [true, [], 4]);
  assert.equal(before.results, 4);
  assert.equal(before.truncated, false);
  assert.equal(before.first_incidents.length, 4);
  assert.deepEqual([before.covers_incident, before.suggestions], [null, []]);
  assert.equal((await api.read("listSuppressions")).data.length, 0, "nothing is stored");

  const body = { pattern, reason: "our scanner", expires_at: "2026-02-01T00:00:00Z" };
  assert.deepEqual(
    await preview(api, pattern, { reason: "our scanner", expires_at: body.expires_at }),
    before,
  );
  const created = await checked("createSuppression", await api.change("createSuppression", {}, { body }));
  const covered = (await api.read("listIncidents", { suppressed: "true" })).data;
  assert.equal(created.data.held_back.incidents, before.open_incidents);
  const ids = new Set(covered.map(({ id }) => id));
  assert.ok(before.first_incidents.every(({ id }) => ids.has(id)));

  const { data: [other] } = await api.read("listIncidents", { suppressed: "false" });
  await api.change("patchIncident", { incident_id: other!.id }, {
    revision: 1,
    body: { status: "resolved", comment: "done" },
  });
  const closed = await preview(api, { source: "10.9.0.0/16", detector: "signature-alert" });
  assert.deepEqual([closed.open_incidents, closed.results], [0, 0], "closed incidents are not covered");
});

testDatabase("suppression preview: says why a pattern is refused, and suggests others", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ at: NOW - MINUTE })]);
  const incident = (await api.read("listIncidents")).data[0]!;
  const device = incident.device_ids[0]!;
  const incident_id = incident.id;

  const wide = await preview(api, { source: device }, { incident_id });
  assert.deepEqual([wide.accepted, wide.open_incidents, wide.covers_incident], [false, 0, false]);
  assert.deepEqual(wide.faults.map(({ field }) => field), ["destination"]);
  assert.ok(wide.suggestions.length >= 2);
  for (const { pattern, covers_incident, results } of wide.suggestions) {
    assert.deepEqual([covers_incident, results], [true, 1]);
    const one = await preview(api, pattern as Pattern, { incident_id });
    assert.deepEqual([one.accepted, one.open_incidents, one.covers_incident], [true, 1, true]);
    assert.deepEqual(one.first_incidents.map(({ id }) => id), [incident_id]);
  }

  const other = await preview(api, { source: device, detector: "beacon" }, { incident_id });
  assert.deepEqual([other.accepted, other.results, other.covers_incident], [true, 0, false]);
  const unknown = await preview(api, { source: "10.0.0.5", detector: "no-such-detector" });
  assert.deepEqual(unknown.faults.map(({ field }) => field), ["detector"]);

  for (const tenantId of ["main", "branch"]) {
    const id = tenantId === "main" ? "0190b2c3-0000-7000-8000-000000000001" : incident_id;
    const body = { pattern: { source: "10.0.0.5", port: 443 }, incident_id: id };
    await refusal(await api.send("previewSuppression", {}, { body, tenantId }), 404, "not_found");
  }
  const foreign = { pattern: { source: device, detector: "beacon" } };
  const branch = await api.send("previewSuppression", {}, { body: foreign, tenantId: "branch" });
  const { data } = await checked("previewSuppression", branch);
  assert.deepEqual([data.accepted, data.faults], [false, [{
    field: "source",
    message: "expected an existing device",
  }]]);
});
