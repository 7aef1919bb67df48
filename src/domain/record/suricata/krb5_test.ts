import assert from "node:assert/strict";
import type { KerberosFacts } from "../facts.ts";
import type { Fields } from "../fields.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_795_222_923_000_001, expectedExporters: null };
const AES = "aes256-cts-hmac-sha1-96";

function observe(srcPort: number, destPort: number, krb5: Fields) {
  const ends = { src_ip: "10.0.0.10", src_port: srcPort, dest_ip: "10.0.0.31", dest_port: destPort };
  const result = normalise("suricata.krb5", { ...ends, proto: "TCP", krb5 }, context);
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

function kerberosOf(krb5: Fields): KerberosFacts {
  const { facts } = observe(50000, 88, krb5);
  assert.ok(facts?.type === "kerberos");
  return facts;
}

Deno.test("suricata.krb5: the client comes first, whichever end sent the packet", () => {
  assert.equal(observe(88, 50000, {}).src.ip, "10.0.0.31");
  assert.equal(observe(50000, 88, {}).src.ip, "10.0.0.10");
  assert.equal(observe(88, 88, {}).src.ip, "10.0.0.10", "the ports do not tell: unchanged");
  assert.equal(observe(88, 50000, {}).tuple, observe(88, 50000, { msg_type: "KRB_ERROR" }).tuple);
  const { service, counters, end, evidenceKind } = observe(88, 50000, {});
  assert.deepEqual([service, counters, end], ["krb5", null, context.observedAt]);
  assert.equal(evidenceKind, "flow_observation");
});

Deno.test("suricata.krb5: message types in RFC notation", () => {
  const cases: [Fields, string | null][] = [
    [{ msg_type: "KRB_AS_REP" }, "AS-REP"],
    [{ msg_type: "KRB_TGS_REP" }, "TGS-REP"],
    [{ msg_type: "KRB_ERROR" }, "ERROR"],
    [{ msg_type: "MessageType(99)" }, "MessageType(99)"],
    [{ msg_type: "KRB_" }, null],
    [{ msg_type: 11 }, null],
    [{}, null],
  ];
  for (const [krb5, type] of cases) assert.equal(kerberosOf(krb5).messageType, type);
});

Deno.test("suricata.krb5: placeholders become null", () => {
  const facts = kerberosOf({
    cname: "<empty>",
    realm: "<empty>",
    sname: "krbtgt/CORP.EXAMPLE",
    encryption: "<none>",
    weak_encryption: false,
    error_code: "KDC_ERR_PREAUTH_REQUIRED",
  });
  assert.deepEqual(facts, {
    type: "kerberos",
    messageType: null,
    client: null,
    realm: null,
    service: "krbtgt/CORP.EXAMPLE",
    encryption: null,
    ticketEncryption: null,
    weakEncryption: null,
    error: "KDC_ERR_PREAUTH_REQUIRED",
  });
});

Deno.test("suricata.krb5: encryption is weak if the reply's or the ticket's is", () => {
  const weak = (krb5: Fields) => kerberosOf(krb5).weakEncryption;
  const strong = { encryption: AES, weak_encryption: false };
  assert.equal(weak(strong), false);
  assert.equal(weak({ encryption: "rc4-hmac", weak_encryption: true }), true);
  assert.equal(weak({ ...strong, ticket_encryption: "rc4-hmac", ticket_weak_encryption: true }), true);
  assert.equal(weak({ ...strong, ticket_encryption: AES, ticket_weak_encryption: false }), false);
  assert.equal(weak({ encryption: AES }), null, "not assessed by the record");
  assert.equal(weak({ encryption: AES, weak_encryption: "yes" }), null);
  assert.equal(kerberosOf({ ...strong, ticket_encryption: "rc4-hmac" }).ticketEncryption, "rc4-hmac");
});

Deno.test("suricata.krb5: texts are bounded", () => {
  const long = "x".repeat(5000);
  const facts = kerberosOf({ cname: long, sname: long, realm: long, encryption: long, error_code: long });
  assert.deepEqual(
    [facts.client, facts.service, facts.realm, facts.encryption, facts.error].map((fact) => fact?.length),
    [256, 256, 256, 64, 64],
  );
});

Deno.test("suricata.krb5: rejected records state the reason", () => {
  const flow = { src_ip: "10.0.0.10", dest_ip: "10.0.0.31", proto: "TCP" };
  assert.deepEqual(normalise("suricata.krb5", flow, context), { unparsed: "krb5: expected an object" });
  assert.deepEqual(normalise("suricata.krb5", { ...flow, dest_ip: "", krb5: {} }, context), {
    unparsed: "dest_ip: expected an address",
  });
});
