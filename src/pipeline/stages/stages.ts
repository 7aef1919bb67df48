import { captures } from "./captures.ts";
import { detection } from "./detection.ts";
import { deviceVlans } from "./device-vlans.ts";
import { facts } from "./facts.ts";
import { flows } from "./flows.ts";
import { incidents } from "./incidents.ts";
import { intelMatches } from "./intel.ts";
import { inventory } from "./inventory.ts";
import { rollups } from "./rollups.ts";
import type { Stage } from "./stage.ts";
import { terms } from "./terms.ts";

/**
 * The stages of a round, in order. A stage uses only what stands before it; the incidents come last, because they take
 * the tenant's incident and event numbers.
 */
export const STAGES: readonly Stage[] = [
  flows,
  terms,
  deviceVlans,
  inventory,
  facts,
  intelMatches,
  rollups,
  captures,
  detection,
  incidents,
];
