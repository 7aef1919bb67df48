import { useQuery } from "@tanstack/react-query";
import { formatLabel } from "../../ui/format.ts";
import { healthReport } from "../../entity/health/health-query.ts";
import { useSignedIn } from "../../base/session.ts";

/** The overall status beside the link to the health page. */
export function HealthState() {
  const { tenant } = useSignedIn();
  const { data, error } = useQuery(healthReport(tenant));
  const status = error ? "unavailable" : data?.status;
  if (status === undefined) return null;
  return (
    <span className={`nav-state health-${status}`}>
      <span className="tag-dot" aria-hidden="true" />
      <span className="nav-name">{formatLabel(status)}</span>
    </span>
  );
}
