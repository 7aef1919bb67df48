import type { AccessDecisions } from "../config/access.ts";
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
  /** Key for signing requests to the core and for encrypting a pending sign-in. */
  serviceKey: Uint8Array | string;
  oidc: {
    /** https, or http on loopback. */
    issuer: string;
    clientId: string;
    clientSecret: string;
    /** Asks for a refresh token (scope `offline_access`). */
    offlineAccess?: boolean;
  };
  /** Maps claims to tenants and roles. Evaluated at each request, so that a changed policy acts at once. */
  access: AccessDecisions;
  /** Display names of this installation's tenants by id; grants of other tenants are ignored. */
  tenants: ReadonlyMap<string, string>;
  /** Folder with the built dashboard. */
  staticDir: string;
  clock: Clock;
  logger: Logger;
  /** Absent: there is no `/metrics`. */
  metrics?: MetricsSettings;
  /** Request limits; default: those of the default rates. */
  limits?: WebLimits;
  /** How often the session of an open stream is read again, in milliseconds; default 10 s. */
  sessionCheckMs?: number;
  /** How long a request waits while claims are read again, in milliseconds; default 3 s. */
  claimsPatienceMs?: number;
  /** Limits for the core's answers. */
  coreTimeouts?: CoreTimeouts;
}
