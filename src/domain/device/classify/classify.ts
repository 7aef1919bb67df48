// What type of device this is, from what it does.
//
// Each rule that fits gives a clue: a type, a weight from 0 to 1 and the reason in words. Clues of one type support each
// other, as independent witnesses do: the confidence is 1 minus the product of what each leaves open. The type with the
// highest confidence wins, where it is high enough to say anything at all.
import type { DeviceType } from "../../../contract/device/device.ts";
import type { DeviceBehaviour } from "./behaviour.ts";
import { clientClues, nameClues } from "./clients.ts";
import { rolesOf } from "./roles.ts";
import { serverClues } from "./servers.ts";

/** Below this nothing is said. */
export const MIN_CONFIDENCE = 0.3;
/** What is only observed stays below what the inventory says, and far below what a person says. */
export const MAX_CONFIDENCE = 0.85;
export const INVENTORY_CONFIDENCE = 0.9;
/** Changes when rules do: what was judged by others is judged again. */
export const RULES_VERSION = 1;

/** One reason to take a device for something. */
export interface Clue {
  type: DeviceType;
  /** 0 to 1. */
  weight: number;
  /** In words, for the analyst. */
  reason: string;
}

export interface Classification {
  type: DeviceType;
  /** 0 where the type is unknown. */
  confidence: number;
  /** The clues for this type, the heaviest first, at most 8. */
  reasons: string[];
}

const MAX_REASONS = 8;

/** Judges a device by its behaviour. A function of its argument alone. */
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
