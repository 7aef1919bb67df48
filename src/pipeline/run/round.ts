import type { Detector } from "../../domain/detect/kernel/detector.ts";
import { DETECTORS } from "../../domain/detect/registry.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Database } from "../../store/engine/database.ts";
import { advanceCursor, readCursor, type RoundSize } from "../../store/record/pending.ts";
import { flows } from "../stages/flows.ts";
import { Round, RoundWriting, type TenantCaches, type TenantSettings } from "../stages/stage.ts";
import { STAGES } from "../stages/stages.ts";
import { RecentFlows } from "../state/recent-flows.ts";
import { SeenTuples } from "../state/seen-tuples.ts";
import { StateCache } from "../state/state-cache.ts";
import { MAX_WRITTEN_ADDRESSES, MAX_WRITTEN_TEXTS, WrittenKeys } from "../state/written-keys.ts";
import { Intake } from "./intake.ts";
import { TimeSlice } from "./time-slice.ts";

interface PrepareOptions extends Partial<TenantCaches> {
  tenantId: string;
  settings: TenantSettings;
  /** The round that this one follows, which may not be committed yet; by default the tenant's cursor. */
  previous?: Round | null;
  /** Source of the batches. */
  intake?: Intake;
  /** Of the default intake. */
  size?: RoundSize;
  /** Lists that the tenant's cursor refers to (`takeIntel`); nothing is matched by default. */
  intel?: IntelSet | null;
  /** All detectors by default. */
  detectors?: readonly Detector[];
}

/** Reads a tenant's next batches and prepares their effects; null if there are no batches. Nothing is written. */
export async function prepareRound(db: Database, options: PrepareOptions): Promise<Round | null> {
  const { tenantId, settings, size, previous = null, intel = null } = options;
  const { intake = new Intake(db, tenantId, { size }) } = options;
  const before = previous?.of(flows).next ?? await db.tenant(tenantId, (tx) => readCursor(tx, tenantId));
  const taken = await intake.after(before.batchNo);
  if (taken === null) return null;
  const round = new Round({ tenantId, settings, before, intel, ...taken });
  const { states = new StateCache(), recent = new RecentFlows(), seen = new SeenTuples() } = options;
  const { addresses = new WrittenKeys(MAX_WRITTEN_ADDRESSES) } = options;
  const { texts = new WrittenKeys(MAX_WRITTEN_TEXTS), detectors = DETECTORS } = options;
  const caches = { states, recent, seen, addresses, texts };
  const preparation = { db, previous, ...caches, detectors, slice: new TimeSlice() };
  for (const stage of STAGES) await round.prepare(stage, preparation);
  return round;
}

interface ApplyOptions {
  /** Microseconds since the epoch. */
  now: number;
  /**
   * Called when all statements are under way and this thread is idle: the time to prepare the next round. Called again
   * if the transaction is retried.
   */
  onStarted?: () => void;
}

/**
 * Writes the effects of a prepared round and advances the cursor, in one transaction. A crash before COMMIT leaves
 * nothing behind; a crash after it leaves nothing to repeat.
 *
 * @throws CursorMoved if another core was faster, or the cursor refers to other threat intelligence lists.
 */
export async function applyRound(db: Database, round: Round, options: ApplyOptions): Promise<void> {
  const { tenantId, before, intel } = round.basis;
  await db.tenant(tenantId, async (tx) => {
    const slice = new TimeSlice();
    const writing = new RoundWriting(tx, options.now);
    // First, because only one core can advance the row: a slower one fails here.
    writing.start(null, advanceCursor(tx, tenantId, before, round.of(flows).next, intel?.digest));
    for (const stage of STAGES) {
      for (const write of stage.write(writing, round.of(stage), round)) {
        writing.start(stage, write);
        if (slice.over) await slice.yield();
      }
    }
    options.onStarted?.();
    await writing.finish();
  });
}
