// Every normaliser on mutated real records: for any input it returns either an observation that states only
// what the record states, or a reason. NDR_FUZZ_SEED=<seed printed by a failure> repeats a run, and `--filter
// netflow.flow` selects one kind.

import assert from "node:assert/strict";
import fc from "fast-check";
import { RECORD_KINDS, type RecordKind } from "../../src/contract/record/kinds.ts";
import type { RecordContext } from "../../src/domain/record/observation.ts";
import { normalise, unparsedReason } from "../../src/domain/record/registry.ts";
import { stringifyJson } from "../../src/kit/json/json.ts";
import { scaled } from "../support/scale.ts";
import { Counted, sizeOf } from "./counted.ts";
import { mutated } from "./mutate.ts";
import { checkCapture, checkObservation, checkReason } from "./promises.ts";
import { StatedValues } from "./stated-values.ts";
import { partsOf, type Payload, samplesOf } from "./samples.ts";

const CASES = scaled(2000);
/** Shared by all kinds. */
const SEED = numberOf("NDR_FUZZ_SEED") ?? Date.now() % 2 ** 31;

const EXPORTERS: ReadonlySet<string> = new Set(["127.0.0.1", "192.0.2.250"]);

const parts = partsOf(RECORD_KINDS.flatMap(samplesOf));

for (const kind of RECORD_KINDS) {
  Deno.test(`fuzz: ${kind}`, () => {
    let understood = 0;
    const sample = mutated(samplesOf(kind), parts);
    const expectedExporters = fc.option(fc.constant(EXPORTERS), { freq: 20 });
    fc.assert(
      fc.property(sample, expectedExporters, ({ payload, observedAt }, exporters) => {
        if (check(kind, payload, { observedAt, expectedExporters: exporters })) understood++;
      }),
      { numRuns: CASES, seed: SEED },
    );
    // Unusable input alone would prove nothing.
    assert.ok(understood > CASES / 10, `only ${understood} of ${CASES} records were parsed`);
  });
}

/** Returns true for a record that was parsed. */
function check(kind: RecordKind, payload: Payload, context: RecordContext): boolean {
  const before = stringifyJson(payload);
  const result = normalise(kind, payload, context);
  assert.equal(stringifyJson(payload), before, "the payload was modified");
  const reason = "unparsed" in result ? result.unparsed : null;
  assert.equal(unparsedReason(kind, payload, context), reason, "unparsedReason disagrees");

  const counted = new Counted(payload);
  assert.deepEqual(normalise(kind, counted.payload, context), result, "the same record, a different result");
  const bound = 1500 + 2 * sizeOf(payload);
  assert.ok(counted.reads <= bound, `${counted.reads} reads of members, above ${bound}`);

  if ("unparsed" in result) checkReason(result.unparsed);
  else if ("capture" in result) checkCapture(result.capture, new StatedValues(payload));
  else {
    const { observation } = result;
    assert.equal(observation.kind, kind);
    assert.equal(observation.source, kind.split(".")[0]);
    assert.equal(observation.observedAt, context.observedAt);
    checkObservation(observation, new StatedValues(payload));
  }
  return reason === null;
}

function numberOf(name: string): number | null {
  const text = Deno.env.get(name);
  if (text === undefined || text === "") return null;
  assert.ok(/^-?\d{1,10}$/.test(text), `${name}: expected a number`);
  return Number(text);
}
