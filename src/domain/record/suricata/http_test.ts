import assert from "node:assert/strict";
import type { Fields } from "../fields.ts";
import type { HttpFacts } from "../facts.ts";
import type { Observation } from "../observation.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function observe(http: Fields): Observation {
  const payload = {
    timestamp: "2026-11-21T01:02:03.000001+0000",
    src_ip: "10.0.0.5",
    src_port: 40000,
    dest_ip: "192.0.2.7",
    dest_port: 80,
    proto: "TCP",
    http,
  };
  const result = normalise("suricata.http", payload, context);
  assert.ok("observation" in result);
  return result.observation;
}

function factsOf(http: Fields): HttpFacts {
  const { facts } = observe(http);
  assert.ok(facts?.type === "http");
  return facts;
}

function header(name: string, value: string): Fields {
  return { name, value };
}

Deno.test("suricata.http: an extended record", () => {
  const http = {
    hostname: "Direkte.vg.no",
    http_port: 8080,
    url: "/a?b=c",
    http_user_agent: "curl/8.0",
    http_content_type: "application/json",
    http_refer: "http://www.vg.no/",
    http_method: "GET",
    protocol: "HTTP/1.1",
    // Documented as a string for some releases.
    status: "200",
    length: 310,
  };
  assert.deepEqual(factsOf(http), {
    type: "http",
    method: "GET",
    host: "direkte.vg.no",
    uri: "/a?b=c",
    userAgent: "curl/8.0",
    referrer: "http://www.vg.no/",
    version: "1.1",
    status: 200,
    contentType: "application/json",
    requestBytes: null,
    responseBytes: 310,
    username: null,
  });
  assert.equal(observe(http).service, "http");
  assert.equal(observe(http).counters, null);
});

Deno.test("suricata.http: an unseen response has no length; an empty one has 0", () => {
  assert.equal(factsOf({ length: 0 }).responseBytes, null);
  assert.equal(factsOf({ length: 0, status: 304 }).responseBytes, 0);
  assert.equal(factsOf({ length: 7 }).responseBytes, 7);
  assert.equal(factsOf({ status: 200 }).responseBytes, null);
  assert.deepEqual(observe({ status: 200, length: -1 }).warnings, ["length: expected a count"]);
});

Deno.test("suricata.http: headers only fill in what the record's own fields lack", () => {
  const facts = factsOf({
    http_user_agent: "first",
    request_headers: [
      header("User-Agent", "second"),
      header("HOST", "a.example:8080"),
      header("Referer", "http://b.example/"),
      header("Authorization", `Basic ${btoa("anna:s3cret:x")}`),
    ],
    response_headers: [header("Content-Type", "text/html; charset=utf-8"), header("Content-Length", "99")],
  });
  assert.equal(facts.userAgent, "first");
  assert.equal(facts.host, "a.example");
  assert.equal(facts.referrer, "http://b.example/");
  assert.equal(factsOf({ referer: "http://c.example/" }).referrer, "http://c.example/");
  assert.equal(facts.contentType, "text/html");
  assert.equal(facts.username, "anna");
  // HTTP/1 has a measured length, so its header is never used.
  assert.equal(facts.responseBytes, null);
  assert.ok(!JSON.stringify(facts).includes("s3cret"));
});

Deno.test("suricata.http: HTTP/2, by its headers", () => {
  const http = {
    version: "2",
    request_headers: [
      header(":method", "POST"),
      header(":authority", "B.example:8443"),
      header(":path", "/x"),
      header("content-length", "5"),
      { table_size_update: 4096 },
      { error: "x" },
    ],
    response_headers: [header(":status", "204"), header("content-type", "text/plain")],
    // Of the request, because the response has none.
    length: 5,
    http2: { stream_id: 1, request: {}, response: {} },
  };
  const facts = factsOf(http);
  assert.deepEqual(
    [facts.method, facts.host, facts.uri, facts.status, facts.version, facts.responseBytes],
    ["POST", "b.example", "/x", 204, "2", null],
  );
  assert.equal(observe(http).service, "http2");
  const answered = { ...http, response_headers: [header("content-length", "12")], length: 12 };
  assert.equal(factsOf(answered).responseBytes, 12);
});

Deno.test("suricata.http: only the user of basic authentication is read", () => {
  const user = (authorization: string) => factsOf({ authorization }).username;
  assert.equal(user(`basic  ${btoa("anna:x")} `), "anna");
  // "jörg" in UTF-8.
  assert.equal(user(`Basic ${btoa("j\u00c3\u00b6rg:x")}`), "jörg");
  for (
    const other of ["Bearer abcd", "Basic", "Basic ", "Basic a", "Basic YQ", "Basic YQ===", "Basic !!!!"]
  ) {
    assert.equal(user(other), null, other);
  }
  assert.equal(user(`Basic ${btoa("no colon")}`), null);
  assert.equal(user(`Basic ${btoa(":no user")}`), null);
  assert.equal(user(`Basic ${btoa("a\0b:x")}`), "ab");
});

Deno.test("suricata.http: a record without its object is rejected", () => {
  const payload = { src_ip: "10.0.0.5", dest_ip: "192.0.2.7", proto: "TCP" };
  assert.deepEqual(normalise("suricata.http", payload, context), { unparsed: "http: expected an object" });
});
