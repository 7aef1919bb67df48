import type { HealthComponent } from "../../contract/health/health.ts";
import { ABSENT, formatSpan } from "../ui/format.ts";

/**
 * Current silence of a sensor compared with its usual limit: a bar that is full when the sensor becomes
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
      title={`Stale after ${formatSpan(expected * 1000)} of silence, learned from this sensor`}
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
