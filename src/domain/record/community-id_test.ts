import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { protocolKeyword } from "../../kit/net/ip-protocol.ts";
import {
  bitsOfCommunityId,
  communityId,
  communityIdBits,
  type CommunityIdOptions,
  normalisedTuple,
  type Tuple,
} from "./community-id.ts";

interface Vector {
  proto: number;
  saddr: string;
  daddr: string;
  sport: number | null;
  dport: number | null;
  communityid: string;
}

function vectors(file: string): Vector[] {
  const url = new URL(`../../../test/data/community-id/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

function tupleOf(vector: Vector): Tuple {
  const icmp = vector.proto === 1 || vector.proto === 58;
  return {
    proto: protocolKeyword(vector.proto),
    srcIp: vector.saddr,
    dstIp: vector.daddr,
    srcPort: icmp ? null : vector.sport,
    dstPort: icmp ? null : vector.dport,
    icmp: icmp && vector.sport !== null ? { type: vector.sport, code: vector.dport } : null,
  };
}

const files: [string, CommunityIdOptions][] = [
  ["baseline_deflt.json", {}],
  ["baseline_nob64.json", { base64: false }],
  ["baseline_seed1.json", { seed: 1 }],
];
for (const [file, options] of files) {
  Deno.test(`Community ID: every vector of ${file}`, () => {
    const all = vectors(file);
    assert.ok(all.length > 20);
    for (const vector of all) {
      assert.equal(communityId(tupleOf(vector), options), vector.communityid, JSON.stringify(vector));
    }
  });
}

Deno.test("the normalised tuple groups the vectors like the Community ID", () => {
  const ids = new Map<string, string>();
  const all = vectors("baseline_deflt.json");
  for (const vector of all) {
    const key = normalisedTuple(tupleOf(vector));
    assert.ok(key !== null);
    assert.equal(ids.get(key) ?? vector.communityid, vector.communityid);
    ids.set(key, vector.communityid);
  }
  assert.equal(ids.size, new Set(all.map((vector) => vector.communityid)).size);
});

Deno.test("a normalised tuple and its Community ID in either notation have the same bits", () => {
  const seen = new Set<bigint>();
  const all = vectors("baseline_deflt.json");
  const hex = vectors("baseline_nob64.json");
  for (const [at, vector] of all.entries()) {
    const bits = communityIdBits(normalisedTuple(tupleOf(vector))!);
    assert.equal(bitsOfCommunityId(vector.communityid), bits, JSON.stringify(vector));
    assert.equal(bitsOfCommunityId(hex[at]!.communityid.toUpperCase()), bits, "hex");
    seen.add(bits);
  }
  assert.equal(seen.size, new Set(all.map((vector) => vector.communityid)).size);
});

Deno.test("what is no Community ID has no bits", () => {
  for (
    const text of ["", "1:", "2:wCb3OG7yAFWelaUydu0D+125CLM=", "wCb3OG7yAFWelaUydu0D+125CLM=", "1:abc", "1:é"]
  ) {
    assert.equal(bitsOfCommunityId(text), null, text);
  }
});

const tcp: Tuple = {
  proto: "tcp",
  srcIp: "10.0.0.2",
  dstIp: "10.0.0.1",
  srcPort: 51000,
  dstPort: 443,
  icmp: null,
};

Deno.test("a normalised tuple is readable and canonical", () => {
  assert.equal(normalisedTuple(tcp), "6|10.0.0.1|443|10.0.0.2|51000");
  assert.equal(
    normalisedTuple({ ...tcp, proto: "17", srcIp: "2001:DB8:0::2", dstIp: "2001:db8::1" }),
    "17|2001:db8::1|443|2001:db8::2|51000",
  );
  assert.equal(
    normalisedTuple({ ...tcp, proto: "gre", srcPort: null, dstPort: null }),
    "47|10.0.0.1|10.0.0.2",
  );
  // Numerically 9 < 10, as text "10" < "9".
  assert.equal(normalisedTuple({ ...tcp, srcIp: "9.0.0.1" }), "6|9.0.0.1|51000|10.0.0.1|443");
  assert.equal(normalisedTuple({ ...tcp, srcIp: "10.0.0.1" }), "6|10.0.0.1|443|10.0.0.1|51000");
});

Deno.test("spellings of one tuple have the same Community ID", () => {
  const id = communityId(tcp);
  assert.ok(id !== null);
  for (const other of [{ proto: "TCP" }, { proto: "6" }, { srcIp: "::ffff:10.0.0.2" }]) {
    assert.equal(communityId({ ...tcp, ...other }), id);
  }
  assert.notEqual(communityId({ ...tcp, proto: "udp" }), id);
});

Deno.test("an incomplete tuple has no Community ID", () => {
  const icmp: Tuple = { ...tcp, proto: "icmp", srcPort: null, dstPort: null, icmp: { type: 8, code: 0 } };
  const insufficient: Tuple[] = [
    { ...tcp, srcPort: null },
    { ...tcp, dstPort: null },
    { ...tcp, dstPort: 65536 },
    { ...tcp, dstPort: -1 },
    { ...tcp, dstPort: 1.5 },
    { ...tcp, srcIp: "" },
    { ...tcp, dstIp: "010.0.0.1" },
    { ...tcp, dstIp: "2001:db8::1" },
    { ...tcp, proto: "" },
    { ...tcp, proto: "unknown_transport" },
    { ...icmp, icmp: null },
    { ...icmp, icmp: null, srcPort: 8, dstPort: 0 },
    { ...icmp, icmp: { type: 3, code: null } },
  ];
  for (const tuple of insufficient) {
    assert.equal(communityId(tuple), null, JSON.stringify(tuple));
    assert.equal(normalisedTuple(tuple), null, JSON.stringify(tuple));
  }
  assert.ok(communityId(icmp));
});

Deno.test("an ICMP type with a counterpart pairs with it, whatever the code", () => {
  const ask: Tuple = { ...tcp, proto: "icmp", srcPort: null, dstPort: null, icmp: { type: 8, code: 0 } };
  const answer: Tuple = { ...ask, srcIp: ask.dstIp, dstIp: ask.srcIp, icmp: { type: 0, code: 0 } };
  assert.equal(communityId(ask), communityId(answer));
  assert.equal(communityId({ ...ask, icmp: { type: 8, code: null } }), communityId(ask));
  // Zeek puts the counterpart type where others have the code.
  assert.equal(communityId({ ...answer, icmp: { type: 0, code: 8 } }), communityId(ask));
  assert.notEqual(communityId({ ...answer, icmp: { type: 8, code: 0 } }), communityId(ask));
});

Deno.test("a one-way ICMP type keeps its direction and its code", () => {
  const there: Tuple = { ...tcp, proto: "icmp", srcPort: null, dstPort: null, icmp: { type: 3, code: 1 } };
  const back: Tuple = { ...there, srcIp: there.dstIp, dstIp: there.srcIp };
  assert.notEqual(communityId(there), communityId(back));
  assert.notEqual(normalisedTuple(there), normalisedTuple(back));
  assert.notEqual(communityId(there), communityId({ ...there, icmp: { type: 3, code: 3 } }));
});

Deno.test("ICMP between IPv6 addresses is ICMPv6, as logged by Zeek", () => {
  const echo: Tuple = {
    proto: "ipv6-icmp",
    srcIp: "fe80::1",
    dstIp: "fe80::2",
    srcPort: null,
    dstPort: null,
    icmp: { type: 128, code: 0 },
  };
  assert.equal(communityId({ ...echo, proto: "icmp" }), communityId(echo));
});

Deno.test("both directions of any flow with ports have one id", () => {
  const port = fc.integer({ min: 0, max: 65535 });
  const pair = fc.oneof(fc.tuple(fc.ipV4(), fc.ipV4()), fc.tuple(fc.ipV6(), fc.ipV6()));
  fc.assert(
    fc.property(
      fc.constantFrom("tcp", "udp", "sctp", "esp"),
      pair,
      port,
      port,
      (proto, [srcIp, dstIp], a, b) => {
        const there: Tuple = { proto, srcIp, dstIp, srcPort: a, dstPort: b, icmp: null };
        const back: Tuple = { proto, srcIp: dstIp, dstIp: srcIp, srcPort: b, dstPort: a, icmp: null };
        assert.equal(communityId(there), communityId(back));
        assert.equal(normalisedTuple(there), normalisedTuple(back));
      },
    ),
  );
});

Deno.test("IPv4-mapped IPv6 addresses give the same tuple as IPv4", () => {
  const port = fc.option(fc.integer({ min: -1, max: 65_536 }), { freq: 10 });
  const address = fc.oneof(
    { weight: 10, arbitrary: fc.ipV4() },
    fc.constantFrom("10.0.0.1", "10.0.0.01", "1.2.3.256"),
  );
  fc.assert(
    fc.property(
      fc.constantFrom("tcp", "UDP", "17", "sctp", "esp", "no such"),
      fc.tuple(address, address),
      fc.tuple(port, port),
      (proto, [srcIp, dstIp], [srcPort, dstPort]) => {
        const tuple: Tuple = { proto, srcIp, dstIp, srcPort, dstPort, icmp: null };
        const mapped = { ...tuple, srcIp: `::ffff:${srcIp}`, dstIp: `::ffff:${dstIp}` };
        assert.equal(normalisedTuple(tuple), normalisedTuple(mapped));
      },
    ),
    { numRuns: 1000 },
  );
});
