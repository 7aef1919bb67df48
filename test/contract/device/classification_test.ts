import assert from "node:assert/strict";
import { DEVICE_TYPES } from "../../../src/contract/device/device.ts";
import { openApiText } from "../../../src/contract/openapi.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import { classifyDue } from "../../../src/core/jobs/classify-devices.ts";
import { DeviceUpkeep } from "../../../src/core/jobs/device-upkeep.ts";
import { applyRetention } from "../../../src/core/jobs/retention.ts";
import { applyInventory, storeInventory } from "../../../src/core/jobs/inventory.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, DAY, MINUTE, NETFLOW, NOW, ZEEK } from "../api.ts";
import { conn, dns, exported } from "../records.ts";

/** An answered connection to a service of 10.0.0.9. */
function served(
  srcPort: number,
  dstPort: number,
  service: string | null,
  src = "10.0.0.5",
  at = NOW - MINUTE,
): string {
  return conn({ at, src, srcPort, dst: "10.0.0.9", dstPort, more: { service } });
}

const DIRECTORY = [
  served(50001, 88, "krb_tcp"),
  served(50002, 389, "ldap_tcp"),
  served(50003, 445, "smb,gssapi"),
];

async function device(api: Api, ip: string) {
  const { data } = await api.read("listDevices", { query: ip });
  return (await api.read("getDevice", {}, {}, { device_id: data[0]!.device_id })).data;
}

testDatabase("classification: by behaviour, with its reasons, within a minute", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, DIRECTORY);
  const before = await device(api, "10.0.0.9");
  assert.deepEqual([before.device_type, before.confidence, before.observed_classification], [
    "unknown",
    0,
    null,
  ]);
  const tenants = new Map([["main", defaultSite("main")]]);
  await new DeviceUpkeep({ tenants, inventory: [] }, { db, clock: api.clock, logger: silentLogger }).run();
  const { device_type, classification_source, confidence, revision, observed_classification } = await device(
    api,
    "10.0.0.9",
  );
  assert.deepEqual({ device_type, classification_source, confidence, revision }, {
    device_type: "domain_controller",
    classification_source: "observed",
    confidence: 0.85,
    revision: 1,
  });
  assert.deepEqual(observed_classification, {
    device_type: "domain_controller",
    confidence: 0.85,
    reasons: ["answers Kerberos, LDAP and SMB, like a domain controller"],
    classified_at: "2026-01-31T07:15:00.000Z",
  });
  const { data } = await api.read("listDevices", { device_type: "domain_controller" });
  assert.deepEqual(data.map((one) => one.addresses), [["10.0.0.9"]]);
});

testDatabase("classification: a person's decision stays, and the observed type stays visible", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, DIRECTORY);
  const { device_id } = await device(api, "10.0.0.9");
  const body = { device_type: "honeypot" };
  await checked("patchDevice", await api.change("patchDevice", { device_id }, { revision: 1, body }));
  await classifyDue(db, "main", api.clock.now(), 100);
  const shown = await device(api, "10.0.0.9");
  assert.deepEqual([shown.device_type, shown.classification_source, shown.confidence], [
    "honeypot",
    "human_confirmed",
    1,
  ]);
  assert.equal(shown.observed_classification!.device_type, "domain_controller");
});

testDatabase("classification: only devices with new records are evaluated, after a delay", async (db) => {
  const api = new Api(db);
  const judge = () => classifyDue(db, "main", api.clock.now(), 100);
  await api.take(ZEEK, [dns({ src: "10.0.0.5", dst: "10.0.0.9", dstPort: 53 })]);
  assert.equal(await judge(), 2);
  assert.equal((await device(api, "10.0.0.9")).device_type, "dns_server");
  assert.equal(await judge(), 0, "nothing has happened since");
  await api.take(ZEEK, DIRECTORY);
  assert.equal(await judge(), 0, "a busy device has to wait");
  api.clock.advance(11 * 60);
  assert.equal(await judge(), 2);
  assert.equal((await device(api, "10.0.0.9")).device_type, "domain_controller");
  api.clock.advance(11 * 60);
  assert.equal(await judge(), 0);
});

testDatabase("classification: a record of a clock far ahead does not hide the others", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [...DIRECTORY, served(50009, 8123, null, "10.0.0.5", NOW + 400 * DAY)]);
  await classifyDue(db, "main", api.clock.now(), 100);
  assert.equal((await device(api, "10.0.0.9")).device_type, "domain_controller");
});

testDatabase("classification: the type stays known after the records expired", async (db) => {
  const api = new Api(db);
  await registerTenants(db, ["main"]);
  await api.take(ZEEK, DIRECTORY);
  await classifyDue(db, "main", api.clock.now(), 100);
  await applyRetention(db, NOW + 60 * DAY, 30);
  api.clock.advance(60 * 86_400);
  // Late, and of a time that retention has dropped.
  await api.take(ZEEK, [served(50010, 1234, null)]);
  await applyRetention(db, NOW + 120 * DAY, 30);
  api.clock.advance(60 * 86_400);
  assert.equal(await classifyDue(db, "main", api.clock.now(), 100), 2);
  const shown = await device(api, "10.0.0.9");
  assert.deepEqual([shown.device_type, shown.confidence], ["domain_controller", 0.85]);
});

testDatabase(
  "classification: an exported answer indicates a service, an exported question does not",
  async (db) => {
    const api = new Api(db);
    const udp = { proto: "UDP" };
    await api.take(NETFLOW, [
      exported({ src: "10.0.0.53", srcPort: 53, dst: "10.0.0.5", dstPort: 50001, more: udp }),
      exported({ src: "10.0.0.5", srcPort: 50002, dst: "10.0.0.54", dstPort: 53, more: udp }),
      exported({ src: "10.0.0.54", srcPort: 40000, dst: "198.51.100.7", dstPort: 443 }),
    ]);
    await classifyDue(db, "main", api.clock.now(), 100);
    assert.equal((await device(api, "10.0.0.53")).device_type, "dns_server");
    assert.equal((await device(api, "10.0.0.54")).device_type, "unknown", "no answer was seen");
  },
);

testDatabase(
  "classification: merged devices are classified and named by the inventory as one",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [
      served(50001, 88, "krb_tcp"),
      conn({ srcPort: 50002, dst: "10.0.0.19", dstPort: 389, more: { service: "ldap_tcp" } }),
      conn({ srcPort: 50003, dst: "10.0.0.19", dstPort: 445, more: { service: "smb" } }),
    ]);
    const [one, other] = [await device(api, "10.0.0.9"), await device(api, "10.0.0.19")];
    const merge = (into: string | null) =>
      db.tenant("main", (tx) =>
        tx.run(sql`
        update device set merged_into = ${into}::uuid where tenant_id = 'main' and device_id = ${other.device_id}::uuid`));
    await merge(one.device_id);
    const known = {
      name: "NEWYORK",
      type: null,
      owner: null,
      tags: [],
      addresses: ["10.0.0.19"],
      macAddresses: [],
    };
    await storeInventory(db, "main", [known], NOW);
    await applyInventory(db, "main");
    await classifyDue(db, "main", api.clock.now(), 100);
    const shown = await device(api, "10.0.0.9");
    assert.deepEqual([shown.display_name, shown.device_type, shown.inventory.length], [
      "NEWYORK",
      "domain_controller",
      1,
    ]);

    await merge(null);
    api.clock.advance(11 * 60);
    await applyInventory(db, "main");
    await api.take(ZEEK, [served(50004, 88, "krb_tcp")]);
    await classifyDue(db, "main", api.clock.now(), 100);
    const apart = [await device(api, "10.0.0.9"), await device(api, "10.0.0.19")];
    assert.deepEqual(apart.map((each) => [each.display_name, each.device_type]), [
      ["10.0.0.9", "unknown"],
      ["NEWYORK", "unknown"],
    ]);
  },
);

Deno.test("classification: the document lists the types", () => {
  const { description } = JSON.parse(openApiText()).components.schemas.Device.properties.device_type;
  for (const type of DEVICE_TYPES) assert.ok(description.includes(`\`${type}\``), type);
});
