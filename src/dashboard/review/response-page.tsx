import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { isMissing, Missing } from "../ui/missing.tsx";
import { to } from "../base/links.ts";
import { responseAction } from "./review-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import { ActionHistory, Asked, IncidentBeside } from "./response-detail.tsx";
import { KIND_NAMES, targetName, targetOf } from "./response-labels.ts";
import { useDecide } from "./use-decide.tsx";

/** One response action with its incident and evidence beside it. */
export function ResponsePage(): ReactNode {
  const { tenant } = useSignedIn();
  const { actionId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(responseAction(tenant, actionId));
  const decide = useDecide({ target: () => data ?? null });
  if (isMissing(error)) return <Missing what="Response action" list={to.review()} />;
  if (data === undefined) {
    return (
      <div className="page">
        <PageHeader title="Response action" />
        {error
          ? <ErrorState what="The response action" error={error} retry={() => void refetch()} />
          : <SkeletonBlock tall />}
      </div>
    );
  }
  return (
    <div className="page">
      <PageHeader title={`${KIND_NAMES[data.kind]} ${targetName(data) ?? ""}`.trim()} note="Response action">
        <Link {...to.review()} className="button">All response actions</Link>
      </PageHeader>
      <StaleNotice error={error} retry={() => void refetch()} />
      <div className="columns decision-columns">
        <div className="column-main">
          <Card title="What is asked">
            <Asked action={data} decide={decide} />
          </Card>
          <Card title="History">
            <ActionHistory action={data} />
          </Card>
        </div>
        <div className="column-main">
          <Card title="Incident and evidence">
            <IncidentBeside incidentId={data.incident_id} target={targetOf(data)} />
          </Card>
        </div>
      </div>
      {decide.dialog}
    </div>
  );
}
