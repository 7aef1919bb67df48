import type { z } from "@hono/zod-openapi";
import type { Comparison } from "../../../contract/filter/tree.ts";
import type { FlowQuery } from "../../../contract/flow/flow.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { FlowPosition } from "../../../store/flow/filter.ts";
import { useRepeatableRead } from "../../../store/flow/list.ts";
import { flowsByIds } from "../../../store/flow/read.ts";
import type { SortedPosition } from "../../../store/search/sorted-flows.ts";
import { shownFlow } from "../../../store/flow/shown-flows.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { flowPresenter } from "./present.ts";
import { DEFAULT_LIMIT, pathId } from "../params.ts";
import { equalities, listPlan } from "../search/plan.ts";
import { pageReaders } from "../search/run.ts";

const MAX_FLOW_DAYS = 31;

type Position = FlowPosition | SortedPosition;

export function flowHandlers(deps: HandlerDeps): Pick<Handlers, "listFlows" | "getFlow"> {
  const present = flowPresenter(deps);
  const read = pageReaders(deps);
  return {
    async listFlows({ caller, query, now }) {
      const scope = { tenantId: caller.tenantId, operation: "listFlows", filter: query };
      const after = deps.cursors.open<Position & Window & { now?: number }>(scope, query.cursor, now);
      // The default window ends now and would slide between pages, so the cursor carries the first page's
      // window. Relative times stay those of the first page, too.
      const window = after ?? readWindow(query, now, MAX_FLOW_DAYS);
      const since = after?.now ?? now;
      const plan = listPlan(deps, caller, { ...query, kind: "flows", parameters: parametersOf(query) }, {
        now: since,
        window: {
          ...window,
          isDefault: after === null && query.from === undefined && query.to === undefined,
        },
      });
      const { sort } = query;
      const paging = { limit: query.limit ?? DEFAULT_LIMIT, now, factType: query.facts };
      const { items, next } = sort === "-start"
        ? await read.flows(caller.tenantId, plan, {
          ...paging,
          after,
          effort: query.filter === undefined ? "list" : "search",
        })
        // The cursor is of the same order.
        : await read.sortedFlows(caller.tenantId, plan, {
          ...paging,
          after: after as SortedPosition | null,
          sort,
        });
      const position = next && { ...next, ...plan.window, now: since };
      return { data: items, nextCursor: position && deps.cursors.seal(scope, position, now) };
    },

    async getFlow({ caller: { tenantId }, params }) {
      const flowId = pathId(params, "flow_id");
      const [data] = await deps.db.tenant(tenantId, async (tx) => {
        await useRepeatableRead(tx);
        const flow = (await flowsByIds(tx, tenantId, [flowId])).get(flowId);
        return flow ? await present(tx, tenantId, [shownFlow(flow)]) : [];
      });
      if (!data) throw new ApiError("not_found");
      return { data };
    },
  };
}

/** The conditions that the list's parameters stand for. */
function parametersOf(
  { device_id, peer_ip, proto, service, source, incident_id }: z.output<typeof FlowQuery>,
): Comparison[] {
  return equalities({
    "device.id": device_id,
    ip: peer_ip,
    proto,
    service: service?.toLowerCase(),
    source,
    incident: incident_id,
  });
}
