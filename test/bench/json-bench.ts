// Cost of reading one record, compared to JSON.parse: `deno bench -A test/bench/json-bench.ts`
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { eventId } from "../../src/domain/record/event-id.ts";
import { readRecordLine } from "../../src/domain/record/record-line.ts";
import { canonicalJson } from "../support/json/canonical-json.ts";
import { parseJson } from "../../src/kit/json/json.ts";

const RECORDINGS = [
  { file: "saitama-conn.ndjson.gz", kind: "zeek.conn" },
  { file: "eve-broken.ndjson", kind: "suricata.flow" },
];
/** Records per iteration, so that the timer's cost is negligible. */
const RECORDS = 100;

for (const { file, kind } of RECORDINGS) {
  const payloads = readPayloads(file).slice(0, RECORDS);
  const lines = payloads.map((payload) =>
    `{"kind":"${kind}","observed_at":"2026-11-21T01:02:03.123456Z","payload":${payload}}`
  );
  const size = Math.round(lines.reduce((sum, line) => sum + line.length, 0) / lines.length);
  const group = `${lines.length} ${kind} records of ${size} characters`;

  Deno.bench("JSON.parse", { group, baseline: true }, () => {
    for (const line of lines) JSON.parse(line);
  });
  Deno.bench("parseJson", { group }, () => {
    for (const line of lines) parseJson(line);
  });
  Deno.bench("canonicalJson", { group }, () => {
    for (const line of lines) canonicalJson(line);
  });
  Deno.bench("readRecordLine", { group }, () => {
    for (const line of lines) readRecordLine(line);
  });
  Deno.bench("readRecordLine and eventId", { group }, () => {
    for (const line of lines) {
      const record = readRecordLine(line);
      eventId({
        tenantId: "main",
        sensorId: "sensor-1",
        kind: record.kind,
        observedAtCanonical: record.observedAt.canonical,
        canonicalPayload: record.canonicalPayload,
      });
    }
  });
}

/** The lines of a recording that are JSON, each a string of its own as a decoder would give it. */
function readPayloads(file: string): string[] {
  const bytes = readFileSync(new URL(`../data/replay/${file}`, import.meta.url));
  const text = new TextDecoder().decode(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  return text.split("\n").filter(isJson).map((line) =>
    new TextDecoder().decode(new TextEncoder().encode(line))
  );
}

function isJson(line: string): boolean {
  try {
    parseJson(line);
    return true;
  } catch {
    return false;
  }
}
