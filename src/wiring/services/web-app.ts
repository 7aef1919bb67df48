import type { AccessDecisions } from "../../config/access.ts";
import type { Environment } from "../../config/environment.ts";
import { systemClock } from "../../kit/clock.ts";
import type { Logging } from "../../observe/log.ts";
import { createWebApp } from "../../web/app.ts";
import { scheduleMinutes } from "../../kit/schedule.ts";
import { CoreClient } from "../../web/core-client.ts";
import { WebReporter } from "../../web/report.ts";
import { OidcClient } from "../../web/session/oidc.ts";
import { webLimits } from "../../web/limits.ts";

interface WebParts {
  coreUrl: string;
  publicUrl: string;
  serviceKey: Uint8Array;
  oidc: { issuer: string; clientId: string; clientSecret: string; offlineAccess?: boolean };
  access: AccessDecisions;
  tenants: ReadonlyMap<string, string>;
  environment: Pick<Environment, "rates" | "metricsToken">;
  logging: Logging;
  /** Folder of the built dashboard. */
  dashboard: string;
  version: string;
}

/**
 * Reports each minute to the core until `signal`. The returned function sends a report at once.
 *
 * @param reloadFailure Where the newest reload found faults; null if it applied.
 */
export function startWebReports(
  { coreUrl, publicUrl, serviceKey, oidc, logging }: Omit<WebParts, "dashboard" | "version">,
  reloadFailure: () => string | null,
  signal: AbortSignal,
): () => Promise<void> {
  const log = logging.logger("web");
  const clock = systemClock;
  const reporter = new WebReporter({
    core: new CoreClient({ coreUrl, serviceKey, clock }),
    oidc: new OidcClient({ ...oidc, redirectUri: `${publicUrl}/auth/callback`, clock, logger: log }),
    log,
    reloadFailure,
  });
  scheduleMinutes("*", { name: "web-report", signal, logger: log }, () => reporter.send());
  void reporter.send();
  return () => reporter.send();
}

export function makeWeb({ logging, environment, dashboard, version, ...parts }: WebParts) {
  const limits = webLimits(environment.rates);
  const token = environment.metricsToken?.reveal();
  const metrics = token === undefined ? undefined : { token, version };
  return createWebApp({
    ...parts,
    limits,
    metrics,
    staticDir: dashboard,
    clock: systemClock,
    logger: logging.logger("web"),
  });
}
