import { Release } from "../contract/telemetry/registration.ts";
import { isNewer } from "../domain/telemetry/heartbeat/update.ts";
import type { ServiceFacts } from "../domain/health/services.ts";
import type { TelemetryView } from "../store/telemetry/telemetry-log.ts";

export type RemoteFacts = Pick<ServiceFacts, "telemetry" | "update">;

/**
 * What the health report, the metrics and the dashboard tell. `problem` is one of this core's own that keeps it from sending;
 * `view` null before the first look into the log.
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
      // Nothing that a server tells of a release could keep this installation from taking it: nothing is taken by itself.
      blocked: false,
      release,
      lastCheckAt: view?.lastCheckAt ?? null,
      failure: view?.checkFailure ?? null,
    },
  };
}

/** It was checked when it came; a program that is newer than the one that kept it may expect something else. */
function newerRelease(text: string, productVersion: string): Release | null {
  const { success, data } = Release.safeParse(JSON.parse(text));
  return success && isNewer(data.latest_version, productVersion) ? data : null;
}
