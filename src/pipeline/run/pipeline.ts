import { Slots } from "../../kit/threads/slots.ts";
import { leaseHolder } from "../../store/engine/leases.ts";
import type { ParsedBatch } from "../../store/record/parsed-batch.ts";
import type { TenantSettings } from "../stages/stage.ts";
import { MemoryBudget } from "../state/memory-budget.ts";
import { MAX_RECENT_FLOWS, RecentFlows } from "../state/recent-flows.ts";
import { MAX_SEEN_BYTES, SeenTuples } from "../state/seen-tuples.ts";
import { StateCache } from "../state/state-cache.ts";
import { MAX_WRITTEN_ADDRESSES, MAX_WRITTEN_TEXTS, WrittenKeys } from "../state/written-keys.ts";
import { Handoff } from "./handoff.ts";
import { type PipelineDeps, TenantLoop } from "./tenant-loop.ts";

interface PipelineConfig {
  tenants: ReadonlyMap<string, TenantSettings>;
}

/**
 * Rounds of different tenants that are written at once. Each needs a connection, and waiting for one longer than the
 * connection timeout would fail the round.
 */
export const MAX_CONCURRENT_WRITES = 4;

/** Runs the pipeline of every tenant whose lease this core holds. */
export class Pipeline {
  readonly #loops = new Map<string, TenantLoop>();
  readonly #handoff: Handoff;

  constructor({ tenants }: PipelineConfig, deps: PipelineDeps) {
    this.#handoff = new Handoff(undefined, deps.onWantedChange);
    const holder = leaseHolder(deps.db);
    const writeSlots = new Slots(MAX_CONCURRENT_WRITES);
    const budget = new MemoryBudget<StateCache>(tenants.size);
    for (const [tenantId, settings] of tenants) {
      const loop = new TenantLoop({
        tenantId,
        settings,
        caches: {
          states: budget.add((room) => new StateCache(room)),
          recent: new RecentFlows(MAX_RECENT_FLOWS / tenants.size),
          seen: new SeenTuples(MAX_SEEN_BYTES / tenants.size),
          addresses: new WrittenKeys(MAX_WRITTEN_ADDRESSES / tenants.size),
          texts: new WrittenKeys(MAX_WRITTEN_TEXTS / tenants.size),
        },
        handoff: this.#handoff.of(tenantId),
        holder,
        writeSlots,
      }, deps);
      this.#loops.set(tenantId, loop);
    }
  }

  start(): void {
    for (const loop of this.#loops.values()) loop.start();
  }

  /** Whether ingest should also hand the tenant's next parsed batch to the pipeline. */
  wants(tenantId: string): boolean {
    return this.#handoff.of(tenantId).wanted;
  }

  /** New records of this tenant were committed; `batch` if they need not be read from the store. */
  wake(tenantId: string, batch: ParsedBatch | null = null): void {
    if (batch !== null) this.#handoff.of(tenantId).put(batch);
    this.#loops.get(tenantId)?.wake();
  }

  /** Replaces the settings of the tenants that it was created with. */
  use(tenants: ReadonlyMap<string, TenantSettings>): void {
    for (const [tenantId, settings] of tenants) this.#loops.get(tenantId)?.use(settings);
  }

  /** Resolves after the rounds under way have committed. */
  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }
}
