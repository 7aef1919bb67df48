import { condensed } from "./condensed.ts";

interface SmallBarsProps {
  values: readonly number[];
  /** The longest bar. Default: the largest value. */
  most?: number;
}

const HEIGHT = 18;
/** The bars that are drawn: more would be narrower than a pixel. */
const MOST_BARS = 50;

/** Amounts over time without axes, beside the number that they add up to. */
export function SmallBars({ values, most }: SmallBarsProps) {
  const bars = condensed(values, MOST_BARS);
  const highest = most ?? Math.max(1, ...bars);
  return (
    <svg
      className="small-bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map((value, at) => {
        const height = value > 0 ? Math.max(1, HEIGHT * value / highest) : 0;
        return <rect key={at} x={at} y={HEIGHT - height} width={0.8} height={height} />;
      })}
    </svg>
  );
}
