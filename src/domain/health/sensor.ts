import { CAPTURE_LOSS_PERCENT } from "../../contract/health/conditions.ts";
import { duration } from "../../kit/text.ts";
import { formatMillis } from "../../kit/time.ts";
import { type Part, part, secondsSince, seenAt } from "./component.ts";
import type { Verdict } from "./room.ts";

/** State of a sensor, based on server receipt times alone. */
export interface SensorFacts {
  sensorId: string;
  /** Receipt of its newest record, microseconds. */
  lastEventAt: number | null;
  /** Since when the configuration has it, microseconds; null until the sensor watch has noticed. */
  configuredSince: number | null;
  /** Silence while records could be received, seconds. */
  silence: number;
  /** Silence after which it is stale, seconds. */
  patience: number;
  /** New records in the last five minutes. */
  events: number;
  /** Reported capture loss, percent; null if not reported. */
  loss: number | null;
}

/** Silence from which a message mentions it although it is usual, seconds. */
const REPORTED_SILENCE = 900;

export function sensorPart(facts: SensorFacts, now: number): Part {
  const { sensorId, lastEventAt, configuredSince, patience, events } = facts;
  const verdict = verdictOf(facts);
  const silentSince = verdict.status === "stale" && lastEventAt !== null ? formatMillis(lastEventAt) : null;
  return part("sensor", `sensor:${sensorId}`, verdict, {
    ...seenAt(lastEventAt, now),
    ...lastEventAt === null && configuredSince !== null
      ? { lag_seconds: secondsSince(configuredSince, now) }
      : {},
    since: silentSince,
    expected_within_seconds: lastEventAt === null ? null : Math.round(patience),
    events_last_5m: events,
  });
}

/** Silence takes precedence over an earlier report of capture loss. */
function verdictOf({ lastEventAt, silence, patience, loss }: SensorFacts): Verdict {
  if (lastEventAt === null) {
    return { status: "stale", message: "no record has arrived from this sensor yet" };
  }
  const since = `silent since ${formatMillis(lastEventAt)}`;
  if (silence > patience) {
    const counted = `for ${duration(silence)} during which records could be received`;
    return { status: "stale", message: `${since}, ${counted}; expected within ${duration(patience)}` };
  }
  if (loss !== null && loss > CAPTURE_LOSS_PERCENT) {
    const message = `misses ${Number(loss.toFixed(1))} % of the traffic (limit: ${CAPTURE_LOSS_PERCENT} %)`;
    return { status: "degraded", message };
  }
  if (silence <= REPORTED_SILENCE) return { status: "ok", message: null };
  return {
    status: "ok",
    message: `${since}, usual at this hour; expected within ${duration(patience)}`,
  };
}
