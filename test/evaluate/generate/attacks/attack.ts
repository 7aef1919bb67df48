// An attack that a generated capture contains: its label, and the function that writes its records.

import type { Scenario } from "../../labels.ts";
import type { Roster } from "../office/roster.ts";
import type { Random } from "../random.ts";
import type { Traffic } from "../traffic.ts";

export interface AttackContext {
  traffic: Traffic;
  random: Random;
  /** The attacked device. */
  ip: string;
  /** Start of the attack's first day, seconds since the epoch. */
  midnight: number;
  roster: Roster;
}

export interface Attack {
  id: string;
  text: string;
  technique: string;
  /** Models that may find it; the first is the expected one. */
  detectors: Scenario["detectors"];
  /** What an incident must name; any incident of the device counts without it. */
  peers?: readonly string[];
  /** Uniform jitter of its callbacks in percent, if it calls back. */
  jitter?: number;
  /** The attacked device; by default one of the people's computers. */
  device?: (roster: Roster) => string;
  write(context: AttackContext): void;
}

/** The label of an attack on this device. */
export function scenarioOf(
  { id, text, technique, detectors, peers = [], jitter }: Attack,
  ip: string,
): Scenario {
  const label = {
    id,
    text,
    technique,
    howKnown: "stated" as const,
    detectors,
    devices: [ip],
    peers: [...peers],
  };
  return { ...label, invisible: null, ...jitter === undefined ? {} : { jitter } };
}
