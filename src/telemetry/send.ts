import type { SendKind } from "../domain/telemetry/heartbeat/schedule.ts";
import type { Violation } from "../domain/telemetry/heartbeat/violation.ts";
import { prepareRegistration } from "../domain/telemetry/heartbeat/registration.ts";
import type { Database } from "../store/engine/database.ts";
import { heartbeatNow, type HeartbeatParts } from "./heartbeat.ts";

/** A send as built: the text as the guards read it, and their findings. */
export interface PreparedSend {
  kind: SendKind;
  /** Null if the request has no body. */
  text: string | null;
  violations: readonly Violation[];
}

/** Builds and checks a send. Opens no connection but the database's. */
export async function prepareSend(
  kind: SendKind,
  { db, parts, installId, now }: { db: Database; parts: HeartbeatParts; installId: string; now: number },
): Promise<PreparedSend> {
  switch (kind) {
    case "heartbeat":
      return { kind, ...await heartbeatNow(db, parts, installId, now) };
    case "registration":
      return { kind, ...prepareRegistration({ ...parts, installId }) };
    case "update":
      // It contains only the version, which a registration contains too.
      return { kind, text: null, violations: prepareRegistration({ ...parts, installId }).violations };
  }
}
