import type { Grouped } from "../../contract/filter/group.ts";
import { conjuncts, groupsOf, type SomeOf } from "../../domain/search/parts.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { perFlow } from "../flow/read.ts";
import { type IncidentRow, incidentsByIds, isSuppressed } from "../incident/read.ts";
import { membersWith } from "./device-conditions.ts";
import { flowCondition } from "./flow-conditions.ts";
import type { SearchPage } from "./flows.ts";
import { incidentCondition } from "./incident-conditions.ts";
import { resolveTerms } from "./resolve.ts";
import type { SearchScope } from "./scope.ts";

/** Incidents whose evidence is examined by one statement, and statements of a page. */
const EVIDENCE_CHUNK = 200;
const MAX_CHUNKS = 5;

export interface LastSeenPosition {
  lastSeen: number;
  incidentId: string;
}

interface Examined {
  incident_id: string;
  last_seen: number;
  met: boolean;
}

/**
 * A page of at most `limit` incidents by last activity, newest first. With conditions on the flows of their evidence, it
 * may be short or empty and still have a next page.
 */
export async function searchIncidents(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  after: LastSeenPosition | null,
  limit: number,
): Promise<SearchPage<IncidentRow, LastSeenPosition>> {
  const { conditions, evidence } = await matchingIncidents(tx, tenantId, plan);
  const size = evidence === null ? limit + 1 : EVIDENCE_CHUNK;
  const found: LastSeenPosition[] = [];
  let position = after;
  let isLast = false;
  for (let chunk = 0; chunk < MAX_CHUNKS && found.length <= limit && !isLast; chunk++) {
    const examined = await tx.rows<Examined>(sql`
      select i.incident_id, i.last_seen, (${evidence ?? sql`true`}) is true as met from (
        select i.* from incident i where ${all([...conditions, ...beyond(position)])}
        order by i.last_seen desc, i.incident_id desc limit ${size}
      ) i order by i.last_seen desc, i.incident_id desc`);
    const positions = examined.map(positionOf);
    found.push(...positions.filter((_, at) => examined[at]!.met));
    position = positions.at(-1) ?? position;
    isLast = examined.length < size;
  }
  const page = found.slice(0, limit);
  const rows = await incidentsByIds(tx, tenantId, page.map(({ incidentId }) => incidentId));
  if (found.length > limit) return { rows, next: page.at(-1)!, exhausted: true, examinedUntil: null };
  if (isLast) return { rows, next: null, exhausted: true, examinedUntil: null };
  return { rows, next: position, exhausted: false, examinedUntil: position!.lastSeen };
}

function positionOf({ last_seen: lastSeen, incident_id: incidentId }: Examined): LastSeenPosition {
  return { lastSeen, incidentId };
}

function beyond(position: LastSeenPosition | null): Sql[] {
  if (position === null) return [];
  const lastSeen = sql`${timestampLiteral(position.lastSeen)}::timestamptz`;
  return [
    sql`i.last_seen <= ${lastSeen}`,
    sql`(i.last_seen, i.incident_id) < (${lastSeen}, ${position.incidentId}::uuid)`,
  ];
}

/** The conditions on `incident` as `i`; `evidence`: those on its flows, which cost more; null without any. */
export async function matchingIncidents(
  tx: Tx,
  tenantId: string,
  { where, window, suppressed, context }: SearchPlan,
): Promise<{ conditions: Sql[]; evidence: Sql | null }> {
  const conditions = [sql`i.tenant_id = ${tenantId}`];
  if (window !== null) {
    conditions.push(sql`i.last_seen >= ${timestampLiteral(window.from)}::timestamptz
      and i.first_seen < ${timestampLiteral(window.to)}::timestamptz`);
  }
  if (suppressed !== undefined) conditions.push(isSuppressed(tenantId, suppressed));
  // Evidence may be of any time.
  const terms = await resolveTerms(tx, tenantId, where, context, null);
  const scope: SearchScope = { tenantId, context, terms, devices: new Map() };
  const compiled = (part: Grouped) =>
    incidentCondition(tenantId, part, context, (group) => hasRelated(group, scope));
  const parts = conjuncts(where);
  const onFlows = parts.filter((part) => groupsOf(part).some(({ some }) => some === "flow"));
  conditions.push(...parts.filter((part) => !onFlows.includes(part)).map(compiled));
  return { conditions, evidence: onFlows.length === 0 ? null : all(onFlows.map(compiled)) };
}

function hasRelated(group: SomeOf, scope: SearchScope): Sql {
  const { tenantId, context } = scope;
  if (group.some === "device") {
    return sql`exists (select from incident_device x where x.tenant_id = ${tenantId}
      and x.incident_id = i.incident_id and x.device_id in (${membersWith(tenantId, group.where, context)}))`;
  }
  // One lookup for each flow, see `lookUps`.
  return sql`exists (select from incident_evidence x cross join lateral (
      select from flow where flow.tenant_id = ${tenantId} and flow.flow_id = x.flow_id
        and flow.anchor_at = flow_anchor(x.flow_id) and ${
    perFlow(flowCondition(group.where, scope, null))
  } limit 1
    ) f where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id)`;
}
