import type { LicenseState } from "../../../contract/health/metrics.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { PlanFacts } from "../heartbeat/facts.ts";
import type { LicenseFacts } from "../../health/services.ts";
import type { LicenseChoice } from "./choice.ts";
import { graceUntil, licenseState, planFacts } from "./state.ts";
import { judgedAt, type KnownTime } from "./time.ts";

const DAY = 86_400_000_000;
/** So long before the expiry it is told. */
const NOTICE = 30 * DAY;
/** Clocks of virtual machines go back by less when they are put right. */
const BEHIND = 3_600_000_000;

/** How the licence stands at one moment. */
export interface LicenseStanding {
  choice: LicenseChoice;
  state: LicenseState;
  /** By what it is judged, microseconds: the clock, or the latest time that is known to have come. */
  judgedAt: number;
  plan: PlanFacts;
  facts: LicenseFacts;
}

export interface StandingInput {
  choice: LicenseChoice;
  /** Null while there is no licence to judge. */
  known: KnownTime | null;
  /** Microseconds. */
  clock: number;
  /** The administrator's file, for messages. */
  path: string;
  /** Whether the registration server is asked. */
  renews: boolean;
}

export function licenseStanding({ choice, known, clock, path, renews }: StandingInput): LicenseStanding {
  const at = choice.license === null || known === null ? clock : judgedAt(known, clock);
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
  return { choice, state, judgedAt: at, plan: planFacts(choice, state), facts };
}

function about({ license }: LicenseChoice, state: LicenseState, at: number, renews: boolean): string[] {
  if (license === null) return state === "invalid" ? [READ_ONLY] : [];
  const [expires, until] = [license.expiresAt, graceUntil(license)].map(dayAndTime);
  switch (state) {
    case "grace":
      return [
        `the licence expired on ${expires}; from ${until} on Pro modules are read-only`,
        renewal(renews),
      ];
    case "expired":
      return [
        `the licence expired on ${expires} and the grace ended on ${until}`,
        READ_ONLY,
        renewal(renews),
      ];
    default:
      return license.expiresAt - at > NOTICE ? [] : [`the licence expires on ${expires}`, renewal(renews)];
  }
}

const READ_ONLY = "Pro modules are read-only; records are taken in as ever, and nothing is lost";

function renewal(renews: boolean): string {
  return renews
    ? "a renewed one comes with the answer to a heartbeat, or in a new license.jwt"
    : "heartbeats are off, so it is not renewed by itself: put a renewed one in its place";
}

function clockNotice(clock: number, at: number): string {
  return `the clock says ${dayAndTime(clock)}, but at least ${
    dayAndTime(at)
  } has come: the licence is judged by that`;
}

/** `2026-01-31 07:15 UTC` */
function dayAndTime(micros: number): string {
  return `${formatMillis(micros).slice(0, 16).replace("T", " ")} UTC`;
}
