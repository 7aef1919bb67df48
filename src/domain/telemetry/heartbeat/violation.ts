import type { HeartbeatField } from "../../../contract/telemetry/heartbeat.ts";

/** Why a payload must not be sent. Never contains the offending value. */
export interface Violation {
  /**
   * `form`: not the plain text of one payload; `fields`: the whitelist; `patterns`: the forbidden patterns.
   */
  guard: "form" | "fields" | "patterns";
  /** The offending field; null if it is none of the table. */
  field: HeartbeatField | null;
  /** For an administrator. */
  reason: string;
}
