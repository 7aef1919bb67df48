import type { z } from "@hono/zod-openapi";
import type { FieldName } from "../../../contract/filter/fields.ts";
import { normalise } from "../../../contract/filter/normalise.ts";
import { takeWindow } from "../../../contract/filter/time.ts";
import type { Condition } from "../../../contract/filter/tree.ts";
import type { Flow, FlowQuery } from "../../../contract/flow/flow.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { formatMicros } from "../../../kit/time.ts";
import { protocolKeyword, protocolNumber } from "../../../kit/net/ip-protocol.ts";
import type { FlowFilter, FlowPosition } from "../../../store/flow/filter.ts";
import { flowPage, useRepeatableRead } from "../../../store/flow/list.ts";
import { flowsByIds } from "../../../store/flow/read.ts";
import { shownFlow } from "../../../store/flow/shown-flows.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { flowPresenter } from "./present.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, isId, pathId } from "../params.ts";
import { filterParameter, planOf } from "../search/plan.ts";
import { searchRunner } from "../search/run.ts";

const MAX_FLOW_DAYS = 31;

export function flowHandlers(deps: HandlerDeps): Pick<Handlers, "listFlows" | "getFlow"> {
  const present = flowPresenter(deps);
  const run = searchRunner(deps);
  return {
    async listFlows({ caller, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "listFlows", filter: query };
      const after = deps.cursors.open<FlowPosition & Window & { now?: number }>(scope, query.cursor, now);
      // The default window ends now and would slide between pages, so the cursor carries the first page's
      // window.
      const { from, to } = after ?? readWindow(query, now, MAX_FLOW_DAYS);
      if (query.filter !== undefined) {
        // Relative times stay those of the first page.
        const since = after?.now ?? now;
        const where = filteredFlows(query);
        const zone = query.zone ?? "UTC";
        const isDefault = after === null && query.from === undefined && query.to === undefined;
        const window = isDefault && takeWindow(where, { now: since, zone }).span !== null
          ? null
          : { from: formatMicros(from), to: formatMicros(to) };
        const plan = planOf(deps, caller, { version: 1, kind: "flows", where, window, zone }, since);
        const found = await run(caller.tenantId, plan, { after, limit, now, factType: query.facts });
        const position = found.next && { ...found.next, ...plan.window, now: since };
        return {
          data: found.items as Flow[],
          nextCursor: position && deps.cursors.seal(scope, position, now),
        };
      }
      const unknown = [query.device_id, query.incident_id].some((id) => id !== undefined && !isId(id));
      const filter: FlowFilter = {
        window: { from, to },
        deviceId: query.device_id,
        peerIp: query.peer_ip,
        proto: query.proto === undefined ? undefined : protocolName(query.proto),
        service: query.service,
        source: query.source,
        incidentId: query.incident_id,
      };
      if (unknown) return { data: [], nextCursor: null };
      const { flows, shown, next } = await deps.db.tenant(caller.tenantId, async (tx) => {
        // Independent statements are sent without waiting for each other, in this order.
        const [, { flows, next }] = await Promise.all([
          useRepeatableRead(tx),
          flowPage(tx, caller.tenantId, filter, after, limit),
        ]);
        return { flows, shown: await present(tx, caller.tenantId, flows, query.facts), next };
      });
      const { page: data } = endPage(shown, next !== null, deps.pageBytes);
      const cut = data.length < shown.length ? flows[data.length - 1]! : null;
      const position = cut === null ? next : { start: cut.start, flowId: cut.flowId };
      return { data, nextCursor: position && deps.cursors.seal(scope, { ...position, from, to }, now) };
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

/** The list's parameters as one condition, for a list with a filter. */
function filteredFlows(query: z.output<typeof FlowQuery>): Condition {
  const { device_id, peer_ip, proto, service, source, incident_id, filter } = query;
  const parts: (Condition | null)[] = [
    equals("device.id", device_id),
    equals("ip", peer_ip),
    equals("proto", proto === undefined ? undefined : protocolName(proto)),
    equals("service", service?.toLowerCase()),
    equals("source", source),
    equals("incident", incident_id),
    filterParameter(filter!),
  ];
  return normalise({ all: parts.filter((part) => part !== null) });
}

function equals(field: FieldName, value: string | undefined): Condition | null {
  return value === undefined ? null : { field, op: "=", value };
}

/** Normalises a protocol: `TCP`, `tcp` and `6` are the same. */
function protocolName(text: string): string {
  const number = protocolNumber(text);
  return number === null ? text.toLowerCase() : protocolKeyword(number);
}
