import { ApiError } from "../../contract/errors.ts";
import { canonicalIp } from "../../kit/ip.ts";
import { evidenceOfFlow, flowsByIds, listFlows, readRaw } from "../../store/flow-read.ts";
import type { Handlers } from "../handler.ts";
import { readWindow } from "../window.ts";
import type { HandlerDeps } from "./deps.ts";
import { flowView, observationView } from "./flow-view.ts";
import { DEFAULT_LIMIT, isId, pathId } from "./params.ts";

const MAX_FLOW_DAYS = 31;

/** Without a `limit` the evidence route gives every observation of any flow but a flood's. */
const EVIDENCE_LIMIT = 1000;

export function flowHandlers(deps: HandlerDeps): Pick<Handlers, "listFlows" | "getFlowEvidence"> {
  return {
    async listFlows({ caller, query, now }) {
      const window = readWindow(query, now, MAX_FLOW_DAYS);
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "listFlows", filter: query };
      const position = deps.cursors.open<{ start: number; flowId: string; from: number; to: number }>(
        scope,
        query.cursor,
        now,
      );
      const peerIp = query.peer_ip === undefined ? undefined : canonicalIp(query.peer_ip);
      if (peerIp === null) {
        throw new ApiError("invalid_request", "peer_ip: expected an IP address.", { field: "peer_ip" });
      }
      const missing = [query.device_id, query.incident_id].some((id) => id !== undefined && !isId(id));
      // A window that ends "now" would slide from page to page; the walk keeps the one it began with.
      const walked = position ? { from: position.from, to: position.to } : window;
      const flows = missing ? [] : await deps.db.tenant(caller.tenantId, (tx) =>
        listFlows(
          tx,
          caller.tenantId,
          {
            window: walked,
            deviceId: query.device_id,
            peerIp,
            proto: query.proto?.toLowerCase(),
            service: query.service?.toLowerCase(),
            source: query.source,
            incidentId: query.incident_id,
          },
          position,
          limit + 1,
        ));
      const page = flows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(flowView),
        nextCursor: flows.length > limit && last
          ? deps.cursors.seal(scope, { start: last.start, flowId: last.flowId, ...walked }, now)
          : null,
      };
    },

    async getFlowEvidence({ caller, params, query, now }) {
      const flowId = pathId(params, "flow_id");
      const limit = query.limit ?? EVIDENCE_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "getFlowEvidence", filter: { flowId } };
      const after = deps.cursors.open<{ observedAt: number; evidenceId: string }>(scope, query.cursor, now);
      const { flow, rows, raws } = await deps.db.tenant(caller.tenantId, async (tx) => {
        const flow = (await flowsByIds(tx, caller.tenantId, [flowId])).get(flowId);
        if (!flow) throw new ApiError("not_found");
        const rows = await evidenceOfFlow(tx, caller.tenantId, flowId, after, limit + 1);
        return { flow, rows, raws: await readRaw(tx, caller.tenantId, rows) };
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map((row, index) => observationView(row, flow, raws[index] ?? null)),
        nextCursor: rows.length > limit && last
          ? deps.cursors.seal(scope, { observedAt: last.observed_at, evidenceId: last.evidence_id }, now)
          : null,
      };
    },
  };
}
