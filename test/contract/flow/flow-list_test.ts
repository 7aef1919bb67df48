import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NETFLOW, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { conn, dns, eveFlow, exported } from "../records.ts";

type Ids = { flow_id: string }[];
const idsOf = (flows: Ids) => flows.map((flow) => flow.flow_id);

testDatabase("flows: newest first, equal starts by identifier", async (db) => {
  const api = new Api(db);
  const starts = [5, 1, 3, 3, 3, 2, 4, 3];
  await api.take(ZEEK, starts.map((minute, i) => conn({ at: NOW - minute * MINUTE, srcPort: 50000 + i })));
  const { data, next_cursor } = await api.read("listFlows");
  assert.equal(next_cursor, null);
  assert.equal(data.length, starts.length);
  const keys = data.map((flow) => `${flow.start} ${flow.flow_id}`);
  assert.deepEqual(keys, [...keys].sort().reverse());
  const tied = data.filter((flow) => flow.start === "2026-01-31T07:12:00.000Z");
  assert.equal(tied.length, 4);
});

testDatabase("flows: paging shows each once, whatever the page size and new records", async (db) => {
  const api = new Api(db);
  const minutes = [1, 2, 3, 3, 3, 3, 4, 5, 5, 6, 7];
  await api.take(ZEEK, minutes.map((minute, i) => conn({ at: NOW - minute * MINUTE, srcPort: 50000 + i })));
  const all = idsOf((await api.read("listFlows")).data);
  for (const limit of [1, 2, 3, 4, 10, 11, 12, 500]) {
    const pages = await api.walk("listFlows", { limit });
    assert.deepEqual(idsOf(pages.flat()), all, `limit ${limit}`);
    assert.equal(pages.length, Math.ceil(all.length / limit), `limit ${limit}`);
  }

  let port = 60000;
  const between = async () => {
    // Time passes, and flows arrive before, at, between and after those already shown.
    api.clock.advance(20);
    await api.take(
      ZEEK,
      [0, 3, 3.5, 8].map((minute) => conn({ at: NOW - minute * MINUTE, srcPort: port++ })),
    );
  };
  const walked = idsOf((await api.walk("listFlows", { limit: 2 }, { between })).flat());
  assert.equal(new Set(walked).size, walked.length, "none twice");
  assert.deepEqual(walked.filter((id) => all.includes(id)), all, "none missing");
});

testDatabase("flows: paging keeps its initial window", async (db) => {
  const api = new Api(db);
  await api.take(
    ZEEK,
    [1, 14, 14.5].map((minute, i) => conn({ at: NOW - minute * MINUTE, srcPort: 50000 + i })),
  );
  const first = await api.read("listFlows", { limit: 1 });
  api.clock.advance(600);
  const rest = await api.read("listFlows", { cursor: first.next_cursor! });
  assert.equal(rest.data.length, 2);

  // The oldest allowed start is too old a moment later; paging continues.
  const from = "2026-01-01T07:15:00Z";
  const edge = new Api(db);
  const page = await edge.read("listFlows", { from, limit: 1 });
  edge.clock.advance(86400 + 1);
  await refusal(await edge.send("listFlows", { from }), 400, "invalid_time_range");
  edge.clock.advance(-2);
  assert.equal((await edge.read("listFlows", { from, limit: 2, cursor: page.next_cursor! })).data.length, 2);
});

testDatabase("flows: every filter", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn({ srcPort: 50001 }),
    conn({ srcPort: 50002, src: "10.0.0.6", dst: "2001:db8::7", more: { service: "gssapi,smb" } }),
    conn({ srcPort: 50003, src: "198.51.100.7", dst: "10.0.0.6", more: { proto: "udp", service: "dtls" } }),
    dns({ srcPort: 50004 }),
  ]);
  await api.take(SURICATA, [eveFlow({ srcPort: 50001 }), eveFlow({ srcPort: 50005 })]);
  await api.take(NETFLOW, [exported({ srcPort: 50006, src: "10.0.0.7", more: { proto: "ICMP" } })]);
  const ports = async (query: Record<string, string>) =>
    (await api.read("listFlows", query)).data.map((flow) => flow.src.port).sort();

  const devices = (await api.read("listDevices")).data;
  const deviceAt = (ip: string) => devices.find((device) => device.addresses.includes(ip))!.device_id;
  assert.deepEqual(await ports({}), [0, 50001, 50002, 50003, 50004, 50005]);
  assert.deepEqual(await ports({ device_id: deviceAt("10.0.0.5") }), [50001, 50004, 50005]);
  assert.deepEqual(await ports({ device_id: deviceAt("10.0.0.6") }), [50002, 50003]);
  assert.deepEqual(await ports({ device_id: "0190b2c3-0000-7000-8000-000000000001" }), []);
  for (const name of ["device_id", "incident_id"]) {
    const fault = await refusal(await api.send("listFlows", { [name]: "nope" }), 400, "invalid_request");
    assert.match(fault.message, new RegExp(`^${name}: expected an identifier`));
  }

  assert.deepEqual(await ports({ peer_ip: "198.51.100.7" }), [0, 50001, 50003, 50005]);
  assert.deepEqual(await ports({ peer_ip: "2001:db8::7" }), [50002]);
  assert.deepEqual(await ports({ peer_ip: "192.0.2.200" }), []);
  assert.deepEqual(await ports({ device_id: deviceAt("10.0.0.6"), peer_ip: "198.51.100.7" }), [50003]);

  for (const proto of ["udp", "UDP", "17"]) assert.deepEqual(await ports({ proto }), [50003, 50004], proto);
  assert.deepEqual(await ports({ proto: "icmp" }), [0]);
  assert.deepEqual(await ports({ proto: "nothing" }), []);

  assert.deepEqual(await ports({ service: "dns" }), [50004]);
  for (const service of ["smb", "GSSAPI", "gssapi,smb"]) assert.deepEqual(await ports({ service }), [50002]);
  assert.deepEqual(await ports({ service: "sm" }), []);

  assert.deepEqual(await ports({ source: "suricata" }), [50001, 50005]);
  assert.deepEqual(await ports({ source: "netflow" }), [0]);
  assert.deepEqual(await ports({ source: "zeek", proto: "tcp" }), [50001, 50002]);
  assert.deepEqual(await ports({ source: "inventory" }), []);
});

testDatabase("flows: an address is found whether or not it was a device at the time", async (db) => {
  const api = new Api(db);
  const silent = { conn_state: "S0", orig_bytes: 0, resp_bytes: 0, resp_pkts: 0 };
  await api.take(ZEEK, [conn({ srcPort: 50001, dst: "10.0.0.99", more: silent })]);
  const ports = async () =>
    (await api.read("listFlows", { peer_ip: "10.0.0.99" })).data.map(({ src }) => src.port).sort();
  assert.deepEqual(await ports(), [50001]);
  assert.deepEqual(
    (await api.read("listDevices", { query: "10.0.0.99" })).data,
    [],
    "no answer from there yet",
  );

  await api.take(ZEEK, [
    conn({ srcPort: 50002, dst: "10.0.0.99" }),
    conn({ srcPort: 50003, src: "10.0.0.99" }),
    conn({ srcPort: 50004, src: "10.0.0.99", dst: "10.0.0.99" }),
    conn({ srcPort: 50005 }),
  ]);
  assert.equal((await api.read("listDevices", { query: "10.0.0.99" })).data.length, 1);
  assert.deepEqual(await ports(), [50001, 50002, 50003, 50004]);
  const walked = (await api.walk("listFlows", { peer_ip: "10.0.0.99", limit: 1 })).flat();
  assert.deepEqual(walked.map(({ src }) => src.port).sort(), [50001, 50002, 50003, 50004]);
});

testDatabase("flows: meaningless filters are refused", async (db) => {
  const api = new Api(db);
  const bad: [string, string, RegExp][] = [
    ["peer_ip", "2001:DB8::7", /canonical address 2001:db8::7/],
    ["peer_ip", "2001:db8:0:0:0:0:0:7", /canonical address 2001:db8::7/],
    ["peer_ip", "::ffff:192.0.2.7", /canonical address 192.0.2.7/],
    ["peer_ip", "010.0.0.1", /IP address/],
    ["peer_ip", "1", /IP address/],
    ["peer_ip", "fe80::1%eth0", /IP address/],
    ["peer_ip", "10.0.0.0/8", /IP address/],
    ["peer_ip", "", /IP address/],
    ["source", "cisco", /source/],
    ["proto", "\0", /control/],
    ["proto", "x".repeat(33), /proto/],
    ["service", "a\u0000b", /control/],
    ["service", "", /service/],
    ["device_id", "", /device_id/],
    ["incident_id", "x".repeat(129), /incident_id/],
  ];
  for (const [name, value, expected] of bad) {
    const error = await refusal(await api.send("listFlows", { [name]: value }), 400, "invalid_request");
    assert.match(error.message, expected);
    assert.equal((error.details.issues as { path: string }[])[0]!.path, name);
  }
});

testDatabase("flows: ends, counters and their sensors", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn({ more: { vlan: 12 } })]);
  await api.take(SURICATA, [eveFlow({ at: NOW - MINUTE + SECOND / 10 })]);
  await api.take(NETFLOW, [exported({ at: NOW - 3 * MINUTE, src: "10.0.0.9", srcPort: 40000 })]);
  const [merged, exportOnly] = (await api.read("listFlows")).data;
  const device = (await api.read("listDevices", { query: "10.0.0.5" })).data[0]!;
  assert.deepEqual(merged!.src, { ip: "10.0.0.5", port: 50000, device_id: device.device_id, geo: null });
  assert.deepEqual(merged!.dst, { ip: "198.51.100.7", port: 443, device_id: null, geo: null });
  // One preferred observation, never a sum: Zeek's, although Suricata saw it too.
  assert.deepEqual(merged!.counters, {
    src_to_dst: { bytes: 500, packets: 8 },
    dst_to_src: { bytes: 4000, packets: 9 },
    semantics: "session",
  });
  assert.deepEqual(merged!.sources, ["zeek", "suricata"]);
  assert.equal(merged!.observation_count, 2);
  assert.equal(merged!.primary_evidence.sensor_id, "zeek-1");
  assert.equal(merged!.vlan_id, 12);
  assert.match(merged!.community_id!, /^1:/);

  assert.deepEqual(exportOnly!.counters, {
    src_to_dst: { bytes: 900, packets: 7 },
    dst_to_src: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  });
  assert.equal(exportOnly!.service, null);
});

testDatabase("flows: a counter above 2^53 keeps every digit", async (db) => {
  const api = new Api(db);
  const [line] = [conn({ more: { orig_bytes: "ORIG", resp_bytes: "RESP" } })];
  const exact = line!.replace('"ORIG"', "9007199254740993").replace('"RESP"', "9223372036854775807");
  await api.take(ZEEK, [exact]);
  const { data } = await api.read("listFlows");
  assert.equal(data[0]!.counters.src_to_dst.bytes, 9007199254740993n);
  const text = await (await api.send("listFlows")).text();
  assert.match(text, /"src_to_dst":\{"bytes":9007199254740993,"packets":8\}/);
  assert.match(text, /"dst_to_src":\{"bytes":9223372036854775807,"packets":9\}/);

  const evidence = await (await api.send("getFlowEvidence", {}, {}, { flow_id: data[0]!.flow_id })).text();
  assert.match(evidence, /"bytes":9007199254740993,/);
  const device_id = data[0]!.src.device_id!;
  const detail = await (await api.send("getDevice", {}, {}, { device_id })).text();
  assert.match(detail, /"bytes_out":9007199254740993,"bytes_in":9223372036854775807,/);
});
