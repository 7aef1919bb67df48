import assert from "node:assert/strict";
import type { Flow } from "../../../src/contract/flow/flow.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, DAY, MINUTE, NETFLOW, NOW, SECOND, SURICATA, ZEEK } from "../api.ts";
import { conn, dns, eve, exported, http, rawLine, ssl } from "../records.ts";

const EVER = { from: "2026-01-28T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** `www.example.com dns dst`, and `other` if DNS answered another client. */
function words({ names }: Flow): string[] {
  return names.map((one) => `${one.name} ${one.via} ${one.of}${one.same_client ? "" : " other"}`);
}

async function flowTo(api: Api, ip: string, query: Record<string, string> = {}): Promise<Flow> {
  const { data } = await api.read("listFlows", { ...EVER, peer_ip: ip, ...query });
  assert.equal(data.length, 1, JSON.stringify(data));
  return data[0]!;
}

/** The observation behind a name. */
async function evidenceOf(api: Api, name: Flow["names"][number]) {
  const { data } = await api.read("getFlowEvidence", {}, {}, { flow_id: name.flow_id });
  return data.find(({ evidence_id }) => evidence_id === name.evidence_id);
}

testDatabase("names: a flow shows the name that resolved to its address, with evidence", async (db) => {
  const api = new Api(db);
  const answers = ["edge.cdn.example", "198.51.100.7", "198.51.100.8"];
  await api.take(ZEEK, [
    dns({ at: NOW - 10 * MINUTE, query: "www.example.com", more: { answers } }),
    conn({ at: NOW - 9 * MINUTE, dst: "198.51.100.8" }),
  ]);
  const flow = await flowTo(api, "198.51.100.8");
  assert.deepEqual(words(flow), ["www.example.com dns dst"]);
  assert.equal(flow.server_name, null, "the flow itself states no name");
  const evidence = await evidenceOf(api, flow.names[0]!);
  assert.equal(evidence!.kind, "dns");
  assert.match(evidence!.summary, /^A www\.example\.com → edge\.cdn\.example, 198\.51\.100\.7/);
  const resolver = await flowTo(api, "10.0.0.53");
  assert.deepEqual(resolver.names, [], "no query for the resolver");
});

testDatabase("names: what the client stated in the flow comes first", async (db) => {
  const api = new Api(db);
  const at = NOW - 5 * MINUTE;
  await api.take(ZEEK, [
    dns({ at: at - MINUTE, query: "alias.example", more: { answers: ["198.51.100.7"] } }),
    ssl({ at: at + SECOND / 10, more: { server_name: "WWW.Example.com", uid: "C1" } }),
    conn({ at, more: { uid: "C1" } }),
    http({ at, dst: "198.51.100.9", more: { host: "plain.example:8080" } }),
    http({ at, dst: "198.51.100.10", more: { host: "198.51.100.10" } }),
  ]);
  const tls = await flowTo(api, "198.51.100.7");
  assert.equal(tls.server_name, "www.example.com");
  assert.deepEqual(words(tls), ["www.example.com tls dst", "alias.example dns dst"]);
  assert.deepEqual((await evidenceOf(api, tls.names[0]!))!.kind, "tls");
  const plain = await flowTo(api, "198.51.100.9");
  assert.deepEqual([plain.server_name, ...words(plain)], ["plain.example", "plain.example http dst"]);
  const unnamed = await flowTo(api, "198.51.100.10");
  assert.deepEqual([unnamed.server_name, unnamed.names], [null, []], "an address is not a name");
});

testDatabase("names: the latest answer before the flow counts, within a day", async (db) => {
  const api = new Api(db);
  const at = NOW - 2 * DAY;
  const told = (query: string, minutes: number, srcPort: number) =>
    dns({ at: at + minutes * MINUTE, srcPort, query, more: { answers: ["198.51.100.7"] } });
  await api.take(ZEEK, [
    // Midnight is 7 h 15 min earlier: the first answer is from the previous day.
    told("day-before.example", -10 * 60, 50_001),
    told("old.example", -25 * 60, 50_002),
    told("late.example", -1, 50_003),
    told("early.example", -60, 50_004),
    told("after.example", 1, 50_005),
    conn({ at }),
  ]);
  assert.deepEqual(words(await flowTo(api, "198.51.100.7")), [
    "late.example dns dst",
    "early.example dns dst",
    "day-before.example dns dst",
  ]);
});

testDatabase("names: each client has its own; another's counts only without one", async (db) => {
  const api = new Api(db);
  const at = NOW - 5 * MINUTE;
  const told = (src: string, query: string, answers: string[]) =>
    dns({ at: at - MINUTE, src, query, more: { answers } });
  await api.take(ZEEK, [
    told("10.0.0.5", "mine.example", ["198.51.100.7"]),
    told("10.0.0.6", "theirs.example", ["198.51.100.7", "198.51.100.8", "198.51.100.9"]),
    told("10.0.0.7", "else.example", ["198.51.100.9"]),
    ...["198.51.100.7", "198.51.100.8", "198.51.100.9"].map((dst) => conn({ at, dst })),
  ]);
  assert.deepEqual(words(await flowTo(api, "198.51.100.7")), ["mine.example dns dst"]);
  assert.deepEqual(words(await flowTo(api, "198.51.100.8")), ["theirs.example dns dst other"]);
  assert.deepEqual(words(await flowTo(api, "198.51.100.9")), [], "they disagree");
});

testDatabase("names: misleading ones are left out", async (db) => {
  const api = new Api(db);
  const at = NOW - 5 * MINUTE;
  const answers = ["198.51.100.7"];
  await api.take(ZEEK, [
    dns({
      at: at - MINUTE,
      dst: "224.0.0.251",
      dstPort: 5353,
      srcPort: 5353,
      query: "mdns.local",
      more: { answers },
    }),
    dns({ at: at - MINUTE, dst: "10.0.0.9", dstPort: 5355, query: "llmnr", more: { answers } }),
    dns({
      at: at - MINUTE,
      srcPort: 50_001,
      query: "failed.example",
      more: { answers, rcode_name: "SERVFAIL" },
    }),
    dns({
      at: at - MINUTE,
      srcPort: 50_002,
      query: "7.100.51.198.in-addr.arpa",
      more: { answers, qtype_name: "PTR" },
    }),
    dns({ at: at - MINUTE, srcPort: 50_003, query: "text.example", more: { answers, qtype_name: "TXT" } }),
    dns({
      at: at - MINUTE,
      srcPort: 50_004,
      query: "unanswered.example",
      more: { answers: [], rcode_name: null },
    }),
    conn({ at }),
  ]);
  await api.take(SURICATA, [
    eve("dns", { type: "query", rrname: "asked.example", rrtype: "A", version: 2 }, {
      at: at - MINUTE,
      srcPort: 50_005,
      dst: "10.0.0.53",
      dstPort: 53,
      more: { proto: "UDP" },
    }),
  ]);
  await api.take(ZEEK, [rawLine("zeek.dns", "2026-01-31T07:00:00Z", "{}")]);
  assert.deepEqual((await flowTo(api, "198.51.100.7")).names, []);

  // A block page or a shared front end: its address does not identify a name.
  const blocked = (n: number) =>
    dns({
      at: at - MINUTE,
      srcPort: 51_000 + n,
      query: `ad-${n}.example`,
      more: { answers: ["198.51.100.99"] },
    });
  await api.take(ZEEK, [
    ...Array.from({ length: 33 }, (_, n) => blocked(n)),
    conn({ at, dst: "198.51.100.99" }),
  ]);
  assert.deepEqual((await flowTo(api, "198.51.100.99")).names, []);
});

testDatabase("names: Suricata's answers count too, with the asking client", async (db) => {
  const api = new Api(db);
  const at = NOW - 5 * MINUTE;
  const answer = {
    version: 2,
    type: "answer",
    rrname: "www.example.com",
    rrtype: "A",
    rcode: "NOERROR",
    answers: [
      { rrname: "www.example.com", rrtype: "CNAME", rdata: "edge.cdn.example" },
      { rrname: "edge.cdn.example", rrtype: "A", rdata: "198.51.100.7" },
    ],
  };
  // Version 2 names the server first in an answer.
  const ends = { src: "10.0.0.53", srcPort: 53, dst: "10.0.0.5", dstPort: 50_001, at: at - MINUTE };
  await api.take(SURICATA, [eve("dns", answer, { ...ends, more: { proto: "UDP" } })]);
  await api.take(ZEEK, [conn({ at })]);
  assert.deepEqual(words(await flowTo(api, "198.51.100.7")), ["www.example.com dns dst"]);
});

testDatabase("names: if an exporter puts the server first, the name belongs to the source", async (db) => {
  const api = new Api(db);
  const at = NOW - 5 * MINUTE;
  await api.take(ZEEK, [
    dns({ at: at - MINUTE, query: "www.example.com", more: { answers: ["198.51.100.7"] } }),
  ]);
  await api.take(NETFLOW, [
    exported({ at, src: "198.51.100.7", srcPort: 443, dst: "10.0.0.5", dstPort: 50_000 }),
  ]);
  const flow = await flowTo(api, "198.51.100.7", { source: "netflow" });
  assert.deepEqual(words(flow), ["www.example.com dns src"]);
});

testDatabase(
  "names: a page reads once for all its flows, and never another tenant's answers",
  async (db) => {
    const api = new Api(db);
    const at = NOW - 5 * MINUTE;
    await api.take(ZEEK, [
      ...Array.from({ length: 60 }, (_, n) => [
        dns({
          at: at - MINUTE,
          srcPort: 51_000 + n,
          query: `n${n}.example`,
          more: { answers: [`198.51.100.${n + 1}`] },
        }),
        conn({ at, srcPort: 52_000 + n, dst: `198.51.100.${n + 1}` }),
      ]).flat(),
    ]);
    const { data } = await api.read("listFlows", { limit: 500, service: "ssl" });
    assert.equal(data.length, 60);
    for (const flow of data) {
      const n = Number(flow.dst.ip.split(".")[3]) - 1;
      assert.deepEqual(words(flow), [`n${n}.example dns dst`]);
    }
    const branch = { ...ZEEK, sensorId: "branch-zeek", tenantId: "branch" };
    await api.take(branch, [conn({ at, dst: "198.51.100.1" })]);
    const { data: theirs } = await api.read("listFlows", {}, { tenantId: "branch" });
    assert.deepEqual(theirs.map(({ names }) => names), [[]]);
  },
);
