import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { formatLabel } from "../ui/format.ts";
import { healthReport } from "./queries.ts";
import { useSignedIn } from "./session.ts";
import { Icon } from "../ui/icons.tsx";

/** Link to the health page, with the overall status. */
export function HealthLink() {
  const { tenant } = useSignedIn();
  const { data, error } = useQuery(healthReport(tenant));
  const status = error ? "unavailable" : data?.status;
  return (
    <Link to="/health" className="nav-link" activeOptions={{ includeSearch: false }}>
      <Icon name="health" />
      Health
      {status && (
        <span className={`nav-state health-${status}`}>
          <span className="tag-dot" aria-hidden="true" />
          {formatLabel(status)}
        </span>
      )}
    </Link>
  );
}
