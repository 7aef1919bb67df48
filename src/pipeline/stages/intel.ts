import { hitsOf, type IsInternal, type PartyHit } from "../../domain/intel/hits.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { addSighting, type Sightings } from "../../domain/intel/sightings.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { matchedIndicators, recordMatches, relistMatches } from "../../store/intel/match.ts";
import { switchIntel } from "../../store/intel/state.ts";
import type { Step } from "./correlate.ts";

/** The indicators that each step meets, by the step's index; steps that meet none are not there. */
export function hitsOfSteps(
  steps: readonly Step[],
  isInternal: IsInternal,
  intel: IntelSet | null,
): Map<number, PartyHit[]> {
  const found = new Map<number, PartyHit[]>();
  if (intel === null || intel.size === 0) return found;
  for (const [at, { record: { observation } }] of steps.entries()) {
    const hits = hitsOf(intel, observation, observation.facts, isInternal);
    if (hits.length > 0) found.set(at, hits);
  }
  return found;
}

/**
 * Writes which indicators a round's observations met (`hitsOfSteps`). Rows are folded here just as the store folds
 * them, so it does not matter where a round ends.
 */
export async function recordIntel(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  hits: ReadonlyMap<number, readonly PartyHit[]>,
): Promise<void> {
  const found = new Map<string, Sightings>();
  for (const [at, met] of hits) {
    const { record: { observation, receivedAt, evidenceId }, flowId } = steps[at]!;
    const sighting = { start: observation.start, end: observation.end, receivedAt, evidenceId, flowId };
    for (const hit of met) addSighting(found, hit, sighting);
  }
  await recordMatches(tx, tenantId, [...found.values()]);
}

/** From the next round on, a tenant's records are matched against these lists; what is not in them is no longer listed. */
export async function takeIntel(db: Database, tenantId: string, intel: IntelSet): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    if (!(await switchIntel(tx, tenantId, intel.digest))) return;
    const changed = (await matchedIndicators(tx, tenantId)).flatMap((met) => {
      const now = intel.find(met.kind, met.indicator);
      if (now === null) return met.listed ? [{ ...met, listed: false }] : [];
      const same = met.listed && met.list === now.list && met.description === now.description &&
        met.confidence === now.confidence && met.exact === now.exact;
      return same ? [] : [{ ...now, listed: true }];
    });
    await relistMatches(tx, tenantId, changed);
  });
}
