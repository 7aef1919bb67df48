import type { AnalystPlan } from "../../../domain/analyst/plan.ts";

/** The language models of the tenants, as far as handlers need them. */
export interface AnalystDesk {
  /** The tenant's current plan; null if it has no provider. */
  plan(tenantId: string): AnalystPlan | null;
  /** A run was queued. */
  queued(tenantId: string): void;
  /** A run was cancelled; its call, if this core makes it, ends now. */
  cancelled(runId: string): void;
}
