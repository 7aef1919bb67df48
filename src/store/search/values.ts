// Values of the last day that a comparison can be completed with, most used first.

import type { FieldName } from "../../contract/filter/fields.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { completeTerms } from "./terms.ts";

export interface KnownValue {
  text: string;
  /** How often it was seen; null if that is not known. */
  count: number | null;
}

interface ValueQuery {
  field: FieldName;
  /** What was typed of the value, letter case aside. */
  prefix: string;
  /** Microseconds. */
  since: number;
  limit: number;
}

/** Newest flows that a completion looks at: about 15 ms. */
const SAMPLED_FLOWS = 10_000;
/** As `SAMPLED_FLOWS`, where each address is looked up besides: about 20 ms. */
const PLACED_FLOWS = 4000;

/** The values of a field of the last day; of flows' own columns those of the newest flows. */
export async function knownValues(tx: Tx, tenantId: string, query: ValueQuery): Promise<KnownValue[]> {
  const { field, prefix, since, limit } = query;
  const { term } = FIELDS[field];
  if (term !== undefined) {
    const found = await completeTerms(tx, tenantId, term, prefix, since, limit);
    return found.map(({ text, records }) => ({ text, count: records }));
  }
  const source = SOURCES[field]?.(tenantId, timestampLiteral(since));
  if (source === undefined) return [];
  const start = `${prefix.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
  return await tx.rows<KnownValue>(sql`
    select value as text, sum(n)::integer as count from (${source}) found
    where value is not null and value <> '' and lower(value) like ${start}
    group by value order by sum(n) desc, value limit ${limit}`);
}

type Source = (tenantId: string, since: string) => Sql;

/** Values as texts in `value`, counted by `n`. */
const SOURCES: Partial<Record<FieldName, Source>> = {
  ip: ofFlows(sql`host(src_ip)`, sql`host(dst_ip)`),
  "src.ip": ofFlows(sql`host(src_ip)`),
  "dst.ip": ofFlows(sql`host(dst_ip)`),
  port: ofFlows(sql`dst_port::text`),
  "dst.port": ofFlows(sql`dst_port::text`),
  proto: ofFlows(sql`proto`),
  service: (tenantId, since) =>
    sql`select unnest(string_to_array(f.service, ',')) as value, 1 as n from (${newest(tenantId, since)}) f`,
  sensor: ofFlows(sql`primary_sensor_id`),
  vlan: ofFlows(sql`vlan::text`),
  country: ofPlaces(sql`g.country`, sql`f.src_ip`, sql`f.dst_ip`),
  "src.country": ofPlaces(sql`g.country`, sql`f.src_ip`),
  "dst.country": ofPlaces(sql`g.country`, sql`f.dst_ip`),
  asn: ofPlaces(sql`'AS' || g.asn`, sql`f.src_ip`, sql`f.dst_ip`),
  "src.asn": ofPlaces(sql`'AS' || g.asn`, sql`f.src_ip`),
  "dst.asn": ofPlaces(sql`'AS' || g.asn`, sql`f.dst_ip`),
  device: ofDevices(sql`display_name`),
  "device.type": ofDevices(sql`device_type`),
  owner: ofDevices(sql`owner`),
  tag: (tenantId) => sql`select tag as value, 1 as n from device_tag where tenant_id = ${tenantId}`,
  detector: (tenantId, since) =>
    sql`select jsonb_object_keys(model_scores) as value, 1 as n from (${incidents(tenantId, since)}) i`,
  // People by name; those who never signed in are known by their subject.
  assignee: (tenantId, since) =>
    sql`select coalesce(p.display_name, i.assignee) as value, 1 as n from (${incidents(tenantId, since)}) i
      left join person p on p.tenant_id = ${tenantId} and p.subject = i.assignee
      union all select display_name, 0 from person where tenant_id = ${tenantId}`,
  technique: (tenantId, since) =>
    sql`select r.body ->> 'technique' as value, 1 as n from model_result r
      where r.tenant_id = ${tenantId} and r.incident_id in (select incident_id from (${
      incidents(tenantId, since)
    }) i)`,
};

function newest(tenantId: string, since: string, most = SAMPLED_FLOWS): Sql {
  return sql`select * from flow where tenant_id = ${tenantId} and start_at >= ${since}::timestamptz
    and anchor_at >= ${since}::timestamptz order by start_at desc limit ${most}`;
}

function ofFlows(...values: Sql[]): Source {
  return (tenantId, since) => {
    const all = values.reduce((left, right) => sql`${left}, ${right}`);
    return sql`select unnest(array[${all}]) as value, 1 as n from (${newest(tenantId, since)}) f`;
  };
}

function ofPlaces(value: Sql, ...ends: Sql[]): Source {
  return (tenantId, since) => {
    const all = ends.reduce((left, right) => sql`${left}, ${right}`);
    return sql`select ${value} as value, n from (
        select ip, count(*)::integer as n from (
          select unnest(array[${all}]) as ip from (${
      newest(tenantId, since, PLACED_FLOWS)
    }) f) ends group by ip
      ) ends join address_geo g on g.tenant_id = ${tenantId} and g.ip = ends.ip`;
  };
}

/** Of all devices: a name is worth completing however long it was silent. */
function ofDevices(value: Sql): Source {
  return (tenantId) =>
    sql`select ${value} as value, 1 as n from device where tenant_id = ${tenantId} and merged_into is null`;
}

/** At most a thousand, the newest. */
function incidents(tenantId: string, since: string): Sql {
  return sql`select * from incident where tenant_id = ${tenantId} and last_seen >= ${since}::timestamptz
    order by last_seen desc limit 1000`;
}

/** Names of devices, owners and people that contain a word of a question. */
export interface KnownNames {
  names: string[];
  /** Those of them who work on incidents. */
  people: string[];
}

/** Words of a question that are looked for. */
const MAX_WORDS = 20;
const MAX_NAMES = 500;

/** The names that contain one of the words, letter case aside. */
export async function namesWith(tx: Tx, tenantId: string, words: readonly string[]): Promise<KnownNames> {
  const parts = words.slice(0, MAX_WORDS).map((word) =>
    sql`lower(name) like ${`%${word.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`}`
  );
  const anyPart = parts.reduce((left, right) => sql`${left} or ${right}`);
  const rows = await tx.rows<{ name: string; person: boolean }>(sql`
    select name, bool_or(person) as person from (
      select display_name as name, false as person from device
        where tenant_id = ${tenantId} and merged_into is null
      union all select owner, false from device where tenant_id = ${tenantId} and merged_into is null
      union all select display_name, true from person where tenant_id = ${tenantId}
    ) known where name <> '' and (${anyPart}) group by name order by name limit ${MAX_NAMES}`);
  return {
    names: rows.map(({ name }) => name),
    people: rows.filter(({ person }) => person).map(({ name }) => name),
  };
}
