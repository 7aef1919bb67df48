import { useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../base/session.ts";
import { flowsOverTime } from "./flow-queries.ts";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { TimeSeries } from "../ui/chart/time-series.tsx";
import type { Series } from "../ui/chart/time-series-props.ts";
import { FLOWS } from "../ui/chart/unit.ts";
import { ErrorState } from "../ui/states.tsx";
import type { Range, Window } from "../base/time/range.ts";

interface FlowHistogramProps {
  label: string;
  /** A valid filter in the text form. */
  text: string;
  range: Range;
  onBrush?: (window: Window) => void;
}

const HEIGHT = 110;
const DIRECTIONS = [
  ["outbound", "Outbound", "cat-1"],
  ["inbound", "Inbound", "cat-2"],
  ["internal", "Internal", "cat-3"],
  ["external", "External", "cat-4"],
] as const;

/** Number of flows over time by direction; a brush selects the time range. */
export function FlowHistogram(props: FlowHistogramProps) {
  return (
    <ChartSlot height={HEIGHT}>
      <Histogram {...props} />
    </ChartSlot>
  );
}

function Histogram({ label, text, range, onBrush }: FlowHistogramProps) {
  const { tenant, session } = useSignedIn();
  const { data, error, refetch } = useQuery(flowsOverTime(tenant, text, range, session.csrf_token));
  if (error && !data) {
    return <ErrorState what="The histogram" error={error} retry={() => void refetch()} />;
  }
  if (!data) return <ChartSkeleton />;
  if (data.window === null || data.buckets.length === 0) return null;
  const { window: covered } = data;
  // The first and the last bucket may reach beyond the window.
  const brush = (chosen: Window) =>
    onBrush?.({
      from: chosen.from < covered.from ? covered.from : chosen.from,
      to: chosen.to > covered.to ? covered.to : chosen.to,
    });
  const starts = data.buckets.map((at) => Date.parse(at));
  const step = starts.length > 1 ? starts[1]! - starts[0]! : Date.parse(data.window.to) - starts[0]!;
  const known = new Map<string | null, number[]>(
    data.groups.map(({ key: [direction = null], values }) => [direction, values.map(Number)]),
  );
  const series: Series[] = DIRECTIONS.flatMap(([id, name, colour]) => {
    const values = known.get(id);
    return values === undefined ? [] : [{ id, label: name, colour, values }];
  });
  const others = data.groups.filter(({ key: [id = null] }) => !DIRECTIONS.some(([one]) => one === id));
  if (others.length > 0) {
    const values = starts.map((_, at) =>
      others.reduce((sum, group) => sum + Number(group.values[at] ?? 0), 0)
    );
    series.push({ id: "other", label: "Unknown direction", colour: "cat-other", values });
  }
  return (
    <>
      <TimeSeries
        label={label}
        window={data.window}
        starts={starts}
        step={step}
        series={series}
        shape="bars"
        unit={FLOWS}
        height={HEIGHT}
        onBrush={onBrush && brush}
      />
      {data.warnings.map((warning) => <p key={warning} className="notice notice-warning">{warning}</p>)}
    </>
  );
}
