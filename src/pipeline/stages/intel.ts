import { hitsOf, type PartyHit } from "../../domain/intel/hits.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { addSighting, type Sightings } from "../../domain/intel/sightings.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { matchedIndicators, recordMatches, relistMatches } from "../../store/intel/match.ts";
import { switchIntel } from "../../store/intel/state.ts";
import type { Step } from "./correlate.ts";
import { flows } from "./flows.ts";
import type { Stage } from "./stage.ts";

/** The indicators that steps match, by the step's index; steps without a match are absent. */
type HitsByStep = ReadonlyMap<number, readonly PartyHit[]>;

/** Matches the observations against the threat intelligence lists and records the matches. */
export const intelMatches: Stage<HitsByStep> = {
  prepare(round) {
    const found = new Map<number, PartyHit[]>();
    const { intel } = round.basis;
    if (intel === null || intel.size === 0) return found;
    const { devices, correlation: { steps } } = round.of(flows);
    const isInternal = (ip: string) => devices.isInternal(ip);
    for (const [at, { record: { observation } }] of steps.entries()) {
      const hits = hitsOf(intel, observation, observation.facts, isInternal);
      if (hits.length > 0) found.set(at, hits);
    }
    return found;
  },

  *write({ tx }, hits, round) {
    yield writeMatches(tx, round.basis.tenantId, round.of(flows).correlation.steps, hits);
  },
};

/** Folds the matches as the store does, so the result does not depend on where a round ends. */
async function writeMatches(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  hits: HitsByStep,
): Promise<void> {
  const found = new Map<string, Sightings>();
  for (const [at, matched] of hits) {
    const { record: { observation, receivedAt, evidenceId }, flowId } = steps[at]!;
    const sighting = { start: observation.start, end: observation.end, receivedAt, evidenceId, flowId };
    for (const hit of matched) addSighting(found, hit, sighting);
  }
  await recordMatches(tx, tenantId, [...found.values()]);
}

/** Matches the tenant's next rounds against these lists, and marks stored matches that are no longer listed. */
export async function takeIntel(db: Database, tenantId: string, intel: IntelSet): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    if (!(await switchIntel(tx, tenantId, intel.digest))) return;
    const changed = (await matchedIndicators(tx, tenantId)).flatMap((stored) => {
      const now = intel.find(stored.kind, stored.indicator);
      if (now === null) return stored.listed ? [{ ...stored, listed: false }] : [];
      const same = stored.listed && stored.list === now.list && stored.description === now.description &&
        stored.confidence === now.confidence && stored.exact === now.exact;
      return same ? [] : [{ ...now, listed: true }];
    });
    await relistMatches(tx, tenantId, changed);
  });
}
