import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FlowObservation } from "../../contract/flow/flow.ts";
import { shownIp } from "../../kit/net/shown-ip.ts";
import { FlowNames } from "./flow-names.tsx";
import { IntelReferences } from "../entity/intel/intel.tsx";
import { AroundRecord } from "../entity/record/around-record.tsx";
import { PivotWindow } from "../entity/pivot-window.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Observations } from "./observations.tsx";
import { Card, useTitle } from "../ui/page.tsx";
import { SkeletonBlock } from "../ui/states.tsx";
import { flowEvidence } from "../entity/record/evidence-query.ts";
import { oneFlow } from "./flow-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { isMissing, Missing } from "../ui/missing.tsx";
import { to } from "../base/links.ts";
import { dayAround } from "../base/time/range.ts";

const route = getRouteApi("/t/$tenant/flows/$flowId");
const NONE: FlowObservation[] = [];

/** A single flow with all its observations. */
export function FlowPage(): ReactNode {
  const { tenant } = useSignedIn();
  const { flowId } = route.useParams();
  const { data = NONE, error, isPending } = useQuery(flowEvidence(tenant, flowId));
  const { data: flow, isPending: isFlowPending } = useQuery({
    ...oneFlow(tenant, flowId),
    enabled: data.length > 0,
  });
  const shown = data.find(({ preferred }) => preferred) ?? data[0];
  const title = shown
    ? `${shownIp(shown.src.ip, shown)} to ${flow?.server_name ?? shownIp(shown.dst.ip, shown)}`
    : "Flow";
  useTitle(title);
  if (isMissing(error)) return <Missing what="flow" list={to.explore()} />;
  return (
    <div className="page">
      <div className="incident-title">
        <div className="crumbs">
          <Link {...to.explore()} className="link">Explore</Link>
          <span className="muted mono clip">{flowId}</span>
        </div>
        <h1>
          <Foreign text={title} />
        </h1>
      </div>
      {/* All at once, so that what stands above does not move what is below. */}
      {isPending || data.length > 0 && isFlowPending
        ? <SkeletonBlock />
        : (
          <PivotWindow window={shown && dayAround(shown.start)}>
            {shown && <AroundRecord at={shown.start} src={shown.src} dst={shown.dst} origin={shown} />}
            {flow && flow.intel.length > 0 && (
              <Card title="Known threats" note="threat intelligence matches of this flow" flush>
                <IntelReferences intel={flow.intel} />
              </Card>
            )}
            {flow && flow.names.length > 0 && (
              <Card title="Names of the server" flush>
                <FlowNames flow={flow} />
              </Card>
            )}
            <Card title="Observations" note="as reported by each sensor; counters are never summed">
              <Observations flow={flowId} />
            </Card>
          </PivotWindow>
        )}
    </div>
  );
}
