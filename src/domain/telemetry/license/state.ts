import type { LicenseState } from "../../../contract/health/metrics.ts";
import type { Plan } from "../../../contract/telemetry/heartbeat.ts";
import type { PlanFacts } from "../heartbeat/facts.ts";
import type { LicenseChoice } from "./choice.ts";
import { keyIdHash, type License } from "./license.ts";

/** After the expiry, 72 hours. */
export const GRACE = 72 * 3_600_000_000;

interface Rule {
  when: string;
  /** What the installation tells the registration server. One that has expired stays `pro`, so that it can be renewed. */
  plan: Plan;
  /** What may be done with Pro modules; nothing else of the product asks for a licence. */
  proModules: "none" | "read_write" | "read_only";
}

/**
 * The states, and with `licenseState` their transitions:
 *
 * | from                  | when                                                                | to                    |
 * |-----------------------|---------------------------------------------------------------------|-----------------------|
 * | any                   | the service starts, or is told to by SIGHUP, and there is no file   | off                   |
 * | any                   | ..., and neither the file nor a renewal can be used                 | invalid               |
 * | any                   | ..., and one of them can                                            | valid, grace, expired |
 * | valid                 | it expires                                                          | grace                 |
 * | grace                 | 72 hours later                                                      | expired               |
 * | valid, grace, expired | a renewal comes that ends later                                     | valid, grace, expired |
 * | grace, expired        | a clock that was wrong into the future is put right within 72 hours | what it was before    |
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

/** `judgedAt`: src/domain/telemetry/license/time.ts. */
export function licenseState({ license, fault }: LicenseChoice, judgedAt: number): LicenseState {
  if (license === null) return fault === null ? "off" : "invalid";
  if (judgedAt < license.expiresAt) return "valid";
  return judgedAt < graceUntil(license) ? "grace" : "expired";
}

/** For the heartbeat and the registration. */
export function planFacts(choice: LicenseChoice, state: LicenseState): PlanFacts {
  const { plan } = LICENSE_RULES[state];
  return {
    plan,
    keyIdHash: plan === "pro" && choice.license !== null ? keyIdHash(choice.license.keyId) : null,
  };
}
