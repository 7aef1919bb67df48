import assert from "node:assert/strict";
import { parseSites } from "../../../src/config/sites.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { sensor } from "../../support/record/pipeline.ts";
import { Api, checked, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns } from "../records.ts";

const BRANCH = { tenantId: "branch" } as const;
const BRANCH_SURICATA = sensor("branch-suricata", BRANCH);

interface Ids {
  device_id: string;
  flow_id: string;
  incident_id: string;
}

async function idsOf(api: Api, tenantId: string): Promise<Ids> {
  const sent = { tenantId };
  return {
    device_id: (await api.read("listDevices", {}, sent)).data[0]!.device_id,
    flow_id: (await api.read("listFlows", {}, sent)).data[0]!.flow_id,
    incident_id: (await api.read("listIncidents", {}, sent)).data[0]!.id,
  };
}

testDatabase("tenants: the same records twice are two worlds", async (db) => {
  const api = new Api(db);
  const lines = [alert(), alert({ src: "10.0.0.6", sid: 7 })];
  await api.take(SURICATA, lines);
  await api.take(BRANCH_SURICATA, lines);
  const main = await idsOf(api, "main");
  const branch = await idsOf(api, "branch");
  const all = [...Object.values(main), ...Object.values(branch)];
  assert.equal(new Set(all).size, 6, "no identifier is shared");

  for (const [own, foreign, tenantId] of [[main, branch, "main"], [branch, main, "branch"]] as const) {
    const sent = { tenantId };
    for (const id of ["getDevice", "getIncident", "getFlowEvidence"] as const) {
      await api.read(id, {}, sent, own);
      await refusal(await api.send(id, {}, sent, foreign), 404, "not_found");
    }
    for (const name of ["device_id", "incident_id"] as const) {
      assert.deepEqual((await api.read("listFlows", { [name]: foreign[name] }, sent)).data, []);
    }
    assert.deepEqual((await api.read("listIncidents", { device_id: foreign.device_id }, sent)).data, []);
    const evidence = (await api.read("getFlowEvidence", {}, sent, own)).data;
    const sensors = new Set(evidence.map(({ sensor_id }) => sensor_id));
    assert.deepEqual([...sensors], [tenantId === "main" ? "suricata-1" : "branch-suricata"]);
    // No answer contains anything of the other tenant.
    for (const id of ["listDevices", "listFlows", "listIncidents", "getHealth"] as const) {
      const text = await (await api.send(id, {}, sent)).text();
      for (const foreignId of Object.values(foreign)) assert.ok(!text.includes(foreignId), id);
    }
  }
});

testDatabase("tenants: a write on a foreign object finds nothing and changes nothing", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert()]);
  await api.take(BRANCH_SURICATA, [alert()]);
  const branch = await idsOf(api, "branch");
  const device = { revision: 1, body: { owner: "intruder" } };
  await refusal(await api.change("patchDevice", branch, device), 404, "not_found");
  const incident = { revision: 1, body: { status: "resolved", comment: "intruder" } };
  await refusal(await api.change("patchIncident", branch, incident), 404, "not_found");
  assert.equal((await api.read("getDevice", {}, BRANCH, branch)).data.owner, null);
  assert.equal((await api.read("getIncident", {}, BRANCH, branch)).data.status, "open");

  await checked("patchIncident", await api.change("patchIncident", branch, { ...incident, ...BRANCH }));
  const closed = (tenantId: string) =>
    db.tenant(tenantId, (tx) => tx.rows(sql`select from event_log where type = 'incident.closed'`));
  assert.equal((await closed("branch")).length, 1);
  assert.equal((await closed("main")).length, 0);
  assert.equal((await api.read("listIncidents")).data[0]!.status, "open");
  assert.equal((await api.read("listDevices")).data[0]!.score, 50);
});

testDatabase("tenants: each has its site, its sensors and its numbers", async (db) => {
  const faults = new Faults();
  const sites = parseSites(
    `sites:
  - tenant_id: main
    site_id: hq
    display_name: Headquarters
    home_coordinates: { latitude: 52.5, longitude: 13.4 }
    vlans: [{ vlan_id: 12, name: Office, cidrs: [10.0.0.0/24, "fd00::/64"] }]
`,
    "sites.yaml",
    faults,
  );
  faults.throwIfAny();
  const api = new Api(db, sites);
  assert.deepEqual((await api.read("getSite")).data, {
    site_id: "hq",
    display_name: "Headquarters",
    home_coordinates: { latitude: 52.5, longitude: 13.4 },
    vlans: [{ vlan_id: 12, name: "Office", cidrs: ["10.0.0.0/24", "fd00::/64"] }],
    time_zone: "UTC",
    learning: { phase: "unknown", days: 0, needed_days: 7 },
    require_second_person: false,
  });
  assert.deepEqual((await api.read("getSite", {}, BRANCH)).data, {
    site_id: "branch",
    display_name: "branch",
    home_coordinates: null,
    vlans: [],
    time_zone: "UTC",
    learning: { phase: "unknown", days: 0, needed_days: 7 },
    require_second_person: false,
  });
  await api.take(ZEEK, [conn(), dns()]);
  const health = (await api.read("getHealth", {}, BRANCH)).data;
  assert.equal(health.ingest.events_last_5m, 0);
  assert.equal(health.watermark, null);
  assert.deepEqual(health.components.filter(({ kind }) => kind === "sensor").map(({ id }) => id), [
    "sensor:branch-zeek",
  ]);
});

testDatabase("tenants: an idempotency key belongs to one tenant and person", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert()]);
  await api.take(BRANCH_SURICATA, [alert()]);
  const headers = { "idempotency-key": "same", "if-match": '"1"' };
  const body = { owner: "x" };
  const main = await idsOf(api, "main");
  const branch = await idsOf(api, "branch");
  const first = await checked("patchDevice", await api.change("patchDevice", main, { headers, body }));
  await checked("patchDevice", await api.change("patchDevice", branch, { headers, body, ...BRANCH }));
  const replay = await checked("patchDevice", await api.change("patchDevice", main, { headers, body }));
  assert.deepEqual(replay, first, "the first answer, including its request id");
  assert.equal((await api.read("getDevice", {}, {}, main)).data.revision, 2);
  await refusal(
    await api.change("patchDevice", main, { headers, body, subject: "bob" }),
    412,
    "revision_conflict",
  );
});

testDatabase("tenants: a tenant that was removed from the configuration", async (db) => {
  const api = new Api(db);
  await api.take(sensor("old", { tenantId: "closed-down" }), [conn({ at: NOW - SECOND })]);
  await refusal(await api.send("listFlows", {}, { tenantId: "closed-down" }), 403, "forbidden");
});
