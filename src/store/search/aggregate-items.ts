// What an aggregation adds up: an item for each row and group that it counts in.

import { type GroupField, type Measure } from "../../contract/filter/aggregate.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import { EVIDENCE_SOURCES } from "../../contract/record/kinds.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { shownDevices } from "../device/read.ts";
import { examineFlows } from "../flow/examine.ts";
import { sourceSet } from "../record/vocabulary.ts";
import { matchingDevices, MAX_EXAMINED_FLOWS } from "./devices.ts";
import { BYTES, directionWith, PACKETS, services, shownVlan, statedIp } from "./flow-conditions.ts";
import { flowSearch } from "./flows.ts";
import { matchingIncidents } from "./incidents.ts";
import { textsOfFlows } from "./postings.ts";
import type { FlowSpan } from "./scope.ts";

export interface Items {
  /** A query with the columns k1, k2 and k3 (texts), b (start of the bucket) and m (what is added up or counted). */
  items: Sql;
  /** The time (microseconds) down to which rows were examined; null if all were. */
  examinedUntil: number | null;
}

interface Asked {
  by: readonly GroupField[];
  measure: Measure;
  bucket: number | null;
}

/** Incidents examined with conditions on their evidence, the newest. */
const MAX_EXAMINED_INCIDENTS = 1000;

const NO_KEY = sql`null::text`;

function bucketOf(time: Sql, bucket: number | null): Sql {
  return bucket === null
    ? sql`null::timestamptz`
    : sql`date_bin(make_interval(secs => ${
      bucket / 1_000_000
    }::double precision), ${time}, timestamptz 'epoch')`;
}

/** A group's key: of a column `f` of the examined flows, or of what is joined to it. */
type Key =
  & {
    /** A column that the examined flows need, besides `COLUMNS`. */
    column?: Sql;
    joins?: readonly Sql[];
  }
  & (
    /** A text. */
    | { value: Sql }
    /** An array of texts. */
    | { values: Sql }
    /** A text of each end. */
    | { ends: readonly [Sql, Sql] }
  );

const COLUMNS =
  sql`flow.flow_id, flow.start_at, flow.src_ip, flow.dst_ip, flow.src_device_id, flow.dst_device_id`;

/** Keys by field; `at`: the place of the field, which names its columns and joins. */
function keyOf(field: GroupField, at: Sql, { tenantId, context, span }: KeyContext): Key {
  const named = (column: Sql) => ({ column: sql`${column} as c${at}`, value: sql`f.c${at}` });
  const places = (value: Sql): Key => ({
    joins: (["src", "dst"] as const).map((end) => joinPlace(end, at, tenantId)),
    ends: [sql`s${at}.${value}::text`, sql`d${at}.${value}::text`],
  });
  const place = (end: "src" | "dst", value: Sql): Key => ({
    joins: [joinPlace(end, at, tenantId)],
    value: sql`${end === "src" ? sql`s` : sql`d`}${at}.${value}::text`,
  });
  const { term } = FIELDS[field];
  if (term !== undefined) {
    return {
      joins: [sql`left join (${textsOfFlows(tenantId, term, span)}) t${at} on t${at}.flow_id = f.flow_id`],
      value: sql`t${at}.text`,
    };
  }
  switch (field) {
    case "ip":
      return { ends: [statedIp(sql`f.src_ip`), statedIp(sql`f.dst_ip`)] };
    case "src.ip":
      return { value: statedIp(sql`f.src_ip`) };
    case "dst.ip":
      return { value: statedIp(sql`f.dst_ip`) };
    case "device":
      return {
        joins: [joinDevice("src", at, tenantId), joinDevice("dst", at, tenantId)],
        ends: [
          sql`coalesce(s${at}.merged_into, s${at}.device_id)::text`,
          sql`coalesce(d${at}.merged_into, d${at}.device_id)::text`,
        ],
      };
    case "src.port":
      return named(sql`flow.src_port::text`);
    case "dst.port":
      return named(sql`flow.dst_port::text`);
    case "proto":
      return named(sql`flow.proto`);
    case "service":
      return { column: sql`flow.service as c${at}`, values: services(sql`f.c${at}`) };
    case "vlan":
      return named(sql`(${shownVlan(context.vlans)})::text`);
    case "direction":
      return named(directionWith(context));
    case "source":
      return { column: sql`flow.source_set as c${at}`, values: sources(sql`f.c${at}`) };
    case "sensor":
      return named(sql`flow.primary_sensor_id`);
    case "country":
      return places(sql`country`);
    case "src.country":
      return place("src", sql`country`);
    case "dst.country":
      return place("dst", sql`country`);
    case "asn":
      return places(sql`asn`);
    case "src.asn":
      return place("src", sql`asn`);
    case "dst.asn":
      return place("dst", sql`asn`);
    default:
      throw new TypeError(`flows are not grouped by ${field}`);
  }
}

interface KeyContext {
  tenantId: string;
  context: SearchPlan["context"];
  span: FlowSpan;
}

const JOIN_NAMES = { src: sql`s`, dst: sql`d` };
const IPS = { src: sql`f.src_ip`, dst: sql`f.dst_ip` };
const DEVICE_IDS = { src: sql`f.src_device_id`, dst: sql`f.dst_device_id` };

function joinPlace(end: "src" | "dst", at: Sql, tenantId: string): Sql {
  const name = sql`${JOIN_NAMES[end]}${at}`;
  return sql`left join address_geo ${name} on ${name}.tenant_id = ${tenantId} and ${name}.ip = ${IPS[end]}`;
}

function joinDevice(end: "src" | "dst", at: Sql, tenantId: string): Sql {
  const name = sql`${JOIN_NAMES[end]}${at}`;
  return sql`left join device ${name} on ${name}.tenant_id = ${tenantId} and ${name}.device_id = ${
    DEVICE_IDS[end]
  }`;
}

function sources(set: Sql): Sql {
  const each = EVIDENCE_SOURCES.map((source) =>
    sql`case when ${set} & ${sourceSet([source])} <> 0 then ${source} end`
  );
  return sql`array[${each.reduce((left, right) => sql`${left}, ${right}`)}]`;
}

/** The key as a column of `u`; a row without values has one item without a key. */
function spread(key: Key, at: Sql): { join: Sql; key: Sql } {
  if ("value" in key) return { join: sql``, key: key.value };
  if ("values" in key) {
    return {
      join: sql`left join lateral (
        select distinct key from unnest(${key.values}) as each (key) where key is not null) u${at} on true`,
      key: sql`u${at}.key`,
    };
  }
  // A subquery for each flow would take most of the time of adding up many flows.
  const [one, other] = key.ends;
  return {
    join: sql`join (values (1), (2)) u${at} (n) on u${at}.n = 1 or ${one} <> ${other}`,
    key: sql`case u${at}.n when 1 then coalesce(${one}, ${other}) else ${other} end`,
  };
}

const MEASURED: Record<Exclude<Measure, "count" | "devices">, Sql> = {
  bytes: BYTES,
  packets: PACKETS,
  "src.bytes": sql`flow.src_bytes`,
  "dst.bytes": sql`flow.dst_bytes`,
};

/**
 * The items of traffic by service, or all of it; without services whose flows add up to none.
 *
 * @param rows A query with `service`, `flows` and `measured`, which may be negative.
 */
export function itemsOfServices(rows: Sql, { byService }: { byService: boolean }): Sql {
  // Added up first, because spreading the services of each row takes longer.
  const sums = sql`
    select service, sum(flows) as flows, sum(measured) as measured from (${rows}) each group by service`;
  const { join, key } = byService
    ? spread({ values: services(sql`f.service`) }, sql`1`)
    : { join: sql``, key: NO_KEY };
  return sql`
    select ${key} as k1, ${NO_KEY} as k2, ${NO_KEY} as k3, null::timestamptz as b, sum(f.measured) as m
    from (${sums}) f ${join} group by 1 having sum(f.flows) <> 0`;
}

function joined(parts: readonly Sql[]): Sql {
  return parts.reduce((left, right) => sql`${left} ${right}`, sql``);
}

/** Null: the window is empty. */
export async function itemsOfFlows(
  tx: Tx,
  tenantId: string,
  { where, window, context }: SearchPlan,
  { by, measure, bucket }: Asked,
): Promise<Items | null> {
  const { from, to } = window!;
  if (from >= to) return null;
  const search = await flowSearch(tx, tenantId, { where, context, window: { from, to } });
  const span = search.window;
  const examined = await examineFlows(tx, tenantId, search, MAX_EXAMINED_FLOWS);
  const names = [sql`1`, sql`2`, sql`3`];
  const keys = by.map((field, at) => keyOf(field, names[at]!, { tenantId, context, span }));
  const measured = measure === "count" || measure === "devices"
    ? []
    : [sql`${MEASURED[measure]} as measured`];
  const columns = [COLUMNS, ...measured, ...keys.flatMap(({ column }) => column ?? [])];
  const spreads = keys.map((key, at) => spread(key, names[at]!));
  const devices = measure === "devices"
    ? spread(keyOf("device", sql`4`, { tenantId, context, span }), sql`4`)
    : null;
  const joins = [
    ...keys.flatMap((key) => key.joins ?? []),
    ...devices === null
      ? []
      : [joinDevice("src", sql`4`, tenantId), joinDevice("dst", sql`4`, tenantId), devices.join],
    ...spreads.map(({ join }) => join),
  ];
  const m = devices?.key ?? (measured.length > 0 ? sql`f.measured` : sql`1`);
  return {
    items: sql`
      select ${spreads[0]?.key ?? NO_KEY} as k1, ${spreads[1]?.key ?? NO_KEY} as k2,
        ${spreads[2]?.key ?? NO_KEY} as k3, ${bucketOf(sql`f.start_at`, bucket)} as b, ${m} as m
      from (${examined.select(list(columns))}) f ${joined(joins)}`,
    examinedUntil: examined.from > from ? examined.from : null,
  };
}

function list(columns: readonly Sql[]): Sql {
  return columns.reduce((left, right) => sql`${left}, ${right}`);
}

interface JoinedKey {
  joins?: readonly Sql[];
  value: Sql;
}

const DEVICE_KEYS: Partial<Record<GroupField, (tenantId: string) => JoinedKey>> = {
  "device.type": () => ({ value: sql`d.device_type` }),
  owner: () => ({ value: sql`d.owner` }),
  tag: (tenantId) => ({
    joins: [sql`left join device_tag x on x.tenant_id = ${tenantId} and x.device_id = d.device_id`],
    value: sql`x.tag`,
  }),
  "device.vlan": (tenantId) => ({
    joins: [sql`left join lateral (select distinct v.vlan_id from device o
      join device_vlan v on v.tenant_id = o.tenant_id and v.device_id = o.device_id
      where o.tenant_id = ${tenantId} and coalesce(o.merged_into, o.device_id) = d.device_id) n on true`],
    value: sql`n.vlan_id::text`,
  }),
};

export async function itemsOfDevices(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  { by, bucket }: Asked,
): Promise<Items> {
  const { conditions, examinedUntil } = await matchingDevices(tx, tenantId, plan);
  const keys = by.map((field) => DEVICE_KEYS[field]!(tenantId));
  return {
    items: countItems(sql`(${shownDevices(tenantId)}) d`, sql`d.last_seen`, keys, bucket, conditions),
    examinedUntil,
  };
}

const INCIDENT_KEYS: Partial<Record<GroupField, (tenantId: string) => JoinedKey>> = {
  severity: () => ({ value: sql`i.severity` }),
  status: () => ({ value: sql`i.status` }),
  assignee: () => ({ value: sql`i.assignee` }),
  detector: () => ({
    joins: [sql`left join lateral jsonb_object_keys(i.model_scores) as k (model_id) on true`],
    value: sql`k.model_id`,
  }),
  technique: (tenantId) => ({
    joins: [sql`left join lateral (select distinct r.body ->> 'technique' as technique from model_result r
      where r.tenant_id = ${tenantId} and r.incident_id = i.incident_id and r.body ->> 'technique' is not null) r on true`],
    value: sql`r.technique`,
  }),
  device: (tenantId) => ({
    joins: [sql`left join lateral (select distinct coalesce(o.merged_into, o.device_id) as device_id
      from incident_device x join device o on o.tenant_id = x.tenant_id and o.device_id = x.device_id
      where x.tenant_id = ${tenantId} and x.incident_id = i.incident_id) o on true`],
    value: sql`o.device_id::text`,
  }),
};

export async function itemsOfIncidents(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  { by, bucket }: Asked,
): Promise<Items> {
  const { conditions, evidence } = await matchingIncidents(tx, tenantId, plan);
  const keys = by.map((field) => INCIDENT_KEYS[field]!(tenantId));
  if (evidence === null) {
    return {
      items: countItems(sql`incident i`, sql`i.last_seen`, keys, bucket, conditions),
      examinedUntil: null,
    };
  }
  const newest = sql`
    select i.* from incident i where ${all(conditions)}
    order by i.last_seen desc, i.incident_id desc limit ${MAX_EXAMINED_INCIDENTS}`;
  const [last] = await tx.rows<{ incidents: number; last_seen: number | null }>(
    sql`select count(*)::integer as incidents, min(last_seen) as last_seen from (${newest}) i`,
  );
  return {
    items: countItems(sql`(${newest}) i`, sql`i.last_seen`, keys, bucket, [evidence]),
    examinedUntil: last!.incidents === MAX_EXAMINED_INCIDENTS ? last!.last_seen : null,
  };
}

function countItems(
  from: Sql,
  time: Sql,
  keys: readonly JoinedKey[],
  bucket: number | null,
  conditions: readonly Sql[],
): Sql {
  const joins = keys.flatMap((key) => key.joins ?? []).reduce((left, right) => sql`${left} ${right}`, sql``);
  return sql`
    select ${keys[0]?.value ?? NO_KEY} as k1, ${keys[1]?.value ?? NO_KEY} as k2,
      ${keys[2]?.value ?? NO_KEY} as k3, ${bucketOf(time, bucket)} as b, 1 as m
    from ${from} ${joins} where ${all(conditions)}`;
}
