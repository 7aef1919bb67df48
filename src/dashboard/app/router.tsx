import { lazy as lazyPart } from "react";
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
  retainSearchParams,
  type RouteComponent,
} from "@tanstack/react-router";
import { EntityMenu } from "../entity/entity-menu-host.tsx";
import { type RangeSearch, readRangeSearch } from "../base/time/range.ts";
import { Broken, NotFound } from "./failure.tsx";
import { useSignedIn } from "../base/session.ts";
import { none } from "../base/search-params.ts";
import { readBrief } from "../brief/brief-search.ts";
import { readDevice } from "../device/device-search.ts";
import { readMap } from "../graph/map-search.ts";
import { readRecords } from "../health/failed-records-search.ts";
import { readHelp } from "../help/help-search.ts";
import { readTriage } from "../incident/triage/triage-search.ts";
import { readFeedback, readProposals, readReview, readSuppressions } from "../review/review-search.ts";
import { readList } from "../search/filter-search.ts";
import { readAudit } from "../session/audit-search.ts";
import { ReferenceText } from "../search/query-reference.tsx";
import { ProvideParts } from "../entity/parts.tsx";
import { lazyPage as lazy } from "./lazy-page.ts";
import { MENU_FORMS } from "./pages/menu-forms.ts";
import { SessionGate } from "./gate/session-gate.tsx";
import { Shell } from "./shell/shell.tsx";

const rootRoute = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
    </SessionGate>
  ),
});

const SearchHelp = lazyPart(() => import("../help/search-help.tsx"));

/** Every address names its tenant, so that a link shows the same to everyone who may open it. */
const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/t/$tenant",
  validateSearch: readRangeSearch,
  search: { middlewares: [retainSearchParams<RangeSearch>(["range", "from", "to"])] },
  component: () => (
    <ProvideParts parts={MENU_FORMS}>
      <ReferenceText value={SearchHelp}>
        <EntityMenu>
          <Shell>
            <Outlet />
          </Shell>
        </EntityMenu>
      </ReferenceText>
    </ProvideParts>
  ),
});

type Params = Record<string, unknown>;

/** A page below the tenant. Pages load when they are first opened. */
const page = <Path extends string, Search extends object>(
  path: Path,
  validateSearch: (search: Params) => Search,
  component: RouteComponent,
) => createRoute({ getParentRoute: () => tenantRoute, path, validateSearch, component });

const pages = [
  page("/", none, lazy(() => import("../overview/overview.tsx"), "Overview")),
  page("brief", readBrief, lazy(() => import("../brief/brief.tsx"), "Brief")),
  page("triage", readTriage, lazy(() => import("./pages/triage.tsx"), "Triage")),
  page("incidents/$incidentId", none, lazy(() => import("./pages/incident.tsx"), "IncidentPage")),
  page("explore", readList, lazy(() => import("../flow/explore.tsx"), "Explore")),
  page("flows/$flowId", none, lazy(() => import("../flow/flow.tsx"), "FlowPage")),
  page("map", readMap, lazy(() => import("../graph/map.tsx"), "MapPage")),
  page("devices", readList, lazy(() => import("./pages/devices.tsx"), "Devices")),
  page("devices/$deviceId", readDevice, lazy(() => import("./pages/device.tsx"), "DevicePage")),
  page("address/$ip", none, lazy(() => import("../flow/entity/entity-page.tsx"), "AddressPage")),
  page("domain/$name", none, lazy(() => import("../flow/entity/domain-page.tsx"), "DomainPage")),
  page(
    "fingerprint/$value",
    none,
    lazy(() => import("../flow/entity/entity-page.tsx"), "FingerprintPage"),
  ),
  page(
    "signature/$signature",
    none,
    lazy(() => import("../flow/entity/entity-page.tsx"), "SignaturePage"),
  ),
  page("detector/$detector", none, lazy(() => import("./pages/detector.tsx"), "DetectorPage")),
  page("review/actions", readReview, lazy(() => import("../review/review-page.tsx"), "Review")),
  page(
    "review/actions/$actionId",
    none,
    lazy(() => import("../review/response-page.tsx"), "ResponsePage"),
  ),
  page(
    "review/proposals",
    readProposals,
    lazy(() => import("../review/proposal/proposals.tsx"), "Proposals"),
  ),
  page(
    "review/feedback",
    readFeedback,
    lazy(() => import("../review/feedback/feedback.tsx"), "Feedback"),
  ),
  page(
    "review/suppressions",
    readSuppressions,
    lazy(() => import("../review/suppressions.tsx"), "Suppressions"),
  ),
  page("system/health", none, lazy(() => import("../health/health.tsx"), "Health")),
  page("system/records", readRecords, lazy(() => import("../health/failed-records.tsx"), "FailedRecords")),
  page("system/audit", readAudit, lazy(() => import("../session/audit.tsx"), "Audit")),
  page(
    "system/telemetry",
    none,
    lazy(() => import("../telemetry/telemetry-page.tsx"), "Telemetry"),
  ),
  page("system/settings", none, lazy(() => import("../settings/settings.tsx"), "Settings")),
  page("system/help", readHelp, lazy(() => import("../help/help.tsx"), "Help")),
  page("system/help/$page", readHelp, lazy(() => import("../help/help.tsx"), "Help")),
  // An unknown page keeps the navigation around it.
  page("$", none, NotFound),
] as const;

/** The address without a path leads to the overview of the session's tenant. */
function Start() {
  const { tenant } = useSignedIn();
  return <Navigate to="/t/$tenant" params={{ tenant }} search replace />;
}

const start = createRoute({ getParentRoute: () => rootRoute, path: "/", component: Start });
/** Every other address names its tenant. */
const unknown = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  component: () => (
    <main className="main" id="main">
      <NotFound />
    </main>
  ),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([start, unknown, tenantRoute.addChildren(pages)]),
  defaultNotFoundComponent: NotFound,
  // The code of a page is loaded again, too.
  defaultErrorComponent: ({ error, reset }) => (
    <Broken
      error={error}
      reset={() => void router.invalidate().then(reset)}
    />
  ),
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
