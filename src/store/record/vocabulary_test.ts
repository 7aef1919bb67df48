import assert from "node:assert/strict";
import { RECORD_KINDS } from "../../contract/record/kinds.ts";
import {
  kindNumber,
  kindOf,
  semanticsNumber,
  semanticsOf,
  serverNameKindOf,
  serverNameNumber,
  sourceSet,
  sourcesOf,
  viaSet,
  viasOf,
} from "./vocabulary.ts";

Deno.test("the numbers on disk do not change", () => {
  assert.deepEqual(RECORD_KINDS.map((kind) => `${kindNumber(kind)} ${kind}`), [
    "1 zeek.conn",
    "2 zeek.dns",
    "3 zeek.ssl",
    "4 zeek.http",
    "5 zeek.ssh",
    "6 zeek.stats",
    "7 zeek.capture_loss",
    "8 suricata.flow",
    "9 suricata.dns",
    "10 suricata.tls",
    "11 suricata.http",
    "12 suricata.ssh",
    "13 suricata.alert",
    "14 suricata.anomaly",
    "15 suricata.smb",
    "16 suricata.dhcp",
    "17 suricata.krb5",
    "18 netflow.flow",
    "19 unbound.query",
  ]);
  assert.deepEqual([1, 2, 3].map(semanticsOf), ["session", "unidirectional_export", "unknown"]);
  assert.equal(sourceSet(["zeek", "suricata", "netflow", "unbound", "inventory", "model"]), 63);
  assert.equal(sourceSet(["netflow"]), 4);
  const kinds = [1, 2, 3, 4].map(serverNameKindOf).map(({ via, end }) => `${via} ${end}`);
  assert.deepEqual(kinds, ["tls dst", "http dst", "tls src", "http src"]);
  assert.deepEqual(viasOf(0b1_1111_1111), [
    "peer",
    "dns_query",
    "dns_answer",
    "tls_server_name",
    "http_host",
    "url",
    "ja3",
    "ja4",
    "certificate",
  ]);
  assert.equal(viaSet(["url", "peer"]), 33);
});

Deno.test("every label round-trips through its number", () => {
  for (const kind of RECORD_KINDS) assert.equal(kindOf(kindNumber(kind)), kind);
  for (const name of ["session", "unidirectional_export", "unknown"] as const) {
    assert.equal(semanticsOf(semanticsNumber(name)), name);
  }
  assert.deepEqual(sourcesOf(sourceSet(["suricata", "zeek"])), ["zeek", "suricata"]);
  for (const number of [1, 2, 3, 4]) assert.equal(serverNameNumber(serverNameKindOf(number)), number);
  assert.throws(() => kindOf(0), RangeError);
  assert.throws(() => kindOf(20), RangeError);
});
