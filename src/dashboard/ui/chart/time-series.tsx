import { lazy, Suspense } from "react";
import { ChartFrame, Legend } from "./chart-frame.tsx";
import { colourClass } from "./colour.ts";
import { spanLabel } from "./time-axis.ts";
import type { TimeSeriesProps } from "./time-series-props.ts";
import { formatCell, unitName } from "./unit.ts";
import { useZone } from "../../base/time/zone.ts";

const TimePlot = lazy(() => import("./time-plot.tsx"));

const HEIGHT = 180;

/** Amounts over time. */
export function TimeSeries(props: TimeSeriesProps) {
  const { label, series, starts, step, unit, height = HEIGHT } = props;
  const zone = useZone();
  const stacks = series.filter(({ line }) => !line);
  const several = series.length > 1;
  const sum = (at: number) => stacks.reduce((total, { values }) => total + (values[at] ?? 0), 0);
  const withTotal = stacks.length > 1 && props.shape !== "lines";
  const total = (values: (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return (
    <ChartFrame
      label={label}
      height={height}
      table={{
        head: [
          "Time",
          ...series.map(({ label }) => several ? label : unitName(unit)),
          ...withTotal ? ["Total"] : [],
        ],
        rows: starts.map((start, at) => ({
          key: String(start),
          cells: [
            spanLabel(start, start + step, zone),
            ...series.map(({ values }) => formatCell(unit, values[at] ?? null)),
            ...withTotal ? [formatCell(unit, sum(at))] : [],
          ],
        })),
      }}
      legend={
        <Legend
          entries={series.map(({ id, label, legend, colour, values, line }) => ({
            key: id,
            colourClass: colourClass(colour),
            label: legend ?? label,
            amount: line || props.shape === "lines" ? undefined : formatCell(unit, total(values)),
          }))}
        />
      }
    >
      <Suspense fallback={<div className="chart-wait" aria-busy="true" />}>
        <TimePlot {...props} height={height} zone={zone} />
      </Suspense>
    </ChartFrame>
  );
}
