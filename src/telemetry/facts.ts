import { Release } from "../contract/telemetry/registration.ts";
import { isNewer } from "../domain/telemetry/heartbeat/update.ts";
import type { ServiceFacts } from "../domain/health/services.ts";
import type { TelemetryView } from "../store/telemetry/telemetry-log.ts";

export type RemoteFacts = Pick<ServiceFacts, "telemetry" | "update">;

/**
 * Facts for health, metrics and the dashboard. `problem` is a fault of this core that keeps it from sending;
 * `view` is null before the first read of the log.
 */
export function remoteFacts(
  view: TelemetryView | null,
  problem: string | null,
  productVersion: string,
): RemoteFacts {
  const release = view?.release ? newerRelease(view.release, productVersion) : null;
  return {
    telemetry: {
      enabled: true,
      lastSentAt: view?.lastSentAt ?? null,
      failure: problem ?? view?.sendFailure ?? null,
      lastPayload: view?.lastPayload ? JSON.parse(view.lastPayload) : null,
    },
    update: {
      enabled: true,
      available: release !== null,
      availableSecurity: release?.security ?? false,
      // No release is blocked, because none is installed automatically.
      blocked: false,
      release,
      lastCheckAt: view?.lastCheckAt ?? null,
      failure: view?.checkFailure ?? null,
    },
  };
}

/** It was validated on arrival; a newer program may expect something else than the one that stored it. */
function newerRelease(text: string, productVersion: string): Release | null {
  const { success, data } = Release.safeParse(JSON.parse(text));
  return success && isNewer(data.latest_version, productVersion) ? data : null;
}
