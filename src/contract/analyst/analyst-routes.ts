import { collection, single } from "../request/common.ts";
import { patch, read, type Route } from "../request/route.ts";
import {
  AnalystFeedbackBody,
  AnalystRun,
  AnalystRunCancellation,
  AnalystRunCreation,
  AnalystRunDetail,
  AnalystRunPreview,
  AnalystRunQuery,
} from "./analyst-run.ts";

const act = { ...patch, method: "POST" } as const;

/** Runs of a language model about incidents, under the tenant's daily budget. */
export const ANALYST_ROUTES = {
  createAnalystRun: {
    ...act,
    revisioned: false,
    tagged: true,
    status: 202,
    asksModel: true,
    oneAtATime: true,
    path: "/api/v1/incidents/{incident_id}/analyst-runs",
    summary: "Queue an analyst run about an incident; what the preview shows is sent, once",
    description:
      "Answers at once, with the state `queued`. Poll the run until it has ended. One run at a time may be queued or running " +
      "for an incident. Its worst cost must fit into what is left of the day's budget, and is reserved before the call.",
    tag: "Analyst",
    body: AnalystRunCreation,
    response: single(AnalystRunDetail),
  },
  previewAnalystRun: {
    ...read,
    asksModel: true,
    path: "/api/v1/incidents/{incident_id}/analyst-runs/preview",
    summary: "Get the exact text that a run would send, what it would cost, and what is left of the budget",
    description: "Sends and reserves nothing.",
    tag: "Analyst",
    response: single(AnalystRunPreview),
  },
  listAnalystRuns: {
    ...read,
    path: "/api/v1/analyst-runs",
    summary: "List analyst runs, newest first",
    tag: "Analyst",
    query: AnalystRunQuery,
    response: collection(AnalystRun),
  },
  getAnalystRun: {
    ...read,
    tagged: true,
    path: "/api/v1/analyst-runs/{run_id}",
    summary: "Get one analyst run with its answer and the exact text that was sent",
    tag: "Analyst",
    response: single(AnalystRunDetail),
  },
  cancelAnalystRun: {
    ...act,
    path: "/api/v1/analyst-runs/{run_id}/cancellation",
    summary: "Cancel a queued or running analyst run",
    description:
      "The state becomes `failed` with the code `cancelled`, and a call under way is aborted. What an aborted call costs is " +
      "unknown, so that its reservation stays until the UTC day ends.",
    tag: "Analyst",
    body: AnalystRunCancellation,
    response: single(AnalystRunDetail),
  },
  giveAnalystFeedback: {
    ...act,
    path: "/api/v1/analyst-runs/{run_id}/feedback",
    summary: "Agree or disagree with the answer of a complete run; replaces earlier feedback",
    description: "It is recorded and has no further effect.",
    tag: "Analyst",
    body: AnalystFeedbackBody,
    response: single(AnalystRunDetail),
  },
} as const satisfies Record<string, Route>;
