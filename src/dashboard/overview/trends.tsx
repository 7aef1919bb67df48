import type { ReactNode } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Trends as Figures } from "../../contract/brief/trends.ts";
import { call } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { ABSENT, formatBytes, formatExact, formatSpan } from "../ui/format.ts";
import { Stat } from "../ui/stat.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { comparedDays, comparedWeeks } from "./trend-text.ts";

/** They compare days. */
const POLL_MILLISECONDS = 5 * 60_000;
/** Detectors named with their false positives. */
const NAMED = 2;

const trends = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, "trends"],
    queryFn: ({ signal }) => call("getTrends", { signal }),
    staleTime: POLL_MILLISECONDS / 5,
    refetchInterval: POLL_MILLISECONDS,
    // A decision on an incident shows at once.
    meta: { marks: ["incident"] },
  });

/** Today against yesterday and the week before, and what became of a week of incidents. */
export function Trends() {
  const { tenant } = useSignedIn();
  const { data, error, refetch } = useQuery(trends(tenant));
  return (
    <section className="span-3 overview-trends" aria-label="Trends">
      {data
        ? <Strip figures={data} />
        : error
        ? <ErrorState what="The trends" error={error} retry={() => void refetch()} />
        : <SkeletonBlock />}
    </section>
  );
}

function Strip({ figures: { counts, traffic, work } }: { figures: Figures }) {
  const { median_close_seconds: median } = work;
  const seconds = (value: number | bigint) => formatSpan(Number(value) * 1000);
  return (
    <div className="stats">
      <Figure
        name="Incidents opened today"
        value={formatExact(counts.opened_incidents.today)}
        days={comparedDays(counts.opened_incidents, formatExact)}
        weeks={comparedWeeks(work.opened, formatExact)}
      />
      <Figure
        name="Incidents closed today"
        value={formatExact(counts.closed_incidents.today)}
        days={comparedDays(counts.closed_incidents, formatExact)}
        weeks={comparedWeeks(work.closed, formatExact)}
      />
      <Figure
        name="Median time to close"
        value={median.value === null ? ABSENT : seconds(median.value)}
        days={median.value === null
          ? "no incident was closed in 7 days"
          : `in 7 days${median.previous === null ? "" : `, ${seconds(median.previous)} in the 7 before`}`}
      />
      <FalsePositives detectors={work.false_positives} />
      <Figure
        name="New devices today"
        value={formatExact(counts.new_devices.today)}
        days={comparedDays(counts.new_devices, formatExact)}
      />
      <Figure
        name="Traffic today"
        value={formatBytes(traffic.traffic_bytes.today)}
        days={comparedDays(traffic.traffic_bytes, formatBytes, true)}
      />
    </div>
  );
}

interface FigureProps {
  name: string;
  value: string;
  days: string;
  weeks?: string | null;
}

function Figure({ name, value, days, weeks = null }: FigureProps) {
  return <Stat name={name} value={value} note={<Lines lines={weeks === null ? [days] : [days, weeks]} />} />;
}

function Lines({ lines }: { lines: readonly ReactNode[] }) {
  return lines.map((line, at) => <span key={at} className="trend-line">{line}</span>);
}

/** The detectors that were wrong most often, each with the list of what was closed. */
function FalsePositives({ detectors }: { detectors: Figures["work"]["false_positives"] }) {
  const total = detectors.reduce((sum, { false_positives }) => sum + false_positives, 0);
  const lines = detectors.slice(0, NAMED).map(({ model_id, title, closed, false_positives }) => (
    <Link
      {...to.triage({ view: "closed", filter: `detector:${model_id}` })}
      className="link"
      title={`${title}: ${false_positives} of ${closed} closed incidents`}
    >
      {title}: {false_positives} of {closed}
    </Link>
  ));
  const rest = detectors.length - NAMED;
  return (
    <Stat
      name="False positives, 7 days"
      value={formatExact(total)}
      note={
        <Lines
          lines={lines.length === 0
            ? ["no incident was a false positive"]
            : rest > 0
            ? [...lines, `and ${rest} more ${rest === 1 ? "detector" : "detectors"}`]
            : lines}
        />
      }
    />
  );
}
