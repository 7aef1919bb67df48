import type { FlowField } from "../../domain/search/values.ts";
import { FIELDS } from "../../contract/filter/fields.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import type { Site } from "../../contract/site.ts";
import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Part, SomeOf } from "../../domain/search/parts.ts";
import { type Criterion, questionOf, type SearchContext } from "../../domain/search/criterion.ts";
import { formatIp, parseCidr } from "../../kit/net/ip.ts";
import { tupleHashOfCommunityId } from "../flow/flows.ts";
import { plainArray, textArray } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";
import { sourceSet } from "../record/vocabulary.ts";
import { any, meets, meetsId } from "./criterion-sql.ts";
import { incidentsWith } from "./incident-conditions.ts";
import { membersWith } from "./device-conditions.ts";
import { statesTerm } from "./postings.ts";
import type { FlowSpan, SearchScope } from "./scope.ts";
import { compileTree, notTrue } from "./tree-sql.ts";

/** The condition on a row of `flow`, which starts in the span. */
export function flowCondition(where: Part, scope: SearchScope, span: FlowSpan): Sql {
  return compileTree(where, {
    comparison: (comparison) => flowComparison(comparison, scope, span),
    some: (group) => group.some === "device" ? hasDevice(group, scope) : isEvidenceOf(group, scope),
  });
}

function flowComparison(comparison: Comparison, scope: SearchScope, span: FlowSpan): Sql {
  const { negated, criterion } = questionOf(comparison, scope.context);
  const lookup = scope.terms.get(comparison);
  const condition = lookup === undefined
    ? FLOW_SQL[comparison.field as FlowField](criterion, scope)
    : statesTerm(scope.tenantId, lookup, span);
  return negated ? notTrue(condition) : condition;
}

function hasDevice(group: SomeOf, { tenantId, context, devices }: SearchScope): Sql {
  const known = devices.get(group) ?? null;
  const ids = known === null
    ? sql`(${membersWith(tenantId, group.where, context)})`
    : sql`(select unnest(${plainArray(known)}::uuid[]))`;
  return sql`(flow.src_device_id in ${ids} or flow.dst_device_id in ${ids})`;
}

function isEvidenceOf(group: SomeOf, { tenantId, context }: SearchScope): Sql {
  return sql`flow.flow_id in (
    select x.flow_id from incident_evidence x where x.tenant_id = ${tenantId}
      and x.incident_id in (${incidentsWith(tenantId, group.where, context)}))`;
}

const ENDS = { src: sql`flow.src_ip`, dst: sql`flow.dst_ip` };
export const PACKETS = sum(sql`flow.src_packets`, sql`flow.dst_packets`);
export const BYTES = sum(sql`flow.src_bytes`, sql`flow.dst_bytes`);
export const MICROS = sql`(extract(epoch from flow.end_at - flow.start_at) * 1000000)`;
const RATE = sql`case when flow.end_at > flow.start_at
  then ${BYTES}::double precision / (${MICROS}::double precision / 1000000) end`;
/** See `isUnstatedIp`. */
const UNSTATED = sql`('0.0.0.0'::inet, '::'::inet)`;

/** The direction of a flow; null if an address is not stated. */
export function directionWith({ broadcasts }: SearchContext): Sql {
  const inside = (end: "src" | "dst") => {
    const isDevice = sql`${end === "src" ? sql`flow.src_device_id` : sql`flow.dst_device_id`} is not null`;
    if (broadcasts === undefined || broadcasts.size === 0) return isDevice;
    return sql`(${isDevice} or ${ENDS[end]} = any(${textArray([...broadcasts])}::inet[]))`;
  };
  return sql`case when flow.src_ip in ${UNSTATED} or flow.dst_ip in ${UNSTATED} then null
    when ${inside("src")} then case when ${inside("dst")} then 'internal' else 'outbound' end
    when ${inside("dst")} then 'inbound' else 'external' end`;
}

/** The address of an end as text; null if it is not stated. */
export function statedIp(ip: Sql): Sql {
  return sql`case when ${ip} not in ${UNSTATED} then host(${ip}) end`;
}

type FlowSql = (criterion: Criterion, scope: SearchScope) => Sql;

/** The columns of each field; those of records are found through the dictionary. */
const FLOW_SQL: Record<FlowField, FlowSql> = {
  time: column(sql`flow.start_at`),
  first_seen: column(sql`flow.start_at`),
  last_seen: column(sql`flow.end_at`),
  flow: (criterion) => meetsId(sql`flow.flow_id`, criterion),
  ip: column(ENDS.src, ENDS.dst),
  "src.ip": column(ENDS.src),
  "dst.ip": column(ENDS.dst),
  port: column(sql`flow.src_port`, sql`flow.dst_port`),
  "src.port": column(sql`flow.src_port`),
  "dst.port": column(sql`flow.dst_port`),
  country: place(sql`g.country`, "src", "dst"),
  "src.country": place(sql`g.country`, "src"),
  "dst.country": place(sql`g.country`, "dst"),
  asn: place(sql`g.asn`, "src", "dst"),
  "src.asn": place(sql`g.asn`, "src"),
  "dst.asn": place(sql`g.asn`, "dst"),
  vlan: (criterion, { context }) => meets(shownVlan(context.vlans), criterion),
  direction: (criterion, { context }) => meets(directionWith(context), criterion),
  proto: column(sql`flow.proto`),
  service: serviceMeets,
  source: sourceMeets,
  sensor: column(sql`flow.primary_sensor_id`),
  community_id: communityIdMeets,
  bytes: column(BYTES),
  "src.bytes": column(sql`flow.src_bytes`),
  "dst.bytes": column(sql`flow.dst_bytes`),
  packets: column(PACKETS),
  rate: column(RATE),
  duration: column(MICROS),
  intel: hasIntel,
};

/** That any of the values meets the criterion. */
function column(...values: Sql[]): FlowSql {
  return (criterion) => any(values.map((value) => meets(value, criterion)));
}

/** The known counters together, which may exceed a bigint. */
function sum(a: Sql, b: Sql): Sql {
  return sql`coalesce(${a}::numeric + ${b}::numeric, ${a}::numeric, ${b}::numeric)`;
}

function place(value: Sql, ...ends: (keyof typeof ENDS)[]): FlowSql {
  return (criterion, { tenantId }) =>
    any(ends.map((end) =>
      sql`exists (select from address_geo g
        where g.tenant_id = ${tenantId} and g.ip = ${ENDS[end]} and ${meets(value, criterion)})`
    ));
}

/** As `flowVlan`. */
export function shownVlan(vlans: Site["vlans"]): Sql {
  const networks = vlans.flatMap(({ vlan_id: vlanId, cidrs }) =>
    cidrs.flatMap((text) => {
      const cidr = parseCidr(text);
      return cidr === null ? [] : [{ vlanId, cidr }];
    })
  ).sort((a, b) => b.cidr.prefix - a.cidr.prefix);
  if (networks.length === 0) return sql`flow.vlan`;
  const configured = (ip: Sql) =>
    sql`case ${
      networks.map(({ vlanId, cidr }) =>
        sql`when ${ip} >= ${formatIp(cidr.first)}::inet and ${ip} <= ${
          formatIp(cidr.last)
        }::inet then ${vlanId}::integer`
      ).reduce((left, right) => sql`${left} ${right}`)
    } end`;
  return sql`coalesce(flow.vlan, ${configured(ENDS.src)}, ${configured(ENDS.dst)})`;
}

/** The services of a flow by their canonical names: `ssl` is `tls`. */
export function services(value: Sql): Sql {
  return Object.entries(FIELDS.service.valueAliases!).reduce(
    (names, [alias, name]) => sql`array_replace(${names}, ${alias}, ${name})`,
    sql`string_to_array(${value}, ',')`,
  );
}

/** Zeek joins the services of a connection with commas. */
function serviceMeets(criterion: Criterion): Sql {
  if (criterion.is !== "text") return sql`flow.service is not null`;
  const names = sql`${textArray(criterion.texts)}::text[]`;
  return sql`(flow.service = any(${names})
    or (strpos(flow.service, ',') > 0 and string_to_array(flow.service, ',') && ${names}))`;
}

function sourceMeets(criterion: Criterion): Sql {
  if (criterion.is !== "text") return sql`flow.source_set <> 0`;
  return sql`(flow.source_set & ${sourceSet(criterion.texts as EvidenceSource[])}) <> 0`;
}

function communityIdMeets(criterion: Criterion, { tenantId }: SearchScope): Sql {
  if (criterion.is !== "text") return sql`flow.tuple_hash is not null`;
  return sql`flow.tuple_hash = any(${plainArray(tupleHashes(tenantId, criterion.texts))}::bigint[])`;
}

export function tupleHashes(tenantId: string, communityIds: readonly string[]): bigint[] {
  return communityIds.flatMap((text) => tupleHashOfCommunityId(tenantId, text) ?? []);
}

/** That an indicator matched at an end: by the other end, by the server's name, or in a record of this flow. */
function hasIntel(criterion: Criterion, { tenantId }: SearchScope): Sql {
  const meetsAny = any(
    [sql`m.list`, sql`m.indicator`, sql`m.description`].map((text) => meets(text, criterion)),
  );
  return sql`exists (select from intel_match m
    where m.tenant_id = ${tenantId} and m.party_ip in (flow.src_ip, flow.dst_ip) and ${meetsAny} and (
      m.flow_id = flow.flow_id or case
        when m.kind in ('ip', 'cidr')
          then case when m.party_ip = flow.src_ip then flow.dst_ip else flow.src_ip end <<= m.indicator::inet
        when m.kind = 'domain' then flow.server_name = m.indicator
          or (not m.exact and right(flow.server_name, length(m.indicator) + 1) = '.' || m.indicator)
        else false end))`;
}
