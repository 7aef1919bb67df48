import type { Severity } from "../../contract/record/kinds.ts";
import { formatLabel, formatScore } from "./format.ts";
import { severityOfScore } from "./severity.ts";

const BARS: Record<Severity, number> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 };

/** Four bars filled by severity: readable without colour. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  return (
    <svg className={`severity-icon ink-${severity}`} viewBox="0 0 16 14" aria-hidden="true">
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          className={bar < BARS[severity] ? "bar-on" : "bar-off"}
          x={1 + bar * 3.8}
          y={9.5 - bar * 2.5}
          width="2.6"
          height={3.5 + bar * 2.5}
          rx="0.8"
        />
      ))}
    </svg>
  );
}

export function SeverityTag({ severity }: { severity: Severity }) {
  return (
    <span className={`severity ink-${severity}`}>
      <SeverityIcon severity={severity} />
      {formatLabel(severity)}
    </span>
  );
}

/** The number with a bar below, so that a column of scores can be compared at a glance. */
export function Score({ score, severity }: { score: number; severity?: Severity }) {
  const level = severity ?? severityOfScore(score);
  if (score === 0) return <span className="score muted">0</span>;
  return (
    <span className="score" title={`Score ${score.toFixed(1)} of 100`}>
      <span className="score-number">{formatScore(score)}</span>
      <svg className="score-bar" viewBox="0 0 40 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track" width="40" height="4" />
        <rect className={`fill-${level}`} width={Math.max(2, score * 0.4)} height="4" />
      </svg>
    </span>
  );
}
