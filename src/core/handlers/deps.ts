import type { Site } from "../../contract/site.ts";
import type { GeoFacts } from "../../config/geoip/geoip.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Database } from "../../store/engine/database.ts";
import type { Cursors } from "../cursor.ts";
import type { HealthReporter } from "../health-reporter.ts";

/** What configuration says of a tenant. */
export interface TenantView {
  site: Site;
  sensors: readonly { sensorId: string; trust: string }[];
}

export interface HandlerDeps {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  tenants: ReadonlyMap<string, TenantView>;
  /** Present while the identity job is on; told when what it knows cannot be read. */
  identities?: { logger: Logger };
  health: Pick<HealthReporter, "report">;
  /** Places and networks of addresses; without it nothing is known of them. */
  geoip?: { lookup(ip: string): GeoFacts };
}
