import type { AnalystPlan, PreparedRequest } from "../../../domain/analyst/plan.ts";

/** What became of a question that was asked at once. */
export type AskedModel =
  /** The tenant has another plan or none by now, has no place for a further call, or no budget for it: nothing was sent. */
  | { kind: "no_provider" }
  | { kind: "busy" }
  | { kind: "no_room"; worst: number }
  | { kind: "asked"; reply: AskedReply; cost: AskedCost | null; worst: number };

export type AskedReply =
  | { kind: "answer"; text: string }
  | {
    kind: "failure";
    code: "provider_rate_limited" | "provider_unavailable" | "provider_response_invalid";
    message: string;
  };

/** Tokens are null if nothing was billed. */
interface AskedCost {
  inputTokens: number | null;
  outputTokens: number | null;
  microusd: number;
}

/** The language models of the tenants, as far as handlers need them. */
export interface AnalystDesk {
  /** The tenant's current plan; null if it has no provider. */
  plan(tenantId: string): AnalystPlan | null;
  /** A run was queued. */
  queued(tenantId: string): void;
  /** A run was cancelled; its call, if this core makes it, ends now. */
  cancelled(runId: string): void;
  /** Asks the tenant's model once, under its budget, if `plan` is still its plan. */
  ask(
    tenantId: string,
    plan: AnalystPlan,
    question: Pick<PreparedRequest, "system" | "user" | "worstInputTokens">,
  ): Promise<AskedModel>;
}
