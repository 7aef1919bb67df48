import type { AccessPolicy } from "../config/access.ts";
import type { Clock } from "../kit/clock.ts";
import type { Logger } from "../observe/log.ts";
import type { CoreTimeouts } from "./core-client.ts";
import type { WebLimits } from "./limits.ts";
import type { MetricsSettings } from "./metrics.ts";

export interface WebAppOptions {
  /** Origin under which browsers reach this service. https decides cookie names and HSTS. */
  publicUrl: string;
  /** Origin of the core. */
  coreUrl: string;
  /** What requests to the core are signed with, and what the pending sign-in is encrypted under. */
  serviceKey: Uint8Array | string;
  oidc: {
    /** https, or http on loopback. */
    issuer: string;
    clientId: string;
    clientSecret: string;
  };
  /** Which claims give which tenants and roles. Asked at each request, so a changed policy acts at once. */
  access: Pick<AccessPolicy, "grantsFor">;
  /** Display names of the tenants of this installation, by id; grants of other tenants give nothing. */
  tenants: ReadonlyMap<string, string>;
  /** Folder with the built dashboard. */
  staticDir: string;
  clock: Clock;
  logger: Logger;
  /** Absent: there is no `/metrics`. */
  metrics?: MetricsSettings;
  /** How much may be asked; default: that of the default rates. */
  limits?: WebLimits;
  /** How long the core may take. */
  coreTimeouts?: CoreTimeouts;
}
