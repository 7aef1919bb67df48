import type { AnalystDesk } from "./analyst/analyst-desk.ts";
import type { Site } from "../../contract/site.ts";
import type { GeoFacts } from "../../config/geoip/geoip.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import type { Cursors } from "../cursor.ts";
import type { HealthReporter } from "../health-reporter.ts";

/** A tenant's configuration, as far as handlers need it. */
export interface TenantView {
  site: Site;
  /** Those of the site's VLANs included. */
  networks: readonly Cidr[];
  sensors: readonly { sensorId: string; trust: string }[];
}

export interface HandlerDeps {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  tenants: ReadonlyMap<string, TenantView>;
  /** Present if the identity job is enabled; the logger receives failures to read its results. */
  identities?: { logger: Logger };
  /** Bytes of JSON after which a page of a collection ends; default `MAX_PAGE_BYTES`. */
  pageBytes?: number;
  /** Milliseconds after which an export ends with a cursor; default five minutes. */
  exportMs?: number;
  health: Pick<HealthReporter, "report">;
  /** Whether actions need another person's approval; never without it. */
  secondPerson?: { isRequired(tenantId: string): boolean };
  /** Origin of the dashboard, for links in files; null or absent without one. */
  publicUrl?: string | null;
  /** The tenants' language models; without it no tenant has one. */
  analyst?: AnalystDesk;
  /** GeoIP lookups; without it addresses have no location. */
  geoip?: { lookup(ip: string): GeoFacts };
}
