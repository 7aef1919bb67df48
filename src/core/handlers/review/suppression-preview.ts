import { isId } from "../../../contract/request/common.ts";
import type { z } from "@hono/zod-openapi";
import { ApiError } from "../../../contract/request/errors.ts";
import {
  MAX_EXAMINED,
  MAX_PREVIEWED,
  type SuppressionPreview,
  type SuppressionPreviewRequest,
} from "../../../contract/review/suppression.ts";
import { DETECTORS } from "../../../domain/detect/registry.ts";
import {
  compilePattern,
  isDeviceId,
  matches,
  patternFaults,
  type SuppressionPattern,
} from "../../../domain/incident/suppression.ts";
import { suggestPatterns } from "../../../domain/incident/suppression-suggestions.ts";
import type { Tx } from "../../../store/engine/database.ts";
import { deviceGroup } from "../../../store/device/group.ts";
import { deviceById } from "../../../store/device/read.ts";
import { incidentById, incidentsByIds } from "../../../store/incident/read.ts";
import { coverageOf, type Matcher, resultsOf } from "../../../store/review/suppression-match.ts";
import { readTimestamp } from "../../window.ts";
import { incidentViews } from "../incident/view.ts";

type Fault = SuppressionPreview["faults"][number];

/** A pattern with the canonical device id, and its faults: too wide, or without existing device and detector. */
export async function checkPattern(
  tx: Tx,
  tenantId: string,
  pattern: SuppressionPattern,
): Promise<{ faults: Fault[]; checked: SuppressionPattern }> {
  const faults: Fault[] = patternFaults(pattern);
  const { source, detector } = pattern;
  if (detector !== null && !DETECTORS.some(({ info }) => info.modelId === detector)) {
    faults.push({ field: "detector", message: "expected the model id of a detector" });
  }
  if (source === null || !isDeviceId(source)) return { faults, checked: pattern };
  const device = await deviceById(tx, tenantId, source);
  if (!device) faults.push({ field: "source", message: "expected an existing device" });
  return { faults, checked: { ...pattern, source: device?.device_id ?? source } };
}

/** @throws ApiError not_found if the body names an incident that does not exist */
export async function previewOf(
  tx: Tx,
  tenantId: string,
  body: z.output<typeof SuppressionPreviewRequest>,
  now: number,
): Promise<SuppressionPreview> {
  const { source = null, destination = null, port = null, detector = null } = body.pattern;
  if (body.expires_at !== undefined) readTimestamp("expires_at", body.expires_at);
  const { faults, checked } = await checkPattern(tx, tenantId, { source, destination, port, detector });
  const matcher = faults.length === 0 ? await matcherOf(tx, tenantId, checked) : null;
  const coverage = matcher === null
    ? { incidentIds: [], results: 0, truncated: false }
    : await coverageOf(tx, tenantId, matcher, MAX_EXAMINED);
  const shown = await incidentsByIds(tx, tenantId, coverage.incidentIds.slice(0, MAX_PREVIEWED));
  return {
    accepted: matcher !== null,
    faults,
    open_incidents: coverage.incidentIds.length,
    results: coverage.results,
    truncated: coverage.truncated,
    first_incidents: await incidentViews(tx, tenantId, shown, now),
    ...await forIncident(tx, tenantId, body.incident_id, matcher),
  };
}

async function forIncident(
  tx: Tx,
  tenantId: string,
  incidentId: string | undefined,
  matcher: Matcher | null,
): Promise<Pick<SuppressionPreview, "covers_incident" | "suggestions">> {
  if (incidentId === undefined) return { covers_incident: null, suggestions: [] };
  const row = isId(incidentId) ? await incidentById(tx, tenantId, incidentId) : null;
  if (row === null) throw new ApiError("not_found");
  const results = await resultsOf(tx, tenantId, incidentId, matcher === null ? [] : [matcher]);
  const suggested = suggestPatterns(
    results.map(({ deviceIds, modelId, destinations }) => ({
      deviceId: deviceIds[0] ?? null,
      modelId,
      destinations,
    })),
  );
  const suggestions = [];
  for (const pattern of suggested) {
    const { pattern: compiled } = await matcherOf(tx, tenantId, pattern);
    const matching = results.filter((result) => matches(compiled, result));
    suggestions.push({
      pattern,
      results: matching.reduce((sum, { count }) => sum + count, 0),
      covers_incident: matching.length === results.length,
    });
  }
  return {
    covers_incident: matcher !== null && results.length > 0 &&
      results.every((result) => matches(matcher.pattern, result)),
    // Stable: the order among the others stays.
    suggestions: suggestions.filter(({ results }) => results > 0)
      .sort((a, b) => Number(b.covers_incident) - Number(a.covers_incident)),
  };
}

async function matcherOf(tx: Tx, tenantId: string, pattern: SuppressionPattern): Promise<Matcher> {
  const { source } = pattern;
  const sameDevice = source !== null && isDeviceId(source) ? await deviceGroup(tx, tenantId, source) : [];
  return { pattern: compilePattern(pattern, sameDevice) };
}
