import type { AnalystAnswer, RunError, RunState, SentPart } from "../../contract/analyst/analyst-run.ts";
import type { Tx } from "../engine/database.ts";
import { jsonText, timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";
import { type Reservation, settle } from "./ledger.ts";

/** A run that waits for its turn, with what will be sent. */
export interface QueuedRun {
  run_id: string;
  provider: string;
  model: string;
  sent_parts: SentPart[];
  system_text: string;
  user_text: string;
  worst_input_tokens: number;
  reference: { evidence_ids: string[]; placeholders: Record<string, string> };
  epoch: number;
}

/** A run that this core may finish, as long as the run has this epoch. */
export interface HeldRun {
  runId: string;
  epoch: number;
}

/** The oldest queued run, locked until the end of the transaction; other cores pass it over. */
export async function nextQueued(tx: Tx, tenantId: string): Promise<QueuedRun | null> {
  const [row] = await tx.rows<QueuedRun>(sql`
    select run_id, provider, model, to_json(sent_parts) as sent_parts, system_text, user_text, worst_input_tokens, reference,
      epoch
    from analyst_run where tenant_id = ${tenantId} and state = 'queued'
    order by run_id limit 1 for update skip locked`);
  return row ?? null;
}

/** Starts a queued run under a lease, with what is reserved for it in the same transaction. */
export async function startRun(
  tx: Tx,
  reserved: Reservation,
  { run_id: runId, epoch }: QueuedRun,
  by: { holder: string; seconds: number; now: number },
): Promise<HeldRun> {
  await tx.run(sql`
    update analyst_run set state = 'running', started_at = ${
    timestampLiteral(by.now)
  }::timestamptz, epoch = ${epoch + 1},
      holder = ${by.holder}, lease_until = now() + ${by.seconds} * interval '1 second', reserved = ${reserved.amount},
      reserved_day = ${reserved.day}::date, revision = revision + 1
    where tenant_id = ${reserved.tenantId} and run_id = ${runId}::uuid`);
  return { runId, epoch: epoch + 1 };
}

/** How a run ended; `error` unless it is complete. */
export interface RunEnd {
  state: Exclude<RunState, "queued" | "running">;
  error: { code: RunError; message: string } | null;
  answer: AnalystAnswer | null;
  /** Microseconds. */
  at: number;
}

/** What a call cost; null if the provider did not report it. Tokens are null if nothing was billed. */
interface RunCost {
  inputTokens: number | null;
  outputTokens: number | null;
  microusd: number;
}

/**
 * Ends a run that is queued or running under this epoch.
 *
 * @returns false if another core, a cancellation or the end of its lease has changed it; it is then left as it is
 */
export async function endRun(tx: Tx, tenantId: string, held: HeldRun, end: RunEnd): Promise<boolean> {
  const changed = await tx.run(sql`
    update analyst_run set state = ${end.state}, error_code = ${end.error?.code ?? null},
      error_message = ${end.error?.message ?? null},
      answer = ${end.answer === null ? null : jsonText(end.answer)}::text::jsonb,
      finished_at = ${
    timestampLiteral(end.at)
  }::timestamptz, epoch = epoch + 1, holder = null, lease_until = null,
      revision = revision + 1
    where tenant_id = ${tenantId} and run_id = ${held.runId}::uuid and epoch = ${held.epoch}
      and state in ('queued', 'running')`);
  return changed === 1;
}

/**
 * Enters what a run's call cost, once: a later call changes nothing. It does not matter what has become of the run: money
 * that was spent is spent.
 */
export async function settleRun(tx: Tx, tenantId: string, runId: string, cost: RunCost): Promise<boolean> {
  const [run] = await tx.rows<{ provider: string; day: string; amount: number }>(sql`
    with open as (
      select provider, reserved_day, reserved from analyst_run
      where tenant_id = ${tenantId} and run_id = ${runId}::uuid and reserved_day is not null and spent is null for update
    )
    update analyst_run r set reserved = 0, spent = ${cost.microusd}, input_tokens = ${cost.inputTokens},
      output_tokens = ${cost.outputTokens}, revision = revision + 1
    from open where r.tenant_id = ${tenantId} and r.run_id = ${runId}::uuid
    returning open.provider, open.reserved_day::text as day, open.reserved as amount`);
  if (run === undefined) return false;
  await settle(tx, { tenantId, ...run }, cost.microusd);
  return true;
}

/** Renews the leases of runs; returns those that are still held. */
export async function renewRun(tx: Tx, tenantId: string, held: HeldRun, seconds: number): Promise<boolean> {
  const changed = await tx.run(sql`
    update analyst_run set lease_until = now() + ${seconds} * interval '1 second'
    where tenant_id = ${tenantId} and run_id = ${held.runId}::uuid and epoch = ${held.epoch} and state = 'running'`);
  return changed === 1;
}

/**
 * Fails the running runs whose lease has expired, or that belong to `former`, a holder that no longer exists. Their cost is
 * unknown, so that it stays reserved.
 *
 * @returns their ids
 */
export async function interruptRuns(
  tx: Tx,
  tenantId: string,
  { former, message, now }: { former: string | null; message: string; now: number },
): Promise<string[]> {
  const rows = await tx.rows<{ run_id: string }>(sql`
    update analyst_run set state = 'failed', error_code = 'interrupted', error_message = ${message},
      finished_at = ${
    timestampLiteral(now)
  }::timestamptz, epoch = epoch + 1, holder = null, lease_until = null,
      revision = revision + 1
    where tenant_id = ${tenantId} and state = 'running'
      and (lease_until < now() or holder = ${former}::text)
    returning run_id`);
  return rows.map(({ run_id }) => run_id);
}

/** Cancels a queued or running run if the revision still matches; false otherwise. */
export async function cancelRun(
  tx: Tx,
  tenantId: string,
  { runId, revision }: { runId: string; revision: number },
  { message, now }: { message: string; now: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update analyst_run set state = 'failed', error_code = 'cancelled', error_message = ${message},
      finished_at = ${
    timestampLiteral(now)
  }::timestamptz, epoch = epoch + 1, holder = null, lease_until = null,
      revision = revision + 1
    where tenant_id = ${tenantId} and run_id = ${runId}::uuid and revision = ${revision}
      and state in ('queued', 'running')`);
  return changed === 1;
}
