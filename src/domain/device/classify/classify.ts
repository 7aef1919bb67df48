// Classifies a device by its behaviour.
//
// Each matching rule yields a clue: a type, a weight from 0 to 1 and a reason for the analyst. Clues of one
// type support each other like independent witnesses: the confidence is 1 minus the product of the remaining
// doubts. The type with the highest confidence wins if it reaches MIN_CONFIDENCE.
import type { DeviceType } from "../../../contract/device/device.ts";
import type { DeviceBehaviour } from "./behaviour.ts";
import { clientClues, nameClues } from "./clients.ts";
import { rolesOf } from "./roles.ts";
import { serverClues } from "./servers.ts";

/** Below this confidence the type is unknown. */
export const MIN_CONFIDENCE = 0.3;
/** Observation stays below the inventory's confidence, and far below a person's. */
export const MAX_CONFIDENCE = 0.85;
export const INVENTORY_CONFIDENCE = 0.9;
/** Increment when rules change, so that devices are classified again. */
export const RULES_VERSION = 1;

export interface Classification {
  type: DeviceType;
  /** 0 if the type is unknown. */
  confidence: number;
  /** Reasons for this type, by descending weight, at most 8. */
  reasons: string[];
}

const MAX_REASONS = 8;

/** Classifies a device by its behaviour alone. Pure. */
export function classifyDevice(behaviour: DeviceBehaviour): Classification {
  const serves = rolesOf(behaviour.serves);
  const uses = rolesOf(behaviour.uses);
  const clues = [
    ...serverClues(behaviour, serves),
    ...clientClues(behaviour, serves, uses),
    ...nameClues(behaviour),
  ];
  let best: Classification = { type: "unknown", confidence: 0, reasons: [] };
  for (const type of new Set(clues.map((clue) => clue.type))) {
    const own = clues.filter((clue) => clue.type === type);
    const open = own.reduce((product, clue) => product * (1 - clue.weight), 1);
    const confidence = Math.round(Math.min(MAX_CONFIDENCE, 1 - open) * 100) / 100;
    if (confidence < MIN_CONFIDENCE || confidence <= best.confidence) continue;
    const reasons = own.sort((a, b) => b.weight - a.weight).map((clue) => clue.reason);
    best = { type, confidence, reasons: reasons.slice(0, MAX_REASONS) };
  }
  return best;
}
