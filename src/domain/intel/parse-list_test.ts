import assert from "node:assert/strict";
import fc from "fast-check";
import { compileIntel } from "./compile.ts";
import type { ListReport } from "./indicator.ts";
import { IntelSet } from "./intel-set.ts";
import { MAX_FAULTS } from "./parse-list.ts";

function load(name: string, text: string): { set: IntelSet; report: ListReport; faults: string[] } {
  const { data, lists: [report] } = compileIntel([{ name, pieces: [text] }]);
  assert.ok(report);
  return {
    set: new IntelSet(data),
    report,
    faults: report.faults.map(({ line, message }) => `${line}: ${message}`),
  };
}

const SHA1 = "4da14224452c1fe61f46b1112c43ecfd9f322c82";

Deno.test("a plain list: one indicator per line, with comments, descriptions and mistakes", () => {
  const { set, report, faults } = load(
    "plain.txt",
    `\uFEFF# our own
; another comment
// and one more

198.51.100.7
198.51.100.8 # Mirai
198.51.100.9;SBL1
203.0.113.0/24 ; SBL256894
203.0.113.7#4#2#Malicious Host
evil.example\t two words
http://evil.example/a#b // drive-by
10.0.0.1
nonsense
${SHA1}\r
`,
  );
  assert.equal(set.matchIp("198.51.100.7")?.description, null);
  assert.equal(set.matchIp("198.51.100.8")?.description, "Mirai");
  assert.equal(set.matchIp("198.51.100.9")?.description, "SBL1");
  assert.deepEqual(set.matchIp("203.0.113.99"), {
    list: "plain.txt",
    indicator: "203.0.113.0/24",
    kind: "cidr",
    description: "SBL256894",
    confidence: null,
    exact: true,
  });
  assert.equal(set.matchIp("203.0.113.7")?.description, "4#2#Malicious Host");
  assert.equal(set.matchDomain("evil.example")?.description, "two words");
  assert.equal(set.matchUrl("evil.example", "/a")?.description, "drive-by");
  assert.equal(set.matchCertificate(SHA1)?.list, "plain.txt");
  assert.deepEqual({ indicators: report.indicators, faulty: report.faulty, skipped: report.skipped }, {
    indicators: 8,
    faulty: 2,
    skipped: 0,
  });
  assert.deepEqual(faults, [
    "12: expected a public address, but 10.0.0.1 is private",
    '13: expected an address, or a name with a dot, got "nonsense"',
  ]);
});

Deno.test("a hosts file lists exact names, and its standard entries are not faults", () => {
  const { set, report, faults } = load(
    "hosts",
    `127.0.0.1 localhost localhost.localdomain
255.255.255.255 broadcasthost
::1 ip6-localhost ip6-loopback
fe80::1%lo0 localhost
0.0.0.0 0.0.0.0
0.0.0.0 evil.example www.evil.example # both
127.0.0.1\tbad.example
:: worse.example
0.0.0.0 nonsense
198.51.100.7 not-a-sinkhole.example
`,
  );
  assert.equal(set.matchDomain("evil.example")?.description, "both");
  assert.equal(set.matchDomain("www.evil.example")?.indicator, "www.evil.example");
  assert.equal(set.matchDomain("mail.evil.example"), null);
  assert.notEqual(set.matchDomain("bad.example"), null);
  assert.notEqual(set.matchDomain("worse.example"), null);
  assert.equal(set.matchIp("198.51.100.7")?.description, "not-a-sinkhole.example");
  assert.equal(report.indicators, 5);
  assert.deepEqual(faults, ['9: expected an address, or a name with a dot, got "nonsense"']);
});

Deno.test("tables without a header, with a repeated one, and with one column", () => {
  const bare = load(
    "bare.csv",
    `evil.example,Domain used by X,2026-11-21 00:00\n2026-11-21 01:02:03,198.51.100.7,443\nfoo,bar\n`,
  );
  assert.equal(bare.set.matchDomain("evil.example")?.description, "Domain used by X");
  assert.equal(bare.set.matchIp("198.51.100.7")?.description, null);
  assert.deepEqual(bare.faults, ['3: expected an address, or a name with a dot, got "foo"']);

  const twice = load("twice.csv", "ip,reason\n198.51.100.7,a\ndomain,reason\nevil.example,b\n");
  assert.equal(twice.set.matchDomain("evil.example")?.description, "b");
  assert.deepEqual(twice.faults, []);

  const single = load("single.csv", "domain\nevil.example\n");
  assert.deepEqual([single.report.indicators, single.report.faulty], [1, 0]);
  assert.notEqual(single.set.matchDomain("evil.example"), null);

  const semicolons = load("semicolons.csv", "ip;malware;note\n198.51.100.7;Emotet;a, b\n");
  assert.equal(semicolons.set.matchIp("198.51.100.7")?.description, "Emotet");

  const sentence = load("sentence.txt", "# This list, each domain, is updated daily\nevil.example\n");
  assert.deepEqual([sentence.report.indicators, sentence.report.faulty], [1, 0]);

  const several = load("several.csv", "ip,domain,malware\n,evil.example,A\n198.51.100.7,,B\n,,C\n");
  assert.equal(several.set.matchDomain("evil.example")?.description, "A");
  assert.equal(several.set.matchIp("198.51.100.7")?.description, "B");
  assert.deepEqual([several.report.indicators, several.report.skipped], [2, 1]);
});

Deno.test("the first of many bad lines are kept and all are counted", () => {
  const { report, set } = load(
    "bad.txt",
    `${"!bad\n".repeat(1000)}evil.example\n${"x".repeat(70_000)}\nbad.example`,
  );
  assert.equal(report.faulty, 1001);
  assert.equal(report.faults.length, MAX_FAULTS);
  assert.deepEqual([set.matchDomain("evil.example")?.kind, set.matchDomain("bad.example")?.kind], [
    "domain",
    "domain",
  ]);
});

Deno.test("indicators above the limit are faults; known ones are still accepted", () => {
  const { data, lists } = compileIntel([
    { name: "a", pieces: ["203.0.113.0/24\n203.0.113.0/25\n198.51.100.7\nevil.example"] },
    { name: "b", pieces: ["bad.example\nevil.example"] },
  ], { indicators: 3, networks: 1 });
  assert.equal(new IntelSet(data).size, 3);
  assert.deepEqual(lists.map(({ indicators, faulty }) => [indicators, faulty]), [[3, 1], [1, 1]]);
  assert.deepEqual(lists[1]?.faults, [{
    file: "b",
    line: 1,
    message: "expected at most 3 indicators, 1 of them networks, in all lists together",
  }]);
});

Deno.test("UTF-16 text is reported as such", () => {
  const { faults } = load("utf16.txt", "e\0v\0i\0l\0.\0e\0x\0\n");
  assert.deepEqual(faults, ["1: expected UTF-8 text"]);
});

Deno.test("how a list is split into chunks does not matter", () => {
  const lines = [
    "evil.example",
    "198.51.100.7 # x",
    "# ip,reason",
    "",
    "nonsense",
    "y".repeat(40_000),
    "bad.example\r",
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 30 }).map((list) =>
    list.join("\n")
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(text, sizes, (whole, cuts) => {
    const pieces: string[] = [];
    for (let at = 0, i = 0; at < whole.length; i++) {
      const size = cuts[i % cuts.length]!;
      pieces.push(whole.slice(at, at + size));
      at += size;
      if (pieces.length > 20) {
        pieces.push(whole.slice(at));
        break;
      }
    }
    assert.deepEqual(compileIntel([{ name: "x", pieces }]), compileIntel([{ name: "x", pieces: [whole] }]));
  }));
});

Deno.test("a bad line never loses a good one", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom("x.txt", "x.csv"), (before, after, name) => {
      // The first line may be a table header; a line without separators still stands for itself then.
      const { set } = load(name, `${before}\n198.51.100.7\n${after}\nevil.example\n`);
      assert.notEqual(set.matchIp("198.51.100.7"), null);
      assert.notEqual(set.matchDomain("evil.example"), null);
    }),
    { numRuns: 500 },
  );
});
