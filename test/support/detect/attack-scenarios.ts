// One small attack for each thing that a detector reports, for tests over all detectors: records of several
// hours with documentation addresses, without the noise around them.
import type { Sighting } from "../../../src/domain/detect/kernel/detector.ts";
import type { AttackScenario } from "./attack-records.ts";
import { callbacks, names, others } from "./callback-attacks.ts";
import { type Setting, toSighting } from "./play-fixtures.ts";
import { administration, reach, transfers } from "./reach-attacks.ts";

/** All scenarios; `long` uses the longest names that records can contain. */
export function attackScenarios(long = false): AttackScenario[] {
  return [
    ...callbacks(long),
    ...names(long),
    ...reach(),
    ...administration(),
    ...transfers(long),
    ...others(long),
  ];
}

/** The records as detectors see them: what precedes the attack, and the attack. */
export function sightingsOf(
  { before = [], learning = [], seen, setting = {} }: AttackScenario,
  more: Setting = {},
): { before: Sighting[]; attack: Sighting[] } {
  const all = { deviceCount: 40, ...setting, ...more };
  return {
    before: [
      ...learning.map((one, index) => toSighting(one, 50_000 + index, { ...all, learned: false })),
      ...before.map((one, index) => toSighting(one, 60_000 + index, all)),
    ],
    attack: seen.map((one, index) => toSighting(one, index, all)),
  };
}
