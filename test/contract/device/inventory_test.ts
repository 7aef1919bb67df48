import assert from "node:assert/strict";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { parseInventory } from "../../../src/config/inventory.ts";
import { defaultSite, parseSites } from "../../../src/config/sites.ts";
import { DeviceUpkeep } from "../../../src/core/jobs/device-upkeep.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, settle } from "../../support/record/pipeline.ts";
import { Api, BRANCH_ZEEK, checked, MINUTE, NOW, SECOND, ZEEK } from "../api.ts";
import { conn, dhcpAck } from "../records.ts";

const TENANTS = new Set(["main", "branch"]);

function read(text: string) {
  const faults = new Faults();
  const inventory = parseInventory(text, "inventory.yaml", faults, TENANTS);
  faults.throwIfAny();
  return inventory;
}

const INVENTORY = read(`inventory:
  - tenant_id: main
    devices:
      - name: Front desk
        type: workstation
        owner: Facilities
        tags: [windows, lobby]
        addresses: [10.0.0.5, "fd00::5"]
      - { name: Core router, addresses: [10.0.0.1] }
`);

function upkeepOf(api: Api): DeviceUpkeep {
  const tenants = new Map([...TENANTS].map((id) => [id, defaultSite(id)]));
  return new DeviceUpkeep({ tenants, inventory: INVENTORY }, {
    db: api.db,
    clock: api.clock,
    logger: silentLogger,
  });
}

async function idOf(api: Api, query: string): Promise<{ device_id: string }> {
  const { data } = await api.read("listDevices", { query });
  assert.equal(data.length, 1, query);
  return { device_id: data[0]!.device_id };
}

testDatabase("inventory: a listed device takes its values from the first record on", async (db) => {
  const api = new Api(db);
  await upkeepOf(api).prepare();
  await api.take(ZEEK, [conn()]);
  const path = await idOf(api, "10.0.0.5");
  const { data } = await api.read("getDevice", {}, {}, path);
  const { display_name, display_name_source, device_type, classification_source, confidence, owner, tags } =
    data;
  assert.deepEqual({
    display_name,
    display_name_source,
    device_type,
    classification_source,
    confidence,
    owner,
    tags,
  }, {
    display_name: "Front desk",
    display_name_source: "inventory",
    device_type: "workstation",
    classification_source: "inventory",
    confidence: 0.9,
    owner: "Facilities",
    tags: ["lobby", "windows"],
  });
  assert.equal(data.revision, 1);
  assert.equal(data.inventory.length, 1);
  const { evidence_id, ...evidence } = data.inventory[0]!;
  assert.ok(evidence_id);
  assert.deepEqual(evidence, {
    kind: "flow_observation",
    source: "inventory",
    sensor_id: "inventory",
    observed_at: "2026-01-31T07:15:00.000Z",
    received_at: "2026-01-31T07:15:00.000Z",
    trust: "inventory",
    summary: "The inventory lists 10.0.0.5 as Front desk, workstation of Facilities",
    flow_id: "",
    matched_by: "address",
    matched_value: "10.0.0.5",
    name: "Front desk",
    device_type: "workstation",
    owner: "Facilities",
    tags: ["lobby", "windows"],
  });
  // It can be found by each value.
  for (const query of ["front", "facilities", "lobby"]) assert.deepEqual(await idOf(api, query), path);
  assert.equal((await api.read("listDevices", { device_type: "workstation" })).data.length, 1);
});

testDatabase("inventory: no device before a record shows it, and none of another tenant", async (db) => {
  const api = new Api(db);
  await upkeepOf(api).prepare();
  assert.deepEqual((await api.read("listDevices")).data, []);
  await api.take(BRANCH_ZEEK, [conn()]);
  const { data } = await api.read("listDevices", {}, { tenantId: "branch" });
  assert.deepEqual(data.map((device) => device.display_name), ["10.0.0.5"]);
});

testDatabase(
  "inventory: a later entry applies, a changed one changes, a removed one is undone",
  async (db) => {
    const api = new Api(db);
    const upkeep = upkeepOf(api);
    await api.take(ZEEK, [conn(), conn({ src: "10.0.0.1", srcPort: 50001 })]);
    await upkeep.run();
    const desk = await idOf(api, "Front desk");
    const router = (await api.read("getDevice", {}, {}, await idOf(api, "Core router"))).data;
    assert.deepEqual([router.classification_source, router.owner, router.tags], ["observed", null, []]);
    const before = (await api.read("getDevice", {}, {}, desk)).data.inventory[0]!;

    api.clock.advance(3600);
    await upkeep.useInventory(read(`inventory:
  - tenant_id: main
    devices:
      - { name: Reception, type: phone, tags: [lobby], addresses: [10.0.0.5] }
      - { name: Core router, addresses: [10.0.0.1] }
`));
    const changed = (await api.read("getDevice", {}, {}, desk)).data;
    assert.deepEqual(
      [changed.display_name, changed.device_type, changed.owner, changed.tags, changed.revision],
      ["Reception", "phone", null, ["lobby"], 1],
    );
    const after = changed.inventory[0]!;
    assert.notEqual(after.evidence_id, before.evidence_id, "another statement is another evidence item");
    assert.equal(after.observed_at, "2026-01-31T08:15:00.000Z");
    const same = (await api.read("getDevice", {}, {}, { device_id: router.device_id })).data.inventory;
    assert.deepEqual(same, router.inventory, "unchanged values stay the same");

    await upkeep.useInventory([]);
    const gone = (await api.read("getDevice", {}, {}, desk)).data;
    assert.deepEqual(
      [
        gone.display_name,
        gone.display_name_source,
        gone.device_type,
        gone.classification_source,
        gone.confidence,
      ],
      ["10.0.0.5", "address", "unknown", "observed", 0],
    );
    assert.deepEqual([gone.owner, gone.tags, gone.inventory], [null, [], []]);
  },
);

testDatabase("inventory: a person's values are never overwritten", async (db) => {
  const api = new Api(db);
  const upkeep = upkeepOf(api);
  await upkeep.prepare();
  await api.take(ZEEK, [conn(), conn({ src: "10.0.0.1", srcPort: 50001 })]);
  const desk = await idOf(api, "10.0.0.5");
  const body = { display_name: "Anna's desk", tags: [] };
  await checked("patchDevice", await api.change("patchDevice", desk, { revision: 1, body }));
  await upkeep.useInventory(read(`inventory:
  - tenant_id: main
    devices: [{ name: Reception, type: phone, owner: Sales, tags: [lobby], addresses: [10.0.0.5] }]
`));
  const { data } = await api.read("getDevice", {}, {}, desk);
  assert.deepEqual(
    [data.display_name, data.device_type, data.classification_source, data.confidence, data.tags],
    ["Anna's desk", "workstation", "human_confirmed", 1, []],
  );
  assert.equal(data.owner, "Sales", "the person set no owner");
  assert.equal(data.inventory[0]!.name, "Reception", "the evidence stays visible");
  await upkeep.useInventory([]);
  const after = (await api.read("getDevice", {}, {}, desk)).data;
  assert.deepEqual([after.display_name, after.device_type, after.owner, after.revision], [
    "Anna's desk",
    "workstation",
    null,
    2,
  ]);
});

testDatabase("inventory: a MAC address finds its device by the latest DHCP lease", async (db) => {
  const api = new Api(db);
  const upkeep = upkeepOf(api);
  await upkeep.useInventory(read(`inventory:
  - tenant_id: main
    devices:
      - { name: Anna's laptop, type: workstation, mac_addresses: ["00:16:3E:5A:00:01"] }
      - { name: Bob's laptop, mac_addresses: ["00:16:3e:5a:00:02"] }
`));
  const ack = (at: number, ip: string, mac: string) =>
    dhcpAck(ip, mac, { hostname: `host-${mac.at(-1)}` }, at);
  const mac = (n: number) => `00:16:3e:5a:00:0${n}`;
  await api.take(ZEEK, [ack(NOW - 60 * MINUTE, "10.0.0.50", mac(1)), conn({ src: "10.0.0.50" })]);
  await upkeep.run();
  const { data } = await api.read("getDevice", {}, {}, await idOf(api, "10.0.0.50"));
  assert.deepEqual([data.display_name, data.device_type], ["Anna's laptop", "workstation"]);
  assert.deepEqual(
    data.inventory.map((one) => [one.matched_by, one.matched_value, one.summary]),
    [["mac_address", mac(1), `The inventory lists ${mac(1)} as Anna's laptop, workstation`]],
  );

  await api.take(ZEEK, [ack(NOW - 5 * MINUTE, "10.0.0.50", mac(2))]);
  await upkeep.run();
  const later = (await api.read("getDevice", {}, {}, { device_id: data.device_id })).data;
  assert.deepEqual([later.display_name, later.device_type], ["Bob's laptop", "unknown"]);

  await upkeep.useInventory([]);
  const named = (await api.read("getDevice", {}, {}, { device_id: data.device_id })).data;
  assert.deepEqual([named.display_name, named.display_name_source], ["host-2", "dhcp"]);
});

testDatabase(
  "VLANs: a device's with names and source, a flow's by its ends",
  async (db) => {
    const faults = new Faults();
    const sites = parseSites(
      `sites:
  - tenant_id: main
    vlans:
      - { vlan_id: 10, name: Office, cidrs: [10.0.0.0/24] }
      - { vlan_id: 20, name: Servers, cidrs: [10.0.1.0/24] }
`,
      "sites.yaml",
      faults,
    );
    const api = new Api(db, sites);
    const lines = [
      conn({ srcPort: 50001 }),
      conn({ at: NOW - 50 * SECOND, src: "10.0.0.6", srcPort: 50002, more: { vlan: 77 } }),
      conn({ at: NOW - 40 * SECOND, src: "203.0.113.9", srcPort: 50003, dst: "10.0.1.4" }),
      conn({ at: NOW - 30 * SECOND, src: "192.168.1.9", srcPort: 50004 }),
    ];
    await pushBatch(db, ZEEK, lines, api.clock.now());
    await settle(db, sites[0]!);
    const vlansOf = async (query: string) => {
      const { data } = await api.read("getDevice", {}, {}, await idOf(api, query));
      return [data.vlan_ids, data.vlans];
    };
    assert.deepEqual(await vlansOf("10.0.0.5"), [[10], [{ vlan_id: 10, name: "Office", source: "network" }]]);
    assert.deepEqual(await vlansOf("10.0.0.6"), [[77], [{ vlan_id: 77, name: null, source: "tag" }]]);
    assert.deepEqual(await vlansOf("192.168.1.9"), [[], []]);
    const listed = async (vlan: string) =>
      (await api.read("listDevices", { vlan_id: vlan })).data.map(({ addresses }) => addresses[0]);
    assert.deepEqual([await listed("10"), await listed("20"), await listed("77")], [["10.0.0.5"], [
      "10.0.1.4",
    ], [
      "10.0.0.6",
    ]]);
    const { data: flows } = await api.read("listFlows");
    assert.deepEqual(flows.map((flow) => [flow.src.ip, flow.vlan_id]), [
      ["192.168.1.9", null],
      ["203.0.113.9", 20],
      ["10.0.0.6", 77],
      ["10.0.0.5", 10],
    ]);
  },
);
