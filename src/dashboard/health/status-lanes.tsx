/// <reference lib="dom" />
import { type PointerEvent, useState } from "react";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { ChartFrame, Legend } from "../ui/chart/chart-frame.tsx";
import { ChartTooltip } from "../ui/chart/chart-tooltip.tsx";
import { axisLabels, spanLabel, timeTicks } from "../ui/chart/time-axis.ts";
import { TimeTicks } from "../ui/chart/time-ticks.tsx";
import { useWidth } from "../ui/chart/use-width.ts";
import { ABSENT, formatLabel, formatShare, formatSpan } from "../ui/format.ts";
import { useZone } from "../base/time/zone.ts";
import { shortName } from "../entity/health/health-labels.ts";
import { observedTime, stateOf, type StatusLane, type StatusSpan, troubledTime } from "./history-lanes.ts";

const ROW = 22;
const BAR = 12;
const AXIS = 34;
const HEAD = 140;
const NARROW_HEAD = 96;
const NARROW = 520;
const EDGE = 8;
/** A shorter status is still visible. */
const LEAST_WIDTH = 2;
const STATES = ["ok", "stale", "degraded", "unavailable", "off"] as const;
/** Height of a bar by status, so that it can be told without colour. */
const HEIGHTS: Record<HealthStatus | "off", number> = {
  ok: 4,
  stale: 8,
  degraded: 10,
  unavailable: BAR,
  off: 2,
};

interface StatusLanesProps {
  label: string;
  lanes: StatusLane[];
  window: { from: number; to: number };
}

/** One lane per component: its status over time. */
export function StatusLanes({ label, lanes, window }: StatusLanesProps) {
  const zone = useZone();
  const [box, width] = useWidth<HTMLDivElement>();
  const height = lanes.length * ROW + AXIS;
  return (
    <ChartFrame
      label={label}
      height={height}
      table={{
        head: ["Component", "OK, of the time observed", "Not OK for", "Last change", "Status"],
        rows: lanes.map((lane) => {
          const bad = troubledTime(lane);
          const observed = observedTime(lane);
          const last = lane.spans.at(-1);
          return {
            key: lane.id,
            cells: [
              shortName(lane),
              observed === 0 ? ABSENT : formatShare(1 - bad / observed),
              bad === 0 ? "–" : formatSpan(bad),
              last === undefined || last.from === window.from
                ? "–"
                : spanLabel(last.from, last.from, zone).split(" to ")[0],
              last === undefined ? "–" : formatLabel(stateOf(last)),
            ],
          };
        }),
      }}
      legend={
        <Legend
          entries={[...STATES, "unknown"].map((status) => ({
            key: status,
            colourClass: `health-fill-${status}`,
            label: status === "unknown" ? "Not observed" : formatLabel(status),
          }))}
        />
      }
    >
      <div ref={box} className="chart-canvas">
        {width > 0 && <Plot lanes={lanes} window={window} width={width} height={height} zone={zone} />}
      </div>
    </ChartFrame>
  );
}

interface PlotProps extends Omit<StatusLanesProps, "label"> {
  width: number;
  height: number;
  zone: string;
}

function Plot({ lanes, window: { from, to }, width, height, zone }: PlotProps) {
  const [hovered, setHovered] = useState<{ lane: StatusLane; span: StatusSpan; x: number } | null>(null);
  const head = width < NARROW ? NARROW_HEAD : HEAD;
  const room = width - head - EDGE;
  const x = (time: number) => head + ((time - from) / (to - from)) * room;
  const { times, step } = timeTicks(from, to, zone, Math.max(2, Math.floor(room / 80)));
  const labels = axisLabels(times, step, zone);
  const bottom = lanes.length * ROW;
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const lane = lanes[Math.floor((event.clientY - bounds.top) / ROW)];
    const left = event.clientX - bounds.left;
    const time = from + ((left - head) / room) * (to - from);
    const span = lane?.spans.find((one) => time >= one.from && time < one.to);
    setHovered(lane && span ? { lane, span, x: left } : null);
  };
  return (
    <>
      <svg
        className="status-lanes"
        width={width}
        height={height}
        role="img"
        aria-label={summaryOf(lanes, to - from)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
      >
        <TimeTicks times={times} labels={labels} x={x} bottom={bottom} width={width} />
        {lanes.map((lane, row) => (
          <g key={lane.id}>
            <text className="status-name" x={0} y={row * ROW + ROW / 2 + 4}>
              {clipped(shortName(lane), head)}
              <title>{lane.id}</title>
            </text>
            {observedTime(lane) < to - from && (
              <rect
                className="health-fill-unknown"
                x={head}
                width={room}
                y={row * ROW + ROW / 2}
                height={1}
              />
            )}
            {lane.spans.map((span) => (
              <rect
                key={span.from}
                className={`health-fill-${stateOf(span)}`}
                x={x(span.from)}
                width={Math.max(LEAST_WIDTH, x(span.to) - x(span.from))}
                y={row * ROW + (ROW - HEIGHTS[stateOf(span)]) / 2}
                height={HEIGHTS[stateOf(span)]}
                rx={1}
              />
            ))}
          </g>
        ))}
      </svg>
      {hovered && (
        <ChartTooltip
          title={`${shortName(hovered.lane)}: ${formatLabel(stateOf(hovered.span))}`}
          left={hovered.x}
          backwards={hovered.x > width / 2}
          rows={[
            {
              key: "span",
              label: spanLabel(hovered.span.from, hovered.span.to, zone),
              amount: formatSpan(hovered.span.to - hovered.span.from),
            },
            ...hovered.span.message === null
              ? []
              : [{ key: "message", label: hovered.span.message.slice(0, 120), amount: "" }],
          ]}
        />
      )}
    </>
  );
}

const LETTER = 7;

function clipped(name: string, width: number): string {
  const most = Math.floor((width - 8) / LETTER);
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

function summaryOf(lanes: StatusLane[], length: number): string {
  const troubled = lanes.filter((lane) => troubledTime(lane) > 0);
  const unknown = lanes.some((lane) => observedTime(lane) < length)
    ? " Not all of the time was observed."
    : "";
  if (troubled.length === 0) return `All components were OK.${unknown}`;
  const names = troubled.map((lane) =>
    `${shortName(lane)} ${formatShare(troubledTime(lane) / observedTime(lane))}`
  );
  return `Not OK, as a share of the time observed: ${names.join(", ")}.${unknown}`;
}
