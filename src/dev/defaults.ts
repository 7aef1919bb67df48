// Defaults of `ndr up` for files that NDR_CONFIG_DIR lacks.

import type { TenantResponse } from "../config/response.ts";
import type { RegisteredSource } from "../config/sources.ts";
import { Secret } from "../config/secret.ts";
import { defaultSite, type SiteConfig } from "../config/sites.ts";
import { RECORD_KINDS, type RecordKind, type TrustClass } from "../contract/record/kinds.ts";

const TENANTS = [
  { tenantId: "main", displayName: "Headquarters" },
  { tenantId: "branch", displayName: "Branch office" },
];

const kindsOf = (source: string): RecordKind[] =>
  RECORD_KINDS.filter((kind) => kind.startsWith(`${source}.`));

interface SensorTemplate {
  name: string;
  kinds: RecordKind[];
  trust: TrustClass;
  exporters?: string[];
}

/** One sensor per source, so that each tenant has a source for every kind. */
const SENSORS: SensorTemplate[] = [
  { name: "zeek", kinds: kindsOf("zeek"), trust: "packet" },
  { name: "suricata", kinds: kindsOf("suricata"), trust: "packet" },
  // Documentation and loopback addresses, as a collector on this machine or an example would use, and the
  // sampler of the sample's second site.
  {
    name: "netflow",
    kinds: kindsOf("netflow"),
    trust: "exporter",
    exporters: ["127.0.0.1", "192.0.2.1", "192.168.0.1", "100.64.0.8"],
  },
  { name: "unbound", kinds: kindsOf("unbound"), trust: "firewall_app" },
];

/** Two tenants with a full set of sensors each; `tokenOf` returns a sensor's token. */
export function defaultSources(tokenOf: (sensorId: string) => string): RegisteredSource[] {
  return TENANTS.flatMap(({ tenantId }) =>
    SENSORS.map(({ name, kinds, trust, exporters }) => {
      const sensorId = `${tenantId}-${name}`;
      return {
        source: {
          sensorId,
          tenantId,
          allowedKinds: new Set(kinds),
          trust,
          expectedExporters: exporters ? new Set(exporters) : null,
        },
        token: new Secret(tokenOf(sensorId)),
      };
    })
  );
}

/** One executor per tenant, so that reports can be tried; automatic mode is off. */
export function defaultResponse(tokenOf: (executorId: string) => string): TenantResponse[] {
  return TENANTS.map(({ tenantId }) => {
    const executorId = `${tenantId}-executor`;
    return {
      tenantId,
      automatic: {},
      requireSecondPerson: false,
      executors: [{ executorId, tenantId, token: new Secret(tokenOf(executorId)) }],
    };
  });
}

export function defaultSites(): SiteConfig[] {
  return TENANTS.map(({ tenantId, displayName }) => {
    const config = defaultSite(tenantId);
    return { ...config, site: { ...config.site, display_name: displayName } };
  });
}
