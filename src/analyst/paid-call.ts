import { costOf, type TokenUsage, worstCost } from "../domain/analyst/cost.ts";
import type { AnalystPlan, PreparedRequest } from "../domain/analyst/plan.ts";
import type { Database } from "../store/engine/database.ts";
import { ledgerDay, type Reservation, reserve, settle } from "../store/analyst/ledger.ts";
import type { ModelProvider, ModelReply } from "./provider.ts";

/** A tenant's provider and what may be spent there. */
export interface TenantModel {
  plan: AnalystPlan;
  provider: ModelProvider;
}

/** What a call cost. Tokens are null if nothing was billed. */
interface CallCost {
  inputTokens: number | null;
  outputTokens: number | null;
  microusd: number;
}

/** What a reply cost; null if the provider did not report it, so that the reservation must stay. */
export function costOfReply(plan: AnalystPlan, reply: ModelReply): CallCost | null {
  const billed = reply.kind === "answer" ? reply.usage ?? "unknown" : reply.billed;
  if (billed === "unknown") return null;
  if (billed === "no") return { inputTokens: null, outputTokens: null, microusd: 0 };
  return costOfUsage(plan, billed);
}

function costOfUsage(plan: AnalystPlan, usage: TokenUsage): CallCost | null {
  try {
    return { ...usage, microusd: costOf(plan, usage) };
  } catch (error) {
    // Numbers that no call can have: the cost is as unknown as without them.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** `text`s of a call outside a run, such as a question of the search. */
export type PaidQuestion = Pick<PreparedRequest, "system" | "user" | "worstInputTokens">;

/** The reply and its cost (null: unknown, and therefore still reserved), or that the budget has no room for the call. */
export type PaidReply =
  | { kind: "no_room"; worst: number }
  | { kind: "asked"; reply: ModelReply; cost: CallCost | null; worst: number };

/**
 * Asks once, under the ledger: the worst case is reserved before the call, and replaced by its cost afterwards. If the process
 * ends in between, the reservation stays until the UTC day ends.
 */
export async function paidCall(
  db: Database,
  tenantId: string,
  { plan, provider }: TenantModel,
  question: PaidQuestion,
  signal: AbortSignal,
): Promise<PaidReply> {
  const worst = worstCost(plan, question);
  const reserved = await db.tenant(tenantId, async (tx): Promise<Reservation | null> => {
    const wanted = { tenantId, provider: plan.provider, day: await ledgerDay(tx), amount: worst };
    return await reserve(tx, wanted, plan.dailyBudgetMicrousd) ? wanted : null;
  });
  if (reserved === null) return { kind: "no_room", worst };
  const { system, user } = question;
  const reply = await provider.ask({ system, user, maxOutputTokens: plan.maxOutputTokens }, signal);
  const cost = costOfReply(plan, reply);
  if (cost !== null) await db.tenant(tenantId, (tx) => settle(tx, reserved, cost.microusd));
  return { kind: "asked", reply, cost, worst };
}
