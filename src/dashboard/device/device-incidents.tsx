import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { manyIncidents } from "../app/queries.ts";
import type { Range } from "../ui/time/range.ts";
import { useSignedIn } from "../app/session.ts";
import { Foreign } from "../ui/names.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { Score, SeverityIcon, StatusTag } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";

/** All incidents of a device in the range, highest score first. */
export function DeviceIncidents({ device, range }: { device: string; range: Range }) {
  const { tenant } = useSignedIn();
  const query = useQuery(manyIncidents(tenant, { device_id: device }, range));
  if (query.isPending) return <SkeletonRows rows={3} />;
  if (!query.data) {
    return (
      <ErrorState
        what="Incidents"
        error={query.error}
        retry={() => void query.refetch()}
      />
    );
  }
  if (query.data.data.length === 0) return <p className="card-text muted">None in this period.</p>;
  return (
    <ul className="rows">
      {[...query.data.data].sort((a, b) => b.score - a.score).map((incident) => (
        <li key={incident.id} className="row">
          <SeverityIcon severity={incident.severity} />
          <span className="row-main">
            <Link
              to="/incidents/$incidentId"
              params={{ incidentId: incident.id }}
              className="row-link"
              data-row
            >
              <Foreign text={incident.title} />
            </Link>
            <span className="row-note">
              <StatusTag status={incident.status} /> <Time at={incident.last_seen} short />
            </span>
          </span>
          <Score score={incident.score} severity={incident.severity} />
        </li>
      ))}
    </ul>
  );
}
