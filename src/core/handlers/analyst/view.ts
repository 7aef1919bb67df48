import type { AnalystBudget, AnalystRun, AnalystRunDetail } from "../../../contract/analyst/analyst-run.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { AnalystPlan } from "../../../domain/analyst/plan.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { ledgerDay, ledgerSum } from "../../../store/analyst/ledger.ts";
import type { RunDetailRow, RunRow } from "../../../store/analyst/runs.ts";

export function runView(row: RunRow): AnalystRun {
  return {
    run_id: row.run_id,
    incident_id: row.incident_id,
    incident_revision: row.incident_revision,
    state: row.state,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
    requested_by: row.requested_by,
    requested_at: formatMillis(row.requested_at),
    started_at: timeOrNull(row.started_at),
    finished_at: timeOrNull(row.finished_at),
    model: { provider: row.provider, model: row.model, prompt_version: row.prompt_version },
    cost: {
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      reserved_microusd: row.reserved,
      spent_microusd: row.spent,
    },
    assessment: row.answer?.assessment ?? null,
    feedback: row.feedback === null ? null : { ...row.feedback, at: formatMillis(row.feedback.at) },
    revision: row.revision,
  };
}

export function runDetailView(row: RunDetailRow): AnalystRunDetail {
  return {
    ...runView(row),
    answer: row.answer,
    sent: { system: row.system_text, user: row.user_text },
    sent_parts: row.sent_parts,
  };
}

/** What is left of today's budget, by the UTC day of the database's clock. */
export async function budgetView(tx: Tx, tenantId: string, plan: AnalystPlan): Promise<AnalystBudget> {
  const date = await ledgerDay(tx);
  const { reserved, spent } = await ledgerSum(tx, tenantId, date);
  return {
    date,
    limit_microusd: plan.dailyBudgetMicrousd,
    reserved_microusd: reserved,
    spent_microusd: spent,
  };
}

/** Microseconds. */
const DAY = 86_400_000_000;

/** The refusal of a call that does not fit into the budget, to be retried after the UTC day has ended. */
export function noRoom(budget: AnalystBudget, worst: number, now: number): ApiError {
  const used = budget.reserved_microusd + budget.spent_microusd;
  const left = Math.max(0, budget.limit_microusd - used);
  return new ApiError(
    "budget_exhausted",
    `The call may cost ${worst} micro-USD, and ${left} of today's ${budget.limit_microusd} are left. ` +
      "A new budget begins at 00:00 UTC.",
    { limit_microusd: budget.limit_microusd, used_microusd: used, worst_microusd: worst },
    undefined,
    Math.ceil((DAY - now % DAY) / 1_000_000),
  );
}

function timeOrNull(micros: number | null): string | null {
  return micros === null ? null : formatMillis(micros);
}
