import type { DetectorResult } from "../../domain/detect/kernel/result.ts";
import { coveringSuppression, matches, type SuppressionSubject } from "../../domain/incident/suppression.ts";
import type { Tx } from "../engine/database.ts";
import { rescoreDevices } from "../device/scores.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { type ActiveSuppression, activeSuppressions } from "./suppressions.ts";

type Finding = Pick<DetectorResult, "modelId" | "deviceIds" | "destinations">;

/** Actor, time (microseconds) and reason of a change, for histories. */
interface Act {
  actor: string;
  at: number;
  reason: string;
}

/** A pattern to match; of an existing suppression or not. */
export type Matcher = Pick<ActiveSuppression, "pattern">;

/** Equal results of an incident, as patterns examine them. */
interface IncidentSubject extends SuppressionSubject {
  /** Number of them. */
  count: number;
}

/** Incidents examined in one step. */
const STEP = 200;

/**
 * Returns a function that finds the suppression active at `now` that covers one of these results, or null.
 */
export async function suppressor(
  tx: Tx,
  tenantId: string,
  results: readonly Finding[],
  now: number,
): Promise<(result: Finding) => ActiveSuppression | null> {
  const active = results.length === 0 ? [] : await activeSuppressions(tx, tenantId, now);
  if (active.length === 0) return () => null;
  const addresses = await addressesFor(tx, tenantId, active, results);
  return (result) => coveringSuppression(active, subjectOf(result, addresses));
}

/**
 * Marks the open incidents whose results all match a new suppression, unless a longer one already covers
 * them, and rescores their devices.
 */
export async function coverIncidents(
  tx: Tx,
  tenantId: string,
  suppression: ActiveSuppression,
  act: Act,
): Promise<void> {
  const conditions = [
    sql`not exists (select from suppression s where s.tenant_id = ${tenantId}
      and s.suppression_id = i.suppressed_by and s.revoked_at is null
      and s.expires_at >= ${timestampLiteral(suppression.expiresAt)}::timestamptz)`,
    ...candidates(tenantId, suppression),
  ];
  await cover(tx, tenantId, [suppression], conditions, act);
}

/** Conditions that every incident with a matching result meets. */
function candidates(tenantId: string, { pattern: { detector, devices } }: Matcher): Sql[] {
  const conditions: Sql[] = [];
  if (detector !== null) conditions.push(sql`i.model_scores ? ${detector}`);
  if (devices !== null) {
    conditions.push(sql`exists (select from incident_device x where x.tenant_id = ${tenantId}
      and x.incident_id = i.incident_id and x.device_id = any(${plainArray([...devices])}::uuid[]))`);
  }
  return conditions;
}

interface Coverage {
  /** Incidents whose results all match, newest first. */
  incidentIds: string[];
  /** Number of matching results, also of other incidents. */
  results: number;
  /** Whether `limit` left out older incidents. */
  truncated: boolean;
}

/** What a pattern matches among the newest `limit` open incidents. */
export async function coverageOf(
  tx: Tx,
  tenantId: string,
  matcher: Matcher,
  limit: number,
): Promise<Coverage> {
  const coverage: Coverage = { incidentIds: [], results: 0, truncated: false };
  let before: number | null = null;
  for (let examined = 0;;) {
    const conditions = candidates(tenantId, matcher);
    if (before !== null) conditions.push(sql`i.incident_no < ${before}::bigint`);
    const incidents: { incident_id: string; incident_no: number }[] = await tx.rows(sql`
      select i.incident_id, i.incident_no from incident i
      where i.tenant_id = ${tenantId} and i.status in ('open', 'investigating') and ${all(conditions)}
      order by i.incident_no desc limit ${STEP}`);
    if (incidents.length === 0) return coverage;
    if (examined >= limit) return { ...coverage, truncated: true };
    examined += incidents.length;
    before = incidents.at(-1)!.incident_no;
    const ids = incidents.map((row) => row.incident_id);
    const subjects = await findingsIn(tx, tenantId, [matcher], ids);
    for (const id of ids) {
      const own = subjects.get(id) ?? [];
      const matching = own.filter((one) => matches(matcher.pattern, one));
      coverage.results += matching.reduce((sum, { count }) => sum + count, 0);
      if (own.length > 0 && matching.length === own.length) coverage.incidentIds.push(id);
    }
  }
}

/** The results of one incident. */
export async function resultsOf(
  tx: Tx,
  tenantId: string,
  incidentId: string,
  matchers: readonly Matcher[],
): Promise<IncidentSubject[]> {
  return (await findingsIn(tx, tenantId, matchers, [incidentId])).get(incidentId) ?? [];
}

/**
 * After a suppression was revoked: removes the mark of its incidents, or replaces it by that of another
 * covering one.
 */
export async function uncoverIncidents(
  tx: Tx,
  tenantId: string,
  suppressionId: string,
  act: Act,
): Promise<void> {
  const marked = await tx.rows<{ incident_id: string }>(sql`
    update incident set revision = revision + 1
    where tenant_id = ${tenantId} and suppressed_by = ${suppressionId}::uuid returning incident_id`);
  const ids = marked.map((row) => row.incident_id);
  await noteInHistories(tx, tenantId, ids, "suppression_revoked", suppressionId, act);
  const others = await activeSuppressions(tx, tenantId, act.at);
  const covered = sql`i.incident_id = any(${plainArray(ids)}::uuid[])`;
  if (others.length > 0 && ids.length > 0) await cover(tx, tenantId, others, [covered], act);
  await rescore(tx, tenantId, ids, act);
}

/**
 * Rescores the devices of expired suppressions' incidents, once; returns the number of expired suppressions.
 */
export async function liftExpired(tx: Tx, tenantId: string, now: number): Promise<number> {
  const expired = await tx.rows<{ suppression_id: string }>(sql`
    update suppression set lifted = true
    where tenant_id = ${tenantId} and not lifted and expires_at <= ${timestampLiteral(now)}::timestamptz
    returning suppression_id`);
  if (expired.length === 0) return 0;
  const marked = await tx.rows<{ incident_id: string }>(sql`
    select incident_id from incident where tenant_id = ${tenantId}
      and suppressed_by = any(${plainArray(expired.map((row) => row.suppression_id))}::uuid[])`);
  const ids = marked.map((row) => row.incident_id);
  await rescore(tx, tenantId, ids, { actor: "", at: now, reason: "A suppression has expired" });
  return expired.length;
}

async function cover(
  tx: Tx,
  tenantId: string,
  suppressions: readonly ActiveSuppression[],
  conditions: readonly Sql[],
  act: Act,
): Promise<void> {
  const longestFirst = [...suppressions].sort((a, b) => b.expiresAt - a.expiresAt);
  for (let after = 0;;) {
    // Locked before their results are read: a result that the pipeline adds meanwhile waits, and then removes
    // the mark.
    const incidents = await tx.rows<{ incident_id: string; incident_no: number }>(sql`
      select i.incident_id, i.incident_no from incident i
      where i.tenant_id = ${tenantId} and i.status in ('open', 'investigating')
        and i.incident_no > ${after}::bigint and ${all(conditions)}
      order by i.incident_no limit ${STEP} for update of i`);
    if (incidents.length === 0) return;
    after = incidents.at(-1)!.incident_no;
    const ids = incidents.map((row) => row.incident_id);
    const subjects = await findingsIn(tx, tenantId, suppressions, ids);
    const chosen = Map.groupBy(ids, (id) => {
      const own = subjects.get(id) ?? [];
      const covers = ({ pattern }: ActiveSuppression) => own.every((one) => matches(pattern, one));
      return own.length === 0 ? undefined : longestFirst.find(covers)?.suppressionId;
    });
    for (const [suppressionId, covered] of chosen) {
      if (suppressionId !== undefined) await mark(tx, tenantId, covered, suppressionId, act);
    }
  }
}

async function mark(tx: Tx, tenantId: string, ids: string[], suppressionId: string, act: Act): Promise<void> {
  await tx.run(sql`
    update incident set suppressed_by = ${suppressionId}::uuid, revision = revision + 1
    where tenant_id = ${tenantId} and incident_id = any(${plainArray(ids)}::uuid[])`);
  await noteInHistories(tx, tenantId, ids, "suppressed", suppressionId, act);
  await rescore(tx, tenantId, ids, act);
}

/** The results of each incident, as far as patterns examine them. */
async function findingsIn(
  tx: Tx,
  tenantId: string,
  suppressions: readonly Matcher[],
  incidentIds: readonly string[],
): Promise<Map<string, IncidentSubject[]>> {
  const rows = await tx.rows<
    {
      incident_id: string;
      model_id: string;
      device_id: string | null;
      destinations: Finding["destinations"] | null;
      count: number;
    }
  >(sql`
    select incident_id, model_id, body->>'device_id' as device_id, body->'destinations' as destinations,
      count(*)::int as count
    from model_result
    where tenant_id = ${tenantId} and incident_id = any(${plainArray(incidentIds)}::uuid[])
    group by 1, 2, 3, 4`);
  const findings = rows.map((row) => ({
    incidentId: row.incident_id,
    modelId: row.model_id,
    deviceIds: row.device_id === null ? [] : [row.device_id],
    destinations: row.destinations ?? [],
    count: row.count,
  }));
  const addresses = await addressesFor(tx, tenantId, suppressions, findings);
  const subjects = new Map<string, IncidentSubject[]>();
  for (const one of findings) {
    const subject = { ...subjectOf(one, addresses), count: one.count };
    subjects.set(one.incidentId, [...subjects.get(one.incidentId) ?? [], subject]);
  }
  return subjects;
}

function subjectOf(finding: Finding, addresses: ReadonlyMap<string, string[]>): SuppressionSubject {
  return { ...finding, deviceAddresses: addresses.get(finding.deviceIds[0] ?? "") ?? [] };
}

/** Addresses of the results' devices, merged ones included; read only if a pattern needs them. */
async function addressesFor(
  tx: Tx,
  tenantId: string,
  suppressions: readonly Matcher[],
  results: readonly Finding[],
): Promise<Map<string, string[]>> {
  const ids = [...new Set(results.flatMap(({ deviceIds }) => deviceIds[0] ?? []))];
  const isNeeded = suppressions.some(({ pattern }) => pattern.sourceNetwork !== null);
  if (!isNeeded || ids.length === 0) return new Map();
  const rows = await tx.rows<{ device_id: string; ips: string[] }>(sql`
    with subject as (
      select device_id, coalesce(merged_into, device_id) as survivor from device
      where tenant_id = ${tenantId} and device_id = any(${plainArray(ids)}::uuid[])
    ), known as (
      select k.device_id, a.ip from subject k
      join device_address a on a.tenant_id = ${tenantId} and a.device_id = k.survivor
      union
      select k.device_id, a.ip from subject k
      join device o on o.tenant_id = ${tenantId} and o.merged_into = k.survivor
      join device_address a on a.tenant_id = ${tenantId} and a.device_id = o.device_id
    )
    select device_id, array_agg(host(ip)) as ips from known group by 1`);
  return new Map(rows.map((row) => [row.device_id, row.ips]));
}

async function noteInHistories(
  tx: Tx,
  tenantId: string,
  incidentIds: readonly string[],
  action: string,
  suppressionId: string,
  { actor, at, reason }: Act,
): Promise<void> {
  if (incidentIds.length === 0) return;
  await tx.run(sql`
    insert into workflow_history
      (tenant_id, object_id, entry_no, at, actor, action, from_value, to_value, comment, revision)
    select ${tenantId}, i.incident_id, coalesce((select max(entry_no) from workflow_history h
        where h.tenant_id = ${tenantId} and h.object_id = i.incident_id), 0) + 1,
      ${timestampLiteral(at)}::timestamptz, ${actor}, ${action}, null, ${suppressionId}, ${reason}, i.revision
    from incident i
    where i.tenant_id = ${tenantId} and i.incident_id = any(${plainArray(incidentIds)}::uuid[])`);
}

async function rescore(tx: Tx, tenantId: string, incidentIds: readonly string[], act: Act): Promise<void> {
  if (incidentIds.length === 0) return;
  const named = await tx.rows<{ device_id: string }>(sql`
    select distinct device_id from incident_device
    where tenant_id = ${tenantId} and incident_id = any(${plainArray(incidentIds)}::uuid[])`);
  await rescoreDevices(tx, tenantId, named.map((row) => row.device_id), act.at, act.reason);
}
