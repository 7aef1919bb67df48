import {
  type CaseFormat,
  type IncidentCase,
  MAX_CASE_EVIDENCE,
  type TlpLabel,
} from "../../../contract/incident/case.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import type { Download } from "../../../contract/request/envelope.ts";
import { buildCase } from "../../../domain/incident/report/build-case.ts";
import { renderJson } from "../../../domain/incident/report/render-json.ts";
import { renderHtml } from "../../../domain/incident/report/render-html.ts";
import { renderNavigator } from "../../../domain/incident/report/render-navigator.ts";
import { renderMarkdown } from "../../../domain/incident/report/render-markdown.ts";
import { renderStix } from "../../../domain/incident/report/stix/render-stix.ts";
import { useRepeatableRead } from "../../../store/flow/list.ts";
import { evidenceLinks, incidentById } from "../../../store/incident/read.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { flowPresenter } from "../flow/present.ts";
import { geoFinder } from "../intel/intel-view.ts";
import { pathId } from "../params.ts";
import { caseRecordLines } from "./case-records.ts";
import { readCase } from "./read-case.ts";

interface Rendering {
  render: (value: IncidentCase) => string;
  /** After the incident's id and revision. */
  ending: string;
  contentType: string;
}

const RENDERINGS: Record<Exclude<CaseFormat, "records">, Rendering> = {
  json: { render: renderJson, ending: ".json", contentType: "application/json; charset=utf-8" },
  html: { render: renderHtml, ending: ".html", contentType: "text/html; charset=utf-8" },
  navigator: {
    render: renderNavigator,
    ending: "-navigator.json",
    contentType: "application/json; charset=utf-8",
  },
  stix: {
    render: renderStix,
    ending: "-stix.json",
    contentType: "application/stix+json;version=2.1",
  },
  markdown: { render: renderMarkdown, ending: ".md", contentType: "text/markdown; charset=utf-8" },
};

interface Asked {
  tenantId: string;
  incidentId: string;
  /** Microseconds. */
  now: number;
}

export function caseHandlers(deps: HandlerDeps): Pick<Handlers, "exportIncident"> {
  return {
    async exportIncident({ caller: { tenantId }, params, query: { format, tlp }, now }) {
      const asked = { tenantId, incidentId: pathId(params, "incident_id"), now };
      if (format === "records") return { data: await recordsOf(deps, asked) };
      return { data: await fileOf(deps, asked, { rendering: RENDERINGS[format], tlp: tlp ?? null }) };
    },
  };
}

async function fileOf(
  deps: HandlerDeps,
  asked: Asked,
  { rendering: { render, ending, contentType }, tlp }: { rendering: Rendering; tlp: TlpLabel | null },
): Promise<Download> {
  const { tenantId, incidentId } = asked;
  const reads = { presentFlows: flowPresenter(deps), geoOf: geoFinder(deps.geoip) };
  const content = await deps.db.tenant(tenantId, (tx) => readCase(tx, asked, reads));
  const site = deps.tenants.get(tenantId)?.site;
  const value = buildCase({
    ...content,
    site: { site_id: site?.site_id ?? tenantId, display_name: site?.display_name ?? tenantId },
    tlp,
    url: deps.publicUrl
      ? `${deps.publicUrl}/t/${encodeURIComponent(tenantId)}/incidents/${incidentId}`
      : null,
  });
  const bytes = new TextEncoder().encode(render(value));
  return {
    fileName: `incident-${incidentId}-revision-${value.incident.revision}${ending}`,
    contentType,
    bytes: bytes.length,
    headers: resultHeaders(value.evidence_truncated),
    body: ReadableStream.from([bytes]),
  };
}

async function recordsOf({ db }: HandlerDeps, { tenantId, incidentId }: Asked): Promise<Download> {
  const { row, links } = await db.tenant(tenantId, async (tx) => {
    await useRepeatableRead(tx);
    const row = await incidentById(tx, tenantId, incidentId);
    if (!row) throw new ApiError("not_found");
    return { row, links: await evidenceLinks(tx, tenantId, incidentId, MAX_CASE_EVIDENCE + 1) };
  });
  const truncated = links.length > MAX_CASE_EVIDENCE;
  const lines = caseRecordLines(db, tenantId, links.slice(-MAX_CASE_EVIDENCE), truncated);
  return {
    fileName: `incident-${incidentId}-revision-${row.revision}-records.ndjson`,
    contentType: "application/x-ndjson; charset=utf-8",
    bytes: null,
    headers: resultHeaders(truncated),
    body: ReadableStream.from(lines).pipeThrough(new TextEncoderStream()),
  };
}

function resultHeaders(truncated: boolean): Record<string, string> {
  return { "X-Result-Limit": String(MAX_CASE_EVIDENCE), "X-Result-Truncated": String(truncated) };
}
