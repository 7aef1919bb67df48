import { MINUTE } from "../../domain/graph/traffic.ts";
import { type AddressTraffic, addressTraffic } from "../../domain/graph/traffic-table.ts";
import { TrafficLog } from "../../domain/graph/traffic-log.ts";
import type { Tx } from "../../store/engine/database.ts";
import { type MinuteWindow, TRAFFIC_KEPT, trafficOf } from "../../store/graph/traffic.ts";
import type { GraphVersion } from "../../store/graph/position.ts";
import { type TrafficPosition, trafficRows } from "../../store/graph/traffic-rows.ts";

/** Rows of a statement: decoding them blocks for some tens of milliseconds. */
const CHUNK = 10_000;
/** Bytes of all tenants' rollups in memory, roughly. */
const MAX_BYTES = 192 * 1024 * 1024;
/** Rollups are forgotten when no graph was asked for meanwhile. */
const IDLE_MILLISECONDS = 10 * 60_000;
/** How long a tenant whose rollups do not fit is not tried again. */
const TOO_LARGE_MILLISECONDS = 10 * 60_000;
/** Rows too old for any window are dropped when the oldest one is that much older. */
const SLACK = 120 * MINUTE;

/** A batch that was not seen for so long is gone, not only newer than what a transaction sees; milliseconds. */
const UNSEEN_MILLISECONDS = 60_000;

/** Which rollups a transaction sees. */
export type TrafficVersion = Pick<GraphVersion, "batchNo" | "store">;

/** The rollups of one tenant. */
interface Entry {
  store: string;
  log: TrafficLog;
  /** Of the last row in the log; null for none. */
  position: TrafficPosition;
  /** The rows of all batches up to this one are in the log. */
  through: number;
  /** When a transaction saw that batch last. */
  seenAt: number;
  usedAt: number;
}

interface TrafficCacheOptions {
  maxBytes?: number;
  /** Milliseconds. */
  now?: () => number;
}

/**
 * The rollups of tenants that are looked at, in memory: read once, then advanced by the rows of new batches. What it
 * answers is what `trafficOf` would; it asks the store if the rollups do not fit.
 */
export class TrafficCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #advancing = new Map<string, Promise<void>>();
  /** Until when tenants are answered from the store. */
  readonly #tooLarge = new Map<string, number>();
  readonly #maxBytes: number;
  readonly #now: () => number;

  constructor({ maxBytes = MAX_BYTES, now = () => performance.now() }: TrafficCacheOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Bytes of memory, roughly. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { log }) => sum + log.bytes, 0);
  }

  /** Whether some of a tenant's rollups were read, but not yet all: what was read is kept, so that the next graph goes on. */
  isReading(tenantId: string): boolean {
    const entry = this.#entries.get(tenantId);
    return entry !== undefined && entry.through < 0 && entry.position.entryNo >= 0;
  }

  /**
   * The traffic in a window as the batches up to `through` have left it.
   *
   * @param version What `tx` sees; its batch is not before `through`.
   * @param now Microseconds.
   * @param byService An entry for each pair and service instead of one for each pair.
   */
  async sum(
    tx: Tx,
    tenantId: string,
    window: MinuteWindow,
    { through, version, now, byService = false }: {
      through: number;
      version: TrafficVersion;
      now: number;
      byService?: boolean;
    },
  ): Promise<AddressTraffic> {
    this.#forgetIdle();
    const since = Math.floor(now / MINUTE) * MINUTE - TRAFFIC_KEPT - MINUTE;
    if (!this.#isTooLarge(tenantId)) {
      await this.#advance(tx, tenantId, version, since);
      const entry = this.#entries.get(tenantId);
      const isUsable = entry?.store === version.store && entry.through >= through &&
        entry.log.since <= window.from;
      if (isUsable) return entry.log.sum(window, through, byService);
    }
    return addressTraffic(await trafficOf(tx, tenantId, window, { through, byService }), byService);
  }

  /** Reads the rows of the batches up to that of the version. One caller reads; others wait, as they would read the same. */
  async #advance(tx: Tx, tenantId: string, version: TrafficVersion, since: number): Promise<void> {
    for (;;) {
      const running = this.#advancing.get(tenantId);
      if (running === undefined) break;
      // Its caller gets the error.
      await running.catch(() => {});
    }
    const reading = this.#read(tx, tenantId, version, since).finally(() => this.#advancing.delete(tenantId));
    this.#advancing.set(tenantId, reading);
    await reading;
  }

  async #read(tx: Tx, tenantId: string, version: TrafficVersion, since: number): Promise<void> {
    const entry = this.#entryOf(tenantId, version, since);
    const { batchNo } = version;
    while (entry.through < batchNo) {
      const { position: after, log } = entry;
      const rows = await trafficRows(tx, tenantId, { after, through: batchNo, since: log.since }, CHUNK);
      for (const row of rows) log.append(row, row.batchNo);
      const last = rows.at(-1);
      if (last !== undefined) entry.position = { batchNo: last.batchNo, entryNo: last.entryNo };
      if (rows.length < CHUNK) {
        entry.through = batchNo;
        entry.position = { batchNo: batchNo + 1, entryNo: -1 };
      }
      if (!this.#makeRoom(tenantId)) return;
    }
  }

  #entryOf(tenantId: string, { batchNo, store }: TrafficVersion, since: number): Entry {
    let entry = this.#entries.get(tenantId);
    this.#entries.delete(tenantId);
    const now = this.#now();
    const isGone = ({ through, seenAt }: Entry) => batchNo < through && now - seenAt >= UNSEEN_MILLISECONDS;
    // The clock may have been set back.
    if (entry === undefined || entry.store !== store || isGone(entry) || entry.log.since > since) {
      const position = { batchNo: 0, entryNo: -1 };
      entry = { store, log: new TrafficLog(since), position, through: -1, seenAt: now, usedAt: now };
    } else if (entry.log.since < since - SLACK) entry.log = entry.log.without(since);
    entry.usedAt = now;
    if (batchNo >= entry.through) entry.seenAt = now;
    this.#entries.set(tenantId, entry);
    return entry;
  }

  /** Forgets other tenants' rollups, or this one's if it does not fit alone. */
  #makeRoom(tenantId: string): boolean {
    for (const other of this.#entries.keys()) {
      if (this.bytes <= this.#maxBytes) return true;
      if (other !== tenantId && !this.#advancing.has(other)) this.#entries.delete(other);
    }
    if (this.bytes <= this.#maxBytes) return true;
    this.#entries.delete(tenantId);
    this.#tooLarge.set(tenantId, this.#now() + TOO_LARGE_MILLISECONDS);
    return false;
  }

  #isTooLarge(tenantId: string): boolean {
    const until = this.#tooLarge.get(tenantId);
    if (until === undefined) return false;
    if (this.#now() < until) return true;
    this.#tooLarge.delete(tenantId);
    return false;
  }

  #forgetIdle(): void {
    for (const [tenantId, { usedAt }] of this.#entries) {
      if (this.#now() - usedAt >= IDLE_MILLISECONDS && !this.#advancing.has(tenantId)) {
        this.#entries.delete(tenantId);
      }
    }
  }
}
