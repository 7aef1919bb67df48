import { AuditEntry, AuditQuery } from "./session/audit.ts";
import { collection, single } from "./request/common.ts";
import { Device, DeviceDetail, DevicePatch } from "./device/device.ts";
import { DeviceDetailQuery, DeviceQuery } from "./device/query.ts";
import { Flow, FlowEvidenceQuery, FlowObservation, FlowQuery } from "./flow/flow.ts";
import { HealthReport } from "./health/health.ts";
import { HEALTH_TEXT } from "./health/conditions.ts";
import { Incident, IncidentDetail, IncidentPatch, IncidentQuery } from "./incident/incident.ts";
import { RESPONSE_ROUTES } from "./review/response-routes.ts";
import { REVIEW_ROUTES } from "./review/review-routes.ts";
import { patch, read, type Route } from "./request/route.ts";
import { Session, TenantSelection } from "./session/session.ts";
import { SiteReport } from "./site.ts";

export type { Route };

export const ROUTES = {
  getSite: {
    ...read,
    path: "/api/v1/site",
    summary: "The site configuration, and how far what is usual there is learned",
    tag: "Site",
    response: single(SiteReport),
  },

  listDevices: {
    ...read,
    path: "/api/v1/devices",
    summary: "Devices, in the order they were first recorded",
    tag: "Devices",
    query: DeviceQuery,
    response: collection(Device),
  },
  getDevice: {
    ...read,
    path: "/api/v1/devices/{device_id}",
    summary: "One device in detail; peers, services and the grid cover the window, at most 31 days",
    tag: "Devices",
    query: DeviceDetailQuery,
    response: single(DeviceDetail),
  },
  patchDevice: {
    ...patch,
    path: "/api/v1/devices/{device_id}",
    summary: "Confirm or correct a device; the classification becomes human_confirmed",
    tag: "Devices",
    body: DevicePatch,
    response: single(DeviceDetail),
  },

  listFlows: {
    ...read,
    path: "/api/v1/flows",
    summary: "Flows by start time, newest first; window at most 31 days",
    tag: "Flows",
    query: FlowQuery,
    response: collection(Flow),
  },
  getFlowEvidence: {
    ...read,
    path: "/api/v1/flows/{flow_id}/evidence",
    summary: "Every observation of a flow, with the raw record behind it",
    tag: "Flows",
    query: FlowEvidenceQuery,
    response: collection(FlowObservation),
  },

  listIncidents: {
    ...read,
    path: "/api/v1/incidents",
    summary: "Incidents, newest first; the window applies to last_seen",
    tag: "Incidents",
    query: IncidentQuery,
    response: collection(Incident),
  },
  getIncident: {
    ...read,
    path: "/api/v1/incidents/{incident_id}",
    summary: "One incident with its evidence, model results and history",
    tag: "Incidents",
    response: single(IncidentDetail),
  },
  patchIncident: {
    ...patch,
    path: "/api/v1/incidents/{incident_id}",
    summary: "Change the status, with a comment",
    tag: "Incidents",
    body: IncidentPatch,
    response: single(IncidentDetail),
  },

  ...REVIEW_ROUTES,

  ...RESPONSE_ROUTES,

  getHealth: {
    ...read,
    path: "/api/v1/health",
    summary: "The health report; 503 when the overall status is unavailable",
    description: HEALTH_TEXT,
    tag: "Health",
    response: single(HealthReport),
    alsoStatus: [503],
  },

  listAudit: {
    ...read,
    role: "admin",
    path: "/api/v1/audit",
    summary: "Who did what: writes, refusals for lack of rights, sign-ins and ends of sessions, newest first",
    tag: "Audit",
    query: AuditQuery,
    response: collection(AuditEntry),
  },

  getSession: {
    ...read,
    servedBy: "web",
    tenant: false,
    path: "/api/v1/session",
    summary: "Who is signed in, with which tenants and roles",
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
    summary: "Select the tenant that data routes use",
    tag: "Session",
    body: TenantSelection,
    choosesTenant: true,
    response: single(Session),
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;

/** The name of an operation of the table. */
export function operationIdOf(route: Route): OperationId {
  const found = Object.entries(ROUTES).find(([, one]) => one === route);
  if (found === undefined) throw new TypeError(`not in the route table: ${route.path}`);
  return found[0] as OperationId;
}
