import { ApiError } from "../../../contract/request/errors.ts";
import { Buffer } from "node:buffer";
import {
  type FlowObservation,
  MAX_LISTED_PAYLOAD_BYTES,
  type RawRecord,
} from "../../../contract/flow/flow.ts";
import { vlanFinder } from "../../../domain/device/vlan.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import { protocolKeyword, protocolNumber } from "../../../kit/net/ip-protocol.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { asShown } from "../../../store/device/group.ts";
import type { FlowFilter, FlowPosition } from "../../../store/flow/filter.ts";
import { flowPage, useRepeatableRead } from "../../../store/flow/list.ts";
import { evidenceOfFlow, flowsByIds } from "../../../store/flow/read.ts";
import { keptOfFlow } from "../../../store/incident/kept-evidence.ts";
import { firstBytes, readRaw } from "../../../store/record/raw-read.ts";
import { shownFlow } from "../../../store/flow/shown-flows.ts";
import type { Handlers } from "../../handler.ts";
import { readTimestamp, readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { intelOfFlows, matchedEnds } from "./intel.ts";
import { namesOfFlows } from "./names.ts";
import { flowView, observationView } from "./view.ts";
import { geoFinder, type GeoOf } from "../intel/intel-view.ts";
import { DEFAULT_LIMIT, isId, pathId } from "../params.ts";

const MAX_FLOW_DAYS = 31;

/**
 * Default page size of the evidence route, documented in the contract; only floods have more observations.
 */
const EVIDENCE_LIMIT = 1000;

/** A page of evidence ends after this many bytes of JSON, documented in the contract. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Observations read at once: with cut payloads, at most 6.25 MiB of them. */
const OBSERVATIONS_AT_ONCE = 100;
/** Kept observations read at once: each is stored with its whole record, at most 5 MiB. */
const KEPT_AT_ONCE = 4;

export function flowHandlers(deps: HandlerDeps): Pick<Handlers, "listFlows" | "getFlowEvidence"> {
  const geoOf = geoFinder(deps.geoip);
  return {
    async listFlows({ caller, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "listFlows", filter: query };
      const position = deps.cursors.open<FlowPosition & Window>(scope, query.cursor, now);
      // The default window ends now and would slide between pages, so the cursor carries the first page's
      // window.
      const { from, to } = position ?? readWindow(query, now, MAX_FLOW_DAYS);
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
      const { flows, next, names, intel } = await deps.db.tenant(caller.tenantId, async (tx) => {
        // Independent statements are sent without waiting for each other, in this order.
        const [, { flows, next }] = await Promise.all([
          useRepeatableRead(tx),
          flowPage(tx, caller.tenantId, filter, position, limit),
        ]);
        const [shown, names, matched] = await Promise.all([
          asShown(tx, caller.tenantId, flows),
          namesOfFlows(tx, caller.tenantId, flows),
          matchedEnds(tx, caller.tenantId, flows),
        ]);
        const intel = await intelOfFlows(tx, caller.tenantId, flows, names, matched);
        return { flows: shown, next, names, intel };
      });
      const vlanOf = vlanFinder(deps.tenants.get(caller.tenantId)?.site.vlans ?? []);
      return {
        data: flows.map((flow) =>
          flowView(flow, {
            names: names.get(flow.flowId)!,
            vlanOf,
            geoOf,
            intel: intel.get(flow.flowId) ?? [],
          })
        ),
        nextCursor: next && deps.cursors.seal(scope, { ...next, from, to }, now),
      };
    },

    async getFlowEvidence({ caller, params, query, now }) {
      const flowId = pathId(params, "flow_id");
      const limit = query.limit ?? EVIDENCE_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "getFlowEvidence", filter: { flowId } };
      const after = deps.cursors.open<EvidencePosition>(scope, query.cursor, now);
      const { page, more } = await deps.db.tenant(
        caller.tenantId,
        (tx) => observationPage(tx, caller.tenantId, flowId, after, limit, geoOf),
      );
      return {
        data: page.map(({ observation }) => observation),
        nextCursor: more ? deps.cursors.seal(scope, page.at(-1)!.position, now) : null,
      };
    },
  };
}

interface EvidencePosition {
  observedAt: number;
  evidenceId: string;
}

interface PlacedObservation {
  observation: FlowObservation;
  position: EvidencePosition;
}

/**
 * Returns a page of at most `limit` observations and 4 MiB, at least one, and whether others follow. Reads
 * them in parts, so memory is bounded however large the records are.
 */
async function observationPage(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: EvidencePosition | null,
  limit: number,
  geoOf: GeoOf,
): Promise<{ page: PlacedObservation[]; more: boolean }> {
  const page: PlacedObservation[] = [];
  let bytes = 0;
  for (;;) {
    const { found, exhausted } = await observations(
      tx,
      tenantId,
      flowId,
      page.at(-1)?.position ?? after,
      limit + 1 - page.length,
      geoOf,
    );
    for (const one of found) {
      bytes += Buffer.byteLength(stringifyJson(one.observation));
      if (page.length === limit || (bytes > MAX_PAGE_BYTES && page.length > 0)) return { page, more: true };
      page.push(one);
    }
    if (exhausted) return { page, more: false };
  }
}

/**
 * Returns the first of a flow's observations after a position, and whether they are the last; if retention
 * removed the flow, those that incidents kept.
 *
 * @throws ApiError not_found if there are neither
 */
async function observations(
  tx: Tx,
  tenantId: string,
  flowId: string,
  after: EvidencePosition | null,
  limit: number,
  geoOf: GeoOf,
): Promise<{ found: PlacedObservation[]; exhausted: boolean }> {
  const known = (await flowsByIds(tx, tenantId, [flowId])).get(flowId);
  const [flow] = known ? await asShown(tx, tenantId, [shownFlow(known)]) : [];
  if (!flow) {
    const most = Math.min(limit, KEPT_AT_ONCE);
    const kept = await keptOfFlow(tx, tenantId, flowId, after, most);
    if (kept.length === 0 && after === null) throw new ApiError("not_found");
    const found = kept.map((observation) => ({
      observation: {
        ...observation,
        raw: observation.raw && listedRaw(observation.raw),
        src: { ...observation.src, geo: geoOf(observation.src.ip) },
        dst: { ...observation.dst, geo: geoOf(observation.dst.ip) },
      },
      position: {
        observedAt: readTimestamp("observed_at", observation.observed_at),
        evidenceId: observation.evidence_id,
      },
    }));
    return { found, exhausted: kept.length < most };
  }
  const most = Math.min(limit, OBSERVATIONS_AT_ONCE);
  const rows = await evidenceOfFlow(tx, tenantId, flowId, after, most);
  const raws = await readRaw(tx, tenantId, rows, MAX_LISTED_PAYLOAD_BYTES);
  const found = rows.map((row, index) => ({
    observation: observationView(row, flow, raws[index] ?? null, geoOf),
    position: { observedAt: row.observed_at, evidenceId: row.evidence_id },
  }));
  return { found, exhausted: rows.length < most };
}

/** A whole record as lists show it. */
function listedRaw(raw: RawRecord): RawRecord {
  if (raw.payload_bytes <= MAX_LISTED_PAYLOAD_BYTES) return raw;
  return { ...raw, payload: firstBytes(raw.payload, MAX_LISTED_PAYLOAD_BYTES), truncated: true };
}

/** Normalises a protocol: `TCP`, `tcp` and `6` are the same. */
function protocolName(text: string): string {
  const number = protocolNumber(text);
  return number === null ? text.toLowerCase() : protocolKeyword(number);
}
