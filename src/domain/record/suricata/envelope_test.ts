import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { DnsFacts } from "../facts.ts";
import type { ReadObservation } from "../observation.ts";
import { normalise } from "../registry.ts";

type SuricataKind = "suricata.flow" | "suricata.dns" | "suricata.alert";
const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };
const client = { ip: "10.0.0.5", port: 40000 };
const server = { ip: "192.0.2.53", port: 53 };

function observe(kind: SuricataKind, payload: Fields): ReadObservation {
  const result = normalise(kind, payload, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

function ends(src: typeof client, dst: typeof client, more: Fields): Fields {
  return {
    src_ip: src.ip,
    src_port: src.port,
    dest_ip: dst.ip,
    dest_port: dst.port,
    proto: "UDP",
    timestamp: "2026-11-21T01:02:03.000001+0000",
    flow_id: 1303033428771908,
    ...more,
  };
}

function dnsOf(observation: ReadObservation): DnsFacts {
  assert.ok(observation.facts?.type === "dns");
  return observation.facts;
}

Deno.test("suricata.flow: interval, counters, exact flow_id, app_proto", () => {
  const flow = {
    pkts_toserver: 6,
    bytes_toserver: 1149,
    pkts_toclient: 0,
    start: "2026-11-21T01:00:00.5+0000",
    end: "2026-11-21T01:00:01+0000",
  };
  const payload = ends(client, server, { flow, flow_id: 18446744073709551615n, app_proto: "failed" });
  const observation = observe("suricata.flow", payload);
  assert.equal(observation.end - observation.start, 500_000);
  assert.deepEqual(observation.counters, {
    srcToDst: { bytes: 1149, packets: 6 },
    dstToSrc: { bytes: null, packets: 0 },
    semantics: "session",
  });
  assert.equal(observation.nativeId, "18446744073709551615");
  assert.equal(observation.service, null);
  assert.equal(observe("suricata.flow", { ...payload, app_proto: "dns" }).service, "dns");
  assert.deepEqual(normalise("suricata.flow", ends(client, server, {}), context), {
    unparsed: "flow: expected an object",
  });
});

Deno.test("suricata.flow: without times of its own it is an instant", () => {
  const { start, end } = observe("suricata.flow", ends(client, server, { flow: {} }));
  assert.equal(start, 1795222923000001);
  assert.equal(end, start);
  assert.equal(
    observe("suricata.flow", ends(client, server, { flow: {}, timestamp: null })).start,
    context.observedAt,
  );
});

Deno.test("suricata.dns: the client is the originator in every format", () => {
  const high = { ip: server.ip, port: 5300 };
  const answer = (version: number | undefined, type: string) => ({
    dns: { type, rrname: "example.org", ...(version === undefined ? {} : { version }) },
  });
  const cases: [string, Fields][] = [
    ["version 1 has the packet's direction", ends(server, client, answer(undefined, "answer"))],
    ["version 1, another port", ends(high, client, answer(1, "answer"))],
    ["version 2 has the flow's direction", ends(client, server, answer(2, "answer"))],
    ["version 2, another port", ends(client, high, answer(2, "answer"))],
    ["version 2, flow picked up in the middle", ends(server, client, answer(2, "answer"))],
    ["version 3 has the packet's direction", ends(server, client, answer(3, "response"))],
    ["version 3, another port", ends(high, client, answer(3, "response"))],
    ["version 3 configured for the flow's", ends(client, server, answer(3, "response"))],
    ["a query", ends(client, server, answer(2, "query"))],
    ["a query on another port", ends(client, high, answer(3, "request"))],
  ];
  for (const [name, payload] of cases) {
    assert.deepEqual(observe("suricata.dns", payload).src, client, name);
  }
  const bothPorts = observe(
    "suricata.dns",
    ends(server, { ip: client.ip, port: 53 }, answer(undefined, "answer")),
  );
  assert.equal(bothPorts.src.ip, client.ip);
});

Deno.test("suricata.dns: answers in detailed, grouped, version 1 and service formats", () => {
  const facts = (dns: Fields) => dnsOf(observe("suricata.dns", ends(client, server, { dns })));
  assert.deepEqual(
    facts({
      version: 2,
      type: "answer",
      rrname: "A.example.org",
      rrtype: "A",
      rcode: "NOERROR",
      answers: [{ rrtype: "CNAME", rdata: "b.example.org" }, { rrtype: "A", rdata: "192.0.2.1" }],
      grouped: { A: ["192.0.2.1"] },
    }),
    {
      type: "dns",
      query: "a.example.org",
      qtype: "A",
      rcode: "NOERROR",
      answers: ["b.example.org", "192.0.2.1"],
      answered: true,
    },
  );
  assert.deepEqual(facts({ version: 2, type: "answer", grouped: { A: ["192.0.2.1"], TXT: ["x"] } }).answers, [
    "192.0.2.1",
    "x",
  ]);
  assert.deepEqual(facts({ type: "answer", rrname: "b", rrtype: "A", rdata: "192.0.2.9" }).answers, [
    "192.0.2.9",
  ]);
  const srv = { priority: 0, weight: 5, port: 389, name: "DC.example.org" };
  assert.deepEqual(facts({ version: 2, type: "answer", answers: [{ rrtype: "SRV", srv }] }).answers, [
    "0 5 389 dc.example.org",
  ]);
  const many = Object.fromEntries([...Array(99).keys()].map((n) => [`T${n}`, Array(99).fill("x")]));
  assert.equal(facts({ version: 2, type: "answer", grouped: many }).answers.length, 32);
});

Deno.test("suricata.dns: structured data in zone file notation; incomplete data is dropped", () => {
  const answers = (data: Fields) => {
    const dns = { version: 3, type: "response", ...data };
    return dnsOf(observe("suricata.dns", ends(client, server, { dns }))).answers;
  };
  const soa = {
    mname: "NS1.example.org",
    rname: "hostmaster.example.org",
    serial: 2026112101,
    refresh: 7200,
    retry: 900,
    expire: 1209600,
    minimum: 300,
  };
  const written = "ns1.example.org hostmaster.example.org 2026112101 7200 900 1209600 300";
  assert.deepEqual(answers({ answers: [{ rrtype: "SOA", soa }] }), [written]);
  assert.deepEqual(answers({ grouped: { SOA: [soa] } }), [written]);
  const sshfp = { fingerprint: "12:34:ab", algo: 4, type: 2 };
  assert.deepEqual(answers({ answers: [{ rrtype: "SSHFP", sshfp }] }), ["4 2 1234ab"]);
  assert.deepEqual(answers({ answers: [{ rrtype: "SSHFP", sshfp: { ...sshfp, algo: "x" } }] }), []);
});

Deno.test("suricata.dns: types and codes without a name are numbers in a string", () => {
  const dns = { version: 2, type: "answer", rrname: "x.org", rrtype: "65", rcode: "12" };
  const { qtype, rcode } = dnsOf(observe("suricata.dns", ends(client, server, { dns })));
  assert.deepEqual([qtype, rcode], ["TYPE65", "RCODE12"]);
});

Deno.test("suricata.dns: over HTTPS the client comes first in every version", () => {
  const resolver = { ip: "192.0.2.53", port: 443 };
  const dns = { version: 3, type: "response", queries: [{ rrname: "x.org", rrtype: "A" }] };
  const http = { version: "2", url: "/dns-query" };
  const observation = observe("suricata.dns", ends(client, resolver, { dns, http, proto: "TCP" }));
  assert.deepEqual(observation.src, client);
  assert.equal(observation.service, "doh2");
  assert.equal(observation.facts?.type, "dns");
  assert.deepEqual(normalise("suricata.dns", ends(client, resolver, { http }), context), {
    unparsed: "dns: expected an object; this exchange over HTTPS carried no DNS message",
  });
});

Deno.test("suricata.dns: a version 3 request has no response code", () => {
  const dns = {
    version: 3,
    type: "request",
    rcode: "NOERROR",
    queries: [{ rrname: "x.org", rrtype: "AAAA" }],
  };
  assert.deepEqual(dnsOf(observe("suricata.dns", ends(client, server, { dns }))), {
    type: "dns",
    query: "x.org",
    qtype: "AAAA",
    rcode: null,
    answers: [],
    answered: false,
  });
});

const alert = { signature_id: 2013504, gid: 1, rev: 6, signature: "ET POLICY x", severity: 3 };

Deno.test("suricata.alert: the flow's originator comes first if the record states it", () => {
  const flow = { src_ip: client.ip, src_port: client.port, dest_ip: server.ip, dest_port: server.port };
  const reply = ends(server, client, { alert, flow });
  assert.deepEqual(observe("suricata.alert", reply).src, client);
  assert.deepEqual(observe("suricata.alert", ends(client, server, { alert, flow })).src, client);
  assert.deepEqual(
    observe("suricata.alert", ends(server, client, { alert, direction: "to_client" })).src,
    client,
  );
  assert.deepEqual(
    observe("suricata.alert", ends(client, server, { alert, direction: "to_server" })).src,
    client,
  );
  // `flow` takes precedence over `direction`.
  assert.deepEqual(
    observe("suricata.alert", ends(client, server, { alert, flow, direction: "to_client" })).src,
    client,
  );
  assert.deepEqual(observe("suricata.alert", ends(server, client, { alert })).src, server);
  // Both ends on one host.
  const local = { ip: client.ip, port: 8080 };
  const localReply = ends(local, client, { alert, flow: { ...flow, dest_ip: client.ip, dest_port: 8080 } });
  assert.deepEqual(observe("suricata.alert", localReply).src, client);
});

Deno.test("suricata.alert: a reversed ICMP reply is its request; an ICMP error stays unchanged", () => {
  const icmp = { proto: "ICMP", src_port: null, dest_port: null, alert, direction: "to_client" };
  const reply = observe("suricata.alert", ends(server, client, { ...icmp, icmp_type: 0, icmp_code: 0 }));
  assert.equal(reply.src.ip, client.ip);
  assert.deepEqual(reply.icmp, { type: 8, code: 0 });
  const request = observe(
    "suricata.alert",
    ends(client, server, { ...icmp, icmp_type: 8, direction: "to_server" }),
  );
  assert.equal(reply.tuple, request.tuple);
  const error = observe("suricata.alert", ends(server, client, { ...icmp, icmp_type: 3, icmp_code: 3 }));
  assert.equal(error.src.ip, server.ip);
  assert.deepEqual(error.icmp, { type: 3, code: 3 });
});

Deno.test("suricata.alert: from the flow's start to the alert, without counters", () => {
  const flow = { start: "2026-11-21T01:02:00+0000", bytes_toserver: 99 };
  const observation = observe("suricata.alert", ends(client, server, { alert, flow }));
  assert.equal(observation.end - observation.start, 3_000_001);
  assert.equal(observation.counters, null);
  // The pseudo packet of a flow timeout may be older than its flow.
  const late = { start: "2026-11-21T03:00:00+0000" };
  const pseudo = observe("suricata.alert", ends(client, server, { alert, flow: late }));
  assert.equal(pseudo.start, 1795230000000000);
  assert.equal(pseudo.end, pseudo.start);
  assert.deepEqual(pseudo.warnings, ["ends before it starts"]);
});

Deno.test("suricata.alert: facts", () => {
  const metadata = JSON.parse(`{"__proto__":["x"],"cve":"CVE_2021_1","n":[1,"two"],"o":{},"\\u0000":["y"]}`);
  const { facts } = observe("suricata.alert", ends(client, server, { alert: { ...alert, metadata } }));
  assert.ok(facts?.type === "alert");
  assert.deepEqual(Object.entries(facts.metadata), [["__proto__", ["x"]], ["cve", ["CVE_2021_1"]], ["n", [
    "two",
  ]]]);
  assert.equal(facts.priority, 3);
  const nameless = observe("suricata.alert", ends(client, server, { alert: { signature_id: 7 } })).facts;
  assert.ok(nameless?.type === "alert" && nameless.signature === "signature 7");
});

Deno.test("suricata.alert: rejected records state the reason", () => {
  const unparsed = (payload: Fields) => normalise("suricata.alert", payload, context);
  const noAddresses = "src_ip: expected an address; an event about a non-IP packet has no flow";
  assert.deepEqual(unparsed({ alert, timestamp: "2026-11-21T01:02:03Z" }), { unparsed: noAddresses });
  assert.deepEqual(unparsed({ alert, src_ip: "", dest_ip: "" }), { unparsed: noAddresses });
  assert.deepEqual(unparsed({ alert, dest_ip: "10.0.0.1" }), { unparsed: "src_ip: expected an address" });
  assert.deepEqual(unparsed(ends(client, server, {})), { unparsed: "alert: expected an object" });
  assert.deepEqual(unparsed(ends(client, server, { alert: {} })), {
    unparsed: "alert.signature: expected a string",
  });
});
