import { worstCost } from "../domain/analyst/cost.ts";
import type { RunError } from "../contract/analyst/analyst-run.ts";
import type { Database, Tx } from "../store/engine/database.ts";
import { ledgerDay, reserve } from "../store/analyst/ledger.ts";
import { endRun, type HeldRun, nextQueued, type QueuedRun, startRun } from "../store/analyst/queue.ts";
import type { TenantModel } from "./paid-call.ts";

/** A run that this core has started, with its request and its provider. */
export interface StartedRun {
  tenantId: string;
  held: HeldRun;
  model: TenantModel;
  run: QueuedRun;
}

interface Lease {
  holder: string;
  seconds: number;
  /** Microseconds. */
  now: number;
}

/**
 * Starts the tenant's oldest queued run: reserves its worst case on the UTC day of the call and takes the lease, both in one
 * transaction. A run that may not be sent any more ends instead.
 *
 * @returns null if no run is queued
 */
export async function takeRun(
  db: Database,
  tenantId: string,
  model: TenantModel | null,
  lease: Lease,
): Promise<StartedRun | "ended" | null> {
  return await db.tenant(tenantId, async (tx) => {
    const run = await nextQueued(tx, tenantId);
    if (run === null) return null;
    const end = async (code: "provider_disabled" | "budget_exhausted", message: string) => {
      await endQueued(tx, tenantId, run, { code, message }, lease.now);
      return "ended" as const;
    };
    const why = whyNotSent(run, model);
    if (model === null || why !== null) return await end("provider_disabled", why ?? NO_PROVIDER);
    const { plan } = model;
    const amount = worstCost(plan, { worstInputTokens: run.worst_input_tokens });
    const wanted = { tenantId, provider: plan.provider, day: await ledgerDay(tx), amount };
    if (!await reserve(tx, wanted, plan.dailyBudgetMicrousd)) {
      return await end(
        "budget_exhausted",
        `The call may cost ${amount} micro-USD, which no longer fit into the ${plan.dailyBudgetMicrousd} of ${wanted.day}. ` +
          "Start it again when a new budget begins at 00:00 UTC.",
      );
    }
    return { tenantId, held: await startRun(tx, wanted, run, lease), model, run };
  });
}

const NO_PROVIDER = "The tenant has no analyst provider any more. Nothing was sent.";

/** What was queued for one provider is never sent to another, nor with more in the clear than is permitted now. */
function whyNotSent(run: QueuedRun, model: TenantModel | null): string | null {
  if (model === null) return NO_PROVIDER;
  const { provider, model: name, send } = model.plan;
  const isSame = run.provider === provider && run.model === name &&
    [...run.sent_parts].sort().join() === [...send].sort().join();
  return isSame
    ? null
    : "analyst.yaml has changed since the run was queued: another provider, model or `send`. Nothing was sent; start it again.";
}

async function endQueued(
  tx: Tx,
  tenantId: string,
  { run_id: runId, epoch }: QueuedRun,
  error: { code: RunError & ("provider_disabled" | "budget_exhausted"); message: string },
  at: number,
): Promise<void> {
  await endRun(tx, tenantId, { runId, epoch }, { state: error.code, error, answer: null, at });
}
