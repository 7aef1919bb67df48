import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  retainSearchParams,
} from "@tanstack/react-router";
import type { AuditOutcome } from "../../contract/session/audit.ts";
import type { EvidenceSource, IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { SuppressionStatus } from "../../contract/review/suppression.ts";
import { Shell } from "./shell.tsx";
import { STATUS_ORDER } from "../ui/tags.tsx";
import { Audit, AUDIT_OUTCOMES } from "../session/audit.tsx";
import { DevicePage } from "../device/device.tsx";
import { Devices } from "../device/devices.tsx";
import { Broken, NotFound } from "./failure.tsx";
import { FlowPage } from "../flow/flow.tsx";
import { Flows } from "../flow/flows.tsx";
import { FLOW_SOURCES } from "../flow/flow-sources.ts";
import { Health } from "../health/health.tsx";
import { IncidentPage } from "../incident/incident.tsx";
import { Incidents, SUPPRESSED_VIEWS, type SuppressedView } from "../incident/incidents.tsx";
import { Overview } from "./overview.tsx";
import { SUPPRESSION_ORDER, Suppressions } from "../review/suppressions.tsx";
import { type RangeSearch, readRangeSearch } from "../ui/time/range.ts";
import { SessionGate } from "./session-gate.tsx";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { DEVICE_VIEWS, type DeviceView } from "../device/device-views.ts";

type Search = Record<string, unknown>;

/** A non-empty text parameter, otherwise undefined: a mistyped address must not break a page. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((one) => one === value);
}

const rootRoute = createRootRoute({
  validateSearch: readRangeSearch,
  search: { middlewares: [retainSearchParams<RangeSearch>(["range", "from", "to"])] },
  component: () => (
    <SessionGate>
      <Shell>
        <Outlet />
      </Shell>
    </SessionGate>
  ),
});
const overview = createRoute({ getParentRoute: () => rootRoute, path: "/", component: Overview });
const incidents = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents",
  validateSearch: (search: Search): {
    status?: IncidentStatus;
    severity?: Severity;
    device_id?: string;
    suppressed?: SuppressedView;
  } => ({
    status: oneOf(STATUS_ORDER, search.status),
    severity: oneOf(SEVERITY_ORDER, search.severity),
    device_id: text(search.device_id),
    suppressed: oneOf(SUPPRESSED_VIEWS, search.suppressed),
  }),
  component: Incidents,
});
const incident = createRoute({
  getParentRoute: () => rootRoute,
  path: "/incidents/$incidentId",
  component: IncidentPage,
});
const devices = createRoute({
  getParentRoute: () => rootRoute,
  path: "/devices",
  validateSearch: (search: Search) => ({
    query: text(search.query),
    device_type: text(search.device_type),
    vlan_id: text(search.vlan_id),
    risk_min: text(search.risk_min),
  } as { query?: string; device_type?: string; vlan_id?: string; risk_min?: string }),
  component: Devices,
});
const device = createRoute({
  getParentRoute: () => rootRoute,
  path: "/devices/$deviceId",
  validateSearch: (search: Search): { view?: DeviceView } => ({ view: oneOf(DEVICE_VIEWS, search.view) }),
  component: DevicePage,
});
const flows = createRoute({
  getParentRoute: () => rootRoute,
  path: "/flows",
  validateSearch: (search: Search): {
    device_id?: string;
    peer_ip?: string;
    proto?: string;
    service?: string;
    source?: EvidenceSource;
    incident_id?: string;
  } => ({
    device_id: text(search.device_id),
    peer_ip: text(search.peer_ip),
    proto: text(search.proto),
    service: text(search.service),
    source: oneOf(FLOW_SOURCES, search.source),
    incident_id: text(search.incident_id),
  }),
  component: Flows,
});
const flow = createRoute({ getParentRoute: () => rootRoute, path: "/flows/$flowId", component: FlowPage });
const suppressions = createRoute({
  getParentRoute: () => rootRoute,
  path: "/suppressions",
  validateSearch: (search: Search): { status?: SuppressionStatus } => ({
    status: oneOf(SUPPRESSION_ORDER, search.status),
  }),
  component: Suppressions,
});
const audit = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: (search: Search): {
    subject?: string;
    operation?: string;
    target_id?: string;
    outcome?: AuditOutcome;
  } => ({
    subject: text(search.subject),
    operation: text(search.operation),
    target_id: text(search.target_id),
    outcome: oneOf(AUDIT_OUTCOMES, search.outcome),
  }),
  component: Audit,
});
const health = createRoute({ getParentRoute: () => rootRoute, path: "/health", component: Health });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overview,
    incidents,
    incident,
    devices,
    device,
    flows,
    flow,
    suppressions,
    audit,
    health,
  ]),
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Broken error={error} reset={reset} />,
  // Plain `name=value` pairs, so that addresses can be read, typed and shared.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) {
      if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
    }
    const text = query.toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
