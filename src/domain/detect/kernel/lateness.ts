import type { Micros } from "../../record/observation.ts";

/**
 * A record may arrive this long (source time) after a later one without changing what is found: sensors write
 * and send at their own pace, and a forwarder that was cut off sends what it kept. A window of an hour must
 * therefore remain open for two.
 */
export const LATENESS: Micros = 3_600_000_000;
