import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from "@tanstack/react-router";
import { EntityMenu } from "../entity/entity-menu-host.tsx";
import { type RangeSearch, readRangeSearch } from "../base/time/range.ts";
import { Broken, NotFound } from "./failure.tsx";
import { OldAddress } from "./gate/old-address.tsx";
import * as search from "./search-params.ts";
import { SessionGate } from "./gate/session-gate.tsx";
import { Shell } from "./shell/shell.tsx";

const rootRoute = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
    </SessionGate>
  ),
});

/** Every address names its tenant, so that a link shows the same to everyone who may open it. */
const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/t/$tenant",
  validateSearch: readRangeSearch,
  search: { middlewares: [retainSearchParams<RangeSearch>(["range", "from", "to"])] },
  component: () => (
    <EntityMenu>
      <Shell>
        <Outlet />
      </Shell>
    </EntityMenu>
  ),
});

type Params = Record<string, unknown>;

/** A page below the tenant. Pages load when they are first opened. */
const page = <Path extends string, Search extends object, Component>(
  path: Path,
  validateSearch: (search: Params) => Search,
  component: Component,
) => createRoute({ getParentRoute: () => tenantRoute, path, validateSearch, component: component as never });

const lazy = lazyRouteComponent;

const pages = [
  page("/", search.none, lazy(() => import("../overview/overview.tsx"), "Overview")),
  page("triage", search.triage, lazy(() => import("../incident/triage/triage.tsx"), "Triage")),
  page("incidents/$incidentId", search.none, lazy(() => import("../incident/incident.tsx"), "IncidentPage")),
  page("explore", search.list, lazy(() => import("../flow/explore.tsx"), "Explore")),
  page("flows/$flowId", search.none, lazy(() => import("../flow/flow.tsx"), "FlowPage")),
  page("map", search.map, lazy(() => import("../graph/map.tsx"), "MapPage")),
  page("devices", search.list, lazy(() => import("../device/devices.tsx"), "Devices")),
  page("devices/$deviceId", search.device, lazy(() => import("../device/device.tsx"), "DevicePage")),
  page("address/$ip", search.none, lazy(() => import("../flow/entity/entity-page.tsx"), "AddressPage")),
  page("domain/$name", search.none, lazy(() => import("../flow/entity/entity-page.tsx"), "DomainPage")),
  page(
    "fingerprint/$value",
    search.none,
    lazy(() => import("../flow/entity/entity-page.tsx"), "FingerprintPage"),
  ),
  page(
    "signature/$signature",
    search.none,
    lazy(() => import("../flow/entity/entity-page.tsx"), "SignaturePage"),
  ),
  page("respond/decisions", search.decisions, lazy(() => import("../review/decisions.tsx"), "Decisions")),
  page(
    "respond/decisions/$actionId",
    search.none,
    lazy(() => import("../review/decision-page.tsx"), "DecisionPage"),
  ),
  page(
    "respond/proposals",
    search.proposals,
    lazy(() => import("../review/proposal/proposals.tsx"), "Proposals"),
  ),
  page(
    "respond/feedback",
    search.feedback,
    lazy(() => import("../review/feedback/feedback.tsx"), "Feedback"),
  ),
  page(
    "respond/suppressions",
    search.suppressions,
    lazy(() => import("../review/suppressions.tsx"), "Suppressions"),
  ),
  page("system/health", search.none, lazy(() => import("../health/health.tsx"), "Health")),
  page("system/records", search.records, lazy(() => import("../health/failed-records.tsx"), "FailedRecords")),
  page("system/audit", search.audit, lazy(() => import("../session/audit.tsx"), "Audit")),
  page(
    "system/telemetry",
    search.none,
    lazy(() => import("../telemetry/telemetry-page.tsx"), "Telemetry"),
  ),
  page("system/settings", search.none, lazy(() => import("../settings/settings.tsx"), "Settings")),
  page("system/help", search.help, lazy(() => import("../help/help.tsx"), "Help")),
  page("system/help/$page", search.help, lazy(() => import("../help/help.tsx"), "Help")),
  // An unknown page keeps the navigation around it.
  page("$", search.none, NotFound),
] as const;

/** `/`, and addresses from before the tenant was part of them. */
const start = createRoute({ getParentRoute: () => rootRoute, path: "/", component: OldAddress });
const old = createRoute({ getParentRoute: () => rootRoute, path: "$", component: OldAddress });

export const router = createRouter({
  routeTree: rootRoute.addChildren([start, old, tenantRoute.addChildren(pages)]),
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Broken error={error} reset={reset} />,
  defaultPreload: "intent",
  // The shell restores scroll position and focus together.
  scrollRestoration: () => false,
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
