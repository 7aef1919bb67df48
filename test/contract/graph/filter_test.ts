// The map's filter in the search language.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { compileIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { PAIR_FIELDS } from "../../../src/contract/filter/pair-fields.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { linkEvidence } from "../../../src/store/incident/write.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, checked, MINUTE, NOW, refusal, SURICATA, ZEEK } from "../api.ts";
import { alert, conn } from "../records.ts";
import { deltaIn, liveWith, MapClient, openStream, sendStream, snapshotOf } from "./stream-client.ts";

const PRINTER = "10.0.0.6";
const SITE = {
  ...defaultSite("main"),
  site: { ...defaultSite("main").site, vlans: [{ vlan_id: 7, name: "Office", cidrs: ["10.0.0.4/31"] }] },
};
const GEOIP = {
  lookup: (ip: string) => ({
    country: ip.startsWith("203.0.113.") ? "RO" : null,
    city: null,
    latitude: null,
    longitude: null,
    asn: ip.startsWith("192.0.2.") ? 64_500 : null,
    asOrganisation: null,
  }),
};
const LISTS = new IntelSet(compileIntel([{ name: "feed.txt", pieces: ["192.0.2.9 # a miner\n"] }]).data);
const INTEL = { current: () => LISTS, isInternal: (_: string, ip: string) => ip.startsWith("10.") };

/** Six pairs, of which the client and the server exchange two services. */
async function filled(db: Database): Promise<Api> {
  const api = new Api(db, [SITE], { geoip: GEOIP, intel: INTEL }, liveWith().live);
  const to = (dst: string, at: number, more: Record<string, unknown> = {}) =>
    conn({ dst, srcPort: 50_000 + at, more });
  await api.take(ZEEK, [
    to("198.51.100.7", 0),
    to("198.51.100.7", 1, { service: "dns", orig_bytes: 3_000_000 }),
    to("203.0.113.8", 2, { service: "http" }),
    to("192.0.2.9", 3, { service: "http", resp_bytes: 9_000_000 }),
    to(PRINTER, 4, { service: "smb" }),
    conn({ src: PRINTER, dst: "192.0.2.10", srcPort: 50_010, more: { service: "ntp" } }),
  ]);
  const { data: devices } = await api.read("listDevices");
  const printer = devices.find(({ addresses }) => addresses.includes(PRINTER))!;
  const body = { display_name: "Front desk printer", owner: "Maria", tags: ["critical"] };
  const { device_id, revision } = printer;
  await checked("patchDevice", await api.change("patchDevice", { device_id }, { revision, body }));
  return api;
}

/** The pairs that a graph shows, without the client. */
async function pairs(api: Api, filter: string): Promise<string[]> {
  const { nodes, links } = await snapshotOf(api, { filter });
  const ip = new Map(nodes.map((node) => [node.node_id, node.ip!]));
  return links.map(({ source, target }) =>
    [ip.get(source)!, ip.get(target)!].filter((one) => one !== "10.0.0.5").sort().join(" ")
  ).sort();
}

const SERVER = "198.51.100.7";
const ABROAD = "203.0.113.8";
const MINER = "192.0.2.9";
const CLOCK = `${PRINTER} 192.0.2.10`;
const ALL = [PRINTER, CLOCK, MINER, SERVER, ABROAD].sort();

testDatabase("map filter: what is known of the traffic and its ends", async (db) => {
  const api = await filled(db);
  const cases: [string, string[]][] = [
    ["ip:203.0.113.0/24", [ABROAD]],
    ["203.0.113.8", [ABROAD]],
    ["country:RO", [ABROAD]],
    ["-country:*", ALL.filter((one) => one !== ABROAD)],
    ["asn:AS64500", [CLOCK, MINER]],
    ["vlan:Office", ALL.filter((one) => one !== CLOCK)],
    ["service:tls", [SERVER]],
    ["-service:(dns, tls)", ALL.filter((one) => one !== SERVER)],
    ["bytes>2MB", [MINER, SERVER]],
    ["bytes>2MB service:tls", []],
    ["packets<100", ALL],
    ["intel:*", [MINER]],
    ["intel:miner", [MINER]],
    ["device:printer", [PRINTER, CLOCK]],
    ["printer", [PRINTER, CLOCK]],
    ["owner:maria tag=critical", [PRINTER, CLOCK]],
    ["-device:printer", [MINER, SERVER, ABROAD]],
    ["device:printer service:ntp or country:RO", [CLOCK, ABROAD]],
    ["severity:critical", []],
  ];
  for (const [filter, expected] of cases) {
    assert.deepEqual(await pairs(api, filter), [...expected].sort(), filter);
  }
});

testDatabase(
  "map filter: a service alone has its own numbers; the window and the focus still hold",
  async (db) => {
    const api = await filled(db);
    const [tls] = (await snapshotOf(api, { filter: "service:tls" })).links;
    assert.deepEqual([tls!.bytes, tls!.flows, tls!.services], [4500, 1, ["ssl"]]);
    const [rest] = (await snapshotOf(api, { filter: "-service:tls ip:198.51.100.7" })).links;
    assert.deepEqual([rest!.bytes, rest!.flows, rest!.services], [3_004_000, 1, ["dns"]]);
    const [whole] = (await snapshotOf(api, { filter: "ip:198.51.100.7" })).links;
    assert.deepEqual([whole!.bytes, whole!.flows, whole!.services], [3_008_500, 2, ["dns", "ssl"]]);
    const { data: devices } = await api.read("listDevices");
    const focus = devices.find(({ addresses }) => addresses.includes("10.0.0.5"))!.device_id;
    const near = await snapshotOf(api, { filter: "service:(smb, ntp)", focus_device_id: focus, hops: "2" });
    assert.deepEqual(near.nodes.map(({ ip }) => ip).sort(), ["10.0.0.5", PRINTER, "192.0.2.10"].sort());
    const later = await snapshotOf(api, {
      filter: "service:smb",
      from: new Date(NOW / 1000).toISOString(),
      to: new Date(NOW / 1000 + 60_000).toISOString(),
    });
    assert.deepEqual(later.nodes, []);
    // Windows before the rollups are read from the flows.
    const old = { from: new Date((NOW - 40 * 60 * MINUTE) / 1000).toISOString() };
    const to = new Date((NOW - 30 * 60 * MINUTE) / 1000).toISOString();
    await api.take(ZEEK, [
      conn({ at: NOW - 35 * 60 * MINUTE, srcPort: 51_000 }),
      conn({ at: NOW - 35 * 60 * MINUTE, srcPort: 51_001, more: { service: "dns" } }),
    ]);
    const [past] = (await snapshotOf(api, { ...old, to, filter: "service:tls" })).links;
    assert.deepEqual([past!.flows, past!.services], [1, ["ssl"]]);
  },
);

testDatabase("map filter: incidents by what they are, and as the person who asks", async (db) => {
  const api = await filled(db);
  await api.take(SURICATA, [alert({ src: "10.0.0.8", dst: "203.0.113.50", at: NOW - MINUTE })]);
  const { data: incidents } = await api.read("listIncidents");
  const [incident] = incidents.sort((a, b) => b.score - a.score);
  const found = ["10.0.0.8 203.0.113.50"];
  assert.deepEqual(await pairs(api, `incident:${incident!.id}`), found);
  assert.deepEqual(await pairs(api, `severity:${incident!.severity} status:open`), found);
  assert.deepEqual(await pairs(api, "assignee:me"), []);
  const change = { revision: incident!.revision, body: { assignee: "ada" } };
  await checked(
    "assignIncident",
    await api.change("assignIncident", { incident_id: incident!.id }, change),
  );
  assert.deepEqual(await pairs(api, "assignee:me"), found);
  const target = "/api/v1/graph?filter=assignee%3Ame";
  const other = await checked("getGraph", await api.core.send({ target, subject: "bob" }));
  assert.deepEqual(other.data.nodes, []);
});

testDatabase(
  "map filter: all evidence of an open incident counts, however many newer flows it has",
  async (db) => {
    const api = new Api(db);
    await api.take(SURICATA, [alert({ src: "10.0.0.8", dst: "203.0.113.50", at: NOW - 2 * MINUTE })]);
    const [incident] = (await api.read("listIncidents")).data;
    const beacons = Array.from(
      { length: 60 },
      (_, n) =>
        conn({ src: "10.0.0.9", dst: "192.0.2.77", srcPort: 40_000 + n, at: NOW - MINUTE + n * 100_000 }),
    );
    await api.take(ZEEK, beacons);
    const { data: flows } = await api.read("listFlows", { peer_ip: "192.0.2.77" });
    const links = flows.map(({ flow_id: flowId, primary_evidence: { evidence_id: evidenceId } }) => ({
      incidentId: incident!.id,
      ref: { evidenceId, flowId, observedAt: NOW },
    }));
    assert.equal(links.length, 60);
    await db.tenant("main", (tx) => linkEvidence(tx, "main", links));

    const both = ["10.0.0.8 203.0.113.50", "10.0.0.9 192.0.2.77"];
    const filter = `severity>=${incident!.severity}`;
    assert.deepEqual(await pairs(api, filter), both);
    assert.deepEqual(await pairs(api, `incident:${incident!.id}`), both);
    const { links: shown } = await snapshotOf(api, { filter });
    assert.deepEqual(
      shown.map(({ severity }) => severity),
      [incident!.severity, incident!.severity],
    );

    // A closed incident is found by its id and by its status, and no more by anything else.
    const { data: { revision, status } } = await api.read("getIncident", {}, {}, {
      incident_id: incident!.id,
    });
    assert.equal(status, "open");
    const change = { revision, body: { status: "resolved", comment: "done" } };
    await checked("patchIncident", await api.change("patchIncident", { incident_id: incident!.id }, change));
    assert.deepEqual(await pairs(api, filter), []);
    assert.deepEqual(await pairs(api, `${filter} status:resolved`), both);
    assert.deepEqual(await pairs(api, `incident:${incident!.id}`), both);
  },
);

testDatabase("map filter: what it cannot answer is refused, with the place and what works", async (db) => {
  const api = new Api(db);
  const cases: [string, [number, number], RegExp, string | null][] = [
    ["service:dns dst.port:53", [12, 23], /does not know `dst.port`/, null],
    ["src.ip:10.0.0.5", [0, 15], /adds up both directions/, "ip:10.0.0.5"],
    ["dns.query:example.com", [0, 21], /does not know `dns.query`/, null],
    ["time:today", [0, 10], /its window does/, null],
    [":443", [0, 4], /no field in which `:443`/, null],
    ["bytes>", [6, 6], /value/, null],
  ];
  for (const [filter, [from, to], message, suggestion] of cases) {
    for (const send of [api.send("getGraph", { filter }), sendStream(api, { filter })]) {
      const { details, message: text } = await refusal(await send, 400, "invalid_request");
      assert.equal(details.reason, "invalid_filter", filter);
      const [issue] = details.issues as Record<string, unknown>[];
      assert.deepEqual([issue!.path, issue!.position], ["filter", { from, to }], filter);
      assert.match(String(issue!.message), message);
      assert.equal(issue!.suggestion, suggestion, filter);
      if (filter !== "bytes>") assert.deepEqual(issue!.expected, [...PAIR_FIELDS]);
      assert.match(text, new RegExp(`^filter, position ${from + 1}: `));
    }
  }
  await refusal(await api.send("getGraph", { filter: "x".repeat(1001) }), 400, "invalid_request");
});

testDatabase("map filter: streams follow the filter of their cursor; another one is refused", async (db) => {
  const api = await filled(db);
  const client = new MapClient("main", await snapshotOf(api, { filter: "service:http" }));
  await client.connect(api);
  await api.take(ZEEK, [
    conn({ dst: "203.0.113.99", srcPort: 52_000, more: { service: "http" } }),
    conn({ dst: "203.0.113.98", srcPort: 52_001 }),
  ]);
  await client.reaches(api, (window) => snapshotOf(api, { ...window, filter: "service:http" }));
  const shown = [...client.state.nodes.values()].map(({ ip }) => ip);
  assert.ok(shown.includes("203.0.113.99") && !shown.includes("203.0.113.98"));
  await client.disconnect();
  const since = client.state.cursor!;
  // The same condition in another spelling.
  await (await openStream(api, { since, filter: " app:http" })).close();
  for (const filter of ["service:dns", "service:http bytes>1"]) {
    const { details } = await refusal(await sendStream(api, { since, filter }), 400, "invalid_request");
    assert.equal(details.reason, "invalid_cursor");
  }
  const whole = (await snapshotOf(api)).cursor!;
  await refusal(await sendStream(api, { since: whole, filter: "service:http" }), 400, "invalid_request");
  // Without a cursor the stream begins with the filtered graph.
  const fresh = await openStream(api, { filter: "service:ntp" });
  const delta = deltaIn((await fresh.next())!);
  assert.deepEqual(delta.nodes.upserted.map(({ ip }) => ip).sort(), [PRINTER, "192.0.2.10"].sort());
  await fresh.close();
});
