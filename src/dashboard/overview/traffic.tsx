import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate } from "../search/aggregates.ts";
import { categoryColour } from "../ui/chart/colour.ts";
import { TimeSeries } from "../ui/chart/time-series.tsx";
import { formatLabel } from "../ui/format.ts";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { ChartCard } from "./chart-card.tsx";

const HEIGHT = 180;
const DIRECTIONS = ["outbound", "inbound", "internal", "external"] as const;

/** Bytes over time by direction. */
export function Traffic() {
  const { tenant, session } = useSignedIn();
  const [range, setRange] = useRange();
  const query = useQuery(aggregate(tenant, {
    kind: "flows",
    range,
    by: ["direction"],
    buckets: 170,
    measure: "bytes",
  }, session.csrf_token));
  return (
    <ChartCard
      title="Traffic"
      note={`bytes of flows by their start, ${rangePhrase(range)}`}
      className="span-2"
      height={HEIGHT}
      query={query}
    >
      {({ window, starts, step, groups }) => (
        <TimeSeries
          label="Traffic by direction in bytes"
          window={window!}
          starts={starts}
          step={step}
          shape="areas"
          unit="bytes"
          height={HEIGHT}
          onBrush={setRange}
          series={[
            ...DIRECTIONS.map((direction, at) => ({
              id: direction,
              label: formatLabel(direction),
              colour: categoryColour(at),
              values: groups.find(({ key }) => key[0] === direction)?.values ?? starts.map(() => 0),
              legend: (
                <Link {...to.explore({ filter: `direction:${direction}` })} className="link">
                  {formatLabel(direction)}
                </Link>
              ),
            })),
            // Of records that do not state both addresses.
            ...groups.filter(({ key, total }) => key[0] === null && total > 0).map(({ values }) => ({
              id: "unknown",
              label: "Unknown direction",
              colour: "cat-other" as const,
              values,
            })),
          ]}
        />
      )}
    </ChartCard>
  );
}
