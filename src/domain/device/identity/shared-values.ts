import type { Micros } from "../../record/observation.ts";
import { type Activity, areConcurrent } from "../activity.ts";
import type { AnchorTraits } from "./anchors.ts";
import type { Clusters } from "./clusters.ts";
import { type DeviceEvidence, MAX_MEMBERS, mayOverlap, MERGE_WEIGHT } from "./same-device.ts";

/**
 * A value held by more devices than this belongs to a model or an image, even if they are never active at
 * once.
 */
const MAX_HOLDERS = MAX_MEMBERS;
/** Number of a machine's adapters at which a strong value may be active at the same time. */
const MAX_ADAPTERS = 4;

/** Devices indexed by their anchor values. */
export class IdentityIndex {
  readonly devices: ReadonlyMap<string, DeviceEvidence>;
  readonly #holders = new Map<string, Set<DeviceEvidence>>();
  readonly #traits = new Map<string, AnchorTraits>();
  readonly #keys = new Map<DeviceEvidence, Set<string>>();
  #promising: string[] | null = null;

  constructor(devices: readonly DeviceEvidence[]) {
    this.devices = new Map(devices.map((device) => [device.deviceId, device]));
    for (const device of devices) {
      const keys = new Set<string>();
      for (const { traits } of device.clues) {
        if (traits.key === null) continue;
        keys.add(traits.key);
        this.#traits.set(traits.key, traits);
        const holders = this.#holders.get(traits.key);
        if (holders) holders.add(device);
        else this.#holders.set(traits.key, new Set([device]));
      }
      this.#keys.set(device, keys);
    }
  }

  holders(key: string): DeviceEvidence[] {
    return [...this.#holders.get(key) ?? []];
  }

  isStrong(key: string): boolean {
    return this.#traits.get(key)?.strong ?? false;
  }

  /** True if a strong value joins the two. */
  sharesStrongKey(a: DeviceEvidence, b: DeviceEvidence): boolean {
    return this.#common(a, b).some((key) => this.isStrong(key));
  }

  /** Keys common to devices with enough in common to be one, strong ones first. */
  candidateKeys(): readonly string[] {
    if (this.#promising) return this.#promising;
    const keys = new Set<string>();
    for (const [key, holders] of this.#holders) {
      const { strong, confirming, randomized } = this.#traits.get(key)!;
      if (holders.size < 2 || !(strong || confirming || randomized)) continue;
      if (strong || this.#anyHeavy([...holders].slice(0, MAX_HOLDERS + 1))) keys.add(key);
    }
    const order = (key: string) => (this.isStrong(key) ? 0 : 1);
    return this.#promising = [...keys].sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  }

  #anyHeavy(holders: readonly DeviceEvidence[]): boolean {
    return holders.some((a, i) => holders.slice(i + 1).some((b) => this.#weight(a, b) >= MERGE_WEIGHT));
  }

  #weight(a: DeviceEvidence, b: DeviceEvidence): number {
    const families = new Map<string, number>();
    for (const key of this.#common(a, b)) {
      const { family, weight } = this.#traits.get(key)!;
      families.set(family, Math.max(families.get(family) ?? 0, weight));
    }
    return [...families.values()].reduce((sum, weight) => sum + weight, 0);
  }

  #common(a: DeviceEvidence, b: DeviceEvidence): string[] {
    const other = this.#keys.get(b)!;
    return [...this.#keys.get(a)!].filter((key) => other.has(key));
  }
}

/** A device whose activity is needed, and for which period. */
export interface Watch {
  deviceId: string;
  from: Micros;
  to: Micros;
}

/** How far back activity is compared, microseconds. */
const WATCHED_SPAN: Micros = 7 * 86_400_000_000;

/** The devices whose activity decides about these keys, ordered by id. */
export function devicesToWatch(index: IdentityIndex, keys: Iterable<string>): Watch[] {
  const watched = new Map<string, Watch>();
  for (const key of new Set(keys)) {
    const holders = index.holders(key);
    if (holders.length > MAX_HOLDERS) continue;
    const strong = index.isStrong(key);
    if (strong && holders.length <= MAX_ADAPTERS) continue;
    for (const [a, b] of pairs(holders)) {
      if (!mayOverlap(a, b) || (!strong && index.sharesStrongKey(a, b))) continue;
      const from = Math.max(a.firstSeen, b.firstSeen);
      const to = Math.min(a.lastSeen, b.lastSeen);
      for (const { deviceId } of [a, b]) {
        const known = watched.get(deviceId) ?? { deviceId, from, to };
        watched.set(deviceId, {
          deviceId,
          from: Math.min(known.from, from),
          to: Math.max(known.to, to),
        });
      }
    }
  }
  return [...watched.values()].map(({ deviceId, from, to }) => ({
    deviceId,
    from: Math.max(from, to - WATCHED_SPAN),
    to,
  })).sort((a, b) => a.deviceId < b.deviceId ? -1 : 1);
}

/** The keys whose value several machines have at the same time. */
export function sharedKeys(
  index: IdentityIndex,
  keys: Iterable<string>,
  activity: ReadonlyMap<string, Activity>,
  clusters: Clusters,
): Set<string> {
  const shared = new Set<string>();
  for (const key of new Set(keys)) {
    const holders = index.holders(key);
    const strong = index.isStrong(key);
    const roots = new Set(holders.map(({ deviceId }) => clusters.rootOf(deviceId)));
    if (!strong && roots.size > MAX_HOLDERS) {
      shared.add(key);
      continue;
    }
    const together = new Set<DeviceEvidence>();
    for (const [a, b] of pairs(holders)) {
      const one = clusters.rootOf(a.deviceId) === clusters.rootOf(b.deviceId) || index.sharesStrongKey(a, b);
      if (!mayOverlap(a, b) || (!strong && one)) continue;
      const [left, right] = [activity.get(a.deviceId), activity.get(b.deviceId)];
      if (left && right && areConcurrent(left, right)) together.add(a).add(b);
    }
    if (together.size > (strong ? MAX_ADAPTERS : 0)) shared.add(key);
  }
  return shared;
}

function* pairs<T>(items: readonly T[]): Generator<[T, T]> {
  for (let i = 0; i < items.length; i++) {
    for (let j = i + 1; j < items.length; j++) yield [items[i]!, items[j]!];
  }
}
