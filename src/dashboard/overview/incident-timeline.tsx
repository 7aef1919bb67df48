import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { aggregate } from "../search/aggregates.ts";
import { TimeSeries } from "../ui/chart/time-series.tsx";
import { INCIDENTS } from "../ui/chart/unit.ts";
import { formatLabel } from "../ui/format.ts";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { ChartCard } from "./chart-card.tsx";
import { ofSeverityIn, openWorkIn } from "./open-work.ts";

const HEIGHT = 180;

/** Open incidents by the time of their last activity, stacked by severity. */
export function IncidentTimeline() {
  const { tenant, session } = useSignedIn();
  const [range, setRange] = useRange();
  const query = useQuery(aggregate(tenant, {
    kind: "incidents",
    where: openWorkIn,
    suppressed: false,
    range,
    by: ["severity"],
    buckets: 100,
  }, session.csrf_token));
  return (
    <ChartCard
      title="Open incidents"
      note={`by last activity, ${rangePhrase(range)}`}
      className="span-2"
      height={HEIGHT}
      query={query}
    >
      {({ window, starts, step, groups }) => (
        <TimeSeries
          label="Open incidents by severity"
          window={window!}
          starts={starts}
          step={step}
          shape="bars"
          unit={INCIDENTS}
          height={HEIGHT}
          onBrush={setRange}
          series={SEVERITY_ORDER.map((severity) => ({
            id: severity,
            label: formatLabel(severity),
            colour: severity,
            values: groups.find(({ key }) => key[0] === severity)?.values ?? starts.map(() => 0),
            legend: (
              <Link
                {...to.triage({ filter: ofSeverityIn(severity, window!) })}
                className="link"
              >
                {formatLabel(severity)}
              </Link>
            ),
          }))}
        />
      )}
    </ChartCard>
  );
}
