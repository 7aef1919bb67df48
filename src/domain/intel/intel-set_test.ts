import assert from "node:assert/strict";
import fc from "fast-check";
import { compileIntel, emptyIntel } from "./compile.ts";
import type { Match } from "./indicator.ts";
import { type IntelData, IntelSet, sharedData } from "./intel-set.ts";

function setOf(lists: Record<string, string>): IntelSet {
  return new IntelSet(dataOf(lists));
}

function dataOf(lists: Record<string, string>): IntelData {
  return compileIntel(Object.entries(lists).map(([name, text]) => ({ name, pieces: [text] }))).data;
}

/** The matching list and indicator as text. */
function described(match: Match | null): string | null {
  return match === null ? null : `${match.list}: ${match.indicator}`;
}

Deno.test("an exact address wins over the smallest network around it", () => {
  const set = setOf({
    "a.txt": "198.51.0.0/16\n198.51.100.0/24\n2001:db8::/32",
    "b.txt": "198.51.100.7\n198.51.100.0/28\n2001:DB8:0::7",
  });
  assert.equal(described(set.matchIp("198.51.100.7")), "b.txt: 198.51.100.7");
  assert.equal(described(set.matchIp("198.51.100.8")), "b.txt: 198.51.100.0/28");
  assert.equal(described(set.matchIp("198.51.100.99")), "a.txt: 198.51.100.0/24");
  assert.equal(described(set.matchIp("198.51.7.7")), "a.txt: 198.51.0.0/16");
  assert.equal(set.matchIp("198.52.0.0"), null);
  assert.equal(described(set.matchIp("2001:db8::7")), "b.txt: 2001:db8::7");
  assert.equal(described(set.matchIp("2001:db8::8")), "a.txt: 2001:db8::/32");
  assert.equal(set.matchIp("2001:db9::"), null);
  assert.equal(set.matchIp("no address"), null);
  assert.equal(set.size, 6);
});

Deno.test("a domain matches itself and its parents, the closest first", () => {
  const set = setOf({
    "a.txt": "evil.example\nlogin.evil.example\nduckdns.org",
    "hosts.txt": "0.0.0.0 one.bad.example",
  });
  assert.equal(described(set.matchDomain("evil.example")), "a.txt: evil.example");
  assert.equal(described(set.matchDomain("a.b.evil.example")), "a.txt: evil.example");
  assert.equal(described(set.matchDomain("x.login.evil.example")), "a.txt: login.evil.example");
  assert.equal(set.matchDomain("notevil.example"), null);
  assert.equal(set.matchDomain("example"), null);
  assert.equal(set.matchDomain("evil.example.com"), null);
  assert.equal(described(set.matchDomain("one.bad.example")), "hosts.txt: one.bad.example");
  assert.equal(set.matchDomain("a.one.bad.example"), null);
  assert.equal(described(set.matchDomain("duckdns.org")), "a.txt: duckdns.org");
  assert.equal(set.matchDomain("innocent.duckdns.org"), null);
  assert.equal(set.matchDomain(""), null);
  assert.equal(set.matchDomain("."), null);
});

Deno.test("an exact name does not hide a wider one around it", () => {
  const set = setOf({ "a.txt": "0.0.0.0 www.evil.example\nevil.example" });
  assert.equal(described(set.matchDomain("www.evil.example")), "a.txt: www.evil.example");
  assert.equal(described(set.matchDomain("a.www.evil.example")), "a.txt: evil.example");
});

Deno.test("a domain listed both exactly and with its subdomains matches both ways", () => {
  for (
    const lists of [{ "a": "0.0.0.0 evil.example", "b": "evil.example" }, {
      "a": "evil.example",
      "b": "0.0.0.0 evil.example",
    }]
  ) {
    assert.equal(setOf(lists).matchDomain("www.evil.example")?.indicator, "evil.example");
  }
});

Deno.test("a URL matches by host, path and query, never by its host alone", () => {
  const set = setOf({
    "urls.txt":
      "hxxp://Evil[.]example:8080/Gate.php?id=1#x\nhttps://bad.example\nhttp://198.51.100.7/bin.sh\nhttp://[2001:db8::7]/x",
  });
  assert.deepEqual(set.matchUrl("evil.example", "/Gate.php?id=1"), {
    list: "urls.txt",
    indicator: "evil.example/Gate.php?id=1",
    kind: "url",
    description: null,
    confidence: null,
    exact: true,
  });
  assert.equal(set.matchUrl("evil.example", "/gate.php?id=1"), null);
  assert.equal(set.matchUrl("evil.example", "/Gate.php"), null);
  assert.equal(set.matchUrl("evil.example", "/"), null);
  assert.equal(set.matchUrl("www.evil.example", "/Gate.php?id=1"), null);
  assert.notEqual(set.matchUrl("bad.example", "/"), null);
  assert.notEqual(set.matchUrl("bad.example", ""), null);
  assert.equal(set.matchUrl("bad.example", "/x"), null);
  assert.notEqual(set.matchUrl("198.51.100.7", "/bin.sh"), null);
  assert.notEqual(set.matchUrl("2001:db8::7", "/x"), null);
  assert.notEqual(set.matchUrl("198.51.100.7", "http://198.51.100.7/bin.sh"), null);
  assert.notEqual(set.matchUrl("bad.example", "http://bad.example"), null);
  assert.equal(set.matchDomain("evil.example"), null);
  assert.equal(set.matchIp("198.51.100.7"), null);
});

Deno.test("fingerprints match only their own kind", () => {
  const ja3 = "e7d705a3286e19ea42f587b344ee6865";
  const ja4 = "t13d1516h2_8daaf6152771_b186095e22b6";
  const sha1 = "4da14224452c1fe61f46b1112c43ecfd9f322c82";
  const set = setOf({ "f.txt": [ja3, ja4, sha1, "ab".repeat(32)].join("\n") });
  assert.equal(set.matchJa3(ja3)?.kind, "ja3");
  assert.equal(set.matchJa4(ja4)?.kind, "ja4");
  assert.equal(set.matchCertificate(sha1)?.kind, "certificate");
  assert.equal(set.matchCertificate("ab".repeat(32))?.kind, "certificate");
  assert.equal(set.matchJa3(ja4), null);
  assert.equal(set.matchCertificate(ja3), null);
});

Deno.test("if several lists have an indicator, the first list describes it", () => {
  const set = setOf({
    "a.txt": "198.51.100.7 # A\n203.0.113.0/24 # A",
    "b.txt": "198.51.100.7 # B\n203.0.113.0/24 # B",
  });
  assert.equal(set.matchIp("198.51.100.7")?.description, "A");
  assert.equal(set.matchIp("203.0.113.1")?.description, "A");
  assert.equal(set.size, 2);
});

Deno.test("an empty set matches nothing", () => {
  const set = emptyIntel();
  assert.equal(set.size, 0);
  assert.equal(set.matchIp("198.51.100.7"), null);
  assert.equal(set.matchIp("2001:db8::7"), null);
  assert.equal(set.matchDomain("evil.example"), null);
  assert.equal(set.matchUrl("evil.example", "/"), null);
  assert.equal(set.matchJa3(""), null);
});

Deno.test("threads share the memory of a set's data", () => {
  const data = dataOf({ "a.txt": "198.51.100.7 # A\nevil.example\n203.0.113.0/24" });
  const shared = sharedData(data);
  assert.deepEqual({ ...shared }, data);
  const moved = new IntelSet(structuredClone(shared));
  assert.ok(moved.data.texts.ip.bytes.buffer instanceof SharedArrayBuffer);
  assert.ok(moved.data.v4.values.buffer instanceof SharedArrayBuffer);
  assert.equal(moved.matchIp("198.51.100.7")?.description, "A");
  assert.equal(moved.matchIp("203.0.113.9")?.kind, "cidr");
  assert.equal(moved.matchDomain("www.evil.example")?.list, "a.txt");
});

Deno.test("any text can be looked up", () => {
  const set = setOf({
    "a.txt": "198.51.100.0/24\n2001:db8::/32\nevil.example\nпример.рф\nhttp://evil.example/x",
  });
  assert.equal(set.matchDomain("www.пример.рф")?.indicator, "пример.рф");
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string(), (text, uri) => {
    assert.equal(set.matchIp(text), null);
    assert.equal(set.matchDomain(text), null);
    assert.equal(set.matchUrl(text, uri), null);
  }));
});

Deno.test("an indicator itself can be found, as currently listed", () => {
  const set = setOf({
    "a.txt": "198.51.0.0/16\n198.51.100.0/24\n198.51.100.7\nevil.example # Zeus\n2001:db8::/32",
  });
  assert.equal(described(set.find("cidr", "198.51.0.0/16")), "a.txt: 198.51.0.0/16");
  assert.equal(described(set.find("cidr", "2001:db8::/32")), "a.txt: 2001:db8::/32");
  assert.equal(set.find("cidr", "198.51.100.0/25"), null);
  assert.equal(set.find("cidr", "no network"), null);
  assert.equal(set.find("ip", "198.51.100.8"), null);
  assert.equal(described(set.find("ip", "198.51.100.7")), "a.txt: 198.51.100.7");
  assert.equal(set.find("domain", "evil.example")?.description, "Zeus");
  assert.equal(set.find("domain", "a.evil.example"), null);
});

Deno.test("the digest depends on indicators and annotations, and on nothing else", () => {
  const lists = { "a.txt": "198.51.100.7\nevil.example", "b.txt": "203.0.113.0/24" };
  const { digest } = dataOf(lists);
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.equal(
    dataOf({ "a.txt": "# v2\n198.51.100.7\n\nevil.example", "b.txt": "203.0.113.0/24" }).digest,
    digest,
  );
  const others: Record<string, string>[] = [
    { ...lists, "a.txt": "198.51.100.7" },
    { ...lists, "a.txt": "198.51.100.7 # Zeus\nevil.example" },
    { ...lists, "b.txt": "203.0.113.0/25" },
    { "a.txt": lists["a.txt"], "c.txt": lists["b.txt"] },
  ];
  for (const other of others) assert.notEqual(dataOf(other).digest, digest);
  assert.equal(emptyIntel().data.digest, "");
  assert.equal(dataOf({ "a.txt": "# nothing" }).digest, "");
});
