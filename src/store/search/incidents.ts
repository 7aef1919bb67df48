import { type IncidentSort, MAX_SORTED_INCIDENTS } from "../../contract/incident/incident.ts";
import type { Grouped } from "../../contract/filter/group.ts";
import { conjuncts, groupsOf, type SomeOf } from "../../domain/search/parts.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { all, hashed, type Sql, sql } from "../engine/sql.ts";
import {
  firstBeyond,
  hasIndex,
  incidentPage,
  type IncidentPosition,
  type ListedIncident,
  newestActivity,
  positionOf,
} from "../incident/page.ts";
import { isSuppressed } from "../incident/read.ts";
import { formatMillis } from "../../kit/time.ts";
import { isWithin } from "./criterion-sql.ts";
import { membersWith } from "./device-conditions.ts";
import { flowCondition } from "./flow-conditions.ts";
import type { SearchPage } from "./flows.ts";
import { incidentCondition } from "./incident-conditions.ts";
import { resolveScope } from "./resolve.ts";
import { SearchTooBroad } from "./search-transaction.ts";
import type { SearchScope } from "./scope.ts";

/** Incidents whose evidence is examined by one statement, and statements of a page. */
const EVIDENCE_CHUNK = 200;
const MAX_CHUNKS = 5;

/**
 * A page of at most `limit` incidents in an order, as `incidentPage`. With conditions on the flows of their
 * evidence, it may be short or empty and still have a next page.
 */
export async function searchIncidents(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  after: IncidentPosition | null,
  limit: number,
  sort: IncidentSort = "-last_seen",
  most = MAX_SORTED_INCIDENTS,
): Promise<SearchPage<ListedIncident, IncidentPosition>> {
  if (!hasIndex(sort)) await refuseTooMany(tx, tenantId, plan, sort, most);
  const until = sort === "last_seen" ? after?.until ?? await newestActivity(tx, tenantId) : undefined;
  const { conditions, evidence } = await matchingIncidents(tx, tenantId, plan);
  const size = evidence === null ? limit + 1 : EVIDENCE_CHUNK;
  const found: ListedIncident[] = [];
  let last: ListedIncident | null = null;
  let isLast = false;
  for (let chunk = 0; chunk < MAX_CHUNKS && found.length <= limit && !isLast; chunk++) {
    const position: IncidentPosition | null = last === null ? after : positionOf(last, sort);
    const paging = { sort, after: position, limit: size };
    const page: Awaited<ReturnType<typeof incidentPage>> = await incidentPage(
      tx,
      tenantId,
      conditions,
      paging,
      evidence ?? undefined,
    );
    const examined: (ListedIncident & { met: boolean })[] = page.map((row) => ({ ...row, until }));
    found.push(...examined.filter(({ met }) => met));
    last = examined.at(-1) ?? last;
    isLast = examined.length < size;
  }
  const rows = found.slice(0, limit);
  const whole = { rows, exhausted: true, examinedUntil: null };
  if (found.length > limit) return { ...whole, next: positionOf(rows.at(-1)!, sort) };
  if (isLast) return { ...whole, next: null };
  return { rows, next: positionOf(last!, sort), exhausted: false, examinedUntil: last!.last_seen };
}

/** @throws SearchTooBroad if more incidents of the window than `most` would have to be sorted */
async function refuseTooMany(
  tx: Tx,
  tenantId: string,
  { lastSeen }: SearchPlan,
  sort: IncidentSort,
  most: number,
): Promise<void> {
  const within = isWithin(sql`i.last_seen`, lastSeen ?? { from: null, to: null });
  const beyond = await firstBeyond(tx, tenantId, within, most);
  if (beyond === null) return;
  // Times are shown in milliseconds.
  const from = formatMillis(Math.floor(beyond / 1000) * 1000 + 1000);
  throw new SearchTooBroad(
    `Sorting by ${sort.replace("-", "")} examines at most ${
      most.toLocaleString("en")
    } incidents, and there are more; choose a window that begins at ${from} or later.`,
    { most, from },
  );
}

/** The conditions on `incident` as `i`; `evidence`: those on its flows, which cost more; null without any. */
export async function matchingIncidents(
  tx: Tx,
  tenantId: string,
  { where, window, lastSeen, suppressed, context }: SearchPlan,
): Promise<{ conditions: Sql[]; evidence: Sql | null }> {
  const conditions = [sql`i.tenant_id = ${tenantId}`];
  if (window !== null) {
    conditions.push(sql`i.last_seen >= ${timestampLiteral(window.from)}::timestamptz
      and i.first_seen < ${timestampLiteral(window.to)}::timestamptz`);
  }
  if (lastSeen !== undefined) conditions.push(isWithin(sql`i.last_seen`, lastSeen));
  if (suppressed !== undefined) conditions.push(isSuppressed(tenantId, suppressed));
  // Evidence may be of any time.
  const scope = await resolveScope(tx, tenantId, where, context, null);
  const compiled = (part: Grouped) =>
    incidentCondition(tenantId, part, context, (group) => hasRelated(group, scope));
  const parts = conjuncts(where);
  const onFlows = parts.filter((part) => groupsOf(part).some(({ some }) => some === "flow"));
  conditions.push(...parts.filter((part) => !onFlows.includes(part)).map(compiled));
  return { conditions, evidence: onFlows.length === 0 ? null : all(onFlows.map(compiled)) };
}

function hasRelated(group: SomeOf, scope: SearchScope): Sql {
  const { tenantId, context, devices } = scope;
  if (group.some === "device") {
    const known = devices.get(group);
    const isOne = known
      ? sql`x.device_id = any(${plainArray(known)}::uuid[])`
      : sql`x.device_id in (${membersWith(tenantId, group.where, context)})`;
    return sql`exists (select from incident_device x where x.tenant_id = ${tenantId}
      and x.incident_id = i.incident_id and ${isOne})`;
  }
  // One lookup for each flow, see `lookUps`.
  return sql`exists (select from incident_evidence x cross join lateral (
      select from flow where flow.tenant_id = ${tenantId} and flow.flow_id = x.flow_id
        and flow.anchor_at = flow_anchor(x.flow_id) and ${
    hashed(flowCondition(group.where, scope, null))
  } limit 1
    ) f where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id)`;
}
