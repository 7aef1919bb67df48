// Machines that change their addresses, from ingest and pipeline to the identity job and the API.

import assert from "node:assert/strict";
import { identifyDevices } from "../../../src/core/jobs/identity-job.ts";
import { alert, conn } from "../../contract/records.ts";
import { checked, SURICATA, ZEEK } from "../../contract/api.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import {
  ago,
  busy,
  deviceAt,
  identify,
  identityApi,
  LAPTOP,
  laptopMoves,
  listed,
  sshServer,
  tlsServer,
  WINDOW,
  works,
} from "./identity-scenario.ts";

testDatabase("a laptop that changes its address twice is one device", async (db) => {
  const api = await identityApi(db);
  const [first, second, third] = await laptopMoves(api);
  assert.deepEqual((await identify(api)).merged.map(({ from, into }) => [from, into]), [[second, first], [
    third,
    first,
  ]]);

  assert.equal(await deviceAt(api, "10.0.0.5", "10.0.0.6", "10.0.0.7"), first);
  const { data: flows } = await api.read("listFlows", { ...WINDOW, device_id: first, limit: 500 });
  assert.equal(flows.filter(({ dst }) => dst.port === 443).length, 3 * 36);
  assert.deepEqual(
    new Set(flows.map(({ src, dst }) => src.ip === "10.0.0.1" ? dst.device_id : src.device_id)),
    new Set([first]),
  );

  const { data } = await api.read("getDevice", WINDOW, {}, { device_id: first });
  assert.equal(data.services.find(({ port }) => port === 443)?.flow_count, 3 * 36);
  assert.deepEqual(data.mac_addresses, [LAPTOP.mac]);
  const mac = data.identities.find((one) => one.class === "mac")!;
  assert.deepEqual([mac.value, mac.weight, mac.observed_days, mac.randomized, mac.confirming], [
    LAPTOP.mac,
    0.9,
    3,
    false,
    true,
  ]);
  assert.deepEqual(data.identities.map((one) => one.class), ["mac", "dhcp_hostname"]);
  assert.deepEqual(data.merge_events.map((event) => event.from_device_id).sort(), [second, third].sort());
  assert.equal(
    data.merge_events[0]!.reason,
    `same hardware address ${LAPTOP.mac}, DHCP host name annas-laptop`,
  );
  assert.deepEqual(data.workflow_history.map((entry) => entry.action), ["devices_merged", "devices_merged"]);

  assert.deepEqual(await identify(api), { merged: [], separated: [] });
});

testDatabase("an old id still finds the machine and can change it", async (db) => {
  const api = await identityApi(db);
  const [first, second] = await laptopMoves(api);
  const before = (await api.read("getDevice", {}, {}, { device_id: second })).data;
  await identify(api);

  const { data } = await api.read("getDevice", {}, {}, { device_id: second });
  assert.deepEqual(data, (await api.read("getDevice", {}, {}, { device_id: first })).data);
  assert.equal(data.device_id, first);
  assert.deepEqual(
    (await api.read("listFlows", { ...WINDOW, device_id: second })).data,
    (await api.read("listFlows", { ...WINDOW, device_id: first })).data,
  );
  const body = { display_name: "Anna's laptop" };
  const stale = await api.change("patchDevice", { device_id: second }, { revision: before.revision, body });
  assert.equal(stale.status, 412, "a write with a stale revision is refused");
  const changed = await checked(
    "patchDevice",
    await api.change("patchDevice", { device_id: second }, { revision: data.revision, body }),
  );
  assert.deepEqual([changed.data.device_id, changed.data.display_name], [first, "Anna's laptop"]);
  assert.equal(changed.data.merge_events.length, 2);
});

testDatabase("findings at any address belong to the machine", async (db) => {
  const api = await identityApi(db);
  const [first, , third] = await laptopMoves(api);
  await api.take(SURICATA, [alert({ src: "10.0.0.7", at: ago(20) })]);
  // Three machines that contact the same server are one campaign, until they turn out to be one machine.
  const { data: [before] } = await api.read("listIncidents", { ...WINDOW, device_id: third });
  assert.equal(before!.device_ids.length, 3);
  await identify(api);

  const { data: [own] } = await api.read("listIncidents", { ...WINDOW, device_id: first });
  assert.deepEqual(own!.device_ids, [first]);
  assert.equal((await api.read("listDevices", { risk_min: own!.score })).data[0]?.device_id, first);
  assert.deepEqual((await api.read("getIncident", {}, {}, { incident_id: own!.id })).data.device_names, {
    [first]: "annas-laptop",
  });

  await api.take(SURICATA, [
    alert({ src: "10.0.0.6", at: ago(1), sid: 2_018_001, signature: "ET MALWARE Other CnC" }),
  ]);
  await api.take(ZEEK, [conn({ src: "10.0.0.6", at: ago(0.5) })]);
  const { data: [device] } = await api.read("listDevices", { query: "10.0.0.6" });
  const { data: incidents } = await api.read("listIncidents", { ...WINDOW, device_id: first });
  assert.equal(device!.incident_count, incidents.length);
  for (const incident of incidents) assert.deepEqual(incident.device_ids, [first]);
  assert.equal(
    device!.last_seen,
    (await api.read("listFlows", { device_id: first, ...WINDOW })).data[0]!.end,
  );
});

const PHONE = { mac: "da:a1:19:00:11:22" };

testDatabase("a randomized MAC alone does not identify a machine", async (db) => {
  const api = await identityApi(db);
  await works(api, "10.0.0.8", 48, 44, { ...PHONE, name: "iPhone", clientId: `01:${PHONE.mac}` });
  await works(api, "10.0.0.9", 24, 20, { ...PHONE, name: "iPhone", clientId: `01:${PHONE.mac}` });
  assert.deepEqual(await identify(api), { merged: [], separated: [] });
  const { data } = await api.read("getDevice", {}, {}, { device_id: await deviceAt(api, "10.0.0.9") });
  assert.deepEqual(
    data.identities.map((
      { class: kind, weight, randomized, confirming },
    ) => [kind, weight, randomized, confirming]),
    [
      ["dhcp_client_id", 0.4, true, false],
      ["mac", 0.4, true, false],
      ["dhcp_hostname", 0, false, false],
    ],
  );
  assert.deepEqual(data.merge_events, []);
});

testDatabase("a randomized MAC with a unique name does", async (db) => {
  const api = await identityApi(db);
  await works(api, "10.0.0.8", 48, 44, { ...PHONE, name: "Bobs-iPhone" });
  await works(api, "10.0.0.9", 24, 20, { ...PHONE, name: "Bobs-iPhone" });
  assert.equal((await identify(api)).merged.length, 1);
  await deviceAt(api, "10.0.0.8", "10.0.0.9");
});

testDatabase("two copies of one virtual machine stay separate", async (db) => {
  const api = await identityApi(db);
  const clone = { name: "build-runner", clientId: "ff:00:00:00:01:00:02:00:00:ab:11:22:33:44:55" };
  await works(api, "10.0.0.20", 30, 20, { ...clone, mac: "00:50:56:aa:00:01" });
  await works(api, "10.0.0.21", 29, 20, { ...clone, mac: "00:50:56:aa:00:02" });
  assert.deepEqual(await identify(api), { merged: [], separated: [] });
  await deviceAt(api, "10.0.0.20");
  await deviceAt(api, "10.0.0.21");
});

testDatabase(
  "copies active at the same time stay separate, and their shared anchors are marked",
  async (db) => {
    const api = await identityApi(db);
    for (const ip of ["10.0.0.30", "10.0.0.31"]) {
      await api.take(ZEEK, [
        ...busy(ip, ago(30), ago(20)),
        sshServer(ip, ago(29), "SHA256:copied"),
        tlsServer(ip, ago(29), "ab".repeat(32)),
      ]);
    }
    // A third copy, never active at the same time, has the same key and certificate.
    await api.take(ZEEK, [
      sshServer("10.0.0.32", ago(10), "SHA256:copied"),
      tlsServer("10.0.0.32", ago(9), "ab".repeat(32)),
    ]);
    assert.deepEqual(await identify(api), { merged: [], separated: [] });
    const { data } = await api.read("getDevice", {}, {}, { device_id: await deviceAt(api, "10.0.0.32") });
    assert.deepEqual(data.identities.map((one) => [one.class, one.shared, one.confirming]), [
      ["ssh_host_key", true, false],
      ["tls_certificate", true, false],
    ]);
  },
);

testDatabase("a server that moves is recognised by its key and certificate", async (db) => {
  const api = await identityApi(db);
  for (const [ip, from] of [["10.0.0.40", 30], ["10.0.0.41", 20]] as const) {
    await api.take(ZEEK, [
      ...busy(ip, ago(from), ago(from - 8)),
      sshServer(ip, ago(from - 1), "SHA256:own"),
      tlsServer(ip, ago(from - 1), "cd".repeat(32)),
    ]);
  }
  assert.equal((await identify(api)).merged.length, 1);
  await deviceAt(api, "10.0.0.40", "10.0.0.41");
});

testDatabase("a machine's type may be visible at any of its addresses", async (db) => {
  const api = await identityApi(db);
  const [first, , third] = await laptopMoves(api);
  await db.tenant(
    "main",
    (tx) =>
      tx.run(
        sql`update device set device_type = 'workstation', confidence = 0.6 where device_id = ${third}::uuid`,
      ),
  );
  await identify(api);
  const { data: [device] } = await api.read("listDevices", { device_type: "workstation" });
  assert.deepEqual([device!.device_id, device!.device_type, device!.confidence], [first, "workstation", 0.6]);
});

testDatabase("another tenant's machines are never considered", async (db) => {
  const api = await identityApi(db);
  await laptopMoves(api);
  const none = await identifyDevices(db, "branch", api.clock.now());
  assert.deepEqual(none, { merged: [], separated: [] });
  assert.equal((await listed(api)).size, 4, "the laptop's three and the DHCP server");
});
