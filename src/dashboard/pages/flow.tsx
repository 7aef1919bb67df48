import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Foreign } from "../components/names.tsx";
import { Observations } from "../components/observations.tsx";
import { Card, useTitle } from "../components/page.tsx";
import { flowEvidence } from "../queries.ts";
import { useSignedIn } from "../session.tsx";
import { isMissing, Missing } from "./failure.tsx";

const route = getRouteApi("/flows/$flowId");

/** One flow by its address: all that the sensors said about it. */
export function FlowPage(): ReactNode {
  const { tenant } = useSignedIn();
  const { flowId } = route.useParams();
  const { data, error } = useQuery(flowEvidence(tenant, flowId));
  const shown = data?.find(({ preferred }) => preferred) ?? data?.[0];
  const title = shown ? `${shown.src.ip} to ${shown.dst.ip}` : "Flow";
  useTitle(title);
  if (isMissing(error)) return <Missing what="flow" to="/flows" />;
  return (
    <div className="page">
      <div className="incident-title">
        <div className="crumbs">
          <Link to="/flows" className="link">Flows</Link>
          <span className="muted mono clip">{flowId}</span>
        </div>
        <h1>
          <Foreign text={title} />
        </h1>
      </div>
      <Card title="Observations" note="what each sensor said; counters are never added up">
        <Observations flow={flowId} />
      </Card>
    </div>
  );
}
