import type { HealthComponent } from "../../contract/health/health.ts";
import { ABSENT, formatSpan } from "../ui/format.ts";

/**
 * How long a sensor has been silent, against how long it usually may be: a bar that fills up before the sensor is told to be
 * stale.
 */
export function Silence({ component }: { component: HealthComponent }) {
  const { last_event_at: last, lag_seconds: lag, expected_within_seconds: expected } = component;
  if (last === null) return <span className="muted">{ABSENT}</span>;
  const silent = formatSpan(lag * 1000);
  if (expected === null || expected === 0) return <span className="soft">{silent}</span>;
  const share = Math.min(1, lag / expected);
  return (
    <span
      className="silence"
      title={`Stale after ${formatSpan(expected * 1000)} of silence, by what was learned of this sensor`}
    >
      <span className="soft">
        {silent} <span className="muted">of {formatSpan(expected * 1000)}</span>
      </span>
      <svg className="silence-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track" width="100" height="4" />
        <rect
          className={component.status === "stale" ? "silence-over" : "silence-in"}
          width={Math.max(1, share * 100)}
          height="4"
        />
      </svg>
    </span>
  );
}
