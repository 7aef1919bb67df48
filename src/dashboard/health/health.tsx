import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Report } from "./health-report.tsx";
import { PageHeader } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { healthReport } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";

export function Health(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const { data, error, isPending, refetch, dataUpdatedAt } = useQuery(healthReport(tenant));
  return (
    <div className="page">
      <PageHeader title="Health" note="The service and the sensors that feed it" />
      {data
        ? <Report report={data} admin={roles.includes("admin")} silentSince={error ? dataUpdatedAt : null} />
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The health report" error={error} retry={() => void refetch()} />}
    </div>
  );
}
