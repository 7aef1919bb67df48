// Links to the pages of the dashboard: `<Link {...to.incident(id)}>`, `navigate(to.devices())`. The tenant is
// the one of the current address.

import type { Range, RangeSearch, Window } from "./time/range.ts";

/**
 * A target for `Link`, `Navigate` and `navigate`. It is typed as the address of the tenant: the functions below
 * check the parts of the others, so that pages need not know the route table.
 */
export interface Target {
  to: "/t/$tenant";
  // The router fills in the tenant of the current address.
  params: { tenant: string };
  search: RangeSearch;
}

type Values = Record<string, string | undefined>;

function target(path: string, params: Values = {}, search: Values = {}): Target {
  return { to: `/t/$tenant${path}`, params, search } as unknown as Target;
}

export interface ListTarget {
  /** A filter in the text form. */
  filter?: string;
  view?: string;
  /** The API's sort, for example `-score`. */
  sort?: string;
}

export interface ExploreTarget extends ListTarget {
  /** Values to rank. */
  top?: string;
  /** Changes the page's time range. */
  range?: Range;
  /** A window that belongs to this pivot only: shown as a chip that can be removed; the range stays. */
  scope?: Window;
}

function windowParams({ range, scope }: ExploreTarget): Values {
  const chosen: Values = range === undefined
    ? {}
    : "preset" in range
    ? { range: range.preset }
    : { from: range.from, to: range.to };
  return { ...chosen, ...scopeParams(scope) };
}

function scopeParams(scope: Window | undefined): Values {
  return { scope: scope && `${scope.from}/${scope.to}` };
}

function listParams({ filter, view, sort }: ListTarget): Values {
  return { filter: filter || undefined, view, sort };
}

export const to = {
  overview: () => target(""),
  triage: (list: ListTarget = {}) => target("/triage", {}, listParams(list)),
  incident: (incidentId: string) => target("/incidents/$incidentId", { incidentId }),
  explore: (list: ExploreTarget = {}) =>
    target("/explore", {}, { ...listParams(list), top: list.top, ...windowParams(list) }),
  flow: (flowId: string) => target("/flows/$flowId", { flowId }),
  map: (search: Values = {}) => target("/map", {}, search),
  devices: (list: ListTarget & { top?: string } = {}) =>
    target("/devices", {}, { ...listParams(list), top: list.top }),
  // The pages of values take the window of a pivot, as Explore does.
  device: (deviceId: string, scope?: Window) =>
    target("/devices/$deviceId", { deviceId }, scopeParams(scope)),
  address: (ip: string, scope?: Window) => target("/address/$ip", { ip }, scopeParams(scope)),
  domain: (name: string, scope?: Window) => target("/domain/$name", { name }, scopeParams(scope)),
  fingerprint: (value: string, scope?: Window) =>
    target("/fingerprint/$value", { value }, scopeParams(scope)),
  signature: (signature: string, scope?: Window) =>
    target("/signature/$signature", { signature }, scopeParams(scope)),
  review: (search: Values = {}) => target("/review", {}, search),
  responseAction: (actionId: string) => target("/review/actions/$actionId", { actionId }),
  suppressions: (search: Values = {}) => target("/review/suppressions", {}, search),
  proposals: (search: Values = {}) => target("/review/proposals", {}, search),
  feedback: (search: Values = {}) => target("/review/feedback", {}, search),
  health: (search: Values = {}) => target("/system/health", {}, search),
  records: (search: Values = {}) => target("/system/records", {}, search),
  audit: (search: Values = {}) => target("/system/audit", {}, search),
  telemetry: () => target("/system/telemetry"),
  settings: () => target("/system/settings"),
  help: (page?: string) =>
    page === undefined ? target("/system/help") : target("/system/help/$page", { page }),
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
