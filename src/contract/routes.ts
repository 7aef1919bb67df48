import { ANALYST_ROUTES } from "./analyst/analyst-routes.ts";
import { AuditEntry, AuditQuery } from "./session/audit.ts";
import { BRIEF_ROUTES } from "./brief/brief-routes.ts";
import { collection, single } from "./request/common.ts";
import { Device, DeviceDetail, DevicePatch } from "./device/device.ts";
import { DeviceDetailQuery, DeviceQuery } from "./device/query.ts";
import { Flow, FlowEvidenceQuery, FlowObservation, FlowQuery, RawPayload } from "./flow/flow.ts";
import { FAILED_RECORDS_TEXT, FailedRecord, FailedRecordQuery } from "./record/failed-record.ts";
import { CoverageQuery, MAX_COVERAGE_DAYS, SensorCoverage } from "./health/coverage.ts";
import { GRAPH_ROUTES } from "./graph/graph-routes.ts";
import { HealthReport, HealthTransition, HealthTransitionQuery } from "./health/health.ts";
import { HEALTH_TEXT } from "./health/conditions.ts";
import {
  Incident,
  IncidentAssignment,
  IncidentComment,
  IncidentDetail,
  IncidentPatch,
  IncidentQuery,
} from "./incident/incident.ts";
import { CASE_TEXT, CaseFile, CaseQuery } from "./incident/case.ts";
import { RESPONSE_ROUTES } from "./review/response-routes.ts";
import { REVIEW_ROUTES } from "./review/review-routes.ts";
import { patch, read, type Route } from "./request/route.ts";
import { Session, TenantSelection } from "./session/session.ts";
import { SEARCH_ROUTES } from "./search/search-routes.ts";
import { SiteReport } from "./site.ts";
import { Summary } from "./summary.ts";
import { Person, PersonQuery } from "./session/person.ts";

export type { Route };

export const ROUTES = {
  getSite: {
    ...read,
    path: "/api/v1/site",
    summary: "Get the site configuration and the progress of baseline learning",
    tag: "Site",
    response: single(SiteReport),
  },

  getSummary: {
    ...read,
    conditional: true,
    path: "/api/v1/summary",
    summary: "Get counts of open work and marks that change with each list, for clients that poll",
    description:
      "The answer has an `ETag`. Send it as `If-None-Match` with the next request: as long as nothing has changed, the " +
      "answer is 304 without a body. Poll at most every few seconds.",
    tag: "Summary",
    response: single(Summary),
  },

  listDevices: {
    ...read,
    path: "/api/v1/devices",
    summary: "List devices in the order in which they were first recorded",
    tag: "Devices",
    query: DeviceQuery,
    response: collection(Device),
  },
  getDevice: {
    ...read,
    path: "/api/v1/devices/{device_id}",
    summary: "Get one device; peers, services and the activity grid cover the time window, at most 31 days",
    tag: "Devices",
    query: DeviceDetailQuery,
    response: single(DeviceDetail),
  },
  patchDevice: {
    ...patch,
    path: "/api/v1/devices/{device_id}",
    summary: "Confirm or correct a device; its classification becomes human_confirmed",
    tag: "Devices",
    body: DevicePatch,
    response: single(DeviceDetail),
  },

  listFlows: {
    ...read,
    path: "/api/v1/flows",
    summary: "List flows, by default the newest first; time window at most 31 days",
    tag: "Flows",
    query: FlowQuery,
    response: collection(Flow),
  },
  getFlow: {
    ...read,
    path: "/api/v1/flows/{flow_id}",
    summary: "Get one flow",
    tag: "Flows",
    response: single(Flow),
  },
  getFlowEvidence: {
    ...read,
    path: "/api/v1/flows/{flow_id}/evidence",
    summary: "List all observations of a flow with their raw records",
    tag: "Flows",
    query: FlowEvidenceQuery,
    response: collection(FlowObservation),
  },
  getEvidence: {
    ...read,
    path: "/api/v1/evidence/{evidence_id}",
    summary: "Get one observation of a flow with its raw record",
    description: "Available while the raw record is retained, and for open incidents beyond that.",
    tag: "Flows",
    response: single(FlowObservation),
  },
  getRawRecord: {
    ...read,
    path: "/api/v1/evidence/{evidence_id}/raw",
    summary: "Download the raw record behind an evidence item, whatever its size",
    description:
      "The payload's exact bytes as a file, without an envelope. A record that could not be normalised belongs to no flow; " +
      "its raw record requires the role `admin`.",
    tag: "Flows",
    download: true,
    response: RawPayload,
  },

  listIncidents: {
    ...read,
    path: "/api/v1/incidents",
    summary: "List incidents, newest first; the time window applies to last_seen",
    tag: "Incidents",
    query: IncidentQuery,
    response: collection(Incident),
  },
  getIncident: {
    ...read,
    path: "/api/v1/incidents/{incident_id}",
    summary: "Get one incident with its evidence, model results and history",
    tag: "Incidents",
    response: single(IncidentDetail),
  },
  exportIncident: {
    ...read,
    path: "/api/v1/incidents/{incident_id}/export",
    summary: "Download an incident as a case file, a report or its raw records",
    description: CASE_TEXT,
    tag: "Incidents",
    query: CaseQuery,
    download: {
      types: [
        "application/json",
        "text/html",
        "text/markdown",
        "application/x-ndjson",
        "application/stix+json",
      ],
    },
    response: CaseFile,
  },
  patchIncident: {
    ...patch,
    path: "/api/v1/incidents/{incident_id}",
    summary: "Change the status, with a comment",
    tag: "Incidents",
    body: IncidentPatch,
    response: single(IncidentDetail),
  },
  assignIncident: {
    ...patch,
    method: "PUT",
    path: "/api/v1/incidents/{incident_id}/assignee",
    summary: "Assign an incident to a person, or remove the assignment",
    tag: "Incidents",
    body: IncidentAssignment,
    response: single(IncidentDetail),
  },
  commentIncident: {
    ...patch,
    method: "POST",
    revisioned: false,
    tagged: true,
    status: 201,
    path: "/api/v1/incidents/{incident_id}/comments",
    summary: "Comment on an incident without changing its status",
    tag: "Incidents",
    body: IncidentComment,
    response: single(IncidentDetail),
  },

  ...GRAPH_ROUTES,

  ...SEARCH_ROUTES,

  ...ANALYST_ROUTES,

  ...REVIEW_ROUTES,

  ...RESPONSE_ROUTES,

  ...BRIEF_ROUTES,

  getHealth: {
    ...read,
    path: "/api/v1/health",
    summary: "Get the health report; 503 if the overall status is unavailable",
    description: HEALTH_TEXT,
    tag: "Health",
    response: single(HealthReport),
    alsoStatus: [503],
  },

  getCoverage: {
    ...read,
    path: "/api/v1/health/coverage",
    summary: `Get the hours in which each sensor delivered records; at most ${MAX_COVERAGE_DAYS} days`,
    tag: "Health",
    query: CoverageQuery,
    response: single(SensorCoverage),
  },
  listHealthTransitions: {
    ...read,
    path: "/api/v1/health/transitions",
    summary: "List changes of health, newest first; kept for 90 days",
    tag: "Health",
    query: HealthTransitionQuery,
    response: collection(HealthTransition),
  },

  listRecords: {
    ...read,
    role: "admin",
    path: "/api/v1/records",
    summary: "List unparsed records and rejected lines, newest first; the time window applies to received_at",
    description: FAILED_RECORDS_TEXT,
    tag: "Health",
    query: FailedRecordQuery,
    response: collection(FailedRecord),
  },

  listAudit: {
    ...read,
    role: "admin",
    path: "/api/v1/audit",
    summary: "List audit entries, newest first: writes, authorization failures, sign-ins and session ends",
    tag: "Audit",
    query: AuditQuery,
    response: collection(AuditEntry),
  },

  listPeople: {
    ...read,
    path: "/api/v1/people",
    summary: "List the people who have signed in to the tenant, by subject",
    description:
      "Gives the names of the subjects in histories and assignments. A person is listed from the first sign-in that grants " +
      "a role in the tenant until as long after the last one as audit rows are kept.",
    tag: "Session",
    query: PersonQuery,
    response: collection(Person),
  },
  getSession: {
    ...read,
    servedBy: "web",
    tenant: false,
    path: "/api/v1/session",
    summary: "Get the signed-in user with tenants and roles",
    tag: "Session",
    response: single(Session),
  },
  selectTenant: {
    ...read,
    method: "POST",
    servedBy: "web",
    tenant: false,
    write: true,
    path: "/api/v1/session/tenant",
    summary: "Select the tenant for all tenant-scoped operations",
    tag: "Session",
    body: TenantSelection,
    choosesTenant: true,
    response: single(Session),
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;

/** The operation id of a route of the table. */
export function operationIdOf(route: Route): OperationId {
  const found = Object.entries(ROUTES).find(([, one]) => one === route);
  if (found === undefined) throw new TypeError(`route not in the table: ${route.path}`);
  return found[0] as OperationId;
}
