import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Incident } from "../../contract/incident/incident.ts";
import { pageOf } from "../base/api.ts";
import { to } from "../base/links.ts";
import { EVER } from "../base/time/range.ts";
import { useSignedIn } from "../base/session.ts";
import { Foreign } from "../ui/foreign.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { Score, SeverityIcon } from "../ui/tags.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { Time } from "../ui/time/time.tsx";

const DAY = 86_400_000;
const MOST = 50;
const OPEN: readonly string[] = ["open", "investigating"];

const incidentsOf = (tenant: string, device: string) =>
  queryOptions({
    queryKey: [tenant, "incidents-of-device", device],
    queryFn: ({ signal }) =>
      pageOf("listIncidents", {
        query: {
          device_id: device,
          sort: "-score",
          limit: MOST,
          from: EVER,
          to: new Date(Date.now() + DAY).toISOString(),
        },
        signal,
      }),
    meta: { marks: ["incident"] },
  });

/** 0 for open work, 1 for what a suppression covers, 2 for closed ones. */
function rank({ status, suppressed }: Incident): number {
  return suppressed !== null ? 1 : OPEN.includes(status) ? 0 : 2;
}

/** Incidents of a device, of any age: open work first, each group by score. */
export function DeviceIncidents({ device }: { device: string }) {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(incidentsOf(tenant, device));
  if (isPending) return <SkeletonRows rows={3} />;
  if (!data) return <ErrorState what="The incidents" error={error} retry={() => void refetch()} />;
  if (data.data.length === 0) return <p className="card-text muted">It has no incident.</p>;
  return (
    <>
      <ul className="rows">
        {data.data.toSorted((a, b) => rank(a) - rank(b) || b.score - a.score).map((incident) => (
          <Row key={incident.id} incident={incident} />
        ))}
      </ul>
      {data.next_cursor !== null && (
        <p className="card-text">
          <Link {...to.triage({ filter: `device.id:${device}` })} className="link">
            More than {MOST}: show them in Triage
          </Link>
        </p>
      )}
    </>
  );
}

function Row(
  { incident: { id, title, severity, status, score, last_seen, suppressed } }: { incident: Incident },
) {
  return (
    <li className="row">
      <SeverityIcon severity={severity} />
      <span className="row-main">
        <Link {...to.incident(id)} className="row-link" data-row>
          <Foreign text={title} />
        </Link>
        <span className="row-note">
          {suppressed === null
            ? <StatusTag status={status} />
            : (
              <span className="tag muted" title={suppressed.reason}>
                <span className="tag-dot" aria-hidden="true" />
                Suppressed until <Time at={suppressed.until} short />
              </span>
            )}
          <Time at={last_seen} short />
        </span>
      </span>
      <Score score={score} severity={severity} />
    </li>
  );
}
