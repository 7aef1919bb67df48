import type { DisplayNameSource } from "../../contract/device/device.ts";
import type { DeviceOrder, DeviceSort } from "../../contract/device/query.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import type { Tx } from "../engine/database.ts";
import { survivorsOf } from "./group.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { isBeyond, keyOrder, type KeyValue, type SortKey, textKey } from "../engine/sort-key.ts";
import { all, hashed, type Sql, sql } from "../engine/sql.ts";

export interface DeviceRow {
  device_id: string;
  display_name: string;
  display_name_source: DisplayNameSource;
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

/** A device of a page with the key of the page's order; `until` as in `DevicePosition`. */
export type ListedDevice = DeviceRow & { sort_key: KeyValue; until?: number | undefined };

/** Where a page of devices ended: the sort key and the id of its last one. */
export interface DevicePosition {
  key: KeyValue;
  after: string;
  /** The newest `last_seen` (microseconds) before the first page of an order by it, which ends there. */
  until?: number | undefined;
}

/**
 * The key of each order, over what the list shows. None has an index: most rounds update `last_seen` of each
 * device they see, which an index would slow down, and merged devices contribute to the times. A page reads the
 * tenant's devices once.
 */
const KEYS: Readonly<Record<DeviceOrder, (tenantId: string) => SortKey>> = {
  last_seen: () => ({ value: sql`d.last_seen`, type: "time" }),
  first_seen: () => ({ value: sql`d.first_seen`, type: "time" }),
  score: () => ({ value: sql`d.score`, type: "double" }),
  display_name: () => textKey(sql`d.display_name`),
  address: (tenantId) => ({
    value: sql`(select min(g.ip) from (${ofGroup(tenantId, sql`device_address`, sql`x.ip`)}) g)`,
    type: "address",
  }),
  device_type: () => textKey(sql`d.device_type`),
  owner: () => textKey(sql`d.owner`),
  vlan: (tenantId) => ({
    value: sql`(select min(g.vlan_id) from (${ofGroup(tenantId, sql`device_vlan`, sql`x.vlan_id`)}) g)`,
    type: "integer",
  }),
  tags: (tenantId) =>
    textKey(sql`(select string_agg(t.tag, ', ' order by t.tag) from device_tag t
      where t.tenant_id = ${tenantId} and t.device_id = d.device_id)`),
  incident_count: (tenantId) => ({ value: incidentCount(tenantId), type: "integer" }),
};

interface DeviceOrderBy extends SortKey {
  descending: boolean;
}

function orderOf(tenantId: string, sort: DeviceSort): DeviceOrderBy {
  const descending = sort.startsWith("-");
  return { ...KEYS[sort.slice(descending ? 1 : 0) as DeviceOrder](tenantId), descending };
}

interface DevicePaging {
  sort: DeviceSort;
  after: DevicePosition | null;
  limit: number;
}

/** At most `limit` of the shown devices `d` that meet the conditions, of equal keys in the order of their ids. */
export async function devicePage(
  tx: Tx,
  tenantId: string,
  conditions: readonly Sql[],
  { sort, after, limit }: DevicePaging,
): Promise<ListedDevice[]> {
  const order = { ...orderOf(tenantId, sort), limit };
  if (after === null) return await selectDevices(tx, tenantId, conditions, order);
  const tie = sql`d.device_id ${order.descending ? sql`<` : sql`>`} ${after.after}::uuid`;
  const beyond = isBeyond(sql`d.sort_key`, order, after.key, tie);
  if (after.until === undefined) return await selectDevices(tx, tenantId, conditions, order, beyond);
  const ended = sql`d.last_seen <= ${timestampLiteral(after.until)}::timestamptz`;
  return await selectDevices(tx, tenantId, [...conditions, ended], order, beyond);
}

/** The position of the page that follows a device. */
export function positionOf({ sort_key, device_id, until }: ListedDevice): DevicePosition {
  return { key: sort_key, after: device_id, until };
}

/**
 * The newest `last_seen` of any device, in microseconds. An ascending order by it ends there: devices that are seen again
 * move to its end, and paging would not end.
 */
export async function newestSighting(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ last_seen: number | null }>(
    sql`select max(last_seen) as last_seen from device where tenant_id = ${tenantId}`,
  );
  return row?.last_seen ?? 0;
}

const BY_AGE: DeviceOrderBy = { ...KEYS.first_seen(""), descending: false };

/** The device with this id, or its survivor. */
export async function deviceById(tx: Tx, tenantId: string, deviceId: string): Promise<DeviceRow | null> {
  const survivors = await survivorsOf(tx, tenantId, [deviceId]);
  const isOne = sql`d.device_id = ${survivors.get(deviceId) ?? deviceId}::uuid`;
  const [row] = await selectDevices(tx, tenantId, [isOne], { ...BY_AGE, limit: 1 });
  return row ?? null;
}

/** The devices with these ids, survivors of merges; missing ones are left out. */
export async function devicesByIds(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<DeviceRow[]> {
  if (deviceIds.length === 0) return [];
  const isAny = sql`d.device_id = any(${plainArray(deviceIds)}::uuid[])`;
  return await selectDevices(tx, tenantId, [isAny], { ...BY_AGE, limit: deviceIds.length });
}

/**
 * That device `d` has a text: a substring of its name, owner or a tag, case-insensitive; a substring of an address; or
 * an address in any notation.
 */
export function hasText(tenantId: string, query: string): Sql {
  const part = query.toLowerCase();
  // In the C locale the server can only fold ASCII letters, so other texts are also compared unchanged.
  const isAscii = /^[\0-\x7f]*$/.test(query);
  const contains = (text: Sql) =>
    isAscii
      ? sql`strpos(lower(${text}), ${part}) > 0`
      : sql`(strpos(lower(${text}), ${part}) > 0 or strpos(${text}, ${query}) > 0)`;
  return sql`(
    ${contains(sql`d.display_name`)} or ${contains(sql`d.owner`)}
    or d.device_id in (
      select t.device_id from device_tag t where t.tenant_id = ${tenantId} and ${contains(sql`t.tag`)})
    ${orHasAddress(tenantId, part)})`;
}

function orHasAddress(tenantId: string, part: string): Sql {
  const address = canonicalIp(part);
  const isPart = /^[0-9a-f.:]*$/.test(part);
  if (address === null && !isPart) return sql``;
  const same = address === null ? sql`false` : sql`x.ip = ${address}::inet`;
  const ofAddress = sql`(${same} or strpos(host(x.ip), ${part}) > 0)`;
  return sql`or ${isShownWith(tenantId, sql`device_address`, ofAddress)}`;
}

/** That device `d`, or one merged into it, has a row of `table` (as `x`) that meets the condition. */
export function isShownWith(tenantId: string, table: Sql, condition: Sql): Sql {
  return hashed(sql`d.device_id in (
    select x.device_id from ${table} x where x.tenant_id = ${tenantId} and ${condition}
    union all
    select o.merged_into from ${table} x join device o on o.tenant_id = x.tenant_id and o.device_id = x.device_id
    where x.tenant_id = ${tenantId} and o.merged_into is not null and ${condition})`);
}

/** Rows of `table` (as `x`) of device `d` and of devices merged into it. */
function ofGroup(tenantId: string, table: Sql, columns: Sql): Sql {
  return sql`
    select ${columns} from ${table} x where x.tenant_id = ${tenantId} and x.device_id = d.device_id
    union all
    select ${columns} from device o join ${table} x on x.tenant_id = o.tenant_id and x.device_id = o.device_id
    where o.tenant_id = ${tenantId} and o.merged_into = d.device_id`;
}

/** A merged device may have been classified with more confidence. */
const KNOWN_BETTER = sql`(d.classification_source = 'observed' and m.confidence > d.confidence)`;

/**
 * Aggregates the devices merged into device `d`; no row if there are none. Looks them up by index for each device that
 * has some: the plan of a join would depend on statistics.
 */
function membersOf(tenantId: string): Sql {
  const hasSome = hashed(sql`d.device_id in (
    select s.merged_into from device s where s.tenant_id = ${tenantId} and s.merged_into is not null)`);
  return sql`
    select min(o.first_seen) as first_seen, max(o.last_seen) as last_seen, max(o.confidence) as confidence
    from device o where o.tenant_id = ${tenantId} and o.merged_into = d.device_id and ${hasSome}
    group by o.merged_into`;
}

/** The type of the device merged into `d` with the highest confidence. */
function typeOfMembers(tenantId: string): Sql {
  return sql`(
    select o.device_type from device o where o.tenant_id = ${tenantId} and o.merged_into = d.device_id
    order by o.confidence desc, o.device_id limit 1)`;
}

/** Devices as shown: with the times of devices merged into them, and the better classification. */
export function shownDevices(tenantId: string): Sql {
  return sql`
    select d.device_id, d.display_name, d.display_name_source, d.classification_source, d.owner, d.score, d.revision,
      case when ${KNOWN_BETTER} then ${typeOfMembers(tenantId)} else d.device_type end as device_type,
      case when ${KNOWN_BETTER} then m.confidence else d.confidence end as confidence,
      least(d.first_seen, m.first_seen) as first_seen, greatest(d.last_seen, m.last_seen) as last_seen
    from device d left join lateral (${membersOf(tenantId)}) m on true
    where d.tenant_id = ${tenantId} and d.merged_into is null`;
}

/** The incidents of device `d` and of devices merged into it. */
function incidentCount(tenantId: string): Sql {
  return sql`(select count(distinct incident_id)::int from (
    ${ofGroup(tenantId, sql`incident_device`, sql`x.incident_id`)}) g)`;
}

async function selectDevices(
  tx: Tx,
  tenantId: string,
  conditions: readonly Sql[],
  { value, descending, limit }: Omit<DeviceOrderBy, "type"> & { limit: number },
  beyond: Sql = sql`true`,
): Promise<ListedDevice[]> {
  const order = keyOrder(sql`d.sort_key`, descending, sql`d.device_id ${descending ? sql`desc` : sql`asc`}`);
  // Further columns are read for the devices of the page only. `offset 0` hides the position from the planner: it would
  // expect a device or two after it, and add up the merged devices again for each.
  const rows = await tx.rows<ListedDevice>(sql`
    select d.*, ${incidentCount(tenantId)} as incident_count,
      array(select t.tag from device_tag t where t.tenant_id = ${tenantId} and t.device_id = d.device_id order by 1)
        as tags,
      array(select ip::text from (${
    ofGroup(tenantId, sql`device_address`, sql`x.ip`)
  }) g order by ip) as addresses,
      array(select distinct vlan_id from (${
    ofGroup(tenantId, sql`device_vlan`, sql`x.vlan_id`)
  }) g order by 1)
        as vlan_ids
    from (
      select d.* from (
        select d.*, ${value} as sort_key from (${shownDevices(tenantId)}) d
        where ${all(conditions)} offset 0
      ) d
      where ${beyond} order by ${order} limit ${limit}
    ) d order by ${order}`);
  return rows.map((row) => ({
    ...row,
    addresses: row.addresses.map((text) => fromInet(text.replace(/\/(32|128)$/, ""))),
  }));
}

/** Display names of these devices; missing devices are left out. */
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
