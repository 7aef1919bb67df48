import assert from "node:assert/strict";
import type { Facts } from "../../../contract/record/facts.ts";
import { certificateFault, factRows } from "./facts.ts";

const TLS: Facts = {
  type: "tls",
  server_name: "www.example.org",
  version: "TLS 1.2",
  cipher: null,
  alpn: "",
  ja3: "e7d705a3286e19ea42f587b344ee6865",
  ja3s: null,
  ja4: null,
  ja4s: null,
  subject: "CN=www.example.org",
  issuer: null,
  serial: null,
  fingerprint: null,
  not_before: "2018-01-01T00:00:00.000Z",
  not_after: "2018-12-31T00:00:00.000Z",
  validation: null,
  resumed: false,
  established: null,
};

const EXPORT: Facts = {
  type: "export",
  nat: { src: { ip: "192.0.2.7", port: 61000 }, dst: { ip: "2001:db8::1", port: 443 } },
  sampling_rate: 1000,
  tcp_flags: 0b010010,
  input_interface: 0,
  output_interface: null,
};

function texts(facts: Facts): Record<string, string> {
  return Object.fromEntries(factRows(facts).map(({ name, text }) => [name, text]));
}

Deno.test("facts leave out absent values; false is not absent", () => {
  assert.deepEqual(texts(TLS), {
    "Server name": "www.example.org",
    "Version": "TLS 1.2",
    "Resumed": "no",
    "JA3": "e7d705a3286e19ea42f587b344ee6865",
    "Certificate of": "CN=www.example.org",
    "Valid from": "2018-01-01T00:00:00.000Z",
    "Valid until": "2018-12-31T00:00:00.000Z",
  });
});

Deno.test("an export shows translated ends, sampling, and flags by name", () => {
  assert.deepEqual(texts(EXPORT), {
    "Source, translated": "192.0.2.7:61000",
    "Destination, translated": "2001:db8::1 443",
    "Sampled": "1 of 1,000 packets",
    "TCP flags": "SYN ACK",
    "Input interface": "0",
  });
  assert.equal(texts({ ...EXPORT, tcp_flags: 0 })["TCP flags"], "none");
});

Deno.test("a query without an answer is labelled as unanswered", () => {
  const question: Facts = {
    type: "dns",
    query: "a.example",
    qtype: "A",
    rcode: null,
    answers: [],
    answered: false,
  };
  assert.equal(texts(question)["Result"], "no answer seen");
  assert.equal(texts({ ...question, answered: true })["Result"], undefined);
});

Deno.test("a certificate is judged at the time it was presented, not today", () => {
  assert.equal(certificateFault(TLS, "2018-06-01T00:00:00.000Z"), null);
  assert.equal(certificateFault(TLS, "2019-01-01T00:00:00.000Z"), "expired");
  assert.equal(certificateFault(TLS, "2017-12-31T23:59:59.999Z"), "not valid yet");
  assert.equal(certificateFault({ ...TLS, not_after: null }, "2030-01-01T00:00:00.000Z"), null);
  assert.equal(certificateFault(EXPORT, "2030-01-01T00:00:00.000Z"), null);
});
