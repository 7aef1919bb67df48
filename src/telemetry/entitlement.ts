import type { PlanFacts } from "../domain/telemetry/heartbeat/facts.ts";

/** Decides what this installation may do, and accepts a renewed licence. */
export interface Entitlement {
  plan(): PlanFacts;
  /** A token from the registration server as received; only called on the pro plan. */
  renew(token: string): Promise<void>;
}
