interface TimeTicksProps {
  /** Milliseconds, with a label each. */
  times: readonly number[];
  labels: readonly string[];
  x: (time: number) => number;
  /** Where the lanes end, and the width of the picture, in pixels. */
  bottom: number;
  width: number;
}

/** A label is at most twice as wide: at the end of the axis it ends there. */
const HALF_LABEL = 20;

/** The time axis below lanes, in an SVG. */
export function TimeTicks({ times, labels, x, bottom, width }: TimeTicksProps) {
  return times.map((time, at) => (
    <g key={time}>
      <path className="grid-line" d={`M${x(time)} 0V${bottom}`} />
      {labels[at]!.split("\n").map((line, row) => (
        <text
          key={row}
          className="chart-text"
          x={x(time)}
          y={bottom + 13 + row * 14}
          textAnchor={x(time) > width - HALF_LABEL ? "end" : "middle"}
        >
          {line}
        </text>
      ))}
    </g>
  ));
}
