// Configuration by tenant.

import type { AutomaticGates, TenantResponse } from "../config/response.ts";
import { defaultSite, type SiteConfig } from "../config/sites.ts";
import type { RegisteredSource } from "../config/sources.ts";
import type { TenantView } from "../core/handlers/deps.ts";

/** The site configuration of every tenant that has a site or a sensor. */
export function sitesByTenant(
  { sources, sites }: { sources: readonly RegisteredSource[]; sites: readonly SiteConfig[] },
): Map<string, SiteConfig> {
  const known = new Map(sites.map((site) => [site.tenantId, site]));
  for (const { source: { tenantId } } of sources) {
    if (!known.has(tenantId)) known.set(tenantId, defaultSite(tenantId));
  }
  return known;
}

/** Sites with the sensors that may send records. */
export function tenantViews(
  sites: ReadonlyMap<string, SiteConfig>,
  sources: readonly RegisteredSource[],
): Map<string, TenantView> {
  const sensors = sources.map(({ source }) => source);
  return new Map([...sites].map(([tenantId, { site, networks }]) => [tenantId, {
    site,
    networks,
    sensors: sensors.filter((sensor) => sensor.tenantId === tenantId),
  }]));
}

/** Minimum scores of a tenant's automatic response actions. */
export function gatesOf(response: readonly TenantResponse[], tenantId: string): AutomaticGates {
  return response.find((one) => one.tenantId === tenantId)?.automatic ?? {};
}

export function withGates(
  sites: ReadonlyMap<string, SiteConfig>,
  response: readonly TenantResponse[],
): Map<string, SiteConfig & { automatic: AutomaticGates }> {
  return new Map([...sites].map(([id, site]) => [id, { ...site, automatic: gatesOf(response, id) }]));
}
