import type { DeviceEvidence, Group, Standing } from "./same-device.ts";

/** `from` is shown as `into`. */
export interface Join {
  from: string;
  into: string;
}

/** Devices joined by merges: a forest whose roots are the visible devices. */
export class Clusters {
  readonly #into = new Map<string, string>();
  readonly #from = new Map<string, Set<string>>();

  constructor(private readonly devices: ReadonlyMap<string, DeviceEvidence>, joins: Iterable<Join>) {
    for (const { from, into } of joins) this.join(from, into);
  }

  /** Ignores a join that would create a cycle. */
  join(from: string, into: string): void {
    if (this.#into.has(from) || this.rootOf(into) === from) return;
    this.#into.set(from, into);
    const children = this.#from.get(into);
    if (children) children.add(from);
    else this.#from.set(into, new Set([from]));
  }

  rootOf(deviceId: string): string {
    let root = deviceId;
    for (let next = this.#into.get(root); next !== undefined; next = this.#into.get(root)) root = next;
    return root;
  }

  /** All devices shown as one with this device; null if the visible one is unknown. */
  groupOf(deviceId: string): Group | null {
    return this.#below(this.rootOf(deviceId), null);
  }

  /** The two sides of a join; null if one of them is unknown. */
  sidesOf({ from, into }: Join): { side: Group; rest: Group } | null {
    const side = this.#below(from, null);
    const rest = this.#below(this.rootOf(into), from);
    return side && rest ? { side, rest } : null;
  }

  #below(root: string, without: string | null): Group | null {
    const first = this.devices.get(root);
    if (!first) return null;
    const others: DeviceEvidence[] = [];
    const open = [root];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const child of this.#from.get(next) ?? []) {
        if (child === without) continue;
        open.push(child);
        const device = this.devices.get(child);
        if (device) others.push(device);
      }
    }
    return [first, ...others.sort(byAge)];
  }
}

const RANK: Record<Standing, number> = { human_confirmed: 2, inventory: 1, observed: 0 };

/** True if the first of `a` must be the visible device rather than that of `b`, regardless of age. */
export function outranks([a]: Group, [b]: Group): boolean {
  return RANK[a.standing] > RANK[b.standing];
}

/** Order of precedence for being the visible device. */
export function byRank(a: Group, b: Group): number {
  return RANK[b[0].standing] - RANK[a[0].standing] || byAge(a[0], b[0]);
}

function byAge(a: DeviceEvidence, b: DeviceEvidence): number {
  return a.firstSeen - b.firstSeen || (a.deviceId < b.deviceId ? -1 : 1);
}
