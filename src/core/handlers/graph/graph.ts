import { isId } from "../../../contract/request/common.ts";
import type { GraphQuery } from "../../../contract/graph/query.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { endOfMinute, MINUTE, minuteOf } from "../../../domain/graph/traffic.ts";
import { sha256Hex } from "../../../kit/hash.ts";
import { formatMillis } from "../../../kit/time.ts";
import { survivorOf } from "../../../store/device/group.ts";
import { type IncidentTraffic, incidentTraffic } from "../../../store/graph/incident-traffic.ts";
import type { MinuteWindow } from "../../../store/graph/traffic.ts";
import { readGraphFilter } from "../../graph/graph-filter.ts";
import { sealGraphCursor } from "../../graph/graph-cursor.ts";
import type { GraphStreams } from "../../graph/graph-streams.ts";
import type { Graphs } from "../../graph/graphs.ts";
import type { GraphScope } from "../../graph/graph-scope.ts";
import type { Caller, Handlers } from "../../handler.ts";
import { readTimestamp, readWindow } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { graphView } from "../../graph/graph-view.ts";

const MAX_GRAPH_DAYS = 1;
const MAX_GRAPH_SPAN = MAX_GRAPH_DAYS * 1440 * MINUTE;
const SEED_DIGITS = 8;

/** The graphs of all tenants, and the streams that follow them. */
export interface LiveGraphs {
  graphs: Pick<Graphs, "of">;
  streams: Pick<GraphStreams, "stream">;
}

export function graphHandlers(
  deps: HandlerDeps,
  { graphs, streams }: LiveGraphs,
): Pick<Handlers, "getGraph" | "streamGraph"> {
  return {
    async getGraph({ caller, query, now }) {
      const { tenantId } = caller;
      if (!deps.tenants.has(tenantId)) throw new ApiError("not_found");
      const incident = await incidentOf(deps, tenantId, query);
      const isWhole = incident !== null && query.from === undefined && query.to === undefined;
      const window = isWhole ? incident.window : graphWindow(query, now);
      const scope = await scopeOf(deps, caller, query);
      const { graph, content, version, watermark } = await graphs.of(tenantId, {
        scope,
        window,
        incident,
        now,
      });
      const { nodes, links, arcs } = graph.omitted;
      const minutes = (window.to - window.from) / MINUTE;
      const position = {
        scope,
        minutes,
        to: window.to,
        batchNo: version.batchNo,
        digest: content.digest,
      };
      return {
        data: {
          scene: scope.scene,
          window: { from: formatMillis(window.from), to: formatMillis(window.to) },
          focus_node_id: graph.focusNodeId,
          layout_seed: parseInt(sha256Hex(`layout ${tenantId}`).slice(0, SEED_DIGITS), 16),
          watermark: formatMillis(watermark),
          cursor: window.to === endOfMinute(now) && incident === null
            ? sealGraphCursor(deps.cursors, tenantId, position, now)
            : null,
          truncated: nodes + links + arcs > 0,
          omitted: graph.omitted,
          ...graphView(graph),
        },
      };
    },
    async streamGraph({ caller: { tenantId, subject }, query, lastEventId, now }) {
      if (!deps.tenants.has(tenantId)) throw new ApiError("not_found");
      const { since = null } = query;
      const [cursor, field] = lastEventId === null ? [since, "since"] : [lastEventId, "Last-Event-ID"];
      const filter = filterOf(query, subject);
      return { data: await streams.stream(tenantId, { cursor, field, filter, now }) };
    },
  };
}

/**
 * The window aligned outwards to whole minutes. A window of 24 hours until now may begin up to a minute earlier: its
 * client chose `from` before this request arrived.
 */
function graphWindow({ from, to }: Pick<GraphQuery, "from" | "to">, now: number): MinuteWindow {
  const slack = from !== undefined && to === undefined
    ? now - readTimestamp("from", from) - MAX_GRAPH_SPAN
    : 0;
  const window = readWindow({ from, to }, slack > 0 && slack <= MINUTE ? now - slack : now, MAX_GRAPH_DAYS);
  return { from: minuteOf(window.from), to: to === undefined ? endOfMinute(now) : endOfMinute(window.to) };
}

/** @throws ApiError not_found if there is no such incident */
async function incidentOf(
  { db }: HandlerDeps,
  tenantId: string,
  { incident_id: incidentId }: Pick<GraphQuery, "incident_id">,
): Promise<IncidentTraffic | null> {
  if (incidentId === undefined) return null;
  const incident = await db.tenant(tenantId, (tx) => incidentTraffic(tx, tenantId, incidentId));
  if (incident === null) throw new ApiError("not_found");
  return incident;
}

/** @throws ApiError not_found if the focus is no device */
async function scopeOf(
  { db }: HandlerDeps,
  { tenantId, subject }: Pick<Caller, "tenantId" | "subject">,
  query: GraphQuery,
): Promise<GraphScope> {
  const { scene, focus_device_id: deviceId, hops = 1, expand = [] } = query;
  let focus: string | null = null;
  if (deviceId !== undefined) {
    focus = isId(deviceId) ? await db.tenant(tenantId, (tx) => survivorOf(tx, tenantId, deviceId)) : null;
    if (focus === null) throw new ApiError("not_found");
  }
  return { scene, focus, hops, expand, filter: filterOf(query, subject) };
}

function filterOf({ filter }: Pick<GraphQuery, "filter">, subject: string): string | null {
  return filter === undefined ? null : readGraphFilter(filter, subject);
}
