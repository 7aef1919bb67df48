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

/** A value in more groups than that is not followed up. */
const MAX_CANDIDATES = 64;

/** What a merge rested on. */
export interface Support {
  class: AnchorClass;
  value: string;
  weight: number;
}

/** A merge in force: `from` shows as `into`, or as whatever `into` shows as. */
export interface ActiveMerge extends Join {
  mergeId: string;
  support: readonly Pick<Support, "class" | "value">[];
}

export interface IdentityState {
  devices: readonly DeviceEvidence[];
  merges: readonly ActiveMerge[];
  /** Pairs (`pairOf`) that were taken apart because something contradicted: they are not merged again. */
  apart: ReadonlySet<string>;
}

export interface PlannedMerge extends Join {
  weight: number;
  support: Support[];
  reason: string;
}

/** Why a merge ends: evidence against it, or the other device turned out to be the one to show. */
export type UndoCause = "contradicted" | "outranked";

interface PlannedUndo extends Join {
  mergeId: string;
  cause: UndoCause;
  reason: string;
}

interface IdentityPlan {
  /** To be carried out before the merges. */
  undo: PlannedUndo[];
  /** In the order in which they were decided: a later one may join what an earlier one has made. */
  merge: PlannedMerge[];
  /** Keys of values that several machines have at the same time. */
  shared: ReadonlySet<string>;
}

export function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** The devices whose activity must be known to plan. */
export function watchedDevices(state: IdentityState): Watch[] {
  const index = new IdentityIndex(state.devices);
  return devicesToWatch(index, keysOf(state, index));
}

/**
 * What is to be merged, and what to be taken apart. The survivor is the device that a person confirmed, else the one
 * that the inventory names, else the older one; so nothing that a person said goes out of sight.
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
  const apart = new Set([...state.apart, ...contradicted.map(({ from, into }) => pairOf(from, into))]);
  const surroundings = { activity, shared: sharedKeys(index, keys, activity, after) };
  return { undo, merge: planMerges(index, after, apart, surroundings), shared: surroundings.shared };
}

/** What could join devices, and what did. */
function keysOf({ merges }: IdentityState, index: IdentityIndex): Set<string> {
  const supporting = merges.flatMap(({ support }) => support.flatMap((one) => traitsOf(one).key ?? []));
  return new Set([...index.promising(), ...supporting]);
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
      const reason = `${side[0].displayName} is the one that was named`;
      return [{ mergeId, from, into, cause: "outranked", reason }];
    }
    return [];
  });
}

function planMerges(
  index: IdentityIndex,
  clusters: Clusters,
  apart: ReadonlySet<string>,
  surroundings: Surroundings,
): PlannedMerge[] {
  const planned: PlannedMerge[] = [];
  for (const key of index.promising()) {
    if (surroundings.shared.has(key)) continue;
    const holders = new Set(index.holders(key).map(({ deviceId }) => clusters.rootOf(deviceId)));
    if (holders.size > MAX_CANDIDATES) continue;
    const groups = [...holders].flatMap((id) => {
      const group = clusters.groupOf(id);
      return group ? [group] : [];
    }).sort(byRank);
    for (const [i, { 0: { deviceId: one } }] of groups.entries()) {
      for (const { 0: { deviceId: other } } of groups.slice(i + 1)) {
        // Either may have joined a third one meanwhile.
        const [a, b] = [clusters.groupOf(one)!, clusters.groupOf(other)!];
        if (a[0] === b[0] || isApart(a, b, apart)) continue;
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

function isApart(a: Group, b: Group, apart: ReadonlySet<string>): boolean {
  return a.some((one) => b.some((other) => apart.has(pairOf(one.deviceId, other.deviceId))));
}
