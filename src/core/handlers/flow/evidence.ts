import { ApiError } from "../../../contract/request/errors.ts";
import {
  type FlowObservation,
  MAX_LISTED_PAYLOAD_BYTES,
  type RawRecord,
} from "../../../contract/flow/flow.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { boundByReceipt } from "../../../domain/record/times.ts";
import { normaliseStored } from "../../../domain/record/stored-record.ts";
import { asShown } from "../../../store/device/group.ts";
import { evidenceById, rawOfEvidence } from "../../../store/flow/evidence-by-id.ts";
import { evidenceOfFlow, type EvidenceRow, flowsByIds } from "../../../store/flow/read.ts";
import { keptById, keptOfFlow } from "../../../store/incident/kept-evidence.ts";
import { firstBytes, readRaw } from "../../../store/record/raw-read.ts";
import { shownFlow } from "../../../store/flow/shown-flows.ts";
import type { Handlers } from "../../handler.ts";
import { readTimestamp } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { rawDownload } from "./raw-download.ts";
import { observationView } from "./view.ts";
import { geoFinder, type GeoOf } from "../intel/intel-view.ts";
import { Page } from "../page.ts";
import { pathId } from "../params.ts";

/**
 * Default page size of the evidence route, documented in the contract; only floods have more observations.
 */
const EVIDENCE_LIMIT = 1000;

/** Observations read at once: with cut payloads, at most 6.25 MiB of them. */
const OBSERVATIONS_AT_ONCE = 100;
/** Kept observations read at once: each is stored with its whole record, at most 256 KiB. */
const KEPT_AT_ONCE = 4;

type EvidenceOperation = "getFlowEvidence" | "getEvidence" | "getRawRecord";

export function evidenceHandlers(deps: HandlerDeps): Pick<Handlers, EvidenceOperation> {
  const geoOf = geoFinder(deps.geoip);
  return {
    async getFlowEvidence({ caller, params, query, now }) {
      const flowId = pathId(params, "flow_id");
      const limit = query.limit ?? EVIDENCE_LIMIT;
      const scope = { tenantId: caller.tenantId, operation: "getFlowEvidence", filter: { flowId } };
      const after = deps.cursors.open<EvidencePosition>(scope, query.cursor, now);
      const { page, more } = await deps.db.tenant(
        caller.tenantId,
        (tx) =>
          observationPage(tx, {
            tenantId: caller.tenantId,
            flowId,
            after,
            limit,
            geoOf,
            maxBytes: deps.pageBytes,
          }),
      );
      return {
        data: page.map(({ observation }) => observation),
        nextCursor: more ? deps.cursors.seal(scope, page.at(-1)!.position, now) : null,
      };
    },

    async getEvidence({ caller: { tenantId }, params }) {
      const evidenceId = pathId(params, "evidence_id");
      const data = await deps.db.tenant(tenantId, (tx) => observationById(tx, tenantId, evidenceId, geoOf));
      if (data === null) throw new ApiError("not_found");
      return { data };
    },

    async getRawRecord({ caller, params }) {
      return { data: await rawDownload(deps.db, caller, pathId(params, "evidence_id")) };
    },
  };
}

/** As the flow's list shows it, or as an incident kept it; null if there is none with this id. */
async function observationById(
  tx: Tx,
  tenantId: string,
  evidenceId: string,
  geoOf: GeoOf,
): Promise<FlowObservation | null> {
  const row = await evidenceRow(tx, tenantId, evidenceId);
  const known = row && (await flowsByIds(tx, tenantId, [row.flow_id])).get(row.flow_id);
  if (!row || !known) {
    const kept = await keptById(tx, tenantId, evidenceId);
    return kept && keptView(kept, geoOf);
  }
  const [flow] = await asShown(tx, tenantId, [shownFlow(known)]);
  const [raw] = await readRaw(tx, tenantId, [row], MAX_LISTED_PAYLOAD_BYTES);
  return observationView(row, flow!, raw ?? null, geoOf);
}

/** Finds evidence by its record: no index by evidence id burdens the pipeline. */
async function evidenceRow(tx: Tx, tenantId: string, evidenceId: string): Promise<EvidenceRow | null> {
  const found = await rawOfEvidence(tx, tenantId, evidenceId);
  if (found === null || found.parse_status === "unparsed") return null;
  const [raw] = await readRaw(tx, tenantId, [found]);
  if (!raw) return null;
  const result = normaliseStored(raw);
  if (!("observation" in result)) return null;
  const { observation } = result;
  boundByReceipt(observation, found.received_at);
  return await evidenceById(tx, tenantId, evidenceId, { eventId: found.event_id, observation });
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
  { tenantId, flowId, after, limit, geoOf, maxBytes }: {
    tenantId: string;
    flowId: string;
    after: EvidencePosition | null;
    limit: number;
    geoOf: GeoOf;
    maxBytes: number | undefined;
  },
): Promise<{ page: PlacedObservation[]; more: boolean }> {
  const page = new Page<PlacedObservation>(maxBytes);
  const { items } = page;
  for (;;) {
    const last = items.at(-1)?.position ?? after;
    const { found, exhausted } = await observations(
      tx,
      tenantId,
      flowId,
      last,
      limit + 1 - items.length,
      geoOf,
    );
    for (const one of found) {
      if (items.length === limit || !page.add(one)) return { page: items, more: true };
    }
    if (exhausted) return { page: items, more: false };
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
      observation: keptView(observation, geoOf),
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

function keptView(kept: FlowObservation, geoOf: GeoOf): FlowObservation {
  return {
    ...kept,
    raw: kept.raw && listedRaw(kept.raw),
    src: { ...kept.src, geo: geoOf(kept.src.ip) },
    dst: { ...kept.dst, geo: geoOf(kept.dst.ip) },
  };
}

/** A whole record as lists show it. */
function listedRaw(raw: RawRecord): RawRecord {
  if (raw.payload_bytes <= MAX_LISTED_PAYLOAD_BYTES) return raw;
  return { ...raw, payload: firstBytes(raw.payload, MAX_LISTED_PAYLOAD_BYTES), truncated: true };
}
