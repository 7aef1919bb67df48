import { canonicalIp } from "../kit/ip.ts";
import type { Tx } from "./database.ts";
import { fromInet } from "./flows.ts";
import { plainArray, timestampLiteral } from "./literals.ts";
import { all, type Sql, sql } from "./sql.ts";
import { kindNumber } from "./vocabulary.ts";

export interface DeviceFilter {
  query?: string;
  vlanId?: number;
  deviceType?: string;
  riskMin?: number;
  /** Microseconds. */
  seenAfter?: number;
}

export interface DeviceRow {
  device_id: string;
  display_name: string;
  device_type: string;
  classification_source: "observed" | "inventory" | "human_confirmed";
  confidence: number;
  owner: string | null;
  first_seen: number;
  last_seen: number;
  score: number;
  revision: number;
  incident_count: number;
  tags: string[];
  addresses: string[];
  vlan_ids: number[];
}

/** Devices in the order of their ids, which is the order of first sight and never changes. */
export async function listDevices(
  tx: Tx,
  tenantId: string,
  filter: DeviceFilter,
  after: string | null,
  limit: number,
): Promise<DeviceRow[]> {
  const conditions = conditionsOf(tenantId, filter);
  if (after !== null) conditions.push(sql`d.device_id > ${after}::uuid`);
  return await selectDevices(tx, tenantId, conditions, limit);
}

export async function deviceById(tx: Tx, tenantId: string, deviceId: string): Promise<DeviceRow | null> {
  const [row] = await selectDevices(tx, tenantId, [
    sql`d.tenant_id = ${tenantId}`,
    sql`d.device_id = ${deviceId}::uuid`,
  ], 1);
  return row ?? null;
}

function conditionsOf(tenantId: string, filter: DeviceFilter): Sql[] {
  const conditions = [sql`d.tenant_id = ${tenantId}`];
  if (filter.deviceType !== undefined) conditions.push(sql`d.device_type = ${filter.deviceType}`);
  if (filter.riskMin !== undefined) conditions.push(sql`d.score >= ${filter.riskMin}::double precision`);
  if (filter.seenAfter !== undefined) {
    conditions.push(sql`d.last_seen > ${timestampLiteral(filter.seenAfter)}::timestamptz`);
  }
  if (filter.vlanId !== undefined) {
    conditions.push(sql`exists (select from device_vlan v where v.tenant_id = ${tenantId}
      and v.device_id = d.device_id and v.vlan_id = ${filter.vlanId})`);
  }
  if (filter.query !== undefined) conditions.push(matches(tenantId, filter.query));
  return conditions;
}

/** Part of a name, owner or tag in any case, part of an address's text, or an address in any spelling. */
function matches(tenantId: string, query: string): Sql {
  const part = query.toLowerCase();
  const address = canonicalIp(query);
  const sameAddress = address === null ? sql`false` : sql`a.ip = ${address}::inet`;
  // A database of the locale C knows the case of ASCII letters only: there the spelling itself must still do.
  const contains = (text: Sql) => sql`(strpos(lower(${text}), ${part}) > 0 or strpos(${text}, ${query}) > 0)`;
  return sql`(
    ${contains(sql`d.display_name`)} or ${contains(sql`coalesce(d.owner, '')`)}
    or exists (select from device_tag t where t.tenant_id = ${tenantId} and t.device_id = d.device_id
      and ${contains(sql`t.tag`)})
    or exists (select from device_address a where a.tenant_id = ${tenantId} and a.device_id = d.device_id
      and (${sameAddress} or strpos(host(a.ip), ${part}) > 0)))`;
}

async function selectDevices(
  tx: Tx,
  tenantId: string,
  conditions: Sql[],
  limit: number,
): Promise<DeviceRow[]> {
  const rows = await tx.rows<DeviceRow>(sql`
    select d.*,
      (select count(*)::int from incident_device x where x.tenant_id = ${tenantId} and x.device_id = d.device_id)
        as incident_count,
      array(select t.tag from device_tag t where t.tenant_id = ${tenantId} and t.device_id = d.device_id order by 1)
        as tags,
      array(select a.ip::text from device_address a where a.tenant_id = ${tenantId} and a.device_id = d.device_id
        order by a.ip) as addresses,
      array(select v.vlan_id from device_vlan v where v.tenant_id = ${tenantId} and v.device_id = d.device_id
        order by 1) as vlan_ids
    from device d where ${all(conditions)} order by d.device_id limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    addresses: row.addresses.map((text) => fromInet(text.replace(/\/(32|128)$/, ""))),
  }));
}

/** Display names of those of the devices that exist. */
export async function deviceNames(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, string>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await tx.rows<{ device_id: string; display_name: string }>(sql`
    select device_id, display_name from device
    where tenant_id = ${tenantId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);
  return new Map(rows.map((row) => [row.device_id, row.display_name]));
}

export interface ScoreEntry {
  at: number;
  score: number;
  reason: string;
}

/** Newest last, at most 500. */
export async function deviceScores(tx: Tx, tenantId: string, deviceId: string): Promise<ScoreEntry[]> {
  const rows = await tx.rows<ScoreEntry>(sql`
    select at, score, reason from device_score where tenant_id = ${tenantId} and device_id = ${deviceId}::uuid
    order by entry_no desc limit 500`);
  return rows.reverse();
}

export interface DomainCount {
  domain: string;
  count: number;
  lastSeen: number;
}

/** The names asked for in these flows, most asked first. */
export async function domainsOfFlows(
  tx: Tx,
  tenantId: string,
  flowIds: readonly string[],
  limit: number,
): Promise<DomainCount[]> {
  if (flowIds.length === 0) return [];
  const rows = await tx.rows<{ domain: string; count: number; last_seen: number }>(sql`
    select facts ->> 'query' as domain, count(*)::int as count, max(observed_at) as last_seen
    from evidence
    where tenant_id = ${tenantId} and flow_id = any(${plainArray(flowIds)}::uuid[]) and record_kind_no in (${
    kindNumber("zeek.dns")
  }, ${kindNumber("suricata.dns")})
      and facts ->> 'query' is not null
    group by 1 order by 2 desc, 1 limit ${limit}`);
  return rows.map((row) => ({ domain: row.domain, count: row.count, lastSeen: row.last_seen }));
}
