// Every operation on real recordings: each answer is checked against the contract, the document and the
// formats.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles } from "../../support/record/pipeline.ts";
import { Api, checked, DAY, MINUTE, SURICATA, ZEEK } from "../api.ts";
import { formatMillis, parseTimestamp } from "../../../src/kit/time.ts";

const SAMPLE = `${import.meta.dirname}/../../data/sample`;
/** From the EVE recordings, whose other types have no ingest kind. */
const brobeat = await linesOfFiles(`${SAMPLE}/brobeat/conn.log`, `${SAMPLE}/brobeat/dns.log`);
const cdmcs = await linesOfFiles(`${SAMPLE}/cdmcs/eve.ndjson.gz`);

/** A window around these lines. */
function windowOf(lines: readonly string[]): { from: string; to: string } {
  const times = lines.map((line) => parseTimestamp(JSON.parse(line).observed_at)!.micros);
  const low = times.reduce((a, b) => Math.min(a, b));
  const high = times.reduce((a, b) => Math.max(a, b));
  return { from: formatMillis(low - DAY), to: formatMillis(high + DAY) };
}

testDatabase("api: a beacon recording through every read", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, brobeat);
  const window = windowOf(brobeat);

  assert.equal((await api.read("getSite")).data.site_id, "main");
  const flows = (await api.walk("listFlows", { ...window, limit: 50 })).flat();
  assert.ok(flows.length > 100);
  for (const flow of flows.slice(0, 10)) {
    const evidence = await api.read("getFlowEvidence", {}, {}, { flow_id: flow.flow_id });
    assert.equal(evidence.data.length, flow.observation_count);
    for (const { raw } of evidence.data) assert.ok(brobeat.some((line) => line.includes(raw!.payload)));
  }

  const devices = (await api.walk("listDevices", { limit: 3 })).flat();
  assert.ok(devices.length > 1);
  for (const { device_id } of devices) await api.read("getDevice", window, {}, { device_id });

  const incidents = (await api.read("listIncidents", window)).data;
  const beacon = incidents.find((incident) => incident.summary.includes("188.173.32.149"));
  assert.ok(beacon, JSON.stringify(incidents));
  for (const { id } of incidents) {
    const { data } = await api.read("getIncident", {}, {}, { incident_id: id });
    assert.ok(data.evidence.length > 0);
    assert.ok(data.model_results.length > 0);
  }
  const health = await api.read("getHealth");
  assert.equal(health.data.ingest.events_last_5m, brobeat.length);
});

testDatabase("api: signature alerts of a recording, to the raw record and to closing", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, cdmcs);
  const window = windowOf(cdmcs);
  const [incident] = (await api.read("listIncidents", { ...window, limit: 1 })).data;
  assert.ok(incident);
  const path = { incident_id: incident.id };
  const { data } = await api.read("getIncident", {}, {}, path);
  const item = data.evidence.find(({ kind }) => kind === "alert")!;
  const evidence = await api.read("getFlowEvidence", {}, {}, { flow_id: item.flow_id });
  const observation = evidence.data.find(({ evidence_id }) => evidence_id === item.evidence_id)!;
  assert.ok(cdmcs.some((line) => line.includes(observation.raw!.payload)));

  const closed = await checked(
    "patchIncident",
    await api.change("patchIncident", path, {
      revision: data.revision,
      body: { status: "resolved", comment: "training" },
    }),
  );
  assert.equal(closed.data.status, "resolved");
  const device_id = closed.data.device_ids[0]!;
  const device = (await api.read("getDevice", window, {}, { device_id })).data;
  const patched = await checked(
    "patchDevice",
    await api.change("patchDevice", { device_id }, {
      revision: device.revision,
      body: { display_name: "Training box", tags: ["lab"] },
    }),
  );
  assert.equal(patched.data.display_name, "Training box");
  api.clock.advance(2 * MINUTE / 1e6);
  assert.equal(
    (await api.read("getHealth", {}, { roles: ["admin"] })).data.ingest.events_last_5m,
    cdmcs.length,
  );
});
