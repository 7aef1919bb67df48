import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { columnsOf } from "../ui/chart/heat-columns.ts";
import { HeatMap } from "../ui/chart/heat-map.tsx";
import { useZone } from "../base/time/zone.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { type Range, rangeKey, windowOf } from "../base/time/range.ts";
import { FoldedCard } from "./chart-card.tsx";
import { coverageColumns } from "./coverage-columns.ts";

const ROOM = 6;
const heightOf = (rows: number) => 22 + rows * 24 + 24;
const MINUTE = 60_000;

const coverage = (tenant: string, range: Range) =>
  queryOptions({
    queryKey: [tenant, "coverage", rangeKey(range)],
    queryFn: ({ signal }) => call("getCoverage", { query: windowOf(range, Date.now()), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });

/** Why there is no coverage to draw; null if there is some. */
function emptyText({ sensors }: ReturnType<typeof coverageColumns>): string | null {
  if (sensors.length === 0) return "No sensor is configured.";
  return sensors.every(({ cells }) => cells.every((cell) => cell === null))
    ? "Nothing is known of this period."
    : null;
}

/** Which hours each sensor delivered records in. */
export function SensorCoverage() {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const zone = useZone();
  const { data, error, isPending, refetch } = useQuery(coverage(tenant, range));
  const columns = data && coverageColumns(data);
  // The last card of the page: nothing below it moves.
  const reason = columns && emptyText(columns);
  if (reason) return <FoldedCard title="Sensor coverage">{reason}</FoldedCard>;
  const room = columns ? Math.min(ROOM, Math.max(1, columns.sensors.length)) : ROOM;
  return (
    <Card
      title="Sensor coverage"
      note={`hours with records, by receipt time, ${rangePhrase(range)}`}
      className="span-3"
      action={<Link {...to.health()} className="link small">Sensors</Link>}
    >
      <ChartSlot height={heightOf(room)} legend={false}>
        {columns
          ? (
            <HeatMap
              label="Sensor coverage by time"
              of="Sensor"
              scale="presence"
              room={room}
              columns={columnsOf(columns.starts, columns.step, zone)}
              rows={columns.sensors.map(({ sensor, cells }) => ({
                key: sensor,
                text: sensor,
                name: (
                  <Link {...to.health()} title={sensor}>
                    <Foreign text={sensor} />
                  </Link>
                ),
                values: cells.map((cell) => cell && cell.received / cell.known),
              }))}
              format={(share) =>
                share === null
                  ? "not known"
                  : share === 0
                  ? "silent"
                  : share === 1
                  ? "received"
                  : `received in ${Math.round(share * 100)} % of the hours`}
            />
          )
          : isPending
          ? <ChartSkeleton />
          : <ErrorState what="The coverage" error={error} retry={() => void refetch()} />}
      </ChartSlot>
    </Card>
  );
}
