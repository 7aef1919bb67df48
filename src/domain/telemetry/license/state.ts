import type { LicenseState } from "../../../contract/health/metrics.ts";
import type { Plan } from "../../../contract/telemetry/heartbeat.ts";
import type { PlanFacts } from "../heartbeat/facts.ts";
import type { LicenseChoice } from "./choice.ts";
import { keyIdHash, type License } from "./license.ts";

/** Grace period after the expiry: 72 hours. */
export const GRACE = 72 * 3_600_000_000;

interface Rule {
  when: string;
  /**
   * The plan reported to the registration server. An expired licence stays `pro` so that it can be renewed.
   */
  plan: Plan;
  /** Access to Pro modules; nothing else in the product depends on a licence. */
  proModules: "none" | "read_write" | "read_only";
}

/**
 * The states and, with `licenseState`, their transitions:
 *
 * | from                  | when                                                               | to                    |
 * |-----------------------|--------------------------------------------------------------------|-----------------------|
 * | any                   | the service starts or reloads (SIGHUP), and there is no file       | off                   |
 * | any                   | ..., and neither the file nor a renewal is usable                  | invalid               |
 * | any                   | ..., and one of them is usable                                     | valid, grace, expired |
 * | valid                 | the licence expires                                                | grace                 |
 * | grace                 | 72 hours later                                                     | expired               |
 * | valid, grace, expired | a renewal with a later expiry arrives                              | valid, grace, expired |
 * | grace, expired        | a clock wrong in the future is corrected within 72 hours           | the previous state    |
 */
export const LICENSE_RULES: Readonly<Record<LicenseState, Rule>> = {
  off: { when: "there is no licence file: the free plan", plan: "free", proModules: "none" },
  valid: { when: "until it expires", plan: "pro", proModules: "read_write" },
  grace: { when: "for 72 hours after that", plan: "pro", proModules: "read_write" },
  expired: { when: "from then on", plan: "pro", proModules: "read_only" },
  invalid: { when: "there is a licence file that cannot be used", plan: "free", proModules: "read_only" },
};

export function graceUntil({ expiresAt }: License): number {
  return expiresAt + GRACE;
}

/** `judgedAt`: evaluation time, see time.ts. */
export function licenseState({ license, fault }: LicenseChoice, evaluatedAt: number): LicenseState {
  if (license === null) return fault === null ? "off" : "invalid";
  if (evaluatedAt < license.expiresAt) return "valid";
  return evaluatedAt < graceUntil(license) ? "grace" : "expired";
}

/** Plan and key hash for the heartbeat and the registration. */
export function planFacts(choice: LicenseChoice, state: LicenseState): PlanFacts {
  const { plan } = LICENSE_RULES[state];
  return {
    plan,
    keyIdHash: plan === "pro" && choice.license !== null ? keyIdHash(choice.license.keyId) : null,
  };
}
