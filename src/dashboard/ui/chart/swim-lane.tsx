/// <reference lib="dom" />
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from "react";
import type { Severity } from "../../../contract/record/kinds.ts";
import { formatLabel, plural } from "../format.ts";
import type { Window } from "../../base/time/range.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { colourClass } from "./colour.ts";
import { EventMark } from "./event-mark.tsx";
import { groupMarks, type MarkGroup } from "./mark-groups.ts";
import { spanOf } from "./stack.ts";
import { axisLabels, spanLabel, timeTicks } from "./time-axis.ts";
import { TimeTicks } from "./time-ticks.tsx";
import { useWidth } from "./use-width.ts";
import { useZone } from "../../base/time/zone.ts";

interface Lane {
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
  /** Enter or a click on a mark: one event, or several of a lane that would cover each other. */
  onOpen?: (events: LaneEvent[]) => void;
}

const ROW = 30;
const AXIS = 34;
const HEAD = 150;
const NARROW_HEAD = 92;
const NARROW = 520;
const EDGE = 10;
const SHORTEST_DRAG = 4;

/** Events on lanes over time; severity shows by colour and shape. Marks that would overlap become a counted group. */
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
  const y = ({ lane }: { lane: string }) => ((rowOf.get(lane) ?? 0) + 0.5) * ROW;
  const { times, step } = timeTicks(from, to, zone, Math.max(2, Math.floor((right - left) / 84)));
  const labels = axisLabels(times, step, zone);
  const marks = groupMarks(events, ({ at }) => x(Date.parse(at)));
  const now = Math.min(active, marks.length - 1);
  const brush = (one: number, other: number) => {
    const [first, last] = spanOf(one, other);
    onBrush?.({ from: new Date(first).toISOString(), to: new Date(last).toISOString() });
  };
  const positionOf = (event: PointerEvent) =>
    event.clientX - (svg.current?.getBoundingClientRect().left ?? 0);
  const heightOf = (event: PointerEvent) => event.clientY - (svg.current?.getBoundingClientRect().top ?? 0);
  const open = (at: number) => {
    setActive(at);
    onOpen?.(marks[at]!.events);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (!onBrush || event.button !== 0 || positionOf(event) < left - EDGE) return;
    svg.current?.setPointerCapture(event.pointerId);
    setDrag([positionOf(event), positionOf(event)]);
  };
  const onPointerMove = (event: PointerEvent) => drag && setDrag([drag[0], positionOf(event)]);
  const onPointerUp = (event: PointerEvent) => {
    if (drag === null) return;
    setDrag(null);
    if (Math.abs(drag[1] - drag[0]) >= SHORTEST_DRAG) return brush(timeAt(drag[0]), timeAt(drag[1]));
    const hit = marks.findIndex((mark) =>
      Math.abs(mark.x - drag[0]) <= mark.width / 2 + 2 && Math.abs(y(mark) - heightOf(event)) <= ROW / 2
    );
    if (hit >= 0) open(hit);
    else if (selected !== null) onBrush?.(null);
  };

  const sameLane = (direction: 1 | -1) => {
    const row = rowOf.get(marks[now]!.lane) ?? 0;
    const others = marks.map((mark, at) => ({
      at,
      row: rowOf.get(mark.lane) ?? 0,
      far: Math.abs(mark.x - marks[now]!.x),
    }))
      .filter((one) => direction * (one.row - row) > 0)
      .sort((a, b) => direction * (a.row - b.row) || a.far - b.far);
    return others[0]?.at ?? now;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (marks.length === 0) return;
    const targets: Record<string, () => number> = {
      ArrowLeft: () => now - 1,
      ArrowRight: () => now + 1,
      ArrowUp: () => sameLane(-1),
      ArrowDown: () => sameLane(1),
      Home: () => 0,
      End: () => marks.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      const next = Math.max(0, Math.min(marks.length - 1, target()));
      if (event.shiftKey && onBrush) {
        const start = anchor ?? now;
        setAnchor(start);
        const [first, last] = spanOf(start, next);
        const [from, to] = spanOfMarks(marks.slice(first, last + 1));
        brush(from, Math.max(to, from + 1));
      } else setAnchor(null);
      setActive(next);
    } else if (event.key === "Enter" && onOpen) open(now);
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
      aria-activedescendant={marks.length > 0 ? `${id}${now}` : undefined}
      aria-describedby={`${id}help`}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span id={`${id}help`} className="hidden">
        Arrow keys move between events.{onOpen && " Enter shows the records of one."}
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
        {events.map((event) =>
          event.until !== undefined && endOf(event) > Date.parse(event.at) && (
            <rect
              key={event.id}
              className={`chart-fill lanes-length ${colourClass(event.severity)}`}
              x={x(Date.parse(event.at))}
              y={y(event) - 3}
              width={x(endOf(event)) - x(Date.parse(event.at))}
              height="6"
              rx="3"
            />
          )
        )}
        {marks.map((mark, at) => (
          <g key={mark.events[0]!.id} className={onOpen ? "lanes-open" : undefined}>
            <Mark mark={mark} y={y(mark)} />
            <title>{markLabel(mark, zone)}</title>
            {focused && at === now && (
              <rect
                className="lanes-focus"
                x={mark.x - mark.width / 2 - 4}
                y={y(mark) - 10}
                width={mark.width + 8}
                height="20"
                rx="10"
              />
            )}
          </g>
        ))}
      </svg>
      {marks.map((mark, at) => (
        <span
          key={mark.events[0]!.id}
          id={`${id}${at}`}
          role="option"
          className="hidden"
          aria-selected={selected !== null && mark.events.some((event) => isWithin(event, selected))}
        >
          {`${markLabel(mark, zone)}, ${mark.severity}`}
        </span>
      ))}
    </div>
  );
}

const endOf = ({ at, until }: LaneEvent) => Date.parse(until ?? at);

function spanOfMarks(marks: readonly MarkGroup<LaneEvent>[]): [from: number, to: number] {
  const events = marks.flatMap(({ events }) => events);
  return [
    Math.min(...events.map(({ at }) => Date.parse(at))),
    Math.max(...events.map(endOf)),
  ];
}

/** The event, or how many there are and between which times. */
function markLabel(mark: MarkGroup<LaneEvent>, zone: string): string {
  const [first] = mark.events;
  const time = spanLabel(...spanOfMarks([mark]), zone);
  return mark.events.length === 1
    ? `${time}: ${first!.text}`
    : `${time}: ${plural(mark.events.length, "event")}, the first: ${first!.text}`;
}

/** A symbol; for a group with its count beside it. */
function Mark({ mark: { events, severity, x, width }, y }: { mark: MarkGroup<LaneEvent>; y: number }) {
  if (events.length === 1) return <EventMark severity={severity} x={x} y={y} />;
  return (
    <>
      <rect className="lanes-group" x={x - width / 2} y={y - 8} width={width} height="16" rx="8" />
      <EventMark severity={severity} x={x - width / 2 + 8} y={y} />
      <text className="chart-text lanes-count" x={x - width / 2 + 15} y={y} dy="0.35em">
        {events.length}
      </text>
    </>
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
