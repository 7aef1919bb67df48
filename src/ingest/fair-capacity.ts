import type { CapacityShare } from "../kit/net/capacity.ts";

export interface CapacityLimits {
  /** Concurrent requests of all sources. */
  requests: number;
  /** Bytes of all request bodies that are buffered, after decompression. */
  bytes: number;
}

/** Whose request it is. Sensor ids are unique within an installation. */
export interface Holder {
  tenantId: string;
  sensorId: string;
}

/**
 * The part of the capacity that one source may use alone. The rest stays free for the others even while none
 * of its requests can be cut, as during a slow commit.
 */
const SOURCE_SHARE = 7 / 8;
/** The part of the capacity that all sources of one tenant may use together. */
const TENANT_SHARE = 15 / 16;

type Unit = keyof CapacityLimits;

class Usage {
  requests = 0;
  bytes = 0;

  add(unit: Unit, amount: number): void {
    this[unit] += amount;
  }
}

interface Entry {
  holder: Holder;
  bytes: number;
  /** Ends the request while its body is still arriving; null afterwards. */
  cut: (() => void) | null;
}

/**
 * Bounds the requests and the buffered bytes of all sources. When either is exhausted, the heaviest holder
 * gives way: the request of a source that holds less cuts one of a source that holds more, and otherwise it is
 * refused itself. Tenants are compared first, then sources within the tenant.
 */
export class FairCapacity {
  readonly #limits: CapacityLimits;
  readonly #total = new Usage();
  readonly #tenants = new Map<string, Usage>();
  readonly #sources = new Map<string, Usage>();
  /** In the order of arrival. */
  readonly #entries = new Set<Entry>();

  constructor(limits: CapacityLimits) {
    this.#limits = limits;
  }

  /** Requests under way. */
  get requests(): number {
    return this.#total.requests;
  }

  /** A place for one more request; null if the holder is refused. */
  enter(holder: Holder): FairShare | null {
    if (!this.#claim(holder, "requests", 1)) return null;
    const entry: Entry = { holder, bytes: 0, cut: null };
    this.#entries.add(entry);
    return {
      get bytes() {
        return entry.bytes;
      },
      receiving: (cut) => entry.cut = cut,
      received: () => entry.cut = null,
      hold: (bytes) => {
        if (!this.#entries.has(entry) || !this.#claim(holder, "bytes", bytes)) return false;
        entry.bytes += bytes;
        return true;
      },
      leave: () => this.#release(entry),
    };
  }

  #claim(holder: Holder, unit: Unit, amount: number): boolean {
    const limit = this.#limits[unit];
    const heldBySource = () => this.#sources.get(holder.sensorId)?.[unit] ?? 0;
    const heldByTenant = () => this.#tenants.get(holder.tenantId)?.[unit] ?? 0;
    if (heldBySource() + amount > Math.ceil(limit * SOURCE_SHARE)) return false;
    while (heldByTenant() + amount > Math.ceil(limit * TENANT_SHARE)) {
      if (!this.#cutSource(holder, unit, amount)) return false;
    }
    while (this.#total[unit] + amount > limit) {
      if (!this.#cutTenant(holder, unit, amount) && !this.#cutSource(holder, unit, amount)) return false;
    }
    this.#count(holder, unit, amount);
    return true;
  }

  /** Cuts a request of the heaviest tenant that holds more than `holder`'s; false if there is none. */
  #cutTenant(holder: Holder, unit: Unit, amount: number): boolean {
    const own = this.#tenants.get(holder.tenantId)?.[unit] ?? 0;
    return this.#cutHeaviest(
      unit,
      ({ tenantId }) =>
        tenantId === holder.tenantId ? 0 : atLeast(own + amount, this.#tenants.get(tenantId)![unit]),
    );
  }

  /** Cuts a request of the heaviest source of the same tenant that holds more; false if there is none. */
  #cutSource(holder: Holder, unit: Unit, amount: number): boolean {
    const own = this.#sources.get(holder.sensorId)?.[unit] ?? 0;
    return this.#cutHeaviest(
      unit,
      ({ tenantId, sensorId }) =>
        tenantId !== holder.tenantId || sensorId === holder.sensorId
          ? 0
          : atLeast(own + amount, this.#sources.get(sensorId)![unit]),
    );
  }

  /**
   * Cuts, among the holders of the greatest weight, a request of the heaviest source: the one with the most
   * bytes if bytes are short, else the oldest one. Holders of weight 0 are left alone.
   */
  #cutHeaviest(unit: Unit, weight: (holder: Holder) => number): boolean {
    let victim: Entry | null = null;
    let heaviest: number[] = [0, 0, 0];
    for (const entry of this.#entries) {
      if (entry.cut === null || (unit === "bytes" && entry.bytes === 0)) continue;
      const group = weight(entry.holder);
      if (group === 0) continue;
      const source = this.#sources.get(entry.holder.sensorId)![unit];
      const rank = [group, source, unit === "bytes" ? entry.bytes : 1];
      if (!isAbove(rank, heaviest)) continue;
      victim = entry;
      heaviest = rank;
    }
    if (victim === null) return false;
    const { cut } = victim;
    this.#release(victim);
    cut!();
    return true;
  }

  #release(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#count(entry.holder, "requests", -1);
    this.#count(entry.holder, "bytes", -entry.bytes);
  }

  #count({ tenantId, sensorId }: Holder, unit: Unit, amount: number): void {
    this.#total.add(unit, amount);
    for (const [usages, key] of [[this.#tenants, tenantId], [this.#sources, sensorId]] as const) {
      const usage = usages.get(key) ?? new Usage();
      usage.add(unit, amount);
      if (usage.requests === 0 && usage.bytes === 0) usages.delete(key);
      else usages.set(key, usage);
    }
  }
}

/** `held` if it is at least `mine`, else 0: a holder may only displace one that stays no lighter than itself. */
function atLeast(mine: number, held: number): number {
  return held >= mine ? held : 0;
}

function isAbove(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return at !== -1 && rank[at]! > other[at]!;
}

export interface FairShare extends CapacityShare {
  /** Bytes held so far, also after the share was released. */
  readonly bytes: number;
  /** From now on `cut` may be called, once; the share is released then. */
  receiving(cut: () => void): void;
  /** The body is complete: the request is no longer cut. */
  received(): void;
}
