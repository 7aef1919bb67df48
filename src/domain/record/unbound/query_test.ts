import assert from "node:assert/strict";
import fc from "fast-check";
import type { DnsFacts } from "../facts.ts";
import type { Fields } from "../fields.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";
import { readUnboundLine } from "./line.ts";

const context = { observedAt: 1_795_222_923_000_001, expectedExporters: null };
const HEAD = "[1700000000] unbound[9411:1f] info: ";
const NOT_A_LOOKUP = {
  unparsed: "message: not a query or reply log line (needs log-queries or log-replies: yes)",
};

function observe(message: string, more: Fields = {}): Observation {
  const result = normalise("unbound.query", { message, ...more }, context);
  assert.ok("observation" in result, "unparsed" in result ? `${result.unparsed}: ${message}` : "");
  return result.observation;
}

function dnsOf(message: string): DnsFacts {
  const { facts } = observe(message);
  assert.ok(facts?.type === "dns");
  return facts;
}

Deno.test("unbound.query: a query line names client and question, but not the resolver", () => {
  const query = observe(`${HEAD}192.0.2.9 www.Example.com. AAAA IN`);
  assert.deepEqual(query.src, { ip: "192.0.2.9", port: null });
  assert.deepEqual(query.dst, { ip: "0.0.0.0", port: null });
  assert.equal(query.proto, "unknown");
  assert.equal(query.tuple, null);
  assert.deepEqual(query.warnings, ["community_id not computed: unknown protocol"]);
  assert.equal(query.service, "dns");
  assert.equal(query.counters, null);
  assert.deepEqual(query.facts, {
    type: "dns",
    query: "www.example.com",
    qtype: "AAAA",
    rcode: null,
    answers: [],
    answered: false,
  });
  assert.deepEqual(observe(`${HEAD}2001:DB8:0::9 a. A IN`).dst, { ip: "::", port: null });
});

Deno.test("unbound.query: a reply spans the time since the query", () => {
  const reply = observe(`${HEAD}192.0.2.9 slow.example.com. A IN NXDOMAIN 1.201196 0 50`);
  assert.equal(reply.end, 1_700_000_000_000_000);
  assert.equal(reply.end - reply.start, 1_201_196);
  assert.ok(reply.facts?.type === "dns" && reply.facts.answered && reply.facts.rcode === "NXDOMAIN");
});

Deno.test("unbound.query: replies to unread questions have no question", () => {
  const refused = dnsOf(`${HEAD}192.0.2.66 null TYPE0 CLASS0 REFUSED 0.000000 1 12`);
  assert.deepEqual([refused.query, refused.qtype, refused.rcode], [null, null, "REFUSED"]);
  const malformed = dnsOf(`${HEAD}192.0.2.9 - - - FORMERR - - - `);
  assert.deepEqual([malformed.query, malformed.qtype, malformed.rcode], [null, null, "FORMERR"]);
  assert.equal(dnsOf(`${HEAD}192.0.2.9 null. A IN NOERROR 0.000000 1 12`).query, "null");
  assert.equal(dnsOf(`${HEAD}192.0.2.9 a. A IN NOTIMPL 0.000000 1 12`).rcode, "NOTIMP");
});

Deno.test("unbound.query: names as printed by Unbound", () => {
  const cases: [string, string][] = [
    [".", "."],
    ["with?space?at?.example.com.", "with?space?at?.example.com"],
    ["_ldap._tcp.dc._msdcs.Example.com.", "_ldap._tcp.dc._msdcs.example.com"],
    ["too.long&", "too.long&"],
  ];
  for (const [logged, name] of cases) assert.equal(dnsOf(`${HEAD}192.0.2.9 ${logged} A IN`).query, name);
  assert.equal(dnsOf(`${HEAD}192.0.2.9 version.bind. TXT CH`).query, "version.bind");
  assert.equal(dnsOf(`${HEAD}192.0.2.9 a. TYPE65280 CLASS7`).qtype, "TYPE65280");
});

Deno.test("unbound.query: prefixes of the message", () => {
  const epoch = 1_700_000_000_000_000;
  const iso = 1_795_222_923_456_000;
  const body = "192.0.2.9 a.example. A IN";
  const cases: [string, number][] = [
    [`[1700000000] unbound[12:0] query: ${body}`, epoch],
    [`2026-11-21T02:02:03.456+01:00 dns-gw[12:0] query: ${body}`, iso],
    [`<30>1 2026-11-21T01:02:03.456Z gw unbound 12 - [meta sequenceId="62"] [12:0] query: ${body}`, iso],
    [`2026-11-21T01:02:03.456+0000 gw unbound[12]: [1700000000] unbound[12:0] info: ${body}`, epoch],
    // No year, so the envelope's time applies.
    [`<30>Nov 21 19:10:25 unbound: [9824:1] info: ${body}`, context.observedAt],
    [`Nov 21 01:02:03 gw unbound[12]: [12:0] info: ${body}`, context.observedAt],
    [`Nov 21 19:09:56 dns-gw[9637:1] info: ${body}`, context.observedAt],
    [`[unbound:0] info: ${body}`, context.observedAt],
    [`[12:0] info: ${body}\n`, context.observedAt],
    [body, context.observedAt],
  ];
  for (const [message, time] of cases) {
    const { start, end, src, facts } = observe(message);
    assert.deepEqual([start, end, src.ip], [time, time, "192.0.2.9"], message);
    assert.ok(facts?.type === "dns" && facts.query === "a.example");
  }
  const zoneless = observe(`2026-11-21 01:02:03.456 unbound[12:0] info: ${body}`);
  assert.equal(zoneless.end, iso);
  assert.ok(zoneless.warnings.includes("time has no zone, assumed UTC"));
});

Deno.test("unbound.query: with log-destaddr the resolver's end is stated", () => {
  const reply = `${HEAD}192.0.2.9 a. A IN NOERROR 0.000000 1 49`;
  const udp = observe(`${reply} on udp 192.0.2.53 53`);
  assert.deepEqual([udp.dst, udp.proto], [{ ip: "192.0.2.53", port: 53 }, "udp"]);
  assert.deepEqual(udp.warnings, ["community_id not computed: no source port"]);
  const protos = { tcp: "tcp", dot: "tcp", doh: "tcp", doq: "udp", raw: "unknown" };
  for (const [transport, proto] of Object.entries(protos)) {
    assert.equal(observe(`${reply} on ${transport} 192.0.2.53 853`).proto, proto);
  }
  const refused = observe(`${HEAD}192.0.2.9 null TYPE0 CLASS0 REFUSED 0.000000 1 12 on tcp 192.0.2.53 53`);
  assert.deepEqual(refused.dst, { ip: "192.0.2.53", port: 53 });
  assert.equal(observe(`${HEAD}192.0.2.9 - - - FORMERR - - - on tcp 192.0.2.53 53`).proto, "tcp");
});

Deno.test("unbound.query: a wildcard socket or an invalid address names no resolver", () => {
  const reply = `${HEAD}192.0.2.9 a. A IN NOERROR 0.000000 1 49`;
  for (const place of ["udp 0.0.0.0 53", "unix socket1 0", "udp \u0001? \u0002 53"]) {
    assert.deepEqual(observe(`${reply} on ${place}`).dst, { ip: "0.0.0.0", port: null }, place);
  }
  const six = observe(`${HEAD}2001:db8::9 a. A IN NOERROR 0.000000 1 49 on udp :: 53`);
  assert.deepEqual([six.dst, six.proto], [{ ip: "::", port: null }, "udp"]);
});

Deno.test("unbound.query: a collector's fields fill in, but do not override the line", () => {
  const query = `${HEAD}192.0.2.9 a. A IN`;
  const nested = {
    source: { ip: "203.0.113.1", port: 40000 },
    destination: { ip: "192.0.2.53", port: 53 },
    network: { transport: "UDP" },
  };
  const dotted = {
    "source.port": 40000,
    "destination.ip": "192.0.2.53",
    "destination.port": "53",
    "network.transport": "udp",
  };
  for (const more of [nested, dotted]) {
    const joined = observe(query, more);
    assert.deepEqual(joined.src, { ip: "192.0.2.9", port: 40000 });
    assert.deepEqual(joined.dst, { ip: "192.0.2.53", port: 53 });
    assert.equal(joined.proto, "udp");
    assert.deepEqual(joined.warnings, []);
    assert.equal(joined.tuple, "17|192.0.2.9|40000|192.0.2.53|53");
  }
  const line = `${HEAD}192.0.2.9 a. A IN NOERROR 0.000000 1 49 on tcp 192.0.2.54 853`;
  const stated = observe(line, dotted);
  assert.deepEqual([stated.dst, stated.proto], [{ ip: "192.0.2.54", port: 853 }, "tcp"]);
});

Deno.test("unbound.query: lines about local and policy zones are queries with the client's port", () => {
  const cases = [
    "ads.example.org. always_nxdomain 192.0.2.9@35396 ads.example.org. A IN",
    "rpz: applied [blocklist] blocked.rpz.example. rpz-nxdomain 192.0.2.9@35396 ads.example.org. A IN",
    "192.0.2.80/32 inform 192.0.2.9@35396 ads.example.org. A IN",
  ];
  for (const body of cases) {
    const { src, facts } = observe(HEAD + body);
    assert.deepEqual(src, { ip: "192.0.2.9", port: 35396 });
    assert.ok(facts?.type === "dns" && facts.query === "ads.example.org" && !facts.answered);
  }
});

Deno.test("unbound.query: other lines are rejected", () => {
  const bodies = [
    "start of service (unbound 1.17.1).",
    "server stats for thread 0: 12 queries, 5 answers from cache, 7 recursions, 0 prefetch, 0 rejected",
    "   0.000000    0.000001 1",
    "generate keytag query _ta-4f66. NULL IN",
    "resolving a.example. A IN",
    "validation failure <a.example. A IN>: no signatures from 192.0.2.1",
    "rpz: applied blocked.example. rpz-drop  a.example. A IN",
    "999.0.2.9 a.example. A IN",
    "192.0.2.9@99999 a.example. A IN",
    "192.0.2.9 a.example. A in",
    "192.0.2.9  A IN",
    "192.0.2.9 a.example. A IN NOERROR 0.1 0 50",
    "192.0.2.9 a.example. A IN NOERROR 0.000001 0 50 at udp 192.0.2.53 53",
    "192.0.2.9 a.example. A IN NOERROR",
    "",
  ];
  for (const body of bodies) {
    assert.deepEqual(normalise("unbound.query", { message: HEAD + body }, context), NOT_A_LOOKUP, body);
  }
  const errors = HEAD.replace("info", "error") + "192.0.2.9 a.example. A IN";
  assert.deepEqual(normalise("unbound.query", { message: errors }, context), NOT_A_LOOKUP);
  const long = `${HEAD}192.0.2.9 ${"a".repeat(2000)}. A IN`;
  assert.deepEqual(normalise("unbound.query", { message: long }, context), NOT_A_LOOKUP);
  const payloads: Fields[] = [{}, { message: null }, { message: ["x"] }];
  for (const payload of payloads) {
    assert.deepEqual(normalise("unbound.query", payload, context), {
      unparsed: "message: expected the log line as a string",
    });
  }
});

Deno.test("a line round-trips with any prefix, and arbitrary text never throws", () => {
  const word = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
  const front = fc.oneof(
    fc.constantFrom("[1700000000] unbound", "Nov 21 01:02:03 gw unbound: ", "<30>1 - - - ", ""),
    fc.string({ maxLength: 60 }).filter((text) => !text.includes("[")),
  );
  const type = fc.constantFrom("A", "AAAA", "HTTPS", "NSAP-PTR", "TYPE65280");
  const thread = fc.nat({ max: 0xffffff }).map((number) => number.toString(16));
  fc.assert(
    fc.property(
      front,
      thread,
      fc.ipV6(),
      word,
      type,
      fc.nat(99_999_999),
      (head, tid, ip, name, qtype, took) => {
        const seconds = `${Math.floor(took / 1e6)}.${String(took % 1e6).padStart(6, "0")}`;
        const line = readUnboundLine(
          `${head}[1:${tid}] info: ${ip} ${name}.test. ${qtype} IN NOERROR ${seconds} 0 9`,
        );
        assert.deepEqual([line?.type, line?.name, line?.qtype], ["reply", `${name}.test.`, qtype]);
        assert.equal(line?.duration, took);
      },
    ),
  );
  const pieces = fc.constantFrom(
    "[1:0] info: ",
    "192.0.2.9",
    " ",
    "@53",
    "on",
    "udp",
    "A",
    "IN",
    "-",
    "[",
    "1700000000]",
  );
  fc.assert(fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
    const result = normalise("unbound.query", { message: parts.join("") }, context);
    assert.ok("unparsed" in result || "observation" in result);
  }));
});
