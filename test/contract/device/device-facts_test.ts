import assert from "node:assert/strict";
import type { DeviceDetail } from "../../../src/contract/device/device.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { conn, dhcpAck, dhcpRequest, dns, eve, http, ssl } from "../records.ts";

const MAC = "9c:b6:d0:1a:2b:3c";
/** Locally administered. */
const PRIVATE_MAC = "da:b6:d0:1a:2b:3c";

async function detailOf(api: Api, ip: string): Promise<DeviceDetail> {
  const found = (await api.read("listDevices", { query: ip })).data.filter(({ addresses }) =>
    addresses.includes(ip)
  );
  assert.equal(found.length, 1, ip);
  return (await api.read("getDevice", {}, {}, { device_id: found[0]!.device_id })).data;
}

testDatabase(
  "device facts: client and server facts, each on its own device",
  async (db) => {
    const api = new Api(db);
    const at = NOW - 10 * MINUTE;
    const inside = { dst: "10.0.0.80", at };
    await api.take(ZEEK, [
      dns({ at, query: "www.example.com" }),
      dns({ at: at + MINUTE, srcPort: 50_001, query: "mail.example.com" }),
      ssl({
        ...inside,
        more: { server_name: "intra.corp.example", ja3: "a".repeat(32), ja3s: "b".repeat(32) },
      }),
      ssl({
        ...inside,
        at: at + MINUTE,
        srcPort: 50_001,
        more: { subject: "CN=intra.corp.example", issuer: "CN=Corp CA", cert_chain_fps: ["c".repeat(64)] },
      }),
      http({ at, dst: "198.51.100.7", more: { host: "api.example.net", user_agent: "curl/8.5.0" } }),
    ]);
    const ssh = {
      client: { software_version: "OpenSSH_9.2", hassh: { hash: "d".repeat(32) } },
      server: { software_version: "dropbear_2022", hassh: { hash: "e".repeat(32) } },
    };
    await api.take(SURICATA, [
      eve("ssh", ssh, { ...inside, dstPort: 22 }),
      eve("smb", { status: "STATUS_SUCCESS", ntlmssp: { user: "ana", domain: "CORP", host: "WS-77" } }, {
        ...inside,
        dstPort: 445,
      }),
      eve("krb5", { msg_type: "KRB_AS_REP", cname: "ana", realm: "CORP.EXAMPLE" }, {
        ...inside,
        dstPort: 88,
      }),
    ]);

    const client = await detailOf(api, "10.0.0.5");
    assert.deepEqual(
      client.domains.map((
        { domain, count, first_seen, last_seen },
      ) => [domain, count, first_seen, last_seen]),
      [
        ["example.com", 2, "2026-01-31T07:05:00.010Z", "2026-01-31T07:06:00.010Z"],
        ["corp.example", 1, "2026-01-31T07:05:00.000Z", "2026-01-31T07:05:00.000Z"],
        ["example.net", 1, "2026-01-31T07:05:00.000Z", "2026-01-31T07:05:00.000Z"],
      ],
    );
    const values = (list: { kind: string; value: string }[]) =>
      list.map(({ kind, value }) => `${kind} ${value}`).sort();
    assert.deepEqual(values(client.fingerprints), [`hassh ${"d".repeat(32)}`, `ja3 ${"a".repeat(32)}`]);
    assert.deepEqual(client.user_agents.map(({ value }) => value), ["curl/8.5.0"]);
    assert.deepEqual(values(client.software), ["ssh_client OpenSSH_9.2"]);
    assert.deepEqual(values(client.accounts), ["kerberos_principal ana@CORP.EXAMPLE", "smb_user CORP\\ana"]);
    assert.deepEqual(client.logon_domains.map(({ value }) => value), ["CORP"]);
    assert.deepEqual([client.certificates, client.ssh_host_keys], [[], []]);
    assert.deepEqual(client.host_names.map(({ name, source }) => [name, source]), [["WS-77", "smb"]]);
    assert.deepEqual([client.display_name, client.display_name_source], ["WS-77", "smb"]);

    const server = await detailOf(api, "10.0.0.80");
    assert.deepEqual(values(server.fingerprints), [
      `hassh_server ${"e".repeat(32)}`,
      `ja3s ${"b".repeat(32)}`,
    ]);
    assert.deepEqual(values(server.software), ["ssh_server dropbear_2022"]);
    assert.deepEqual(
      server.certificates.map(({ fingerprint, subject }) => [fingerprint, subject]),
      [["c".repeat(64), "CN=intra.corp.example"]],
    );
    assert.deepEqual([server.domains, server.user_agents, server.accounts, server.host_names], [
      [],
      [],
      [],
      [],
    ]);

    // The evidence is the newest observation that showed it.
    const { evidence_id, flow_id } = client.domains[0]!;
    const { data } = await api.read("getFlowEvidence", {}, {}, { flow_id });
    assert.match(data.find((one) => one.evidence_id === evidence_id)!.summary, /mail\.example\.com/);
  },
);

testDatabase(
  "device facts: a lease gives a device its name, MAC address and existence",
  async (db) => {
    const api = new Api(db);
    const at = NOW - 10 * MINUTE;
    const client = { hostname: "ws-77", client_id: `01:${MAC}`, vendor_class_identifier: "MSFT 5.0" };
    await api.take(SURICATA, [
      dhcpRequest("10.0.0.77", MAC, client, at),
      dhcpAck("10.0.0.77", MAC, { lease_time: 3600 }, at + SECOND),
    ]);
    const device = await detailOf(api, "10.0.0.77");
    assert.deepEqual([device.display_name, device.display_name_source], ["ws-77", "dhcp"]);
    assert.equal(device.revision, 1, "no person changed it");
    assert.deepEqual(device.mac_addresses, [MAC]);
    assert.deepEqual(device.host_names.map(({ name, source }) => [name, source]), [["ws-77", "dhcp"]]);
    const [lease] = device.leases;
    const { evidence_id: _, flow_id, ...rest } = lease!;
    assert.deepEqual(rest, {
      ip: "10.0.0.77",
      mac_address: MAC,
      mac_randomized: false,
      host_name: "ws-77",
      client_id: `01:${MAC}`,
      vendor_class: "MSFT 5.0",
      server_ip: "10.0.0.1",
      granted_at: "2026-01-31T07:05:01.000Z",
      expires_at: "2026-01-31T08:05:01.000Z",
      first_seen: "2026-01-31T07:05:00.000Z",
      last_seen: "2026-01-31T07:05:01.000Z",
    });
    const [message] = (await api.read("getFlowEvidence", {}, {}, { flow_id })).data;
    assert.match(message!.summary, /^DHCP ack 10\.0\.0\.77 to 9c:b6:d0:1a:2b:3c for 1 h, by 10\.0\.0\.1$/);
    assert.deepEqual(
      (await api.read("listDevices", { query: "WS-77" })).data.length,
      1,
      "it is found by its name",
    );

    // A renewal from the address itself; later another client at the same address, which takes the name
    // along.
    await api.take(SURICATA, [
      dhcpAck("10.0.0.77", PRIVATE_MAC, { hostname: "Anas-iPhone" }, at + 2 * MINUTE),
    ]);
    const later = await detailOf(api, "10.0.0.77");
    assert.deepEqual([later.display_name, later.mac_addresses], ["Anas-iPhone", [PRIVATE_MAC, MAC]]);
    assert.deepEqual(later.leases.map(({ mac_randomized, expires_at }) => [mac_randomized, expires_at]), [
      [true, null],
      [false, "2026-01-31T08:05:01.000Z"],
    ]);
  },
);

testDatabase("device facts: only an acknowledgement is a lease", async (db) => {
  const api = new Api(db);
  const at = NOW - 10 * MINUTE;
  await api.take(SURICATA, [
    dhcpRequest("10.0.0.77", MAC, { hostname: "ws-77" }, at),
    dhcpAck("10.0.0.78", MAC, { dhcp_type: "offer", hostname: "ws-77" }, at),
    dhcpAck("0.0.0.0", MAC, { hostname: "ws-77" }, at),
    dhcpAck("198.51.100.9", MAC, { hostname: "outside" }, at),
  ]);
  await api.take(ZEEK, [conn({ src: "10.0.0.77" })]);
  const devices = (await api.read("listDevices")).data.map(({ addresses }) => addresses[0]).sort();
  assert.deepEqual(devices, ["10.0.0.1", "10.0.0.77"], "the server, and who opened a connection");
  const asked = await detailOf(api, "10.0.0.77");
  assert.deepEqual([asked.display_name, asked.leases, asked.mac_addresses], ["10.0.0.77", [], []]);
});

testDatabase("device facts: the most reliable name is shown, and a person's always", async (db) => {
  const api = new Api(db);
  const at = NOW - 10 * MINUTE;
  const ends = { src: "10.0.0.77", dst: "10.0.0.80", dstPort: 445 };
  const nameOf = async () => {
    const { display_name, display_name_source } = await detailOf(api, "10.0.0.77");
    return `${display_name} (${display_name_source})`;
  };
  await api.take(ZEEK, [conn({ src: "10.0.0.77", at })]);
  assert.equal(await nameOf(), "10.0.0.77 (address)");
  await api.take(SURICATA, [eve("smb", { ntlmssp: { host: "NMAP" } }, { ...ends, at })]);
  assert.equal(await nameOf(), "NMAP (smb)");
  const machine = { msg_type: "KRB_TGS_REP", cname: "WS-77$", realm: "CORP.EXAMPLE" };
  await api.take(SURICATA, [eve("krb5", machine, { ...ends, dstPort: 88, at: at - MINUTE })]);
  assert.equal(await nameOf(), "WS-77 (kerberos)", "proved by its key, although seen earlier");
  await api.take(SURICATA, [dhcpAck("10.0.0.77", MAC, { hostname: "laptop" }, at - 2 * MINUTE)]);
  assert.equal(await nameOf(), "laptop (dhcp)");
  await api.take(SURICATA, [dhcpAck("10.0.0.77", MAC, { hostname: "localhost" }, at)]);
  assert.equal(await nameOf(), "laptop (dhcp)", "an invalid name changes nothing");

  const device = await detailOf(api, "10.0.0.77");
  const tagged = { revision: device.revision, body: { tags: ["lab"] } };
  await checked("patchDevice", await api.change("patchDevice", device, tagged));
  await api.take(SURICATA, [dhcpAck("10.0.0.77", MAC, { hostname: "laptop-2" }, at + MINUTE)]);
  assert.equal(await nameOf(), "laptop-2 (dhcp)", "a person who gave no name keeps none");
  const named = { revision: device.revision + 1, body: { display_name: "Ana's laptop" } };
  await checked("patchDevice", await api.change("patchDevice", device, named));
  await api.take(SURICATA, [dhcpAck("10.0.0.77", MAC, { hostname: "laptop-3" }, at + 2 * MINUTE)]);
  assert.equal(await nameOf(), "Ana's laptop (person)");
});

testDatabase("device facts: lists are bounded, newest first", async (db) => {
  const api = new Api(db);
  await api.take(
    ZEEK,
    Array.from(
      { length: 130 },
      (_, n) => dns({ at: NOW - (130 - n) * SECOND, srcPort: 1024 + n, query: `d${n}.example` }),
    ),
  );
  const { domains } = await detailOf(api, "10.0.0.5");
  assert.equal(domains.length, 100);
  assert.deepEqual([domains[0]!.domain, domains[99]!.domain], ["d129.example", "d30.example"]);
});
