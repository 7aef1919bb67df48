// Links to the pages of the dashboard: `<Link {...to.incident(id)}>`, `navigate(to.devices())`. The tenant is
// the one of the current address.

import { type LinkOptions, linkOptions, type RegisteredRouter } from "@tanstack/react-router";
import { type Range, searchOf, type Window } from "./time/range.ts";

/** A target for `Link`, `Navigate` and `navigate`; the functions below check its parts against the routes. */
export type Target = LinkOptions;

type Routes = RegisteredRouter["routesByPath"];
type SearchOf<Path extends keyof Routes> = Partial<Routes[Path]["types"]["fullSearchSchema"]>;

/** Every page is in the tenant of the current address. */
const from = "/t/$tenant";

interface ListTarget {
  /** A filter in the text form. */
  filter?: string;
  view?: string;
  /** The API's sort, for example `-score`. */
  sort?: string;
}

interface ExploreTarget extends ListTarget {
  /** Values to rank. */
  top?: string;
  /** Changes the page's time range. */
  range?: Range;
  /** A window that belongs to this pivot only: shown as a chip that can be removed; the range stays. */
  scope?: Window;
}

function scopeParams(scope: Window | undefined) {
  return { scope: scope && `${scope.from}/${scope.to}` };
}

function listParams({ filter, view, sort }: ListTarget) {
  return { filter: filter || undefined, view, sort };
}

export const to = {
  overview: (): Target => linkOptions({ from, to: "/t/$tenant" }),
  brief: (date?: string): Target => linkOptions({ from, to: "/t/$tenant/brief", search: { date } }),
  triage: (list: ListTarget = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/triage", search: listParams(list) }),
  incident: (incidentId: string): Target =>
    linkOptions({ from, to: "/t/$tenant/incidents/$incidentId", params: { incidentId } }),
  explore: ({ top, range, scope, ...list }: ExploreTarget = {}): Target =>
    linkOptions({
      from,
      to: "/t/$tenant/explore",
      search: { ...listParams(list), top, ...range && searchOf(range), ...scopeParams(scope) },
    }),
  flow: (flowId: string): Target => linkOptions({ from, to: "/t/$tenant/flows/$flowId", params: { flowId } }),
  map: (search: SearchOf<"/t/$tenant/map"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/map", search }),
  devices: ({ top, ...list }: ListTarget & { top?: string } = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/devices", search: { ...listParams(list), top } }),
  // The pages of values take the window of a pivot, as Explore does.
  device: (deviceId: string, scope?: Window): Target =>
    linkOptions({
      from,
      to: "/t/$tenant/devices/$deviceId",
      params: { deviceId },
      search: scopeParams(scope),
    }),
  address: (ip: string, scope?: Window): Target =>
    linkOptions({ from, to: "/t/$tenant/address/$ip", params: { ip }, search: scopeParams(scope) }),
  domain: (name: string, scope?: Window): Target =>
    linkOptions({ from, to: "/t/$tenant/domain/$name", params: { name }, search: scopeParams(scope) }),
  fingerprint: (value: string, scope?: Window): Target =>
    linkOptions({
      from,
      to: "/t/$tenant/fingerprint/$value",
      params: { value },
      search: scopeParams(scope),
    }),
  signature: (signature: string, scope?: Window): Target =>
    linkOptions({
      from,
      to: "/t/$tenant/signature/$signature",
      params: { signature },
      search: scopeParams(scope),
    }),
  detector: (detector: string, scope?: Window): Target =>
    linkOptions({
      from,
      to: "/t/$tenant/detector/$detector",
      params: { detector },
      search: scopeParams(scope),
    }),
  review: (search: SearchOf<"/t/$tenant/review/actions"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/review/actions", search }),
  responseAction: (actionId: string): Target =>
    linkOptions({ from, to: "/t/$tenant/review/actions/$actionId", params: { actionId } }),
  suppressions: (search: SearchOf<"/t/$tenant/review/suppressions"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/review/suppressions", search }),
  proposals: (search: SearchOf<"/t/$tenant/review/proposals"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/review/proposals", search }),
  feedback: (search: SearchOf<"/t/$tenant/review/feedback"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/review/feedback", search }),
  health: (): Target => linkOptions({ from, to: "/t/$tenant/system/health" }),
  records: (search: SearchOf<"/t/$tenant/system/records"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/system/records", search }),
  audit: (search: SearchOf<"/t/$tenant/system/audit"> = {}): Target =>
    linkOptions({ from, to: "/t/$tenant/system/audit", search }),
  telemetry: (): Target => linkOptions({ from, to: "/t/$tenant/system/telemetry" }),
  settings: (): Target => linkOptions({ from, to: "/t/$tenant/system/settings" }),
  helpSearch: (q: string): Target => linkOptions({ from, to: "/t/$tenant/system/help", search: { q } }),
  help: (page?: string): Target =>
    page === undefined
      ? linkOptions({ from, to: "/t/$tenant/system/help" })
      : linkOptions({ from, to: "/t/$tenant/system/help/$page", params: { page } }),
};

/** The tenant that a path names; null for an address without one. */
export function tenantOfPath(pathname: string): string | null {
  const found = /^\/t\/([^/]+)/.exec(pathname)?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}
