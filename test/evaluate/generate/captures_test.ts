import assert from "node:assert/strict";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import { readRecordLine } from "../../../src/domain/record/record-line.ts";
import { normalise } from "../../../src/domain/record/registry.ts";
import { MODEL_IDS } from "../models.ts";
import { generatedCaptures } from "./captures.ts";
import type { GeneratedRecord } from "./traffic.ts";

const CAPTURES = generatedCaptures("short");

/** The records up to that number of each capture. */
function first(count: number, captures = CAPTURES): GeneratedRecord[][] {
  return captures.map(({ generated }) => {
    const records: GeneratedRecord[] = [];
    for (const record of generated!.records()) {
      if (records.push(record) === count) break;
    }
    return records;
  });
}

Deno.test("generated captures: the same seed gives the same records, in the order in which sensors write them", () => {
  const records = first(5000);
  assert.deepEqual(first(5000, generatedCaptures("short")), records);
  for (const own of records) {
    for (const [index, { at }] of own.entries()) {
      assert.ok(index === 0 || at >= own[index - 1]!.at, `record ${index}`);
    }
  }
});

Deno.test("generated captures: each record is what a sensor would send", () => {
  const kinds: ReadonlySet<string> = new Set(RECORD_KINDS);
  const seen = new Set<string>();
  // Of the most attacks, a part of all records.
  const records = [...CAPTURES.at(-1)!.generated!.records()].filter((_, index) => index % 9 === 0);
  for (const { line, sensor } of records) {
    const { kind, value, observedAt } = readRecordLine(line);
    assert.ok(kinds.has(kind) && kind.startsWith(`${sensor}.`), line);
    const context = { observedAt: observedAt.micros, expectedExporters: null };
    const read = normalise(kind as (typeof RECORD_KINDS)[number], value, context);
    assert.ok("observation" in read, line);
    assert.deepEqual(read.observation.warnings, [], line);
    seen.add(kind);
  }
  assert.ok(seen.size >= 10, [...seen].join());
});

Deno.test("generated captures: each detector has two attacks that it should find and three lookalikes", () => {
  const scenarios = CAPTURES.flatMap(({ labels }) => labels.scenarios);
  const lookalikes = CAPTURES.flatMap(({ labels }) => labels.lookalikes);
  for (const id of MODEL_IDS) {
    const attacks = scenarios.filter(({ detectors }) => detectors[0] === id);
    assert.ok(attacks.length >= 2, `${id}: ${attacks.length} attacks`);
    const resembling = lookalikes.filter(({ detectors }) => detectors.includes(id));
    assert.ok(resembling.length >= 3, `${id}: ${resembling.length} lookalikes`);
  }
  for (const list of [scenarios, lookalikes]) {
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
  }
});

Deno.test("generated captures: every attack happens to a device of its own", () => {
  for (const { name, labels } of CAPTURES) {
    const devices = labels.scenarios.flatMap(({ devices }) => devices);
    assert.equal(new Set(devices).size, devices.length, name);
  }
});
