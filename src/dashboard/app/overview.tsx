import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EmptyWindow } from "../ui/empty-window.tsx";
import { Activity, happenings, RiskyDevices, Sensors, TopIncidents } from "./overview-lists.tsx";
import { LearningNotice } from "../incident/learning-notice.tsx";
import { Card, PageHeader } from "../ui/page.tsx";
import { RangeControl, rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { SeverityPicture } from "./severity-picture.tsx";
import { Stat } from "../ui/stat.tsx";
import { Empty, ErrorState, SkeletonBlock, SkeletonRows } from "../ui/states.tsx";
import { Ago } from "../ui/time/time.tsx";
import { ABSENT, formatExact } from "../ui/format.ts";
import { isOut } from "../health/health-labels.ts";
import { deviceDirectory, healthReport, manyIncidents, riskyDevices } from "./queries.ts";
import { windowOf } from "../ui/time/range.ts";
import { useSignedIn } from "./session.ts";

const TOP = 6;
/** Suppressed incidents are hidden by default. */
const VISIBLE = { suppressed: "false" };

function IngestCard() {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(healthReport(tenant));
  return (
    <Card
      title="Records"
      note="last 5 minutes"
      action={<Link to="/health" className="link small">Health</Link>}
    >
      {data && isOut("store", data.components)
        ? <p className="muted">Unknown while the database does not answer.</p>
        : data
        ? (
          <div className="stats stats-card">
            <Stat name="Received" value={formatExact(data.ingest.events_last_5m)} />
            <Stat
              name="Unparsed"
              value={formatExact(data.ingest.unparsed_last_5m)}
              bad={data.ingest.unparsed_last_5m > 0}
            />
            <Stat
              name="Rejected"
              value={formatExact(data.ingest.rejected_last_5m)}
              bad={data.ingest.rejected_last_5m > 0}
            />
            <Stat
              name="Newest"
              value={data.watermark === null ? ABSENT : <Ago at={data.watermark} skew={data.skew} />}
            />
          </div>
        )
        : isPending
        ? <SkeletonBlock />
        : <ErrorState what="The counters" error={error} retry={() => void refetch()} />}
    </Card>
  );
}

function SensorCard() {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(healthReport(tenant));
  const sensors = data?.components.filter(({ kind }) => kind === "sensor") ?? [];
  return (
    <Card title="Sensors" flush>
      {data
        ? sensors.length > 0
          ? <Sensors sensors={sensors} skew={data.skew} />
          : <p className="card-text muted">No sensors yet.</p>
        : isPending
        ? <SkeletonRows rows={3} />
        : <ErrorState what="The sensors" error={error} retry={() => void refetch()} />}
    </Card>
  );
}

function RiskCard() {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(riskyDevices(tenant));
  return (
    <Card
      title="Riskiest devices"
      note="by open incidents"
      flush
      action={<Link to="/devices" className="link small">All devices</Link>}
    >
      {data
        ? data.length > 0
          ? <RiskyDevices devices={[...data].sort((a, b) => b.score - a.score).slice(0, TOP)} />
          : <p className="card-text muted">No device has an open incident.</p>
        : isPending
        ? <SkeletonRows rows={4} />
        : <ErrorState what="The devices" error={error} retry={() => void refetch()} />}
    </Card>
  );
}

function OpenCards() {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const open = useQuery(manyIncidents(tenant, { status: "open", ...VISIBLE }, range));
  const all = useQuery(manyIncidents(tenant, VISIBLE, range));
  const investigating = all.data?.data.filter(({ status }) => status === "investigating").length ?? 0;
  const retry = () => void open.refetch();
  const top = [...open.data?.data ?? []].sort((a, b) => b.score - a.score).slice(0, TOP);
  return (
    <>
      <Card
        title="Open incidents"
        className="span-2"
        note={rangePhrase(range)}
        action={investigating > 0 && (
          <Link to="/incidents" search={{ status: "investigating" }} className="link small">
            {investigating} under investigation
          </Link>
        )}
      >
        {open.data
          ? (
            <SeverityPicture
              incidents={open.data.data}
              window={windowOf(range, Date.now())}
              more={open.data.next_cursor !== null}
            />
          )
          : open.isPending
          ? <SkeletonBlock />
          : <ErrorState what="The incidents" error={open.error} retry={retry} />}
      </Card>
      <IngestCard />
      <Card
        title="Top open incidents"
        className="span-2"
        note="by score"
        flush
        action={<Link to="/incidents" search={{ status: "open" }} className="link small">All open</Link>}
      >
        {!open.data
          ? open.isPending
            ? <SkeletonRows rows={TOP} />
            : <ErrorState what="The incidents" error={open.error} retry={retry} />
          : top.length > 0
          ? <TopIncidents incidents={top} />
          : all.data?.data.length === 0
          ? <EmptyWindow what="incidents" filtered={false} />
          : (
            <Empty title="No open incidents">
              <p className="soft">Everything found in this period has been reviewed.</p>
            </Empty>
          )}
      </Card>
    </>
  );
}

function ActivityCard() {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const incidents = useQuery(manyIncidents(tenant, VISIBLE, range));
  const directory = useQuery(deviceDirectory(tenant));
  const { from } = windowOf(range, Date.now());
  const events = happenings(incidents.data?.data ?? [], [...directory.data?.devices.values() ?? []], from);
  return (
    <Card title="Recent activity" className="span-2" flush>
      {incidents.isPending || directory.isPending
        ? <SkeletonRows rows={5} />
        : events.length > 0
        ? <Activity events={events.slice(0, TOP + 2)} />
        : <p className="card-text muted">Nothing happened in this period.</p>}
    </Card>
  );
}

export function Overview(): ReactNode {
  const { tenantName } = useSignedIn();
  return (
    <div className="page">
      <PageHeader title="Overview" note={tenantName}>
        <RangeControl />
      </PageHeader>
      <LearningNotice />
      <div className="grid">
        <OpenCards />
        <RiskCard />
        <ActivityCard />
        <SensorCard />
      </div>
    </div>
  );
}
