import assert from "node:assert/strict";
import { compileIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { testDatabase } from "../../support/database.ts";
import { line, pushBatch, settle } from "../../support/record/pipeline.ts";
import { Api, BRANCH_ZEEK, MINUTE, NOW, ZEEK } from "../api.ts";
import { conn, dns } from "../records.ts";

const LISTS = {
  "c2.csv": `# ip,malware,confidence\n198.51.100.7,Emotet,80\n`,
  "hosts.txt": "0.0.0.0 exact.example\n",
  "names.txt": "evil.example # phishing\n203.0.113.0/24\n",
  "ja3.csv": "# ja3_md5,Listingreason\ne7d705a3286e19ea42f587b344ee6865,Dridex\n",
};

function setOf(lists: Record<string, string>): IntelSet {
  return new IntelSet(
    compileIntel(Object.entries(lists).map(([name, text]) => ({ name, pieces: [text] }))).data,
  );
}

async function take(api: Api, lines: string[], intel = setOf(LISTS)): Promise<void> {
  await pushBatch(api.db, ZEEK, lines, api.clock.now());
  await settle(api.db, { intel });
}

const AT = NOW - 5 * MINUTE;

function ssl(dst: string, port: number, payload: Record<string, unknown>): string {
  return line("zeek.ssl", new Date(AT / 1000).toISOString(), {
    ts: AT / 1e6,
    uid: `S${port}`,
    "id.orig_h": "10.0.0.5",
    "id.orig_p": port,
    "id.resp_h": dst,
    "id.resp_p": 443,
    version: "TLSv12",
    established: true,
    ...payload,
  });
}

testDatabase("intel: matches of each flow of a device, and all of them at the device", async (db) => {
  const api = new Api(db);
  await take(api, [
    conn({ at: AT, src: "10.0.0.5", dst: "198.51.100.7", srcPort: 40001 }),
    conn({ at: AT, src: "10.0.0.5", dst: "192.0.2.1", srcPort: 40002 }),
    ssl("192.0.2.2", 40003, { server_name: "www.evil.example" }),
    ssl("192.0.2.3", 40004, { server_name: "a.exact.example" }),
    ssl("192.0.2.4", 40005, { ja3: "e7d705a3286e19ea42f587b344ee6865" }),
    conn({ at: AT, src: "203.0.113.9", dst: "10.0.0.5", srcPort: 40006 }),
    dns({
      at: AT,
      src: "10.0.0.5",
      dst: "10.0.0.1",
      srcPort: 40007,
      query: "exact.example",
      more: { answers: ["192.0.2.8"] },
    }),
    conn({ at: AT + MINUTE, src: "10.0.0.5", dst: "192.0.2.8", srcPort: 40008 }),
  ]);
  const flows = (await api.read("listFlows")).data;
  const told = Object.fromEntries(flows.map((flow) => [
    flow.src.port,
    flow.intel.map(({ kind, indicator }) => `${kind} ${indicator}`),
  ]));
  assert.deepEqual(told, {
    40001: ["ip 198.51.100.7"],
    40002: [],
    40003: ["domain evil.example"],
    40004: [],
    40005: ["ja3 e7d705a3286e19ea42f587b344ee6865"],
    40006: ["cidr 203.0.113.0/24"],
    40007: ["domain exact.example"],
    40008: ["domain exact.example"],
  });
  for (const flow of flows) assert.equal(flow.threat_intelligence, flow.intel.length > 0);

  const [row] = (await api.read("listDevices", { query: "10.0.0.5" })).data;
  const device = (await api.read("getDevice", {}, {}, row)).data;
  const c2 = flows.find(({ src }) => src.port === 40001)!;
  assert.deepEqual(device.intel_matches.find(({ kind }) => kind === "ip"), {
    list: "c2.csv",
    kind: "ip",
    indicator: "198.51.100.7",
    description: "Emotet",
    confidence: 0.8,
    listed: true,
    ip: "10.0.0.5",
    via: ["peer"],
    count: 1,
    first_seen: c2.start,
    last_seen: c2.end,
    evidence_id: c2.primary_evidence.evidence_id,
    flow_id: c2.flow_id,
  });
  assert.deepEqual(
    device.intel_matches.map(({ indicator, via, count }) => [indicator, via, count]).toSorted(),
    [
      ["198.51.100.7", ["peer"], 1],
      ["203.0.113.0/24", ["peer"], 1],
      ["e7d705a3286e19ea42f587b344ee6865", ["ja3"], 1],
      ["evil.example", ["tls_server_name"], 1],
      ["exact.example", ["dns_query"], 1],
    ],
  );
  const destinations = device.top_destinations.map(({ ip, threat_intelligence, intel }) => [
    ip,
    threat_intelligence,
    intel.map(({ indicator }) => indicator),
  ]).toSorted();
  assert.deepEqual(destinations, [
    ["192.0.2.1", false, []],
    ["192.0.2.2", true, ["evil.example"]],
    ["192.0.2.3", false, []],
    ["192.0.2.4", true, ["e7d705a3286e19ea42f587b344ee6865"]],
    // A name known only from DNS is on the flow, not here.
    ["192.0.2.8", false, []],
    ["198.51.100.7", true, ["198.51.100.7"]],
  ]);
});

testDatabase("intel: delisted matches mark nothing and stay readable", async (db) => {
  const api = new Api(db);
  await take(api, [conn({ at: AT, src: "10.0.0.5", dst: "198.51.100.7" })]);
  await take(
    api,
    [conn({ at: AT, src: "10.0.0.5", dst: "203.0.113.7", srcPort: 40002 })],
    setOf({ "x.txt": "203.0.113.0/24" }),
  );
  const flows = (await api.read("listFlows", { peer_ip: "198.51.100.7" })).data;
  assert.deepEqual(flows.map(({ threat_intelligence, intel }) => [threat_intelligence, intel[0]?.listed]), [[
    false,
    false,
  ]]);
  const [row] = (await api.read("listDevices", { query: "10.0.0.5" })).data;
  const device = (await api.read("getDevice", {}, {}, row)).data;
  assert.deepEqual(device.intel_matches.map(({ list, listed }) => [list, listed]).toSorted(), [[
    "c2.csv",
    false,
  ], ["x.txt", true]]);
});

testDatabase("intel: one tenant's matches are not another's", async (db) => {
  const api = new Api(db);
  await take(api, [conn({ at: AT, src: "10.0.0.5", dst: "198.51.100.7" })]);
  await api.take(BRANCH_ZEEK, [conn({ at: AT, src: "10.0.0.5", dst: "198.51.100.7" })]);
  const [flow] = (await api.read("listFlows", {}, { tenantId: "branch" })).data;
  assert.deepEqual([flow?.threat_intelligence, flow?.intel], [false, []]);
});
