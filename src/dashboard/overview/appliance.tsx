import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { LearningProgress } from "../../contract/site.ts";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { riskyDevices } from "./overview-queries.ts";
import { siteQuery } from "../base/site.ts";
import { useSignedIn } from "../base/session.ts";
import { typeName } from "../entity/device/device-type.tsx";
import { FailedStat } from "../entity/health/failed-stat.tsx";
import { isOut } from "../entity/health/health-labels.ts";
import { ABSENT, formatExact, plural } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { Stat } from "../ui/stat.tsx";
import { ErrorState, SkeletonBlock, SkeletonRows } from "../ui/states.tsx";
import { Score } from "../ui/tags.tsx";
import { Ago } from "../ui/time/time.tsx";

/** Records received, and how far the learning phase is. */
export function Records() {
  const { tenant, roles } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(healthReport(tenant));
  const admin = roles.includes("admin");
  return (
    <Card
      title="Records"
      note="last 5 minutes"
      className="overview-records"
      action={<Link {...to.health()} className="link small">Health</Link>}
    >
      {data && isOut("store", data.components)
        ? <p className="muted">Unknown while the database does not answer.</p>
        : data
        ? (
          <div className="stats stats-card">
            <Stat name="Received" value={formatExact(data.ingest.events_last_5m)} />
            <FailedStat
              name="Unparsed"
              status="unparsed"
              count={data.ingest.unparsed_last_5m}
              admin={admin}
            />
            <FailedStat
              name="Rejected"
              status="rejected"
              count={data.ingest.rejected_last_5m}
              admin={admin}
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
      <Learning />
    </Card>
  );
}

/** How far the baseline of the site is, and what that means. */
function Learning() {
  const { tenant } = useSignedIn();
  const { data } = useQuery(siteQuery(tenant));
  return <div className="overview-learning small">{data && <Phase progress={data.learning} />}</div>;
}

function Phase({ progress: { phase, days, needed_days } }: { progress: LearningProgress }) {
  if (phase === "unknown") {
    return <p className="soft">The learning phase begins with the first records.</p>;
  }
  if (phase === "complete") {
    return <p className="soft">Learning phase complete: deviations from the usual are reported.</p>;
  }
  return (
    <p>
      <span className="strong">Learning phase: day {Math.max(1, days)} of {needed_days}.</span>{" "}
      <span className="soft">
        Until it ends, deviations from the usual are recorded as <em>info</em>{" "}
        and open no incident; new devices are not reported.
      </span>
    </p>
  );
}

const RISKIEST = 5;

export function RiskiestDevices() {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(riskyDevices(tenant));
  return (
    <Card
      title="Riskiest devices"
      note="by open incidents"
      className="overview-risk"
      flush
      action={<Link {...to.devices({ sort: "-score" })} className="link small">All devices</Link>}
    >
      {data
        ? data.length > 0
          ? (
            <ul className="rows">
              {data.toSorted((a, b) => b.score - a.score).slice(0, RISKIEST).map((device) => (
                <li key={device.device_id} className="row">
                  <span className="row-main">
                    <Link {...to.device(device.device_id)} className="row-link" data-row>
                      <Foreign text={device.display_name} />
                    </Link>
                    <span className="row-note">
                      <Foreign text={typeName(device.device_type)} />
                      <Link
                        {...to.triage({ filter: `device.id:${device.device_id}` })}
                        className="link"
                      >
                        {plural(device.incident_count, "incident")}
                      </Link>
                    </span>
                  </span>
                  <Score score={device.score} />
                </li>
              ))}
            </ul>
          )
          : <p className="card-text muted">No device has an open incident.</p>
        : isPending
        ? <SkeletonRows rows={RISKIEST} />
        : <ErrorState what="The devices" error={error} retry={() => void refetch()} />}
    </Card>
  );
}
