// The incidents of a tenant, with everything that scenarios are matched against.

import type { Severity } from "../../src/contract/record/kinds.ts";
import type { Database, Tx } from "../../src/store/engine/database.ts";
import { incidentPage } from "../../src/store/incident/page.ts";
import {
  evidenceByLinks,
  evidenceLinks,
  type IncidentRow,
  latestResults,
} from "../../src/store/incident/read.ts";
import { flowsByIds } from "../../src/store/flow/read.ts";
import { plainArray } from "../../src/store/engine/literals.ts";
import { sql } from "../../src/store/engine/sql.ts";

/** An incident as the evaluation sees it. */
export interface SeenIncident {
  title: string;
  severity: Severity;
  score: number;
  /** Each model with a result in it and its best score, highest first. */
  models: { modelId: string; score: number }[];
  /** Addresses of its devices. */
  devices: string[];
  /** Everything in the incident and its evidence as one text: titles, texts, groups, addresses and names. */
  text: string;
}

const EVERY_INCIDENT = 100_000;
const MOST_EVIDENCE = 500;

/** In order of opening. */
export async function seenIncidents(db: Database, tenantId: string): Promise<SeenIncident[]> {
  return await db.tenant(tenantId, async (tx) => {
    const page = { sort: "-first_seen", after: null, limit: EVERY_INCIDENT } as const;
    const rows = await incidentPage(tx, tenantId, [], page);
    const seen: SeenIncident[] = [];
    for (const row of rows.sort((a, b) => a.incident_no - b.incident_no)) {
      seen.push(await seenOf(tx, tenantId, row));
    }
    return seen;
  });
}

/** Days on which each device took part in a flow, added up. */
export async function deviceDays(db: Database, tenantId: string): Promise<number> {
  return await db.tenant(tenantId, async (tx) => {
    const [row] = await tx.rows<{ count: number }>(sql`
      select count(*)::int as count from (
        select src_device_id, start_at::date from flow
        where tenant_id = ${tenantId} and src_device_id is not null
        union
        select dst_device_id, start_at::date from flow
        where tenant_id = ${tenantId} and dst_device_id is not null) as days`);
    return row!.count;
  });
}

async function seenOf(tx: Tx, tenantId: string, row: IncidentRow): Promise<SeenIncident> {
  const results = await latestResults(tx, tenantId, row.incident_id);
  const best = new Map(Object.entries(row.model_scores));
  for (const { model_id, score } of results) best.set(model_id, Math.max(score, best.get(model_id) ?? 0));
  const models = [...best].map(([modelId, score]) => ({ modelId, score }))
    .sort((a, b) => b.score - a.score || (a.modelId < b.modelId ? -1 : 1));
  const said = results.flatMap(({ subject, explanation }) => [subject, explanation]);
  const text = [row.title, row.summary, row.group_key, ...said, ...await evidenceTexts(tx, tenantId, row)];
  return {
    title: row.title,
    severity: row.severity,
    score: row.score,
    models,
    devices: await addressesOf(tx, tenantId, row.device_ids),
    text: text.join("\n"),
  };
}

async function evidenceTexts(tx: Tx, tenantId: string, { incident_id }: IncidentRow): Promise<string[]> {
  const evidence = await evidenceByLinks(
    tx,
    tenantId,
    await evidenceLinks(tx, tenantId, incident_id, MOST_EVIDENCE),
  );
  const flows = await flowsByIds(tx, tenantId, [...new Set(evidence.map(({ flow_id }) => flow_id))]);
  const ends = [...flows.values()].map(({ src, dst, serverName }) =>
    `${src.ip} ${dst.ip} ${serverName?.name ?? ""}`
  );
  return [...ends, ...evidence.map(({ facts }) => JSON.stringify(facts, plain))];
}

/** Replaces big integers by text, which JSON.stringify cannot write. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

async function addressesOf(tx: Tx, tenantId: string, deviceIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ ip: string }>(sql`
    select host(ip) as ip from device_address
    where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[]) order by ip`);
  return rows.map(({ ip }) => ip);
}
