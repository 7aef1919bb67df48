import type { z } from "@hono/zod-openapi";
import { collection, single } from "./common.ts";
import { Device, DeviceDetail, DeviceDetailQuery, DevicePatch, DeviceQuery } from "./device.ts";
import { Flow, FlowEvidenceQuery, FlowObservation, FlowQuery } from "./flow.ts";
import { HealthReport } from "./health.ts";
import { Incident, IncidentDetail, IncidentPatch, IncidentQuery } from "./incident.ts";
import type { Role } from "./kinds.ts";
import { Session, TenantSelection } from "./session.ts";
import { Site } from "./site.ts";

/**
 * One operation of the API. Web and core both read this table: the web layer to check role, form and headers
 * before it signs, the core to check all of it again and to serve it; the OpenAPI document is made from it.
 */
export interface Route {
  method: "GET" | "POST" | "PATCH";
  /** OpenAPI path template. */
  path: string;
  summary: string;
  tag: string;
  /** The role both layers require; any role includes `reader`. */
  role: Role;
  /** `core`: proxied by a signed request. `web`: answered by the web layer itself. */
  servedBy: "core" | "web";
  /** Needs a selected tenant. */
  tenant: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** A write needs `Idempotency-Key`. */
  write: boolean;
  /** A write on a revisioned resource also needs `If-Match`, and the answer carries `ETag`. */
  revisioned: boolean;
  /** Answer status and body on success. */
  status: number;
  response: z.ZodType;
  /** Further statuses that carry the same body (health answers 503 with a report). */
  alsoStatus?: number[];
}

const read = {
  method: "GET",
  role: "reader",
  servedBy: "core",
  tenant: true,
  write: false,
  revisioned: false,
  status: 200,
} as const;
const patch = {
  method: "PATCH",
  role: "analyst",
  servedBy: "core",
  tenant: true,
  write: true,
  revisioned: true,
  status: 200,
} as const;

export const ROUTES = {
  getSite: {
    ...read,
    path: "/api/v1/site",
    summary: "The site configuration",
    tag: "Site",
    response: single(Site),
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

  getHealth: {
    ...read,
    path: "/api/v1/health",
    summary: "The health report; 503 when the overall status is unavailable",
    tag: "Health",
    response: single(HealthReport),
    alsoStatus: [503],
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
    response: single(Session),
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
