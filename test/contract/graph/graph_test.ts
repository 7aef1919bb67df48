import assert from "node:assert/strict";
import type { SiteConfig } from "../../../src/config/sites.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import { Cursors } from "../../../src/core/cursor.ts";
import { openGraphCursor } from "../../../src/core/graph/graph-cursor.ts";
import { Graphs } from "../../../src/core/graph/graphs.ts";
import type { GraphScope } from "../../../src/core/graph/graph-scope.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { formatMillis } from "../../../src/kit/time.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch } from "../../support/record/pipeline.ts";
import { Api, BRANCH_ZEEK, checked, DAY, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { TEST_KEY } from "../core.ts";
import { alert, conn } from "../records.ts";

const BERLIN = { latitude: 52.52, longitude: 13.405 };
const NOTHING = {
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganisation: null,
};
const BUCHAREST = {
  ...NOTHING,
  country: "RO",
  latitude: 44.43,
  longitude: 26.1,
  asn: 64500,
  asOrganisation: "Example",
};
const GEOIP = { lookup: (ip: string) => ip === "198.51.100.7" ? BUCHAREST : NOTHING };

function siteWith(change: Partial<SiteConfig["site"]>): SiteConfig {
  const site = defaultSite("main");
  return { ...site, site: { ...site.site, ...change } };
}

function graphOf(api: Api, query: Record<string, string> = {}) {
  return api.read("getGraph", query).then(({ data }) => data);
}

testDatabase(
  "graph: devices and addresses of the last 15 minutes, with what is known of them",
  async (db) => {
    const api = new Api(db, [siteWith({ vlans: [{ vlan_id: 7, name: "Office", cidrs: ["10.0.0.0/24"] }] })], {
      geoip: GEOIP,
    });
    await api.take(ZEEK, [
      conn({ at: NOW - 5 * MINUTE }),
      conn({ at: NOW - 4 * MINUTE, srcPort: 50_001, dst: "10.0.0.6", more: { service: "http" } }),
      conn({ at: NOW - 20 * MINUTE, srcPort: 50_002, dst: "192.0.2.99" }),
    ]);
    await api.take(BRANCH_ZEEK, [conn({ src: "10.9.9.9" })]);
    const graph = await graphOf(api);
    const { data: devices } = await api.read("listDevices");
    const [five, six] = ["10.0.0.5", "10.0.0.6"].map((ip) =>
      devices.find(({ addresses }) => addresses[0] === ip)!
    );
    const device = {
      kind: "device",
      member_count: null,
      device_type: "unknown",
      vlan_id: 7,
      asn: null,
      country: null,
      coordinates: null,
      incidents: 0,
      severity: null,
      intel: false,
    };
    const times = (first: number, last: number) => ({
      first_seen: formatMillis(first),
      last_seen: formatMillis(last),
    });
    const nodes = [
      {
        ...device,
        node_id: `device:${five!.device_id}`,
        device_id: five!.device_id,
        label: "10.0.0.5",
        ip: "10.0.0.5",
        bytes: 9000,
        flows: 2,
        ...times(NOW - 5 * MINUTE, NOW - 4 * MINUTE + SECOND),
      },
      {
        ...device,
        node_id: `device:${six!.device_id}`,
        device_id: six!.device_id,
        label: "10.0.0.6",
        ip: "10.0.0.6",
        bytes: 4500,
        flows: 1,
        ...times(NOW - 4 * MINUTE, NOW - 4 * MINUTE + SECOND),
      },
      {
        ...device,
        node_id: "ip:198.51.100.7",
        kind: "external_endpoint",
        label: "198.51.100.7",
        device_id: null,
        device_type: null,
        ip: "198.51.100.7",
        vlan_id: null,
        asn: 64500,
        country: "RO",
        coordinates: { latitude: 44.43, longitude: 26.1 },
        bytes: 4500,
        flows: 1,
        ...times(NOW - 5 * MINUTE, NOW - 5 * MINUTE + SECOND),
      },
    ];
    assert.deepEqual(graph.nodes, nodes.toSorted((a, b) => a.node_id < b.node_id ? -1 : 1));
    const links = graph.links.map(({ source, target, services, bytes, packets }) => ({
      source,
      target,
      services,
      bytes,
      packets,
    }));
    assert.equal(links.length, 2);
    assert.deepEqual(links.find(({ target }) => target === "ip:198.51.100.7"), {
      source: `device:${five!.device_id}`,
      target: "ip:198.51.100.7",
      services: ["ssl"],
      bytes: 4500,
      packets: 17,
    });
    const { nodes: _nodes, links: _links, layout_seed, cursor, ...rest } = graph;
    assert.ok(cursor);
    assert.deepEqual(rest, {
      scene: "network",
      window: { from: formatMillis(NOW - 15 * MINUTE), to: formatMillis(NOW) },
      focus_node_id: null,
      watermark: formatMillis(NOW),
      truncated: false,
      omitted: { nodes: 0, links: 0, arcs: 0 },
      arcs: [],
    });
    assert.equal((await graphOf(api, { from: formatMillis(NOW - DAY) })).layout_seed, layout_seed);
    const branch = (await api.read("getGraph", {}, { tenantId: "branch" })).data;
    assert.notEqual(branch.layout_seed, layout_seed);
    assert.deepEqual(branch.nodes.map(({ ip }) => ip).sort(), ["10.9.9.9", "198.51.100.7"]);
  },
);

testDatabase("graph: windows are at most 24 hours and are aligned to minutes", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn({ at: NOW - 3 * DAY }), conn({ at: NOW - DAY - 10 * MINUTE, srcPort: 50_001 })]);
  const time = (micros: number) => formatMillis(micros);
  const cases: [string, string, number][] = [
    [time(NOW - DAY - 1000), time(NOW), 400],
    [time(NOW), time(NOW), 400],
    [time(NOW), time(NOW - 1000), 400],
    [time(NOW - DAY), time(NOW), 200],
  ];
  for (const [from, to, status] of cases) {
    const response = await api.send("getGraph", { from, to });
    if (status === 400) await refusal(response, 400, "invalid_time_range");
    else await checked("getGraph", response);
  }
  const aligned = await graphOf(api, { from: time(NOW - 90 * SECOND - 1000), to: time(NOW - 59 * SECOND) });
  assert.deepEqual(aligned.window, { from: time(NOW - 2 * MINUTE), to: time(NOW) });
  // A client asks for the last 24 hours by its own clock.
  const day = await graphOf(api, { from: time(NOW - DAY - 20 * SECOND) });
  assert.deepEqual(day.window, { from: time(NOW - DAY - MINUTE), to: time(NOW) });
  const older = await api.send("getGraph", { from: time(NOW - DAY - 2 * MINUTE) });
  assert.equal(older.status, 400);

  // Only a window that ends now can be followed.
  assert.equal((await graphOf(api, { from: time(NOW - 2 * MINUTE), to: time(NOW - MINUTE) })).cursor, null);
  assert.ok((await graphOf(api, { from: time(NOW - 2 * MINUTE), to: time(NOW) })).cursor);

  // Older than the rollups: from the flows.
  const past = await graphOf(api, { from: time(NOW - 3 * DAY), to: time(NOW - 2 * DAY - MINUTE) });
  assert.deepEqual(past.links.map(({ flows, bytes, services }) => [flows, bytes, services]), [[1, 4500, [
    "ssl",
  ]]]);
});

testDatabase("graph: around a device, which must exist in the tenant", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [
    conn({ dst: "10.0.0.6" }),
    conn({ src: "10.0.0.6", dst: "192.0.2.1", srcPort: 50_001 }),
    conn({ src: "10.0.0.8", dst: "192.0.2.8", srcPort: 50_002 }),
  ]);
  await api.take(BRANCH_ZEEK, [conn()]);
  const idOf = async (ip: string, tenantId = "main") =>
    (await api.read("listDevices", { query: ip }, { tenantId })).data[0]!.device_id;
  const focus = await idOf("10.0.0.5");
  const near = await graphOf(api, { focus_device_id: focus });
  assert.equal(near.focus_node_id, `device:${focus}`);
  assert.deepEqual(near.nodes.map(({ label }) => label).sort(), ["10.0.0.5", "10.0.0.6"]);
  const far = await graphOf(api, { focus_device_id: focus, hops: "2" });
  assert.deepEqual(far.nodes.map(({ label }) => label).sort(), ["10.0.0.5", "10.0.0.6", "192.0.2.1"]);
  for (const unknown of [await idOf("10.0.0.5", "branch"), "nonsense"]) {
    const response = await api.send("getGraph", { focus_device_id: unknown });
    assert.equal(response.status, 404, unknown);
  }
  const wrong = { scene: "moon", hops: "4", expand: "10", colour: "red", from: "yesterday" };
  for (const [name, value] of Object.entries(wrong)) {
    assert.equal((await api.send("getGraph", { [name]: value })).status, 400, name);
  }
});

testDatabase("graph: many devices and addresses are clusters that expand in place", async (db) => {
  const vlans = [{ vlan_id: 10, name: "Clients", cidrs: ["10.0.0.0/16"] }];
  const api = new Api(db, [siteWith({ vlans })], {
    geoip: { lookup: (ip) => ({ ...NOTHING, asn: Number(ip.split(".")[3]) % 4 + 1 }) },
  });
  const lines = Array.from(
    { length: 300 },
    (_, at) =>
      conn({
        src: `10.0.0.${at % 50 + 1}`,
        dst: `192.0.2.${at % 250}`,
        srcPort: 40_000 + at,
        at: NOW - MINUTE - at * SECOND,
      }),
  );
  await api.take(ZEEK, lines);
  const graph = await graphOf(api);
  assert.equal(graph.nodes.length, 200);
  assert.equal(graph.truncated, false);
  const clusters = graph.nodes.filter(({ member_count }) => member_count !== null);
  assert.ok(clusters.length > 0);
  const members = graph.nodes.reduce((sum, { member_count }) => sum + (member_count ?? 1), 0);
  assert.equal(members, 300);
  const { node_id: expand, member_count } = clusters[0]!;
  const expanded = await graphOf(api, { expand });
  assert.equal(expanded.nodes.length, 199 + member_count!);
  assert.ok(!expanded.nodes.some(({ node_id }) => node_id === expand));
});

testDatabase("graph: open incidents mark devices, addresses and links until they are closed", async (db) => {
  const api = new Api(db);
  await api.take(SURICATA, [alert({ dst: "192.0.2.66" })]);
  const [incident] = (await api.read("listIncidents")).data;
  const marks = async () =>
    (await graphOf(api)).nodes.map(({ label, incidents, severity }) => [label, incidents, severity]);
  assert.deepEqual((await marks()).sort(), [["10.0.0.5", 1, incident!.severity], [
    "192.0.2.66",
    1,
    incident!.severity,
  ]]);
  const links = async () =>
    (await graphOf(api)).links.map(({ severity, incidents, incident_ids }) => [
      severity,
      incidents,
      incident_ids,
    ]);
  assert.deepEqual(await links(), [[incident!.severity, 1, [incident!.id]]]);
  const body = { status: "resolved", comment: "done" };
  await checked(
    "patchIncident",
    await api.change("patchIncident", { incident_id: incident!.id }, { revision: incident!.revision, body }),
  );
  assert.deepEqual((await marks()).sort(), [["10.0.0.5", 0, null], ["192.0.2.66", 0, null]]);
  assert.deepEqual(await links(), [[null, 0, []]]);
});

testDatabase(
  "globe: arcs from the configured home to places of the GeoIP files, and no invented place",
  async (db) => {
    const lines = [conn(), conn({ dst: "192.0.2.1", srcPort: 50_001 })];
    const located = new Api(db, [siteWith({ home_coordinates: BERLIN })], { geoip: GEOIP });
    await located.take(ZEEK, lines);
    const { arcs } = await graphOf(located, { scene: "globe" });
    assert.deepEqual(arcs.map(({ arc_id, source, target, label }) => ({ arc_id, source, target, label })), [{
      arc_id: "arc:64500:RO:44.43,26.1",
      source: BERLIN,
      target: { latitude: 44.43, longitude: 26.1 },
      label: "Example, RO",
    }]);
    for (
      const api of [new Api(db, [], { geoip: GEOIP }), new Api(db, [siteWith({ home_coordinates: BERLIN })])]
    ) {
      assert.deepEqual((await graphOf(api, { scene: "globe" })).arcs, []);
    }
    const places = (await graphOf(new Api(db), { scene: "globe" })).nodes.map(({ coordinates }) =>
      coordinates
    );
    assert.deepEqual(places, [null, null, null]);
  },
);

testDatabase(
  "graph: the cursor stands for the batch, the window and what is shown, in its tenant only",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [conn()]);
    const cursors = new Cursors(TEST_KEY);
    const first = (await graphOf(api, { scene: "globe", expand: "asn:7" })).cursor!;
    const { digest, ...position } = openGraphCursor(cursors, "main", first, NOW)!;
    assert.match(digest, /^[\w-]{22}$/);
    assert.deepEqual(position, {
      at: NOW,
      scope: { scene: "globe", focus: null, hops: 1, expand: ["asn:7"], filter: null },
      minutes: 15,
      to: NOW,
      batchNo: 1,
    });
    assert.throws(() => openGraphCursor(cursors, "branch", first, NOW), { code: "invalid_request" });
    const flows = (await api.read("listFlows", { limit: "1" })).next_cursor;
    if (flows !== null) assert.throws(() => openGraphCursor(cursors, "main", flows, NOW));
    await api.take(ZEEK, [conn({ srcPort: 50_001 })]);
    const next = openGraphCursor(cursors, "main", (await graphOf(api)).cursor!, NOW)!;
    assert.equal(next.batchNo, 2);
  },
);

testDatabase("graph: the watermark does not pass a batch that the pipeline has not processed", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  assert.equal((await graphOf(api)).watermark, formatMillis(NOW));
  await pushBatch(db, ZEEK, [conn({ srcPort: 50_001 })], NOW - 30 * SECOND);
  // Another core, which has not computed the graph before.
  const watermark = (await graphOf(new Api(db))).watermark;
  assert.equal(watermark, formatMillis(NOW - 30 * SECOND - 1000));
});

testDatabase(
  "graph: requests at the same time share one computation, and later ones its result",
  async (db) => {
    const api = new Api(db);
    await api.take(ZEEK, [conn()]);
    let transactions = 0;
    const counted: Database = {
      engine: db.engine,
      tenant: (tenantId, work) => {
        transactions++;
        return db.tenant(tenantId, work);
      },
      shared: (work) => db.shared(work),
      owner: (work) => db.owner(work),
      close: () => db.close(),
    };
    const { site, networks } = defaultSite("main");
    const graphs = new Graphs({ db: counted, tenants: new Map([["main", { site, networks }]]) });
    const scope: GraphScope = { scene: "network", focus: null, hops: 1, expand: [], filter: null };
    const request = { scope, window: { from: NOW - 15 * MINUTE, to: NOW }, now: NOW };
    const [first, ...others] = await Promise.all(
      Array.from({ length: 64 }, () => graphs.of("main", request)),
    );
    assert.equal(transactions, 1);
    assert.ok(others.every((one) => one === first));
    // Another scope is another graph.
    assert.notEqual(await graphs.of("main", { ...request, scope: { ...scope, scene: "globe" } }), first);
    await api.take(ZEEK, [conn({ dst: "192.0.2.1", srcPort: 50_001 })]);
    const next = await graphs.of("main", request);
    assert.deepEqual([first!.graph.nodes.length, next.graph.nodes.length], [2, 3]);
  },
);

testDatabase("graph: at most two are computed at a time, of several tenants in turn", async (db) => {
  let [running, most] = [0, 0];
  const counted: Database = {
    engine: db.engine,
    async tenant(tenantId, work) {
      most = Math.max(most, ++running);
      return await db.tenant(tenantId, work).finally(() => running--);
    },
    shared: (work) => db.shared(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
  const sites = ["main", "branch"].map((id) => [id, defaultSite(id)] as const);
  const graphs = new Graphs({ db: counted, tenants: new Map(sites) });
  const window = { from: NOW - 15 * MINUTE, to: NOW };
  const ended: string[] = [];
  const compute = async (tenantId: string, bytes: number) => {
    const filter = `bytes>${bytes}`;
    const scope: GraphScope = { scene: "network", focus: null, hops: 1, expand: [], filter };
    await graphs.of(tenantId, { scope, window, now: NOW });
    ended.push(tenantId);
  };
  const many = Array.from({ length: 12 }, (_, bytes) => compute("main", bytes));
  await Promise.all([...many, compute("branch", 0)]);
  assert.equal(most, 2);
  assert.ok(ended.indexOf("branch") < 6, ended.join());
});
