import { stringifyJson } from "../../../kit/json/json.ts";
import type { Database } from "../../../store/engine/database.ts";
import { evidenceOfFlow, type EvidenceRow, firstEvidenceOfFlows } from "../../../store/flow/read.ts";
import { evidenceByLinks, evidenceLinks } from "../../../store/incident/read.ts";
import { keptByIds } from "../../../store/incident/kept-evidence.ts";
import { readRaw, type StoredRaw } from "../../../store/record/raw-read.ts";
import type { RawRecord } from "../../../contract/flow/flow.ts";
import type { Found } from "../../../domain/search/csv.ts";

/** Records in memory at once: each has at most 256 KiB. */
const RECORDS_AT_ONCE = 16;
/** Flows whose evidence is looked up at once, and the evidence of each: few have more. */
const FLOWS_AT_ONCE = 50;
const EVIDENCE_OF_FLOW = 20;

type Reads = Pick<Database, "tenant">;

/**
 * The raw records behind flows, or behind the evidence of incidents, one JSON object a line. Records that are no longer
 * retained are left out.
 */
export async function* recordLines(
  db: Reads,
  tenantId: string,
  items: readonly Found[],
): AsyncGenerator<string> {
  const flowIds = items.flatMap((item) => "flow_id" in item ? [item.flow_id] : []);
  for await (const rows of evidenceOfFlows(db, tenantId, flowIds)) yield* linesOf(db, tenantId, rows);
  for (const item of items) {
    if (!("device_ids" in item)) continue;
    yield* linesOfIncident(db, tenantId, item.id);
  }
}

async function* evidenceOfFlows(
  db: Reads,
  tenantId: string,
  flowIds: readonly string[],
): AsyncGenerator<EvidenceRow[]> {
  for (let at = 0; at < flowIds.length; at += FLOWS_AT_ONCE) {
    const part = flowIds.slice(at, at + FLOWS_AT_ONCE);
    const rows = await db.tenant(
      tenantId,
      (tx) => firstEvidenceOfFlows(tx, tenantId, part, EVIDENCE_OF_FLOW),
    );
    yield rows;
    for (const [flowId, first] of Map.groupBy(rows, ({ flow_id }) => flow_id)) {
      if (first.length === EVIDENCE_OF_FLOW) yield* evidenceAfter(db, tenantId, flowId, first.at(-1)!);
    }
  }
}

/** The evidence of a flow after the first. */
async function* evidenceAfter(
  db: Reads,
  tenantId: string,
  flowId: string,
  first: EvidenceRow,
): AsyncGenerator<EvidenceRow[]> {
  for (let last: EvidenceRow | undefined = first; last !== undefined;) {
    const after = { observedAt: last.observed_at, evidenceId: last.evidence_id };
    const rows: EvidenceRow[] = await db.tenant(
      tenantId,
      (tx) => evidenceOfFlow(tx, tenantId, flowId, after, FLOWS_AT_ONCE * EVIDENCE_OF_FLOW),
    );
    yield rows;
    last = rows.at(-1);
  }
}

/** The newest evidence, as many as the detail shows. */
async function* linesOfIncident(db: Reads, tenantId: string, incidentId: string): AsyncGenerator<string> {
  const links = await db.tenant(tenantId, (tx) => evidenceLinks(tx, tenantId, incidentId, 500));
  yield* evidenceRecordLines(db, tenantId, links);
}

/** The raw records behind linked evidence in its order, those that an incident kept beyond the retention included. */
export async function* evidenceRecordLines(
  db: Reads,
  tenantId: string,
  links: Parameters<typeof evidenceByLinks>[2],
): AsyncGenerator<string> {
  for (let at = 0; at < links.length; at += RECORDS_AT_ONCE) {
    const part = links.slice(at, at + RECORDS_AT_ONCE);
    const lines = await db.tenant(tenantId, async (tx) => {
      const rows = await evidenceByLinks(tx, tenantId, part);
      const raws = await readRaw(tx, tenantId, rows);
      const found = new Map(raws.flatMap((raw, index) => {
        const row = rows[index]!;
        return raw === null ? [] : [[row.evidence_id, lineOf(row, raw)] as const];
      }));
      const gone = part.map(({ evidence_id }) => evidence_id).filter((id) => !found.has(id));
      for (const kept of await keptByIds(tx, tenantId, gone)) {
        if (kept.raw !== null) found.set(kept.evidence_id, lineOf(kept, rawOfKept(kept.raw)));
      }
      return part.flatMap(({ evidence_id }) => found.get(evidence_id) ?? []);
    });
    if (lines.length > 0) yield lines.join("");
  }
}

function rawOfKept({ kind, event_id, observed_at, payload }: RawRecord): RawLine {
  return { kind, eventId: event_id, observedAtText: observed_at, payload };
}

async function* linesOf(
  db: Reads,
  tenantId: string,
  rows: readonly EvidenceRow[],
): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += RECORDS_AT_ONCE) {
    const part = rows.slice(at, at + RECORDS_AT_ONCE);
    const raws = await db.tenant(tenantId, (tx) => readRaw(tx, tenantId, part));
    const lines = raws.flatMap((raw, index) => raw === null ? [] : [lineOf(part[index]!, raw)]);
    if (lines.length > 0) yield lines.join("");
  }
}

type RawLine = Pick<StoredRaw, "kind" | "eventId" | "observedAtText" | "payload">;

/** The payload's exact text, as the sensor sent it, behind what identifies the record. */
function lineOf(
  { evidence_id, flow_id, sensor_id }: Pick<EvidenceRow, "evidence_id" | "flow_id" | "sensor_id">,
  { kind, eventId: event_id, observedAtText: observed_at, payload }: RawLine,
): string {
  const record = { evidence_id, flow_id, sensor_id, kind, event_id, observed_at };
  return `${stringifyJson(record).slice(0, -1)},"payload":${payload}}\n`;
}
