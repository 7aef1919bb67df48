import type { Severity } from "../../contract/record/kinds.ts";
import { formatSpan } from "./format.ts";
import { intervalsOf } from "./time/intervals.ts";
import { Time } from "./time/time.tsx";

interface Point {
  at: string;
  score: number;
}

/**
 * A score over time as steps, in the order of scorings. A result of a late sensor is scored after later
 * activity and drawn where the line had come to.
 */
export function ScoreLine({ points, severity }: { points: Point[]; severity: Severity }) {
  let latest = -Infinity;
  const steps = points.map(({ at, score }) => {
    latest = Math.max(latest, Date.parse(at));
    return { time: latest, score };
  });
  const first = steps[0];
  const last = steps[steps.length - 1];
  if (first === undefined || last === undefined) return null;
  const length = Math.max(1, last.time - first.time);
  const x = (time: number) => 2 + (time - first.time) / length * 96;
  const y = (score: number) => 37 - score * 0.34;
  const path = steps.slice(1).map(({ time, score }) => `H${x(time).toFixed(2)}V${y(score).toFixed(2)}`);
  const line = `M${x(first.time)} ${y(first.score).toFixed(2)}${path.join("")}`;
  const end = steps.length === 1 ? 98 : x(last.time);
  return (
    <svg
      className={`score-line ink-${severity}`}
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Score from ${Math.round(first.score)} to ${
        Math.round(last.score)
      } in ${steps.length} steps`}
    >
      <path className="grid-line" d="M0 3H100M0 20H100M0 37H100" />
      <path className="score-area" d={`${line}H${end}V37H2Z`} />
      <path className="score-path" d={`${line}H${end}`} />
      <path className="score-dot" d={`M${end} ${y(last.score).toFixed(2)}h0.001`} />
    </svg>
  );
}

const RHYTHM_AT_LEAST = 4;

/** When connections happened, one stroke each, and the pauses between them. */
export function Rhythm({ times, histogram }: { times: string[]; histogram: boolean }) {
  const sorted = [...new Set(times)].map((at) => ({ at, time: Date.parse(at) })).sort((a, b) =>
    a.time - b.time
  );
  const first = sorted[0];
  const last = sorted[sorted.length - 1];
  if (first === undefined || last === undefined || sorted.length < RHYTHM_AT_LEAST) return null;
  const length = Math.max(1, last.time - first.time);
  const strokes = sorted.map(({ time }) => `M${(2 + (time - first.time) / length * 996).toFixed(1)} 1V23`);
  const intervals = histogram ? intervalsOf(sorted.map(({ time }) => time)) : undefined;
  return (
    <div className="rhythm">
      <figure className="rhythm-strip">
        <svg
          className="strip"
          viewBox="0 0 1000 24"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${sorted.length} distinct times over ${formatSpan(length)}`}
        >
          <path d={strokes.join("")} />
        </svg>
        <figcaption className="rhythm-ends muted small">
          <Time at={first.at} />
          <span>{sorted.length} distinct times over {formatSpan(length)}</span>
          <Time at={last.at} />
        </figcaption>
      </figure>
      {intervals && (
        <figure>
          <svg
            className="histogram"
            viewBox={`0 0 ${intervals.bins.length * 10} 48`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Pauses between observations: median ${formatSpan(intervals.median)}`}
          >
            <path className="grid-line" d={`M0 47.5H${intervals.bins.length * 10}`} />
            {intervals.bins.map((count, bin) => {
              const height = count / Math.max(...intervals.bins) * 44;
              return count > 0 &&
                (
                  <rect
                    key={bin}
                    x={bin * 10 + 1}
                    y={47 - height}
                    width="8"
                    height={height}
                    rx="1"
                  >
                    <title>
                      {`${count} × ${formatSpan(bin * intervals.limit / intervals.bins.length)} to ${
                        formatSpan((bin + 1) * intervals.limit / intervals.bins.length)
                      }`}
                    </title>
                  </rect>
                );
            })}
          </svg>
          <figcaption className="rhythm-ends muted small">
            <span>0 s</span>
            <span>
              pause <b>{formatSpan(intervals.median)}</b> ±{formatSpan(intervals.deviation)}
            </span>
            <span>{formatSpan(intervals.limit)}</span>
          </figcaption>
        </figure>
      )}
    </div>
  );
}
