// The map of an incident: its own links, whatever its age and its span.

import assert from "node:assert/strict";
import { formatMillis } from "../../../src/kit/time.ts";
import { linkEvidence } from "../../../src/store/incident/write.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, DAY, MINUTE, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { snapshotOf } from "./stream-client.ts";

const CLIENT = "10.0.0.9";
const ENDS = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

/** An incident with flows six, four and three days ago, of which the first one began long before the alert. */
async function longIncident(api: Api): Promise<string> {
  await api.take(ZEEK, [
    conn({ src: CLIENT, dst: ENDS[0], srcPort: 40_000, at: NOW - 6 * DAY - 40 * MINUTE, seconds: 3600 }),
    conn({ src: CLIENT, dst: ENDS[1], srcPort: 40_001, at: NOW - 4 * DAY }),
    conn({ src: CLIENT, dst: ENDS[2], srcPort: 40_002, at: NOW - 3 * DAY }),
    // The same two at the same time, which is no evidence, and another client.
    conn({ src: CLIENT, dst: ENDS[1], srcPort: 40_003, at: NOW - 4 * DAY, more: { orig_bytes: 9e6 } }),
    conn({ src: "10.0.0.5", dst: ENDS[2], srcPort: 40_004, at: NOW - 3 * DAY }),
  ]);
  await api.take(SURICATA, [alert({ src: CLIENT, dst: "203.0.113.50", at: NOW - 6 * DAY })]);
  const [incident] = (await api.read("listIncidents", { from: formatMillis(NOW - 30 * DAY) })).data;
  const { data: flows } = await api.read("listFlows", { from: formatMillis(NOW - 30 * DAY) });
  const links = flows.filter(({ src, dst }) =>
    src.ip === CLIENT && ENDS.includes(dst.ip) && src.port !== 40_003
  ).map(({ flow_id: flowId, primary_evidence: { evidence_id: evidenceId } }) => ({
    incidentId: incident!.id,
    ref: { evidenceId, flowId, observedAt: NOW },
  }));
  assert.equal(links.length, 3);
  await api.db.tenant("main", (tx) => linkEvidence(tx, "main", links));
  return incident!.id;
}

testDatabase("graph of an incident: all its links, and only those, over days", async (db) => {
  const api = new Api(db);
  const incident_id = await longIncident(api);
  const graph = await snapshotOf(api, { incident_id });
  assert.deepEqual(graph.links.map(({ target, flows, bytes }) => [target, flows, bytes]), [
    ["ip:192.0.2.1", 1, 4500],
    ["ip:192.0.2.2", 1, 4500],
    ["ip:192.0.2.3", 1, 4500],
    ["ip:203.0.113.50", 1, 0],
  ]);
  assert.ok(graph.links.every(({ incident_ids }) => incident_ids.includes(incident_id)));
  // From the first minute of the longest flow to the last record.
  assert.deepEqual(graph.window, {
    from: formatMillis(NOW - 6 * DAY - 40 * MINUTE),
    to: formatMillis(NOW - 3 * DAY + MINUTE),
  });
  assert.equal(graph.cursor, null);

  const day = { from: formatMillis(NOW - 4 * DAY), to: formatMillis(NOW - 3 * DAY - MINUTE) };
  const part = await snapshotOf(api, { incident_id, ...day });
  assert.deepEqual(part.links.map(({ target, flows }) => [target, flows]), [["ip:192.0.2.2", 1]]);
  const tooLong = { incident_id, ...day, from: formatMillis(NOW - 5 * DAY) };
  await refusal(await api.send("getGraph", tooLong), 400, "invalid_time_range");
  const filtered = await snapshotOf(api, { incident_id, filter: "ip:192.0.2.3" });
  assert.deepEqual(filtered.links.map(({ target }) => target), ["ip:192.0.2.3"]);
});

testDatabase("graph of an incident: flows that retention dropped leave their links", async (db) => {
  const api = new Api(db);
  const incident_id = await longIncident(api);
  await db.owner((tx) => tx.script(`delete from flow where dst_ip = '192.0.2.1'`));
  const { links, window } = await snapshotOf(api, { incident_id });
  const [gone, ...kept] = links;
  assert.deepEqual([gone!.target, gone!.flows, gone!.bytes], ["ip:192.0.2.1", 0, 0]);
  assert.deepEqual([gone!.first_seen, gone!.last_seen], [window.from, window.to]);
  assert.deepEqual(kept.map(({ flows }) => flows), [1, 1, 1]);
});

testDatabase("graph of an incident: it must exist in the tenant", async (db) => {
  const api = new Api(db);
  const incident_id = await longIncident(api);
  await api.take(BRANCH_ZEEK, [conn()]);
  const other = await api.send("getGraph", { incident_id }, { tenantId: "branch" });
  await refusal(other, 404, "not_found");
  const unknown = "0190b2c3-ffff-7000-8000-0000000fffff";
  await refusal(await api.send("getGraph", { incident_id: unknown }), 404, "not_found");
  await refusal(await api.send("getGraph", { incident_id: "nonsense" }), 400, "invalid_request");
});
