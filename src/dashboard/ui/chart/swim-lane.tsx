/// <reference lib="dom" />
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from "react";
import type { Severity } from "../../../contract/record/kinds.ts";
import { formatLabel } from "../format.ts";
import type { Window } from "../../base/time/range.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { colourClass } from "./colour.ts";
import { EventMark } from "./event-mark.tsx";
import { spanOf } from "./stack.ts";
import { axisLabels, spanLabel, timeTicks } from "./time-axis.ts";
import { TimeTicks } from "./time-ticks.tsx";
import { useWidth } from "./use-width.ts";
import { useZone } from "../../base/time/zone.ts";

export interface Lane {
  id: string;
  /** In words. */
  text: string;
  /** The head of the lane. Default: the text. */
  name?: ReactNode;
}

export interface LaneEvent {
  id: string;
  lane: string;
  at: string;
  /** The end of an event that lasts. */
  until?: string;
  severity: Severity;
  text: string;
}

interface SwimLaneProps {
  label: string;
  lanes: Lane[];
  events: LaneEvent[];
  window: Window;
  /** The selected span; null for none. */
  selected?: Window | null;
  /** Selects a span, or none. */
  onBrush?: (window: Window | null) => void;
  /** Enter or a click on an event. */
  onOpen?: (event: LaneEvent) => void;
}

const ROW = 30;
const AXIS = 34;
const HEAD = 150;
const NARROW_HEAD = 92;
const NARROW = 520;
const EDGE = 10;
const SHORTEST_DRAG = 4;

/** Events on lanes over time; severity shows by colour and shape. */
export function SwimLane(props: SwimLaneProps) {
  const { label, lanes, events, window } = props;
  const zone = useZone();
  const [box, width] = useWidth<HTMLDivElement>();
  const height = Math.max(1, lanes.length) * ROW + AXIS;
  const names = new Map(lanes.map(({ id, text }) => [id, text]));
  const sorted = [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ChartFrame
      label={label}
      height={height}
      table={{
        head: ["Time", "Lane", "Severity", "Event"],
        rows: sorted.map(({ id, lane, at, until, severity, text }) => ({
          key: id,
          cells: [
            spanLabel(Date.parse(at), Date.parse(until ?? at), zone),
            names.get(lane) ?? lane,
            formatLabel(severity),
            text,
          ],
        })),
      }}
      legend={<SeverityLegend events={events} />}
    >
      <div ref={box} className="chart-canvas">
        {width > 0 && lanes.length > 0 && Date.parse(window.from) < Date.parse(window.to) && (
          <Lanes {...props} events={sorted} width={width} height={height} zone={zone} />
        )}
      </div>
    </ChartFrame>
  );
}

const SHOWN_ORDER = ["critical", "high", "medium", "low", "info"] as const;

function SeverityLegend({ events }: { events: LaneEvent[] }) {
  const present = new Set(events.map(({ severity }) => severity));
  return (
    <ul className="legend">
      {SHOWN_ORDER.filter((severity) => present.has(severity)).map((severity) => (
        <li key={severity}>
          <svg className="legend-mark" viewBox="-6 -6 12 12" aria-hidden="true">
            <EventMark severity={severity} x={0} y={0} />
          </svg>
          {formatLabel(severity)}
        </li>
      ))}
    </ul>
  );
}

interface LanesProps extends SwimLaneProps {
  width: number;
  height: number;
  zone: string;
}

function Lanes(props: LanesProps) {
  const { label, lanes, events, window, selected = null, onBrush, onOpen, width, height, zone } = props;
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [focused, setFocused] = useState(false);
  const [drag, setDrag] = useState<[number, number] | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const id = useId();
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const head = width < NARROW ? NARROW_HEAD : HEAD;
  const [left, right] = [head + EDGE, width - EDGE];
  const x = (time: number) => left + (time - from) / (to - from) * (right - left);
  const timeAt = (position: number) =>
    from + (Math.max(left, Math.min(right, position)) - left) / (right - left) * (to - from);
  const bottom = lanes.length * ROW;
  const rowOf = new Map(lanes.map(({ id }, at) => [id, at]));
  const y = (event: LaneEvent) => ((rowOf.get(event.lane) ?? 0) + 0.5) * ROW;
  const { times, step } = timeTicks(from, to, zone, Math.max(2, Math.floor((right - left) / 84)));
  const labels = axisLabels(times, step, zone);
  const now = Math.min(active, events.length - 1);
  const brush = (one: number, other: number) => {
    const [first, last] = spanOf(one, other);
    onBrush?.({ from: new Date(first).toISOString(), to: new Date(last).toISOString() });
  };
  const endOf = ({ at, until }: LaneEvent) => Date.parse(until ?? at);

  const positionOf = (event: PointerEvent) =>
    event.clientX - (svg.current?.getBoundingClientRect().left ?? 0);
  const onPointerDown = (event: PointerEvent) => {
    if (!onBrush || event.button !== 0 || positionOf(event) < left - EDGE) return;
    svg.current?.setPointerCapture(event.pointerId);
    setDrag([positionOf(event), positionOf(event)]);
  };
  const onPointerMove = (event: PointerEvent) => drag && setDrag([drag[0], positionOf(event)]);
  const onPointerUp = () => {
    if (drag === null) return;
    setDrag(null);
    if (Math.abs(drag[1] - drag[0]) >= SHORTEST_DRAG) brush(timeAt(drag[0]), timeAt(drag[1]));
    else {
      const [nearest] = events.map((event, at) => ({ at, far: Math.abs(x(Date.parse(event.at)) - drag[0]) }))
        .sort((a, b) => a.far - b.far);
      if (nearest !== undefined && nearest.far <= 8) setActive(nearest.at);
      else if (selected !== null) onBrush?.(null);
    }
  };

  const sameLane = (direction: 1 | -1) => {
    const row = rowOf.get(events[now]!.lane) ?? 0;
    const time = Date.parse(events[now]!.at);
    const others = events.map((event, at) => ({
      at,
      row: rowOf.get(event.lane) ?? 0,
      time: Date.parse(event.at),
    }))
      .filter((one) => direction * (one.row - row) > 0)
      .sort((a, b) => direction * (a.row - b.row) || Math.abs(a.time - time) - Math.abs(b.time - time));
    return others[0]?.at ?? now;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (events.length === 0) return;
    const targets: Record<string, () => number> = {
      ArrowLeft: () => now - 1,
      ArrowRight: () => now + 1,
      ArrowUp: () => sameLane(-1),
      ArrowDown: () => sameLane(1),
      Home: () => 0,
      End: () => events.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      const next = Math.max(0, Math.min(events.length - 1, target()));
      if (event.shiftKey && onBrush) {
        const start = anchor ?? now;
        setAnchor(start);
        const [first, last] = spanOf(start, next);
        const end = Math.max(...events.slice(first, last + 1).map(endOf));
        brush(Date.parse(events[first]!.at), Math.max(end, Date.parse(events[first]!.at) + 1));
      } else setAnchor(null);
      setActive(next);
    } else if (event.key === "Enter" && onOpen) onOpen(events[now]!);
    else if (event.key === "Escape" && selected !== null) {
      setAnchor(null);
      onBrush?.(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const span = drag === null
    ? selected && [x(Date.parse(selected.from)), x(Date.parse(selected.to))]
    : [...drag].sort((a, b) => a - b);
  return (
    <div
      className="lanes-plot"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={onBrush !== undefined}
      aria-activedescendant={events.length > 0 ? `${id}${now}` : undefined}
      aria-describedby={`${id}help`}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span id={`${id}help`} className="hidden">
        Arrow keys move between events.{onOpen && " Enter opens one."}
        {onBrush && " Shift and an arrow key select a span, Escape clears it."}
      </span>
      <svg
        ref={svg}
        width={width}
        height={height}
        aria-hidden="true"
        className={onBrush ? "lanes-brush" : undefined}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
      >
        {lanes.map(({ id: key, text }, at) => (
          <g key={key}>
            <path className="grid-line" d={`M${left} ${(at + 0.5) * ROW + 0.5}H${right}`} />
            <text className="chart-text" x={head} y={(at + 0.5) * ROW} dy="0.35em" textAnchor="end">
              {clipped(text, head)}
              <title>{text}</title>
            </text>
          </g>
        ))}
        <TimeTicks times={times} labels={labels} x={x} bottom={bottom} width={width} />
        {span && (
          <rect
            className="lanes-span"
            x={span[0]}
            y="0"
            width={Math.max(2, span[1]! - span[0]!)}
            height={bottom}
          />
        )}
        {events.map((event, at) => (
          <g key={event.id}>
            {event.until !== undefined && endOf(event) > Date.parse(event.at) && (
              <rect
                className={`chart-fill lanes-length ${colourClass(event.severity)}`}
                x={x(Date.parse(event.at))}
                y={y(event) - 3}
                width={x(endOf(event)) - x(Date.parse(event.at))}
                height="6"
                rx="3"
              />
            )}
            <g
              className={onOpen ? "lanes-open" : undefined}
              onClick={() => {
                setActive(at);
                onOpen?.(event);
              }}
            >
              <EventMark severity={event.severity} x={x(Date.parse(event.at))} y={y(event)} />
              <title>{event.text}</title>
            </g>
            {focused && at === now && (
              <circle className="lanes-focus" cx={x(Date.parse(event.at))} cy={y(event)} r="10" />
            )}
          </g>
        ))}
      </svg>
      {events.map((event, at) => (
        <span
          key={event.id}
          id={`${id}${at}`}
          role="option"
          className="hidden"
          aria-selected={selected !== null && isWithin(event, selected)}
        >
          {`${spanLabel(Date.parse(event.at), endOf(event), zone)}: ${event.text}, ${event.severity}`}
        </span>
      ))}
    </div>
  );
}

function isWithin({ at, until }: LaneEvent, { from, to }: Window): boolean {
  return Date.parse(at) < Date.parse(to) && Date.parse(until ?? at) >= Date.parse(from);
}

const CHARACTER = 6.4;

function clipped(text: string, room: number): string {
  const fits = Math.floor(room / CHARACTER);
  return text.length > fits ? `${text.slice(0, fits - 1)}…` : text;
}
