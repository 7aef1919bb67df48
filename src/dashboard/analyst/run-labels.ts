import type { AnalystRun, Assessment, RunError, RunState } from "../../contract/analyst/analyst-run.ts";

export const STATE_NAMES: Record<RunState, string> = {
  queued: "Queued",
  running: "Running",
  complete: "Complete",
  failed: "Failed",
  provider_disabled: "Not sent",
  budget_exhausted: "Not sent",
};

/** Whether the run may still change by itself. */
export function isActive({ state }: Pick<AnalystRun, "state">): boolean {
  return state === "queued" || state === "running";
}

export const ASSESSMENT_NAMES: Record<Assessment, string> = {
  malicious: "Malicious",
  suspicious: "Suspicious",
  benign: "Benign",
  inconclusive: "Inconclusive",
};

/** What happened, and what to do next. */
export const ERROR_TEXTS: Record<RunError, { title: string; next: string }> = {
  provider_disabled: {
    title: "No provider is configured",
    next: "Nothing was sent. An administrator configures a provider in analyst.yaml.",
  },
  budget_exhausted: {
    title: "The budget of the day is used up",
    next: "Nothing was sent. The budget is renewed at 00:00 UTC.",
  },
  provider_rate_limited: {
    title: "The provider refused because of its rate limit",
    next: "Wait a minute, then ask again. The appliance does not retry by itself.",
  },
  provider_unavailable: {
    title: "The provider did not answer",
    next: "Ask again later. If it happens again, an administrator checks the provider's address and key in " +
      "analyst.yaml.",
  },
  provider_response_invalid: {
    title: "The answer of the model was rejected",
    next:
      "It is not shown, because it did not follow the required form or cites evidence that was not sent. Ask " +
      "again, or configure another model.",
  },
  cancelled: {
    title: "The run was cancelled",
    next: "If it was sent already, its worst-case cost stays reserved until 00:00 UTC.",
  },
  interrupted: {
    title: "The appliance restarted during the run",
    next: "The cost is unknown, so the worst case stays reserved until 00:00 UTC. Ask again if needed.",
  },
};
