/// <reference lib="dom" />
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import uPlot from "uplot";
import { ChartTooltip } from "./chart-tooltip.tsx";
import { type ChartColour, colourClass } from "./colour.ts";
import { bucketAt, spanOf, stacked } from "./stack.ts";
import { axisLabels, spanLabel } from "./time-axis.ts";
import type { Series, TimeSeriesProps } from "./time-series-props.ts";
import { formatAmount, formatTick } from "./unit.ts";
import { readColours, useThemeVersion } from "./use-colours.ts";
import { useWidth } from "./use-width.ts";
import { TICK_STEPS, tickSpace } from "./value-axis.ts";

const SECOND = 1000;
const FONT = "11px Inter, system-ui, sans-serif";
const AXIS_WIDTH = 58;
const AXIS_HEIGHT = 36;
const TOP = 8;
const RIGHT = 12;
/** Pixels before the end of the time axis in which a label has no room. */
const END = 10;
/** Pixels between ticks of the time axis. */
const TICK_SPACE = 84;
/** A shorter drag is a click. */
const SHORTEST_DRAG = 4;

interface Selection {
  /** The bucket under the cursor. */
  at: number;
  /** Where a selection by keyboard began; null without one. */
  anchor: number | null;
}

/** The canvas of a time series, drawn by uPlot; its cursor and selection also work by keyboard. */
export default function TimePlot(props: TimeSeriesProps & { height: number; zone: string }) {
  const { label, window, starts, step, series, unit, height, zone, onBrush } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const theme = useThemeVersion();
  const plot = useRef<uPlot | null>(null);
  const [held, setShown] = useState<Selection | null>(null);
  // Another window may have fewer buckets than the one that was pointed at.
  const shown = held !== null && held.at < starts.length && (held.anchor ?? 0) < starts.length ? held : null;
  const help = useId();

  const data = JSON.stringify([
    window,
    starts,
    step,
    series.map(({ id, values }) => [id, values]),
    props.shape,
  ]);
  const drawIn = useEffectEvent((element: HTMLElement) => draw(element, width, props, setShown));
  const isEmpty = starts.length === 0;
  useLayoutEffect(() => {
    if (box.current === null || width === 0 || isEmpty) return;
    const made = drawIn(box.current);
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [box, isEmpty, data, width, height, zone, theme]);

  const selectSpan = useEffectEvent((span: [number, number]) => select(plot.current, props, span));
  useEffect(() => {
    if (shown === null || shown.anchor === null) return;
    selectSpan(spanOf(shown.anchor, shown.at));
  }, [shown, data, width]);

  if (starts.length === 0) return <p className="chart-empty muted" ref={box}>No data in this period.</p>;
  const now = shown?.at ?? starts.length - 1;
  const name = (at: number) =>
    `${spanLabel(starts[at]!, starts[at]! + step, zone)}: ${
      series.map(({ label, values }) => `${label} ${formatAmount(unit, values[at] ?? null)}`).join(", ")
    }`;
  const zoom = (one: number, other: number) => {
    const [first, last] = spanOf(one, other);
    clear();
    onBrush?.({
      from: new Date(starts[first]!).toISOString(),
      to: new Date(starts[last]! + step).toISOString(),
    });
  };
  const clear = () => {
    setShown(null);
    plot.current?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    plot.current?.setCursor({ left: -10, top: -10 }, false);
  };
  const moveTo = (at: number, extend: boolean) => {
    const next = Math.max(0, Math.min(starts.length - 1, at));
    const anchor = extend && onBrush ? shown?.anchor ?? now : null;
    if (anchor === null) plot.current?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    setShown({ at: next, anchor });
    plot.current?.setCursor({ left: middle(plot.current, props, next), top: 0 }, false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: shown === null ? now : now - 1,
      ArrowRight: shown === null ? now : now + 1,
      Home: 0,
      End: starts.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) moveTo(target, event.shiftKey);
    else if (event.key === "Enter" && onBrush) zoom(shown?.anchor ?? now, now);
    else if (event.key === "Escape" && shown !== null) clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isBackwards = plot.current !== null && shown !== null &&
    middle(plot.current, props, shown.at) > width * 0.6;
  return (
    <div
      className="chart-plot"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={help}
      aria-valuemin={0}
      aria-valuemax={starts.length - 1}
      aria-valuenow={now}
      aria-valuetext={name(now)}
      onKeyDown={onKeyDown}
      onBlur={clear}
      onPointerLeave={() => setShown((old) => old?.anchor === null ? null : old)}
    >
      <div ref={box} className="chart-canvas" />
      <span id={help} className="hidden">
        Arrow keys move through time.
        {onBrush && " Shift and an arrow key select a span, Enter zooms to it, Escape clears it."}
      </span>
      {shown !== null && plot.current !== null && (
        <ChartTooltip
          title={spanLabel(starts[shown.at]!, starts[shown.at]! + step, zone)}
          left={AXIS_WIDTH + middle(plot.current, props, shown.at)}
          backwards={isBackwards}
          rows={series.map(({ id, label, colour, values }) => ({
            key: id,
            label,
            colourClass: colourClass(colour),
            amount: formatAmount(unit, values[shown.at] ?? null),
          }))}
        />
      )}
    </div>
  );
}

function middle(plot: uPlot, { starts, step }: TimeSeriesProps, at: number): number {
  return plot.valToPos((starts[at]! + step / 2) / SECOND, "x");
}

function select(
  plot: uPlot | null,
  { starts, step }: TimeSeriesProps,
  [first, last]: [number, number],
): void {
  if (plot === null) return;
  const left = Math.max(0, plot.valToPos(starts[first]! / SECOND, "x"));
  const right = plot.valToPos((starts[last]! + step) / SECOND, "x");
  plot.setSelect({ left, width: right - left, top: 0, height: plot.bbox.height / uPlot.pxRatio }, false);
}

type Shape = TimeSeriesProps["shape"];

function seriesOf(shape: Shape, { label, line }: Series, colour: string): uPlot.Series {
  const common = { label, points: { show: false }, spanGaps: false };
  if (line) {
    const dash = shape === "lines" ? undefined : [5, 3];
    return { ...common, stroke: colour, width: 1.75, dash, paths: uPlot.paths.stepped!({ align: 1 }) };
  }
  if (shape === "lines") {
    return { ...common, stroke: colour, width: 1.75, paths: uPlot.paths.stepped!({ align: 1 }) };
  }
  return shape === "areas"
    ? { ...common, stroke: colour, fill: colour, width: 0, paths: uPlot.paths.stepped!({ align: 1 }) }
    : { ...common, fill: colour, width: 0, paths: uPlot.paths.bars!({ size: [0.86, 48], align: 1 }) };
}

function draw(
  parent: HTMLElement,
  width: number,
  props: TimeSeriesProps & { height: number; zone: string },
  show: (change: (old: Selection | null) => Selection | null) => void,
): uPlot {
  const { window, starts, step, series, shape, unit, height, zone } = props;
  const [from, to] = [Date.parse(window.from) / SECOND, Date.parse(window.to) / SECOND];
  const [axis, rule, ...colours] = readColours(parent, [
    "axis",
    "rule",
    ...series.map(({ colour }): ChartColour => colour),
  ]);
  // The end of the last bucket closes its step; bars take their width from it.
  const end = (starts.at(-1) ?? 0) + step;
  const times = [...starts, end].map((time) => time / SECOND);
  // The highest sum is drawn first, so that each series covers what lies below it; lines are drawn last.
  const order = series.map((_, at) => at).reverse().sort((a, b) =>
    Number(series[a]!.line ?? false) - Number(series[b]!.line ?? false)
  );
  const stacks = series.filter(({ line }) => !line);
  const sums = stacked(stacks.map(({ values }) => values));
  const drawn = (at: number) => {
    const { line, values } = series[at]!;
    return line || shape === "lines" ? values : sums[stacks.indexOf(series[at]!)]!;
  };
  const close = (
    values: readonly (number | null)[],
  ) => [...values, shape === "bars" ? null : values.at(-1) ?? null];
  const counts = unit !== "bytes";
  const last = to - (to - from) * END / (width - AXIS_WIDTH - RIGHT);
  const options: uPlot.Options = {
    width,
    height,
    padding: [TOP, RIGHT, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * SECOND), zone),
    scales: {
      x: { time: true, range: () => [from, to] },
      y: { range: (_, __, most) => [0, Math.max(counts ? 4 : 1000, (most ?? 0) * 1.06)] },
    },
    axes: [
      {
        size: AXIS_HEIGHT,
        font: FONT,
        stroke: axis,
        space: TICK_SPACE,
        grid: { show: false },
        ticks: { stroke: rule, width: 1, size: 4 },
        values: (_, splits, __, ___, increment) =>
          axisLabels(splits.map((seconds) => seconds * SECOND), increment * SECOND, zone)
            // One at the very end would be cut.
            .map((label, at) => splits[at]! > last ? "" : label),
      },
      {
        size: AXIS_WIDTH,
        font: FONT,
        stroke: axis,
        space: (_, __, ___, ____, room) => tickSpace(room),
        grid: { stroke: rule, width: 1 },
        ticks: { show: false },
        incrs: TICK_STEPS,
        values: (_, splits) => splits.map((value) => formatTick(unit, value)),
      },
    ],
    series: [{}, ...order.map((at) => seriesOf(shape, series[at]!, colours[at]!))],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: props.onBrush !== undefined, y: false, setScale: false, dist: SHORTEST_DRAG },
    },
    hooks: {
      setCursor: [(plot) => {
        const { left = -1 } = plot.cursor;
        if (left < 0) return;
        const time = plot.posToVal(left, "x") * SECOND;
        const at = bucketAt(time, starts[0] ?? 0, step, starts.length);
        show((old) => old?.at === at ? old : { at, anchor: null });
      }],
      setSelect: [(plot) => {
        const { left, width: wide } = plot.select;
        if (wide < SHORTEST_DRAG) return;
        const read = (position: number) =>
          bucketAt(plot.posToVal(position, "x") * SECOND, starts[0]!, step, starts.length);
        const [first, last] = [read(left), read(left + wide)];
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        props.onBrush?.({
          from: new Date(starts[first]!).toISOString(),
          to: new Date(starts[last]! + step).toISOString(),
        });
      }],
    },
  };
  return new uPlot(options, [times, ...order.map((at) => close(drawn(at)))] as uPlot.AlignedData, parent);
}
