import { type Flow, MAX_LISTED_FACTS } from "../../../contract/flow/flow.ts";
import type { FactType } from "../../../contract/record/facts.ts";
import { MAX_PAGE_BYTES } from "../../../contract/request/common.ts";
import { vlanFinder } from "../../../domain/device/vlan.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { asShown } from "../../../store/device/group.ts";
import { factsOfFlows } from "../../../store/flow/read.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";
import type { HandlerDeps } from "../deps.ts";
import { geoFinder } from "../intel/intel-view.ts";
import { factsView } from "./facts-view.ts";
import { intelOfFlows, matchedEnds } from "./intel.ts";
import { namesOfFlows } from "./names.ts";
import { flowView } from "./view.ts";

/**
 * Flows as the API shows them, with names, places and intelligence, and with their facts of a type if one is given;
 * takes several statements.
 */
export type FlowPresenter = (
  tx: Tx,
  tenantId: string,
  flows: ShownFlow[],
  factType?: FactType,
) => Promise<Flow[]>;

type PresenterDeps = Pick<HandlerDeps, "geoip" | "tenants" | "pageBytes">;

export function flowPresenter({ geoip, tenants, pageBytes = MAX_PAGE_BYTES }: PresenterDeps): FlowPresenter {
  const geoOf = geoFinder(geoip);
  return async (tx, tenantId, flows, factType) => {
    const flowIds = flows.map(({ flowId }) => flowId);
    const [shown, names, matched, facts] = await Promise.all([
      asShown(tx, tenantId, flows),
      namesOfFlows(tx, tenantId, flows),
      matchedEnds(tx, tenantId, flows),
      factType &&
      factsOfFlows(tx, tenantId, flowIds, { type: factType, limit: MAX_LISTED_FACTS, maxBytes: pageBytes }),
    ]);
    const intel = await intelOfFlows(tx, tenantId, flows, names, matched);
    const vlanOf = vlanFinder(tenants.get(tenantId)?.site.vlans ?? []);
    return shown.map((flow) => ({
      ...flowView(flow, {
        names: names.get(flow.flowId)!,
        vlanOf,
        geoOf,
        intel: intel.get(flow.flowId) ?? [],
      }),
      facts: facts ? (facts.get(flow.flowId) ?? []).map(factsView) : null,
    }));
  };
}
