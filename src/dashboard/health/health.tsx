import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { useSignedIn } from "../base/session.ts";
import { PageHeader } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { HealthHistory } from "./health-history.tsx";
import { Report } from "./health-report.tsx";

export function Health(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery(healthReport(tenant));
  return (
    <div className="page">
      <PageHeader title="Health" note="The service and the sensors that feed it">
        <Link {...to.help("health")} className="button">What the statuses mean</Link>
      </PageHeader>
      {data
        ? (
          <Report
            report={data}
            admin={roles.includes("admin")}
            silentSince={error ? dataUpdatedAt : null}
            history={<HealthHistory report={data} />}
          />
        )
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The health report" error={error} retry={() => void refetch()} />}
    </div>
  );
}
