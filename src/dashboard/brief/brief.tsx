import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { BriefFigure, DailyBrief } from "../../contract/brief/brief.ts";
import { addressOf } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { formatBytes, formatExact } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { Stat } from "../ui/stat.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import {
  BudgetSection,
  DecisionSection,
  DetectorSection,
  DeviceSection,
  IncidentSection,
  SensorSection,
  TrafficSection,
} from "./brief-lists.tsx";
import { dailyBrief } from "./brief-queries.ts";
import { dateInWords, shiftDate } from "./dates.ts";
import { Month } from "./month.tsx";
import "./brief.css";

/** The daily brief of a day, with a calendar and the way to paper. */
export function Brief() {
  const { tenant } = useSignedIn();
  const { date } = useSearch({ from: "/t/$tenant/brief" });
  const { data, error, isPending, isError, refetch } = useQuery(dailyBrief(tenant, date));
  const navigate = useNavigate();
  const shown = data?.date ?? date;
  const choose = (day: string) => void navigate(to.brief(day));
  return (
    <div className="page">
      <PageHeader
        title="Daily brief"
        note={data ? <>{dateInWords(data.date)}, {data.time_zone}{!data.complete && ", so far"}</> : "\u00a0"}
      >
        {shown === undefined && isPending && <FutureTools />}
        {shown !== undefined && (
          <>
            <Link {...to.brief(shiftDate(shown, -1))} className="button">
              <Icon name="back" /> Previous day
            </Link>
            {data?.complete !== false && (
              <Link {...to.brief(shiftDate(shown, 1))} className="button">
                Next day <Icon name="chevron" />
              </Link>
            )}
            <a
              className="button"
              href={addressOf("getBriefDocument", { query: { date: shown } })}
              target="_blank"
              rel="noopener noreferrer"
            >
              Print view
            </a>
          </>
        )}
      </PageHeader>
      {data && isError && <StaleNotice error={error} retry={() => void refetch()} />}
      <div className="brief">
        <div className="brief-side">{shown !== undefined && <Month date={shown} choose={choose} />}</div>
        <div className="brief-main">
          {data
            ? <Content brief={data} />
            : isPending
            ? <SkeletonBlock tall />
            : <ErrorState what="The brief" error={error} retry={() => void refetch()} />}
        </div>
      </div>
    </div>
  );
}

/** Takes the place of the controls until the date is known. */
function FutureTools() {
  return (
    <>
      <button type="button" className="button" disabled>
        <Icon name="back" /> Previous day
      </button>
      <button type="button" className="button" disabled>
        Next day <Icon name="chevron" />
      </button>
      <button type="button" className="button" disabled>Print view</button>
    </>
  );
}

function Content({ brief }: { brief: DailyBrief }) {
  return (
    <>
      <section className="brief-lead" aria-label="Summary">
        <p>
          <LinkedText text={brief.summary.join(" ")} />
        </p>
        {brief.unknown.length > 0 && <p className="soft">{brief.unknown.join(" ")}</p>}
      </section>
      <Figures brief={brief} />
      <IncidentSection brief={brief} />
      <DecisionSection brief={brief} />
      <DeviceSection brief={brief} />
      <TrafficSection brief={brief} />
      <DetectorSection brief={brief} />
      <SensorSection brief={brief} />
      <BudgetSection brief={brief} />
      <p className="muted small">
        Built from recorded data without a model; nothing is sent. Statuses and pending decisions are those of
        now. <Link {...to.help("brief")} className="link">How the brief is made</Link>
      </p>
    </>
  );
}

function Figures({ brief: { figures, complete } }: { brief: DailyBrief }) {
  const stat = (name: string, figure: BriefFigure, format = formatExact) => (
    <Stat
      name={name}
      value={figure.value === null ? "unknown" : format(figure.value)}
      note={<Comparison figure={figure} complete={complete} format={format} />}
    />
  );
  return (
    <div className="stats">
      {stat("Incidents opened", figures.opened_incidents)}
      {stat("Incidents closed", figures.closed_incidents)}
      {stat("New devices", figures.new_devices)}
      {stat("Flows", figures.flows)}
      {stat("Traffic", figures.traffic_bytes, formatBytes)}
      {stat("Silent sensor hours", figures.silent_hours)}
    </div>
  );
}

interface ComparisonProps {
  figure: BriefFigure;
  complete: boolean;
  format: (value: number | bigint) => string;
}

/** The day before, and whether the day had more or less, with words beside the arrow. */
function Comparison({ figure: { value, previous }, complete, format }: ComparisonProps) {
  if (previous === null) return <>{" "}day before unknown</>;
  if (!complete) return <>{" "}whole day before: {format(previous)}</>;
  if (value === null) return <>{" "}day before: {format(previous)}</>;
  const change = value === previous ? "as the day before" : value > previous ? "▲ more than" : "▼ less than";
  return <>{" "}{value === previous ? change : `${change} ${format(previous)} the day before`}</>;
}
