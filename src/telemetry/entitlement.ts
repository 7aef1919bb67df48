import type { PlanFacts } from "../domain/telemetry/heartbeat/facts.ts";

/** Who says what this installation may do, and takes a renewed licence. */
export interface Entitlement {
  plan(): PlanFacts;
  /** A token from the registration server, as it came; only asked for on the pro plan. */
  renew(token: string): Promise<void>;
}
