import assert from "node:assert/strict";
import { formatMicros } from "../../../src/kit/time.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { settle } from "../../support/record/pipeline.ts";
import { Api, DAY, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns } from "../records.ts";

const EVER = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };

testDatabase("incidents: a new one", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ at: NOW - 2 * MINUTE })]);
  const { data, next_cursor } = await api.read("listIncidents");
  assert.equal(next_cursor, null);
  const { id, device_ids, title, summary, severity, score, ...rest } = data[0]!;
  const device = (await api.read("listDevices")).data[0]!;
  assert.deepEqual(device_ids, [device.device_id]);
  assert.ok(id && title.length > 0 && summary.length > 0);
  assert.deepEqual([severity, score], ["medium", 50]);
  assert.deepEqual(rest, {
    status: "open",
    assignee: null,
    model_ids: ["signature-alert"],
    first_seen: "2026-01-31T07:13:00.000Z",
    last_seen: "2026-01-31T07:13:00.000Z",
    revision: 1,
    suppressed: null,
  });
});

testDatabase("incidents: windows are on last_seen, half-open", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [
    alert({ at: NOW - 3 * DAY, src: "10.0.0.1" }),
    alert({ at: NOW - 15 * MINUTE, src: "10.0.0.2" }),
    alert({ at: NOW - 15 * MINUTE - 1, src: "10.0.0.3" }),
    alert({ at: NOW, src: "10.0.0.4" }),
    // Started before the window and still active in it.
    alert({ at: NOW - 60 * MINUTE, src: "10.0.0.5" }),
    alert({ at: NOW - MINUTE, src: "10.0.0.5" }),
  ]);
  const devices = new Map(
    (await api.read("listDevices")).data.map((one) => [one.device_id, one.addresses[0]!]),
  );
  const found = async (query: Record<string, string> = {}) =>
    (await api.read("listIncidents", query)).data.map(({ device_ids }) => devices.get(device_ids[0]!)).sort();
  assert.deepEqual(await found(), ["10.0.0.2", "10.0.0.5"]);
  assert.deepEqual(await found({ from: formatMicros(NOW - 15 * MINUTE - 1) }), [
    "10.0.0.2",
    "10.0.0.3",
    "10.0.0.5",
  ]);
  assert.deepEqual(await found({ to: formatMicros(NOW - 3 * DAY) }), []);
  assert.deepEqual(await found({ to: formatMicros(NOW - 3 * DAY + 1) }), ["10.0.0.1"]);
  assert.deepEqual(await found({ from: formatMicros(NOW), to: formatMicros(NOW + 1) }), ["10.0.0.4"]);
  assert.equal((await found(EVER)).length, 5);
});

testDatabase("incidents: every filter, and pages, newest first", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [
    alert({ at: NOW - 5 * MINUTE, src: "10.0.0.1" }),
    alert({ at: NOW - 4 * MINUTE, src: "10.0.0.2", signature: "ET CNC Feodo Tracker Reported CnC Server" }),
    // Internal to internal: an incident of both.
    alert({ at: NOW - 3 * MINUTE, src: "10.0.0.3", dst: "10.0.0.1" }),
  ]);
  const all = (await api.read("listIncidents")).data;
  assert.deepEqual(all.map(({ last_seen }) => last_seen.slice(11, 16)), ["07:12", "07:11", "07:10"]);
  for (const limit of [1, 2, 3]) {
    const pages = await api.walk("listIncidents", { limit });
    assert.deepEqual(pages.flat(), all);
    assert.equal(pages.length, Math.ceil(3 / limit));
  }

  const devices = (await api.read("listDevices")).data;
  const idOf = (ip: string) => devices.find(({ addresses }) => addresses[0] === ip)!.device_id;
  const ids = async (query: Record<string, string>) =>
    (await api.read("listIncidents", query)).data.map(({ id }) => id);
  assert.deepEqual(await ids({ device_id: idOf("10.0.0.1") }), [all[0]!.id, all[2]!.id]);
  assert.deepEqual(await ids({ device_id: idOf("10.0.0.2") }), [all[1]!.id]);
  assert.deepEqual(await ids({ device_id: "0190b2c3-0000-7000-8000-000000000001" }), []);
  for (const severity of ["info", "low", "medium", "high", "critical"] as const) {
    const expected = all.filter((one) => one.severity === severity).map(({ id }) => id);
    assert.deepEqual(await ids({ severity }), expected);
  }
  assert.notEqual(all[1]!.severity, all[0]!.severity);

  const body = { status: "investigating" };
  await api.change("patchIncident", { incident_id: all[1]!.id }, { revision: all[1]!.revision, body });
  assert.deepEqual(await ids({ status: "investigating" }), [all[1]!.id]);
  assert.deepEqual(await ids({ status: "open" }), [all[0]!.id, all[2]!.id]);
  assert.deepEqual(await ids({ status: "resolved" }), []);
  assert.deepEqual(await ids({ status: "open", device_id: idOf("10.0.0.2") }), []);
  for (
    const [name, value] of [["status", "closed"], ["status", "OPEN"], ["severity", "urgent"], [
      "device_id",
      "",
    ], ["device_id", "not one of ours"]]
  ) {
    await refusal(await api.send("listIncidents", { [name!]: value! }), 400, "invalid_request");
  }
});

testDatabase("incident detail: evidence in order, results, scores, and its flows", async (db) => {
  const api = new Api(db);
  await api.take(
    SURICATA,
    [3, 1, 2].map((n) =>
      alert({ at: NOW - n * MINUTE, srcPort: 50000 + n, sid: 5000 + n, more: { flow_id: n } })
    ),
  );
  await api.take(ZEEK, [conn({ at: NOW - 2 * MINUTE, srcPort: 50002 }), conn({ srcPort: 55555 })]);
  const [incident] = (await api.read("listIncidents")).data;
  const path = { incident_id: incident!.id };
  const response = await api.send("getIncident", {}, {}, path);
  assert.equal(response.headers.get("etag"), `"${incident!.revision}"`);
  const { data } = await api.read("getIncident", {}, {}, path);
  const { evidence, model_results, score_history, workflow_history, analyst, ...rest } = data;

  assert.deepEqual(evidence.map(({ observed_at }) => observed_at.slice(11, 16)), ["07:12", "07:13", "07:14"]);
  assert.ok(evidence.every((item) => item.kind === "alert" && item.summary.includes("Zbot")));
  const flows = (await api.read("listFlows", { incident_id: incident!.id })).data;
  assert.deepEqual(
    new Set(flows.map(({ flow_id }) => flow_id)),
    new Set(evidence.map(({ flow_id }) => flow_id)),
  );
  assert.equal(flows.find(({ src }) => src.port === 50002)!.observation_count, 2);

  assert.ok(model_results.length > 0);
  const rows = await persisted(api);
  for (const result of model_results) {
    assert.deepEqual(rows.get(result.analysis_id), result.score, "the result is the stored one");
    assert.ok(result.evidence_ids.every((id) => evidence.some(({ evidence_id }) => evidence_id === id)));
    assert.ok(result.sub_scores.length > 0 && result.explanation.length > 0);
  }
  assert.equal(data.score_parts.reduce((sum, { value, weight }) => sum + value * weight, 0), data.score);
  assert.deepEqual([data.continues, data.held_back], [null, null]);
  const [told] = model_results;
  assert.ok(told!.title === data.title && data.summary.startsWith(told!.summary));
  assert.deepEqual([told!.first_seen, told!.last_seen], [data.first_seen, data.last_seen]);
  assert.deepEqual(told!.destinations, [{ ip: "198.51.100.7", name: null, port: 443 }]);
  assert.equal(score_history[0]!.reason.startsWith("Opened"), true);
  assert.equal(score_history.at(-1)!.score, data.score);
  assert.deepEqual(workflow_history, []);
  assert.deepEqual(analyst, { state: "not_requested", run_id: null, updated_at: null, text: null });
  assert.deepEqual(rest.unresolved_evidence_ids, []);
  assert.equal(rest.evidence_truncated, false);
  assert.deepEqual(rest.device_names, { [data.device_ids[0]!]: "10.0.0.5" });
  assert.deepEqual(
    Object.fromEntries(Object.keys(incident!).map((key) => [key, data[key as "id"]])),
    incident,
  );
});

/** Scores of the stored analysis results, by id. */
async function persisted(api: Api): Promise<Map<string, number>> {
  const rows = await api.db.tenant(
    "main",
    (tx) => tx.rows<{ analysis_id: string; score: number }>(sql`select analysis_id, score from model_result`),
  );
  return new Map(rows.map((row) => [row.analysis_id, row.score]));
}

testDatabase(
  "incident detail: evidence whose record is gone is listed as unresolved",
  async (db) => {
    const api = new Api(db);
    await api.take(SURICATA, [1, 2].map((n) => alert({ at: NOW - n * MINUTE, more: { flow_id: n } })));
    const incident_id = (await api.read("listIncidents")).data[0]!.id;
    const before = (await api.read("getIncident", {}, {}, { incident_id })).data;
    assert.equal(before.evidence.length, 2);
    await api.db.tenant(
      "main",
      (tx) => tx.run(sql`delete from evidence where evidence_id = ${before.evidence[0]!.evidence_id}::uuid`),
    );
    const after = (await api.read("getIncident", {}, {}, { incident_id })).data;
    assert.deepEqual(after.unresolved_evidence_ids, [before.evidence[0]!.evidence_id]);
    assert.deepEqual(after.evidence, [before.evidence[1]]);
    assert.deepEqual(after.model_results, before.model_results);
  },
);

testDatabase("incident detail: of many items the newest evidence, and that there is more", async (db) => {
  const api = new Api(db);
  // Each evaluation links the newest 50 alerts, and an active group is evaluated every 15 minutes.
  for (let burst = 13; burst >= 0; burst--) {
    await api.take(
      SURICATA,
      Array.from(
        { length: 60 },
        (_, n) =>
          alert({ at: NOW - burst * 20 * MINUTE - (60 - n) * SECOND, more: { flow_id: burst * 60 + n } }),
      ),
    );
  }
  const incident_id = (await api.read("listIncidents")).data[0]!.id;
  const { data } = await api.read("getIncident", {}, {}, { incident_id });
  const [{ n }] = await db.tenant(
    "main",
    (tx) => tx.rows<{ n: number }>(sql`select count(*)::int as n from incident_evidence`),
  ) as [{ n: number }];
  assert.ok(n > 500, `${n} links`);
  assert.equal(data.evidence.length, 500);
  assert.equal(data.evidence_truncated, true);
  assert.equal(data.evidence.at(-1)!.observed_at, data.last_seen);
  const order = data.evidence.map((item) => `${item.observed_at} ${item.evidence_id}`);
  assert.deepEqual(order, [...order].sort());
});

testDatabase(
  "incidents: written with its event and the rest of its round, or not at all",
  async (db) => {
    const api = new Api(db);
    await api.take(SURICATA, [alert({ at: NOW - 3 * MINUTE })]);
    const events = () =>
      db.tenant("main", (tx) => tx.rows<{ type: string }>(sql`select type from event_log order by event_no`));
    // The event log refuses the next round's event.
    await db.owner((tx) => tx.script("alter table event_log add constraint no_more check (event_no < 2)"));
    const worse = alert({ at: NOW - MINUTE, signature: "ET CNC Feodo Tracker Reported CnC Server", sid: 9 });
    const louder = Array.from(
      { length: 4 },
      (_, n) => alert({ at: NOW - 2 * MINUTE, sid: 100 + n, more: { flow_id: n } }),
    );
    await assert.rejects(api.take(SURICATA, [worse, ...louder]));
    const before = (await api.read("listIncidents")).data;
    assert.deepEqual(before.map(({ score, revision }) => [score, revision]), [[50, 1]]);
    assert.equal((await api.read("listFlows")).data.length, 1);
    assert.equal((await api.read("getHealth")).data.ingest.oldest_buffered_at, "2026-01-31T07:15:00.000Z");

    await db.owner((tx) => tx.script("alter table event_log drop constraint no_more"));
    await settle(db);
    const after = (await api.read("listIncidents")).data;
    assert.equal(after.length, 1, "both are about one device");
    assert.ok(after[0]!.score > 50);
    const types = (await events()).map(({ type }) => type);
    assert.deepEqual([...new Set(types)].sort(), ["incident.created", "incident.escalated"]);
    assert.equal(types.filter((type) => type === "incident.created").length, 1);
  },
);

testDatabase("incident detail: a foreign one is not found", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [dns()]);
  for (const incident_id of ["0190b2c3-0000-7000-8000-000000000001", "1", "\0", "%", "open"]) {
    await refusal(await api.send("getIncident", {}, {}, { incident_id }), 404, "not_found");
    const change = { revision: 1, body: { status: "investigating" } };
    await refusal(await api.change("patchIncident", { incident_id }, change), 404, "not_found");
  }
});

testDatabase("incidents: evidence is found despite a wild clock", async (db) => {
  const clocks = [-62_135_596_800_000_000, -1, 0, NOW - MINUTE, 253_402_300_799_999_000];
  const api = new Api(db);
  for (const [n, at] of clocks.entries()) {
    await api.take(SURICATA, [alert({ at, src: `10.0.0.${n + 1}` })]);
  }
  const ids = await db.tenant(
    "main",
    (tx) => tx.rows<{ incident_id: string }>(sql`select incident_id from incident`),
  );
  assert.equal(ids.length, clocks.length);
  for (const { incident_id } of ids) {
    const { data } = await api.read("getIncident", {}, {}, { incident_id });
    assert.deepEqual([data.evidence.length, data.unresolved_evidence_ids], [1, []], data.last_seen);
  }
});
