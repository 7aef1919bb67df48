import type { Activity } from "../activity.ts";
import { type AnchorClass, traitsOf } from "./anchors.ts";
import { byRank, Clusters, type Join, outranks } from "./clusters.ts";
import {
  type DeviceEvidence,
  type Group,
  MERGE_WEIGHT,
  sameDevice,
  type Surroundings,
} from "./same-device.ts";
import { devicesToWatch, IdentityIndex, sharedKeys, type Watch } from "./shared-values.ts";

/** A value in more groups than this is not evaluated. */
const MAX_CANDIDATES = 64;

/** An anchor that supported a merge. */
export interface Support {
  class: AnchorClass;
  value: string;
  weight: number;
}

/** A merge in force: `from` is shown as `into`, or as whatever `into` is shown as. */
export interface ActiveMerge extends Join {
  mergeId: string;
  support: readonly Pick<Support, "class" | "value">[];
}

export interface IdentityState {
  devices: readonly DeviceEvidence[];
  merges: readonly ActiveMerge[];
  /** Pairs (`pairOf`) separated because of contradicting evidence; they are not merged again. */
  separated: ReadonlySet<string>;
}

export interface PlannedMerge extends Join {
  weight: number;
  support: Support[];
  reason: string;
}

/** Why a merge ends: contradicting evidence, or the other device takes precedence. */
export type UndoCause = "contradicted" | "outranked";

interface PlannedUndo extends Join {
  mergeId: string;
  cause: UndoCause;
  reason: string;
}

interface IdentityPlan {
  /** To be applied before the merges. */
  undo: PlannedUndo[];
  /** In order of decision: a later merge may build on an earlier one. */
  merge: PlannedMerge[];
  /** Keys of values several machines have at the same time. */
  shared: ReadonlySet<string>;
}

export function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** The devices whose activity planning needs. */
export function watchedDevices(state: IdentityState): Watch[] {
  const index = new IdentityIndex(state.devices);
  return devicesToWatch(index, keysOf(state, index));
}

/**
 * Plans merges and separations. The surviving device is one a person confirmed, else one in the inventory,
 * else the oldest, so that nothing a person entered is hidden.
 */
export function planIdentities(state: IdentityState, activity: ReadonlyMap<string, Activity>): IdentityPlan {
  const index = new IdentityIndex(state.devices);
  const keys = keysOf(state, index);
  const before = new Clusters(index.devices, state.merges);
  const undo = planUndo(state.merges, before, {
    activity,
    shared: sharedKeys(index, keys, activity, before),
  });
  const undone = new Set(undo.map(({ mergeId }) => mergeId));
  const after = new Clusters(index.devices, state.merges.filter(({ mergeId }) => !undone.has(mergeId)));
  const contradicted = undo.filter(({ cause }) => cause === "contradicted");
  const separated = new Set([
    ...state.separated,
    ...contradicted.map(({ from, into }) => pairOf(from, into)),
  ]);
  const surroundings = { activity, shared: sharedKeys(index, keys, activity, after) };
  return { undo, merge: planMerges(index, after, separated, surroundings), shared: surroundings.shared };
}

/** Keys that could join devices, and keys that already did. */
function keysOf({ merges }: IdentityState, index: IdentityIndex): Set<string> {
  const supporting = merges.flatMap(({ support }) => support.flatMap((one) => traitsOf(one).key ?? []));
  return new Set([...index.candidateKeys(), ...supporting]);
}

function planUndo(
  merges: readonly ActiveMerge[],
  clusters: Clusters,
  surroundings: Surroundings,
): PlannedUndo[] {
  return merges.flatMap((merge): PlannedUndo[] => {
    const { mergeId, from, into } = merge;
    const sides = clusters.sidesOf(merge);
    if (!sides) return [];
    const { side, rest } = sides;
    const verdict = sameDevice(rest, side, surroundings);
    if (verdict.contradicted) {
      return [{ mergeId, from, into, cause: "contradicted", reason: verdict.reason }];
    }
    const lost = merge.support.filter((one) => surroundings.shared.has(traitsOf(one).key ?? ""));
    if (lost.length > 0 && verdict.weight < MERGE_WEIGHT) {
      const reason = `several machines have ${lost.map(({ value }) => value).join(", ")} at the same time`;
      return [{ mergeId, from, into, cause: "contradicted", reason }];
    }
    if (outranks(side, rest)) {
      const reason = `${side[0].displayName} takes precedence because it was named`;
      return [{ mergeId, from, into, cause: "outranked", reason }];
    }
    return [];
  });
}

function planMerges(
  index: IdentityIndex,
  clusters: Clusters,
  separated: ReadonlySet<string>,
  surroundings: Surroundings,
): PlannedMerge[] {
  const planned: PlannedMerge[] = [];
  for (const key of index.candidateKeys()) {
    if (surroundings.shared.has(key)) continue;
    const holders = new Set(index.holders(key).map(({ deviceId }) => clusters.rootOf(deviceId)));
    if (holders.size > MAX_CANDIDATES) continue;
    const groups = [...holders].flatMap((id) => {
      const group = clusters.groupOf(id);
      return group ? [group] : [];
    }).sort(byRank);
    for (const [i, { 0: { deviceId: one } }] of groups.entries()) {
      for (const { 0: { deviceId: other } } of groups.slice(i + 1)) {
        // Either may have joined a third device meanwhile.
        const [a, b] = [clusters.groupOf(one)!, clusters.groupOf(other)!];
        if (a[0] === b[0] || isSeparated(a, b, separated)) continue;
        const merge = decide(a, b, surroundings);
        if (!merge) continue;
        clusters.join(merge.from, merge.into);
        planned.push(merge);
      }
    }
  }
  return planned;
}

function decide(a: Group, b: Group, surroundings: Surroundings): PlannedMerge | null {
  const { same, weight, matches, reason } = sameDevice(a, b, surroundings);
  if (!same) return null;
  const [into, from] = byRank(a, b) < 0 ? [a, b] : [b, a];
  return {
    from: from[0].deviceId,
    into: into[0].deviceId,
    weight,
    reason,
    support: matches.map(({ anchor, traits }) => ({
      class: anchor.class,
      value: anchor.value,
      weight: traits.weight,
    })),
  };
}

function isSeparated(a: Group, b: Group, separated: ReadonlySet<string>): boolean {
  return a.some((one) => b.some((other) => separated.has(pairOf(one.deviceId, other.deviceId))));
}
