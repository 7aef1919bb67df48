import { CAPTURE_LOSS_PERCENT } from "../../contract/health/conditions.ts";
import { formatMillis } from "../../kit/time.ts";
import { type Part, part, seenAt } from "./component.ts";
import type { Verdict } from "./room.ts";
import { spanText } from "./span.ts";

/** What is known of a sensor, by the server's receipt times alone. */
export interface SensorFacts {
  sensorId: string;
  /** Receipt of its newest record, microseconds. */
  lastEventAt: number | null;
  /** For how long nothing came while something could have, in seconds. */
  silence: number;
  /** After how much silence it is stale, in seconds. */
  patience: number;
  /** New records in the last five minutes. */
  events: number;
  /** What it loses of its capture, in percent; null where it does not say. */
  loss: number | null;
}

/** A silence that is told though it is usual, in seconds. */
const TOLD_SILENCE = 900;

export function sensorPart(facts: SensorFacts, now: number): Part {
  const { sensorId, lastEventAt, patience, events } = facts;
  const verdict = verdictOf(facts);
  const silentSince = verdict.status === "stale" && lastEventAt !== null ? formatMillis(lastEventAt) : null;
  return part("sensor", `sensor:${sensorId}`, verdict, {
    ...seenAt(lastEventAt, now),
    since: silentSince,
    expected_within_seconds: lastEventAt === null ? null : Math.round(patience),
    events_last_5m: events,
  });
}

/** A silent sensor is told as silent, whatever it said of its capture before. */
function verdictOf({ lastEventAt, silence, patience, loss }: SensorFacts): Verdict {
  if (lastEventAt === null) {
    return { status: "stale", message: "no record has arrived from this sensor yet" };
  }
  const since = `silent since ${formatMillis(lastEventAt)}`;
  if (silence > patience) {
    const counted = `for ${spanText(silence)} in which records could be received`;
    return { status: "stale", message: `${since}, ${counted}; expected within ${spanText(patience)}` };
  }
  if (loss !== null && loss > CAPTURE_LOSS_PERCENT) {
    const message = `misses ${Number(loss.toFixed(1))} % of the traffic: more than ${CAPTURE_LOSS_PERCENT} %`;
    return { status: "degraded", message };
  }
  if (silence <= TOLD_SILENCE) return { status: "ok", message: null };
  return {
    status: "ok",
    message: `${since}, as is usual at this hour; expected within ${spanText(patience)}`,
  };
}
