// Golden cases of the normalisers: <kind>/<case>/ contains
//   input.ndjson   ingest lines (kind, observed_at, payload)
//   expected.json  the normalised form of each line, in order
//   ORIGIN         the source of the records
//   context.json   optional: {"expected_exporters": [...]}
// NDR_GOLDEN_UPDATE=1 rewrites expected.json; review the diff.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordKind } from "../../src/contract/record/kinds.ts";
import { communityId } from "../../src/domain/record/community-id.ts";
import { readRecordLine } from "../../src/domain/record/record-line.ts";
import type { Normalised } from "../../src/domain/record/observation.ts";
import { normalise } from "../../src/domain/record/registry.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../src/kit/json/json.ts";

const ROOT = import.meta.dirname ?? "";
const UPDATE = Deno.env.get("NDR_GOLDEN_UPDATE") === "1";

for (const kind of folders(ROOT).filter((name) => name.includes("."))) {
  for (const name of folders(join(ROOT, kind))) {
    Deno.test(`golden: ${kind}/${name}`, () => check(kind as RecordKind, join(ROOT, kind, name)));
  }
}

function check(kind: RecordKind, folder: string): void {
  const actual = run(kind, folder);
  const file = join(folder, "expected.json");
  if (UPDATE) writeFileSync(file, pretty(actual));
  assert.ok(existsSync(file), "no expected.json; NDR_GOLDEN_UPDATE=1 writes it");
  assert.ok(existsSync(join(folder, "ORIGIN")), "no ORIGIN: state the source of the records");
  assert.deepEqual(parseJson(stringifyJson(actual)), parseJson(readFileSync(file, "utf8")));
}

function run(kind: RecordKind, folder: string): object[] {
  const expectedExporters = expectedExportersOf(join(folder, "context.json"));
  return readFileSync(join(folder, "input.ndjson"), "utf8").trimEnd().split("\n").map((text) => {
    const line = readRecordLine(text);
    assert.equal(line.kind, kind);
    return shown(normalise(kind, line.value, { observedAt: line.observedAt.micros, expectedExporters }));
  });
}

/** Replaces the tuple's key by the Community ID, which can be compared with other programs' output. */
function shown(result: Normalised): object {
  if (!("observation" in result)) return result;
  const { tuple, ...rest } = result.observation;
  const { proto, src, dst, icmp } = rest;
  const id = communityId({ proto, srcIp: src.ip, dstIp: dst.ip, srcPort: src.port, dstPort: dst.port, icmp });
  assert.equal(tuple === null, id === null);
  return { observation: { ...rest, communityId: id } };
}

function expectedExportersOf(file: string): ReadonlySet<string> | null {
  if (!existsSync(file)) return null;
  const context = parseJson(readFileSync(file, "utf8")) as { expected_exporters: string[] };
  return new Set(context.expected_exporters);
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    .map((entry) => entry.name).sort();
}

/** Indented, so that changes appear as changed lines. */
function pretty(results: object[]): string {
  const exact = (_key: string, value: JsonValue) =>
    typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;
  return JSON.stringify(results, exact, 1) + "\n";
}
