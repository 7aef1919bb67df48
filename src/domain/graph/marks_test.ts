import assert from "node:assert/strict";
import { compileIntel } from "../intel/compile.ts";
import type { PartyHit } from "../intel/hits.ts";
import type { IndicatorKind } from "../intel/indicator.ts";
import { IntelSet } from "../intel/intel-set.ts";
import { MarkFold, markTraffic, type PairMark } from "./marks.ts";
import { MINUTE } from "./traffic.ts";
import { addressTraffic } from "./traffic-table.ts";

const CLIENT = "10.0.0.5";
const RESOLVER = "10.0.0.53";

function setOf(text: string): IntelSet {
  return new IntelSet(compileIntel([{ name: "feed.txt", pieces: [text] }]).data);
}

function trafficOf(...pairs: [string, string][]) {
  const traffic = { bytesUp: 1, bytesDown: 1, packets: 2, flows: 1, firstSeen: 0, lastSeen: 1 };
  return addressTraffic(pairs.map(([low, high]) => ({ low, high, ...traffic, services: new Map() })));
}

const isInternal = (ip: string) => ip.startsWith("10.");
const LOOKED_UP: PairMark = {
  low: CLIENT,
  high: RESOLVER,
  kind: "domain",
  indicator: "evil.example",
};

function matched(text: string, marks: readonly PairMark[] = [LOOKED_UP]) {
  const traffic = trafficOf([CLIENT, RESOLVER], [CLIENT, "198.51.100.7"], [CLIENT, "203.0.113.9"]);
  const matchesOf = markTraffic(traffic, marks, setOf(text), isInternal);
  return [0, 1, 2].map((entry) => {
    const found = matchesOf(entry).map(({ indicator }) => indicator);
    assert.equal(traffic.table.intel[entry], Number(found.length > 0));
    return found;
  });
}

Deno.test("marks of the map: what the lists say of each address, and of what records matched", () => {
  assert.deepEqual(matched("198.51.100.7\n203.0.113.0/24\nevil.example\n"), [
    ["evil.example"],
    ["198.51.100.7"],
    ["203.0.113.0/24"],
  ]);
  // An indicator that is not listed any more marks nothing, and addresses of the site are not looked up.
  assert.deepEqual(matched(`other.example\n${CLIENT}\n`), [[], [], []]);
});

Deno.test("marks of records: each once for a minute, two addresses and an indicator; none for addresses", () => {
  const hit = (kind: IndicatorKind, indicator: string, vias: PartyHit["vias"]): PartyHit => ({
    partyIp: CLIENT,
    vias,
    match: { list: "feed", indicator, kind, description: null, confidence: null, exact: false },
  });
  const fold = new MarkFold();
  const record = (anchor: number, src: string, dst: string, ...hits: PartyHit[]) =>
    fold.add({ anchor, src: { ip: src }, dst: { ip: dst }, hits });
  record(MINUTE + 1, CLIENT, "198.51.100.7", hit("ip", "198.51.100.7", ["peer"]));
  record(MINUTE + 2, CLIENT, RESOLVER, hit("domain", "evil.example", ["dns_query"]));
  record(MINUTE + 3, RESOLVER, CLIENT, hit("domain", "evil.example", ["dns_query"]));
  record(2 * MINUTE, CLIENT, RESOLVER, hit("ip", "198.51.100.7", ["dns_answer"]));
  assert.equal(fold.size, 2);
  assert.deepEqual(fold.marks, [
    { ...LOOKED_UP, minute: MINUTE },
    { ...LOOKED_UP, minute: 2 * MINUTE, kind: "ip", indicator: "198.51.100.7" },
  ]);
});
