import assert from "node:assert/strict";
import type { IncidentCase } from "../../../../contract/incident/case.ts";
import {
  caseInput,
  exampleCase,
  HOSTILE,
  hostileCase,
} from "../../../../../test/support/domain/case-fixtures.ts";
import { checkBundle } from "../../../../../test/support/domain/stix-rules.ts";
import { buildCase } from "../build-case.ts";
import { observableId } from "./ids.ts";
import { indicatorPattern } from "./indicator-pattern.ts";
import { renderStix } from "./render-stix.ts";

type Object = Record<string, unknown> & { type: string; id: string };

function objectsOf(value: IncidentCase): Object[] {
  return checkBundle(renderStix(value)) as Object[];
}

function typesOf(objects: readonly Object[]): Record<string, number> {
  const groups = Map.groupBy(objects, ({ type }) => type);
  return Object.fromEntries([...groups].map(([type, own]) => [type, own.length] as const).sort());
}

Deno.test("identifiers of observables are those that every producer gives them", () => {
  // The first is the example of the specification, the second of public bundles.
  assert.equal(
    observableId("ipv4-addr", { value: "198.51.100.3" }),
    "ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4",
  );
  assert.equal(
    observableId("domain-name", { value: "example.com" }),
    "domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7",
  );
});

Deno.test("a bundle meets the rules of STIX 2.1, and is the same for the same case", () => {
  const objects = objectsOf(exampleCase());
  assert.deepEqual(typesOf(objects), {
    "attack-pattern": 1,
    "identity": 2,
    "incident": 1,
    "ipv4-addr": 2,
    "mac-addr": 1,
    "network-traffic": 1,
    "note": 1,
    "observed-data": 2,
    "relationship": 4,
    "report": 1,
  });
  const traffic = objects.find(({ type }) => type === "network-traffic")!;
  assert.deepEqual(
    [traffic.start, traffic.end, traffic.protocols, traffic.src_byte_count, traffic.dst_port],
    ["2026-01-31T07:11:00.000Z", "2026-01-31T07:11:42.000Z", ["ipv4", "tcp", "ssl"], 500, 443],
  );
  assert.equal(renderStix(exampleCase()), renderStix(exampleCase()));
});

Deno.test("each object is marked with the label, whose definition is that of the specification", () => {
  const objects = objectsOf(exampleCase({ tlp: "amber" }));
  const marking = objects.filter(({ type }) => type === "marking-definition");
  assert.deepEqual(marking.map(({ id }) => id), ["marking-definition--f88d31f6-486f-44da-b317-01333bde0b82"]);
  for (const one of objects) {
    if (one !== marking[0]) assert.deepEqual(one.object_marking_refs, [marking[0]!.id], one.id);
  }
});

Deno.test("names, URLs, certificates and HTTP requests become observables, indicators only where a list matched", () => {
  const input = caseInput();
  const [conn, alert] = input.observations;
  const http = {
    type: "http" as const,
    method: "POST",
    host: "gate.example",
    uri: "/in.php?id=1",
    user_agent: "Mozilla/4.0 (evil)",
    referrer: null,
    version: "1.1",
    status: 200,
    content_type: null,
    request_bytes: 120,
    response_bytes: null,
    username: null,
  };
  const tls = {
    type: "tls" as const,
    server_name: "Cdn.Example.",
    version: "TLS 1.2",
    cipher: null,
    alpn: null,
    ja3: null,
    ja3s: null,
    ja4: null,
    ja4s: null,
    subject: "CN=x",
    issuer: "CN=x",
    serial: "0A",
    fingerprint: "ab".repeat(20),
    not_before: null,
    not_after: null,
    validation: null,
    resumed: null,
    established: true,
  };
  const intel = [
    {
      list: "a.csv",
      kind: "domain" as const,
      indicator: "gate.example",
      description: "x",
      confidence: 0.9,
      listed: true,
    },
    {
      list: "a.csv",
      kind: "ja3" as const,
      indicator: "0".repeat(32),
      description: null,
      confidence: null,
      listed: true,
    },
  ];
  const objects = objectsOf(buildCase({
    ...input,
    observations: [{ ...conn!, facts: http }, { ...alert!, facts: tls }],
    flows: input.flows.map((flow) => ({ ...flow, intel })),
  }));
  const of = (type: string) => objects.filter((one) => one.type === type);
  assert.deepEqual(of("domain-name").map(({ value }) => value).sort(), ["cdn.example", "gate.example"]);
  assert.deepEqual(of("url").map(({ value }) => value), ["http://gate.example:443/in.php?id=1"]);
  assert.deepEqual(of("x509-certificate").map(({ hashes, is_self_signed }) => [hashes, is_self_signed]), [
    [{ "SHA-1": "ab".repeat(20) }, true],
  ]);
  assert.deepEqual(of("network-traffic")[0]!.extensions, {
    "http-request-ext": {
      request_method: "post",
      request_value: "/in.php?id=1",
      request_version: "http/1.1",
      request_header: { "Host": ["gate.example"], "User-Agent": ["Mozilla/4.0 (evil)"] },
      message_body_length: 120,
    },
  });
  assert.deepEqual(of("indicator").map(({ pattern }) => pattern), ["[domain-name:value = 'gate.example']"]);
  assert.equal(of("sighting")[0]!.sighting_of_ref, of("indicator")[0]!.id);
});

Deno.test("hostile records make valid bundles: a value that STIX does not allow makes no observable", () => {
  for (const text of HOSTILE) {
    const objects = objectsOf(hostileCase(text));
    assert.deepEqual(
      objects.filter(({ type }) => ["domain-name", "mac-addr", "url"].includes(type)),
      [],
      text,
    );
  }
});

Deno.test("patterns of indicators, with their texts escaped", () => {
  assert.equal(
    indicatorPattern({ kind: "ip", indicator: "2001:db8::1" }),
    "[ipv6-addr:value = '2001:db8::1']",
  );
  assert.equal(
    indicatorPattern({ kind: "cidr", indicator: "10.0.0.0/8" }),
    "[ipv4-addr:value ISSUBSET '10.0.0.0/8']",
  );
  assert.equal(indicatorPattern({ kind: "domain", indicator: "a'\\b" }), "[domain-name:value = 'a\\'\\\\b']");
  assert.equal(
    indicatorPattern({ kind: "url", indicator: "x.example/a" }),
    "[url:value = 'http://x.example/a' OR url:value = 'https://x.example/a']",
  );
  assert.equal(indicatorPattern({ kind: "ja4", indicator: "t13d" }), null);
});
