import assert from "node:assert/strict";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { detectLayout, type Format } from "./detect.ts";
import { type Interpreted, interpreterOf } from "./interpret.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function layoutOf(name: string, text: string, kind: RecordKind | null = null): Promise<string> {
  const { format, container } = await detectLayout(name, encoder.encode(text), kind);
  const detail = format.type === "payloads" ? format.kind : "log" in format ? format.log : "";
  return `${format.type} ${detail ?? "?"} ${container}`.replace("  ", " ");
}

Deno.test("the format is detected from the content, whatever the name", async () => {
  const cases: [string, string, string][] = [
    ["x.txt", '{"kind":"zeek.conn","observed_at":"2020-01-01T00:00:00Z","payload":{}}', "envelopes lines"],
    ["x", '{"kind":7,"observed_at":"x","payload":{"event_type":"dns"}}\n', "envelopes lines"],
    ["x", '{"_path":"conn","ts":1}\n', "zeek-json ? lines"],
    ["x", '{"@stream":"conn","ts":1}\n', "zeek-json ? lines"],
    ["conn.log", '{"ts":1,"uid":"C"}\n', "zeek-json conn lines"],
    ["kerberos.log", '{"ts":1,"uid":"C"}\n', "zeek-json kerberos lines"],
    ["x", "#separator \\x09\n#path\tconn\n", "zeek-tsv ? lines"],
    ["dns.log", "#fields\tts\tuid\n#types\ttime\tstring\n", "zeek-tsv dns lines"],
    ["conn.log", '{"event_type":"stats","timestamp":"x"}\n', "eve lines"],
    ["x", '[\n  {\n    "event_type": "alert"\n  }\n]', "eve document"],
    ["x", '[{"event_type":"alert"}]', "eve document"],
    ["x", '{\n  "type": "SFLOW_5",\n  "sampler_address": "192.0.2.1"\n}\n', "payloads netflow.flow document"],
    ["x", '{"SrcAddr":"10.0.0.1","SamplerAddress":"ZEAACA=="}', "payloads netflow.flow lines"],
    ["x", '{"event_type":"purge","ip_src":"10.0.0.1","ip_dst":"10.0.0.2"}', "payloads netflow.flow lines"],
    ["x", '[\n{ "type" : "FLOW", "src4_addr" : "10.0.0.1" }\n]', "payloads netflow.flow document"],
    [
      "x",
      "[1700000000] unbound[1:0] info: start\n[1700000000] unbound[1:0] info: ::1 a. A IN\n",
      "unbound-log lines",
    ],
    [
      "x",
      "2026-11-21T01:02:03Z gw cron: x\n2026-11-21T01:02:03Z gw unbound: [1:0] query: ::1 a. A IN",
      "unbound-log lines",
    ],
    ["x", "", "empty lines"],
    ["x", " \n\n", "empty lines"],
    // A malformed start, a truncated end and an untagged record do not hide the format.
    ["x", '{"timestamp":"20\n{"event_type":"dns"}\n{"event_ty', "eve lines"],
    ["x", '{"ts":1}\n{"_path":"dns","ts":1}\n', "zeek-json ? lines"],
    ["x", '\ufeff{"event_type":"dns"}\r\n', "eve lines"],
  ];
  for (const [name, text, expected] of cases) assert.equal(await layoutOf(name, text), expected, text);
  assert.equal(await layoutOf("x", '{"a":1}\n', "zeek.conn"), "payloads zeek.conn lines");
  assert.equal(
    await layoutOf("x", '[\n {"message":"x"}\n]', "unbound.query"),
    "payloads unbound.query document",
  );
});

Deno.test("files that are not recordings are refused with name and reason", async () => {
  const cases: [Uint8Array, RegExp][] = [
    [encoder.encode("hello"), /^x: not a recording: .*found no record/],
    [encoder.encode("[1,2,3]"), /^x: not a recording: /],
    [encoder.encode('{"a":1,"b":2}'), /known format.*the keys: a, b$/],
    [encoder.encode('{"ts":1}'), /looks like a Zeek JSON log.*--kind/],
    [encoder.encode("BZh91AY"), /^x: this is compressed with bzip2/],
    [new Uint8Array([0xff, 0xfe, 0x7b, 0]), /UTF-16/],
    [encoder.encode("[1700000000] unbound[1:0] info: start of service"), /^x: not a recording: /],
    [
      encoder.encode("Nov 21 01:02:03 gw unbound: [1:0] info: ::1 a. A IN"),
      /lines have no year.*journalctl/,
    ],
  ];
  for (const [head, message] of cases) {
    await assert.rejects(detectLayout("x", head, null), { name: "ReplayInputError", message });
  }
});

function read(
  format: Format,
  item: string | Uint8Array,
  kind: RecordKind | null = null,
  shift = 0,
): Interpreted | null {
  return interpreterOf(format, kind, shift).read(typeof item === "string" ? encoder.encode(item) : item);
}

function lineOf(result: Interpreted | null): string {
  assert.ok(result !== null && "bytes" in result, JSON.stringify(result));
  return decoder.decode(result.bytes);
}

Deno.test("a payload keeps its text: spacing, key order, digits, escapes", () => {
  const payload = '{ "ts":1349620439.780720, "uid":"\\u00e9\\/é", "n":18446744073709551616, "e":1.0E+2 }';
  assert.equal(
    lineOf(read({ type: "zeek-json", log: "conn" }, payload)),
    `{"kind":"zeek.conn","observed_at":"2012-10-07T14:33:59.78072Z","payload":${payload}}`,
  );
});

Deno.test("the record's own tag takes precedence over the file name, --kind over both", () => {
  const record = '{"ts":1,"_path":"dns"}';
  const format: Format = { type: "zeek-json", log: "conn" };
  assert.match(lineOf(read(format, record)), /^\{"kind":"zeek\.dns"/);
  assert.match(lineOf(read(format, '{"ts":1}')), /^\{"kind":"zeek\.conn"/);
  assert.match(lineOf(read(format, record, "zeek.ssl")), /^\{"kind":"zeek\.ssl"/);
});

Deno.test("a TSV log without a path takes its kind from the file name and is shifted like JSON", () => {
  const tsv = interpreterOf({ type: "zeek-tsv", log: "conn" }, null, 3600);
  for (const header of ["#fields\tts\tuid", "#types\ttime\tstring"]) tsv.pass(encoder.encode(header));
  tsv.pass(encoder.encode("1.0\tsent before"));
  assert.equal(
    lineOf(tsv.read(encoder.encode("1349620439.780720\tC"))),
    '{"kind":"zeek.conn","observed_at":"2012-10-07T15:33:59.78072Z","payload":{"ts":1349624039.780720,"uid":"C"}}',
  );
  assert.equal(tsv.read(encoder.encode("#close\t2012")), null);
});

Deno.test("items that cannot be wrapped are skipped with a reason", () => {
  const eve: Format = { type: "eve" };
  const cases: [string | Uint8Array, string][] = [
    ["{", "not a JSON object"],
    ["[]", "not a JSON object"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "not UTF-8"],
    ["{}", "EVE record without event_type"],
    ['{"event_type":"stats"}', 'EVE type "stats" is not a supported kind'],
    ['{"event_type":"dns"}', "suricata.dns without a source time"],
    ['{"event_type":"dns","timestamp":"soon"}', "suricata.dns without a source time"],
  ];
  for (const [item, skip] of cases) {
    const unreadable = skip.startsWith("not ") ? { unreadable: true } : {};
    assert.deepEqual(read(eve, item), { skip, ...unreadable });
  }
  assert.equal(read(eve, " \t\r"), null);
});

Deno.test("items that only the ingest can judge are sent", () => {
  // A duplicate key: allowed by the grammar, refused by the service.
  const twice = '{"event_type":"dns","timestamp":"2020-01-01T00:00:00Z","timestamp":"2020-01-01T00:00:00Z"}';
  const expected = `{"kind":"suricata.dns","observed_at":"2020-01-01T00:00:00Z","payload":${twice}}`;
  assert.equal(lineOf(read({ type: "eve" }, twice)), expected);
  const envelopes: Format = { type: "envelopes" };
  for (const line of ["{", '{"kind":1}', '{"kind":"zeek.conn","observed_at":"soon","payload":7}']) {
    assert.equal(lineOf(read(envelopes, line, null, 60)), line);
  }
  const broken = new Uint8Array([0x7b, 0xff, 0x7d]);
  assert.deepEqual(read(envelopes, broken), { bytes: broken, kind: null, micros: null, writtenMicros: null });
});

Deno.test("a connection counts as written at its end", () => {
  const result = read({ type: "zeek-json", log: "conn" }, '{"ts":100.5,"duration":2.25}');
  assert.ok(result !== null && "bytes" in result);
  assert.deepEqual([result.micros, result.writtenMicros], [100_500_000, 102_750_000]);
});
