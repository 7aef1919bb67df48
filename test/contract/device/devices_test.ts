import assert from "node:assert/strict";
import { parseTimestamp } from "../../../src/kit/time.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, DAY, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns } from "../records.ts";

testDatabase("devices: an observed device before any change by a person", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn({ at: NOW - 10 * MINUTE, src: "fd00:0:0::5", more: { vlan: 12 } }),
    conn({ at: NOW - 5 * MINUTE, seconds: 30, src: "fd00::5", srcPort: 50001, more: { vlan: 11 } }),
  ]);
  const { data } = await api.read("listDevices");
  assert.equal(data.length, 1);
  const { device_id, ...device } = data[0]!;
  assert.ok(device_id);
  assert.deepEqual(device, {
    display_name: "fd00::5",
    display_name_source: "address",
    device_type: "unknown",
    classification_source: "observed",
    confidence: 0,
    owner: null,
    tags: [],
    addresses: ["fd00::5"],
    vlan_ids: [11, 12],
    first_seen: "2026-01-31T07:05:00.000Z",
    last_seen: "2026-01-31T07:10:30.000Z",
    score: 0,
    incident_count: 0,
    revision: 1,
  });
});

testDatabase("devices: every filter", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn({ at: NOW - 3 * DAY, src: "10.0.0.1", srcPort: 50001 }),
    conn({ at: NOW - 2 * MINUTE, seconds: 60, src: "10.0.0.2", srcPort: 50002, more: { vlan: 12 } }),
    conn({ at: NOW - 2 * MINUTE, seconds: 1, src: "fd00::3", srcPort: 50003, more: { vlan: 120 } }),
  ]);
  await api.take(SURICATA, [alert({ at: NOW - MINUTE, src: "10.0.0.20" })]);
  const names = async (query: Record<string, string>) =>
    (await api.read("listDevices", query)).data.map(({ addresses }) => addresses[0]!).sort();
  const device = (await api.read("listDevices", { query: "10.0.0.1" })).data[0]!;
  const body = {
    display_name: "Drucker 100% _Empfang_",
    device_type: "printer",
    owner: "Haustechnik",
    tags: ["lab", "Üb"],
  };
  await checked("patchDevice", await api.change("patchDevice", device, { revision: 1, body }));

  assert.deepEqual(await names({}), ["10.0.0.1", "10.0.0.2", "10.0.0.20", "fd00::3"]);
  // Part of a name, owner or tag in any case; SQL pattern characters are literal.
  for (const query of ["drucker", "EMPF", "100% _", "haustech", "LAB", "Üb", " drucker "]) {
    assert.deepEqual(await names({ query }), ["10.0.0.1"], query);
  }
  for (const query of ["%", "_"]) assert.deepEqual(await names({ query }), ["10.0.0.1"]);
  assert.deepEqual(await names({ query: "10.0.0.2" }), ["10.0.0.2", "10.0.0.20"]);
  for (const query of ["fd00::3", "FD00:0::3", "fd00::"]) {
    assert.deepEqual(await names({ query }), ["fd00::3"]);
  }
  assert.deepEqual(await names({ query: "nobody" }), []);
  assert.deepEqual(await names({ query: "' or 1=1 --" }), []);

  assert.deepEqual(await names({ vlan_id: "12" }), ["10.0.0.2"]);
  assert.deepEqual(await names({ vlan_id: "4095" }), []);
  assert.deepEqual(await names({ device_type: "printer" }), ["10.0.0.1"]);
  assert.deepEqual(await names({ device_type: "Printer" }), []);
  const { score } = (await api.read("listDevices", { query: "10.0.0.20" })).data[0]!;
  assert.ok(score > 0);
  assert.deepEqual(await names({ risk_min: String(score) }), ["10.0.0.20"]);
  assert.deepEqual(await names({ risk_min: "0.1" }), ["10.0.0.20"]);
  assert.equal((await names({ risk_min: "0" })).length, 4);
  assert.deepEqual(await names({ risk_min: "100" }), []);
  assert.deepEqual(await names({ seen_after: "2026-01-31T07:13:30Z" }), ["10.0.0.2", "10.0.0.20"]);
  // Strictly after.
  assert.deepEqual(await names({ seen_after: "2026-01-31T07:14:00.000Z" }), []);
  assert.deepEqual(await names({ seen_after: "2026-01-31T07:13:59.999Z", vlan_id: "12", query: "10" }), [
    "10.0.0.2",
  ]);

  const bad: Record<string, string[]> = {
    query: ["", "  ", "x".repeat(201), "a\u0000", "a\nb"],
    vlan_id: ["", "-1", "4096", "12345", "twelve", "1.5"],
    device_type: ["", "x".repeat(65), "\u0007"],
    risk_min: ["", "-1", "100.1", "1000", "high", "1e1", "NaN"],
    seen_after: ["", "yesterday", "2026-01-31"],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const error = await refusal(await api.send("listDevices", { [name]: value }), 400, "invalid_request");
      assert.equal((error.details.issues as { path: string }[])[0]!.path, name, value);
    }
  }
});

testDatabase("devices: each once, those first seen last at the front", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [4, 2, 3, 1, 5].map((n) => conn({ at: NOW - n * MINUTE, src: `10.0.0.${n}` })));
  const sort = "-first_seen";
  const all = (await api.read("listDevices", { sort })).data.map(({ addresses }) => addresses[0]);
  assert.deepEqual(all, ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"]);
  for (const limit of [1, 2, 4, 5, 6]) {
    const pages = await api.walk("listDevices", { sort, limit });
    assert.deepEqual(pages.flat().map(({ addresses }) => addresses[0]), all);
    assert.equal(pages.length, Math.ceil(5 / limit));
  }
});

testDatabase("device detail: the grid is a week of UTC hours", async (db) => {
  const api = new Api(db);
  const times = [
    "2026-01-26T00:00:00.000Z", // a Monday
    "2026-01-26T00:59:59.999Z",
    "2026-01-28T13:30:00.000Z",
    "2026-01-25T23:59:59.999Z", // a Sunday
    "2026-01-19T00:10:00.000Z", // the Monday before
  ];
  await api.take(
    ZEEK,
    times.map((time, i) => conn({ at: parseTimestamp(time)!.micros, srcPort: 50000 + i })),
  );
  const { device_id } = (await api.read("listDevices", { query: "10.0.0.5" })).data[0]!;
  const window = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z" };
  const grid = (await api.read("getDevice", window, {}, { device_id })).data.pattern_grid;
  assert.deepEqual(
    grid.map(({ weekday, hour }) => [weekday, hour]),
    Array.from({ length: 168 }, (_, cell) => [Math.floor(cell / 24) + 1, cell % 24]),
  );
  assert.deepEqual(grid.filter(({ flow_count }) => flow_count > 0), [
    { weekday: 1, hour: 0, flow_count: 3 },
    { weekday: 3, hour: 13, flow_count: 1 },
    { weekday: 7, hour: 23, flow_count: 1 },
  ]);
  // The last 15 minutes by default.
  const now = (await api.read("getDevice", {}, {}, { device_id })).data;
  assert.ok(now.pattern_grid.every(({ flow_count }) => flow_count === 0));
  assert.deepEqual([now.top_peers, now.services, now.telemetry_truncated], [[], [], false]);
});

testDatabase("device detail: peers, destinations, services and names", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn({ at: NOW - 9 * MINUTE, srcPort: 50001 }),
    conn({ at: NOW - 8 * MINUTE, srcPort: 50002 }),
    conn({
      at: NOW - 7 * MINUTE,
      srcPort: 50003,
      dst: "203.0.113.9",
      more: { orig_bytes: null, resp_bytes: 7 },
    }),
    conn({
      at: NOW - 6 * MINUTE,
      src: "10.0.0.6",
      srcPort: 50004,
      dst: "10.0.0.5",
      dstPort: 22,
      more: { service: "ssh" },
    }),
    dns({ at: NOW - 5 * MINUTE, srcPort: 50005, query: "a.example.com" }),
    dns({ at: NOW - 4 * MINUTE, srcPort: 50006, query: "b.example.com" }),
    dns({ at: NOW - 3 * MINUTE, srcPort: 50007, query: "b.example.com" }),
  ]);
  const other = (await api.read("listDevices", { query: "10.0.0.6" })).data[0]!;
  const rename = { revision: 1, body: { display_name: "Bastion" } };
  await checked("patchDevice", await api.change("patchDevice", other, rename));
  const { device_id } = (await api.read("listDevices", { query: "10.0.0.5" })).data.find(({ addresses }) =>
    addresses[0] === "10.0.0.5"
  )!;
  const { data } = await api.read("getDevice", {}, {}, { device_id });
  assert.deepEqual(data.top_peers.map(({ ip, flow_count }) => [ip, flow_count]), [
    ["10.0.0.53", 3],
    ["198.51.100.7", 2],
    ["10.0.0.6", 1],
    ["203.0.113.9", 1],
  ]);
  const [, first, second, third] = data.top_peers;
  assert.deepEqual(first, {
    ip: "198.51.100.7",
    device_id: null,
    display_name: null,
    flow_count: 2,
    bytes_out: 1000,
    bytes_in: 8000,
    first_seen: "2026-01-31T07:06:00.000Z",
    last_seen: "2026-01-31T07:07:01.000Z",
    geo: null,
  });
  assert.deepEqual([second!.display_name, second!.device_id], ["Bastion", other.device_id]);
  // The peer opened the connection: what it sent came in.
  assert.deepEqual([second!.bytes_out, second!.bytes_in], [4000, 500]);
  assert.deepEqual([third!.bytes_out, third!.bytes_in], [null, 7]);
  assert.deepEqual(data.top_destinations.map(({ ip, threat_intelligence }) => [ip, threat_intelligence]), [
    ["198.51.100.7", false],
    ["203.0.113.9", false],
  ]);
  assert.deepEqual(
    data.services.map(({ service, port, side, flow_count }) => [service, port, side, flow_count]),
    [
      ["dns", 53, "client", 3],
      ["ssl", 443, "client", 3],
      ["ssh", 22, "server", 1],
    ],
  );
  // The registered domain, not each name below it.
  assert.deepEqual(
    data.domains.map(({ domain, count, first_seen, last_seen }) => [domain, count, first_seen, last_seen]),
    [["example.com", 3, "2026-01-31T07:10:00.010Z", "2026-01-31T07:12:00.010Z"]],
  );
  assert.deepEqual([data.identities, data.merge_events, data.mac_addresses], [[], [], []]);
});

testDatabase("device detail: a bounded scan, reported as truncated", async (db) => {
  const api = new Api(db);
  // One more than the 1,000 flows that are scanned.
  await api.take(
    ZEEK,
    Array.from({ length: 1001 }, (_, n) => conn({ at: NOW - 10 * MINUTE + n * 1000, srcPort: 1024 + n })),
  );
  const { device_id } = (await api.read("listDevices")).data[0]!;
  const detail = async (from: string) => (await api.read("getDevice", { from }, {}, { device_id })).data;
  const whole = await detail("2026-01-31T07:00:00Z");
  assert.equal(whole.telemetry_truncated, true);
  assert.equal(whole.top_peers[0]!.flow_count, 1000);
  const exactly = await detail("2026-01-31T07:05:00.0005Z");
  assert.equal(exactly.telemetry_truncated, false);
  assert.equal(exactly.top_peers[0]!.flow_count, 1000);
});

testDatabase("device detail: the score and its history follow the incidents", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ at: NOW - MINUTE })]);
  await api.take(
    SURICATA,
    [1, 2, 3, 4].map((n) =>
      alert({
        at: NOW - MINUTE + n * SECOND,
        signature: `ET MALWARE Zbot variant ${n}`,
        more: { flow_id: n },
      })
    ),
  );
  const { device_id } = (await api.read("listDevices")).data[0]!;
  const { data } = await api.read("getDevice", {}, {}, { device_id });
  assert.ok(data.incident_count >= 1);
  assert.ok(data.score > 0);
  assert.equal(data.score_history.at(-1)!.score, data.score);
  assert.ok(data.score_history.every(({ reason }) => reason.length > 0));
  const incidents = (await api.read("listIncidents", { device_id })).data;
  assert.equal(incidents.length, data.incident_count);
  assert.equal(Math.max(...incidents.map(({ score }) => score)), data.score);
});
