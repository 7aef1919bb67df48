import type { Route } from "../../src/contract/routes.ts";

/** Stands for any object. */
export const SOME_ID = "0190b2c3-0000-7000-8000-000000000001";

const BODIES: Record<string, unknown> = {
  "/api/v1/devices/{device_id}": { display_name: "Printer" },
  "/api/v1/incidents/{incident_id}": { status: "investigating" },
  "/api/v1/incidents/{incident_id}/assignee": { assignee: "bob" },
  "/api/v1/incidents/{incident_id}/comments": { comment: "The owner was asked." },
  "/api/v1/suppressions": {
    pattern: { source: "10.0.0.5", detector: "beacon" },
    reason: "the backup agent",
    expires_at: "2026-03-01T00:00:00Z",
  },
  "/api/v1/suppressions/preview": {
    pattern: { source: "10.0.0.5", detector: "beacon" },
    incident_id: SOME_ID,
  },
  "/api/v1/suppressions/{suppression_id}/revocation": { reason: "the agent is gone" },
  "/api/v1/models/feedback": {
    model_id: "beacon",
    incident_id: SOME_ID,
    verdict: "useful",
  },
  "/api/v1/devices/{device_id}/classification-suggestions": { device_type: "printer", reason: "it prints" },
  "/api/v1/model-proposals": {
    model_id: "beacon",
    action: "change_threshold",
    details: "Half the points for sizes.",
    reason: "sizes say little here",
  },
  "/api/v1/triage-proposals": {
    incident_id: SOME_ID,
    incident_status: "resolved",
    reason: "seen before",
  },
  "/api/v1/proposals/{proposal_id}/decision": { decision: "accepted" },
  "/api/v1/incidents/{incident_id}/response-actions": { kind: "notify_only", reason: "the owner must know" },
  "/api/v1/response-actions/{action_id}/decision": { decision: "approved" },
  "/api/v1/search/interpret": { query: "dst.port:443", mode: "auto" },
  "/api/v1/search/proposal/preview": { query: "which machines phone home over ssh" },
  "/api/v1/search/proposal": { query: "which machines phone home over ssh" },
  "/api/v1/search": { version: 1, kind: "flows", where: null },
  "/api/v1/search/aggregate": { filter: { version: 1, kind: "flows", where: null } },
  "/api/v1/saved-searches": { name: "Web", scope: "shared", kind: "flows", text: "dst.port:443" },
  "/api/v1/saved-searches/{saved_search_id}": { name: "Web traffic" },
  "/api/v1/incidents/{incident_id}/analyst-runs": {},
  "/api/v1/analyst-runs/{run_id}/cancellation": {},
  "/api/v1/analyst-runs/{run_id}/feedback": { agrees: true },
  "/api/v1/session/tenant": { tenant_id: "main" },
};

/** A request that a route accepts, except for the credentials. */
export function aRequestFor(route: Route) {
  const body = route.body ? BODIES[route.path] : undefined;
  if (route.body && body === undefined) throw new Error(`say in requests.ts what ${route.path} takes`);
  const headers: Record<string, string> = {};
  if (route.write) headers["idempotency-key"] = crypto.randomUUID();
  if (route.revisioned) headers["if-match"] = '"1"';
  return {
    method: route.method,
    target: route.path.replaceAll(/\{\w+\}/g, SOME_ID),
    body,
    headers,
  };
}
