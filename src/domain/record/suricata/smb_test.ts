import assert from "node:assert/strict";
import type { SmbFacts } from "../facts.ts";
import type { Fields } from "../fields.ts";
import { normalise } from "../registry.ts";

const context = { observedAt: 1_795_222_923_000_001, expectedExporters: null };
const flow = { src_ip: "10.0.0.5", src_port: 49812, dest_ip: "10.0.0.9", dest_port: 445, proto: "TCP" };

function smbOf(smb: Fields): SmbFacts {
  const result = normalise("suricata.smb", { ...flow, smb }, context);
  assert.ok("observation" in result && result.observation.facts?.type === "smb");
  return result.observation.facts;
}

Deno.test("suricata.smb: a transaction from the originator, without counters, falling back to the envelope's time", () => {
  const result = normalise("suricata.smb", { ...flow, flow_id: 7, smb: {} }, context);
  assert.ok("observation" in result);
  const { src, dst, counters, service, start, end, evidenceKind, nativeId } = result.observation;
  assert.deepEqual([src.port, dst.port, counters, service, nativeId], [49812, 445, null, "smb", "7"]);
  assert.deepEqual([start, end], [context.observedAt, context.observedAt]);
  assert.equal(evidenceKind, "flow_observation");
  const facts = Object.entries(smbOf({})).filter(([name]) => name !== "type");
  assert.ok(facts.every(([, fact]) => fact === null), "all facts are null");
});

Deno.test("suricata.smb: a dialect unknown to Suricata is null", () => {
  assert.equal(smbOf({ dialect: "unknown" }).dialect, null);
  assert.equal(smbOf({ dialect: "invalid" }).dialect, null);
  assert.equal(smbOf({ dialect: "2.??" }).dialect, "2.??");
});

Deno.test("suricata.smb: a status by name, else by its hexadecimal code", () => {
  assert.equal(smbOf({ status: "STATUS_SUCCESS", status_code: "0x0" }).status, "STATUS_SUCCESS");
  assert.equal(smbOf({ status: "3221225561", status_code: "0xc0000059" }).status, "0xc0000059");
  assert.equal(smbOf({ status: "3221225561" }).status, "3221225561");
  assert.equal(smbOf({ status: "UNKNOWN_02_005b", status_code: "0x005b" }).status, "UNKNOWN_02_005b");
});

Deno.test("suricata.smb: the file of a command; a renamed one by its new name", () => {
  assert.equal(smbOf({ filename: "a", rename: { to: "b" } }).filename, "a");
  assert.equal(smbOf({ directory: "Temp" }).filename, "Temp");
  assert.equal(smbOf({ rename: { from: "a", to: "b" } }).filename, "b");
  assert.equal(smbOf({ rename: ["a"] }).filename, null);
});

Deno.test("suricata.smb: the user setting up the session", () => {
  const ntlmssp = { domain: "CORP", user: "alice", host: "WS-31", version: "10.0" };
  const named = smbOf({ ntlmssp });
  assert.deepEqual([named.domain, named.user, named.host], ["CORP", "alice", "WS-31"]);
  const anonymous = smbOf({ ntlmssp: { domain: "", user: "", host: "" } });
  assert.deepEqual([anonymous.domain, anonymous.user, anonymous.host], [null, null, null]);
  const ticket = smbOf({ kerberos: { realm: "CORP.EXAMPLE", snames: ["cifs", "fs1"] } });
  assert.deepEqual([ticket.domain, ticket.user], ["CORP.EXAMPLE", null]);
});

Deno.test("suricata.smb: a procedure call over a pipe, by the interface that it calls", () => {
  const call = (dcerpc: Fields) => {
    const { rpcInterface, rpcOperation } = smbOf({ filename: "lsass", dcerpc });
    return [rpcInterface, rpcOperation];
  };
  const drsuapi = { uuid: "E3514235-4B06-11D1-AB04-00C04FC2DCD2", version: "4.0" };
  assert.deepEqual(call({ request: "REQUEST", opnum: 3, interfaces: [drsuapi] }), ["drsuapi", 3]);
  assert.deepEqual(call({ request: "BIND", interfaces: [drsuapi] }), ["drsuapi", null]);
  const other = "01234567-89ab-cdef-0123-456789abcdef";
  assert.deepEqual(call({ opnum: 0, interfaces: [{ uuid: other }] }), [other, 0]);
  assert.deepEqual(call({ opnum: 70_000, interfaces: ["drsuapi"] }), [null, null]);
});

Deno.test("suricata.smb: texts are bounded", () => {
  const long = "x".repeat(5000);
  const facts = smbOf({
    filename: long,
    share: long,
    named_pipe: long,
    command: long,
    ntlmssp: { user: long },
  });
  assert.deepEqual(
    [facts.filename, facts.share, facts.namedPipe, facts.command, facts.user].map((fact) => fact?.length),
    [1024, 1024, 1024, 64, 256],
  );
});

Deno.test("suricata.smb: rejected records state the reason", () => {
  assert.deepEqual(normalise("suricata.smb", flow, context), { unparsed: "smb: expected an object" });
  assert.deepEqual(normalise("suricata.smb", { smb: {} }, context), {
    unparsed: "src_ip: expected an address",
  });
});
