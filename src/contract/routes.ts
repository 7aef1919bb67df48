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
    summary: "Get the site configuration and the progress of baseline learning",
    tag: "Site",
    response: single(SiteReport),
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
    summary: "List flows by start time, newest first; time window at most 31 days",
    tag: "Flows",
    query: FlowQuery,
    response: collection(Flow),
  },
  getFlowEvidence: {
    ...read,
    path: "/api/v1/flows/{flow_id}/evidence",
    summary: "List all observations of a flow with their raw records",
    tag: "Flows",
    query: FlowEvidenceQuery,
    response: collection(FlowObservation),
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
    summary: "Get the health report; 503 if the overall status is unavailable",
    description: HEALTH_TEXT,
    tag: "Health",
    response: single(HealthReport),
    alsoStatus: [503],
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
