import type { LicenseState } from "../../../contract/health/metrics.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { PlanFacts } from "../heartbeat/facts.ts";
import type { LicenseFacts } from "../../health/services.ts";
import type { LicenseChoice } from "./choice.ts";
import { graceUntil, licenseState, planFacts } from "./state.ts";
import { evaluationTime, type KnownTime } from "./time.ts";

const DAY = 86_400_000_000;
/** How long before the expiry to announce it. */
const NOTICE = 30 * DAY;
/** Virtual machines correct their clocks backwards by less than this. */
const BEHIND = 3_600_000_000;

/** The licence at one point in time. */
export interface LicenseStanding {
  choice: LicenseChoice;
  state: LicenseState;
  /** Evaluation time, microseconds: the later of the clock and the known time. */
  evaluatedAt: number;
  plan: PlanFacts;
  facts: LicenseFacts;
}

export interface StandingInput {
  choice: LicenseChoice;
  /** Null while there is no licence to evaluate. */
  known: KnownTime | null;
  /** Microseconds. */
  clock: number;
  /** Path of the administrator's licence file, for messages. */
  path: string;
  /** Whether the registration server is contacted for renewals. */
  renews: boolean;
}

export function licenseStanding({ choice, known, clock, path, renews }: StandingInput): LicenseStanding {
  const at = choice.license === null || known === null ? clock : evaluationTime(known, clock);
  const state = licenseState(choice, at);
  const { license } = choice;
  const facts: LicenseFacts = {
    state,
    expiresAt: license?.expiresAt ?? null,
    graceUntil: license === null ? null : graceUntil(license),
    seats: license?.seats ?? null,
    message: [
      ...choice.fault === null ? [] : [`${path} ${choice.fault}`],
      ...about(choice, state, at, renews),
      ...license !== null && at - clock > BEHIND ? [clockNotice(clock, at)] : [],
    ].join("; ") || null,
  };
  return { choice, state, evaluatedAt: at, plan: planFacts(choice, state), facts };
}

function about({ license }: LicenseChoice, state: LicenseState, at: number, renews: boolean): string[] {
  if (license === null) return state === "invalid" ? [READ_ONLY] : [];
  const [expires, until] = [license.expiresAt, graceUntil(license)].map(dayAndTime);
  switch (state) {
    case "grace":
      return [
        `the licence expired on ${expires}; Pro modules become read-only on ${until}`,
        renewal(renews),
      ];
    case "expired":
      return [
        `the licence expired on ${expires} and the grace period ended on ${until}`,
        READ_ONLY,
        renewal(renews),
      ];
    default:
      return license.expiresAt - at > NOTICE ? [] : [`the licence expires on ${expires}`, renewal(renews)];
  }
}

const READ_ONLY = "Pro modules are read-only; ingest continues and no data is lost";

function renewal(renews: boolean): string {
  return renews
    ? "the next heartbeat may renew it; otherwise install a new license.jwt"
    : "heartbeats are off, so it does not renew automatically: install a renewed license.jwt";
}

function clockNotice(clock: number, at: number): string {
  return `the clock reads ${dayAndTime(clock)}, but it is at least ${
    dayAndTime(at)
  }: the licence is evaluated at that time`;
}

/** `2026-01-31 07:15 UTC` */
function dayAndTime(micros: number): string {
  return `${formatMillis(micros).slice(0, 16).replace("T", " ")} UTC`;
}
