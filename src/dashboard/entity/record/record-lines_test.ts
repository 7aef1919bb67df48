import assert from "node:assert/strict";
import { fieldOfPath } from "./record-fields.ts";
import { decoded, pathText, recordLines } from "./record-lines.ts";

const RECORD =
  '{"id.orig_h":"10.0.0.5","n":9007199254740993,"dns":{"answers":[{"rdata":"1.2.3.4"},{}],"e":[]}}';

Deno.test("each line of a record has its path, and each container its end", () => {
  const lines = recordLines(RECORD);
  const paths = lines.map(({ path }) => pathText(path));
  assert.deepEqual(paths, [
    "",
    "id.orig_h",
    "n",
    "dns",
    "dns.answers",
    "dns.answers[0]",
    "dns.answers[0].rdata",
    "dns.answers[0]",
    "dns.answers[1]",
    "dns.answers",
    "dns.e",
    "dns",
    "",
  ]);
  assert.equal(lines[0]!.closes, 12);
  assert.equal(lines[3]!.closes, 11);
  assert.equal(lines[4]!.closes, 9);
  assert.equal(lines[8]!.closes, null);
  const text = lines.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join("");
  assert.equal(text, RECORD);
});

Deno.test("a record that was cut keeps its lines", () => {
  const lines = recordLines('{"a":[1,2');
  assert.deepEqual(lines.map(({ closes }) => closes), [null, null, null, null]);
  assert.deepEqual(recordLines("}").map(({ path }) => path), [[]]);
});

Deno.test("a string is decoded, other values keep their digits", () => {
  assert.equal(decoded('"a\\u0062"'), "ab");
  assert.equal(decoded("9007199254740993"), "9007199254740993");
  assert.equal(decoded('"cut'), '"cut');
});

Deno.test("members of records are fields of the search language", () => {
  assert.equal(fieldOfPath("zeek.conn", ["id.orig_h"]), "src.ip");
  assert.equal(fieldOfPath("zeek.conn", ["id", "orig_h"]), "src.ip");
  assert.equal(fieldOfPath("zeek.conn", ["id_resp_p"]), "dst.port");
  assert.equal(fieldOfPath("suricata.dns", ["dns", "answers", 0, "rdata"]), "dns.answer");
  assert.equal(fieldOfPath("suricata.alert", ["alert", "signature"]), "alert");
  assert.equal(fieldOfPath("netflow.flow", ["ip_src"]), "ip");
  assert.equal(fieldOfPath("zeek.conn", ["uid"]), undefined);
  assert.equal(fieldOfPath("unbound.query", ["message"]), undefined);
});
