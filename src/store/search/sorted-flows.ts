// Pages of flows in the orders that no index has.

import {
  type FactOrder,
  type FlowOrder,
  type FlowSort,
  MAX_FACT_SORTED_FLOWS,
  MAX_SORTED_FLOWS,
} from "../../contract/flow/flow.ts";
import type { FactType } from "../../contract/record/facts.ts";
import { EVIDENCE_SOURCES } from "../../contract/record/kinds.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import { hash64 } from "../../kit/hash64.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { isBeyond, keyOrder, type KeyValue, type SortKey, textKey } from "../engine/sort-key.ts";
import { list, type Sql, sql } from "../engine/sql.ts";
import { examineFlows } from "../flow/examine.ts";
import type { FlowPosition } from "../flow/filter.ts";
import { SHOWN_COLUMNS, type ShownFlow, type ShownFlowRow, toShownFlow } from "../flow/shown-flows.ts";
import { sourceSet } from "../record/vocabulary.ts";
import { BYTES, MICROS, PACKETS, services, shownVlan, statedIp } from "./flow-conditions.ts";
import { flowSearch, type SearchPage } from "./flows.ts";
import { SearchTooBroad } from "./search-transaction.ts";

/** Where a page of sorted flows ended. */
export interface SortedPosition extends FlowPosition {
  /** An amount is a text, because counters exceed 2^53 - 1. */
  key: KeyValue;
}

/** A flow with the key that it is sorted by. */
interface SortedFlow extends ShownFlow {
  key: KeyValue;
}

/** A key of the examined flows as `flow`, with what is joined to them. */
type FlowKey = SortKey & { join?: Sql };
type KeyOf = (tenantId: string, context: SearchPlan["context"]) => FlowKey;

const ENDS = {
  src: { ip: sql`flow.src_ip`, deviceId: sql`flow.src_device_id` },
  dst: { ip: sql`flow.dst_ip`, deviceId: sql`flow.dst_device_id` },
};

const KEYS: Readonly<Record<Exclude<FlowOrder, FactOrder>, KeyOf>> = {
  start: amount(sql`(extract(epoch from flow.start_at) * 1000000)`),
  "src.device": endKey("src"),
  "dst.device": endKey("dst"),
  "src.ip": address("src"),
  "dst.ip": address("dst"),
  "src.country": place("src", sql`g.country`),
  "dst.country": place("dst", sql`g.country`),
  "src.asn": place("src", sql`coalesce(g.organisation, 'AS' || g.asn)`),
  "dst.asn": place("dst", sql`coalesce(g.organisation, 'AS' || g.asn)`),
  server_name: text(sql`flow.server_name`),
  service: text(sql`array_to_string(${services(sql`flow.service`)}, ', ')`),
  vlan: (_, { vlans }) => ({ value: shownVlan(vlans), type: "integer" }),
  source: text(shownSources(sql`flow.source_set`)),
  community_id: communityKey,
  observations: () => ({ value: sql`flow.observation_count`, type: "integer" }),
  bytes: amount(BYTES),
  "src.bytes": amount(sql`flow.src_bytes`),
  "dst.bytes": amount(sql`flow.dst_bytes`),
  packets: amount(PACKETS),
  "src.packets": amount(sql`flow.src_packets`),
  "dst.packets": amount(sql`flow.dst_packets`),
  duration: amount(MICROS),
};

/** Where the facts of a type have the value of an order; a number is compared as one. */
interface FactKey {
  type: FactType;
  value: Sql;
  isNumber?: true;
}

const FACT_KEYS: Readonly<Record<FactOrder, FactKey>> = {
  alert: { type: "alert", value: member("signature") },
  "alert.category": { type: "alert", value: member("category") },
  "alert.priority": { type: "alert", value: member("priority"), isNumber: true },
  "alert.action": { type: "alert", value: member("action") },
  "alert.id": { type: "alert", value: member("signatureId"), isNumber: true },
  "dns.query": { type: "dns", value: member("query") },
  "dns.type": { type: "dns", value: member("qtype") },
  "dns.rcode": { type: "dns", value: member("rcode") },
  "dns.answer": { type: "dns", value: sql`r.facts -> 'answers' ->> 0` },
  "tls.version": { type: "tls", value: member("version") },
  ja3: { type: "tls", value: member("ja3") },
  ja4: { type: "tls", value: member("ja4") },
  certificate: { type: "tls", value: member("fingerprint") },
  "certificate.subject": { type: "tls", value: member("subject") },
  "certificate.issuer": { type: "tls", value: member("issuer") },
  "http.host": { type: "http", value: member("host") },
  "http.method": { type: "http", value: member("method") },
  "http.path": { type: "http", value: member("uri") },
  "http.status": { type: "http", value: member("status"), isNumber: true },
  "http.bytes": { type: "http", value: member("responseBytes"), isNumber: true },
  user_agent: { type: "http", value: member("userAgent") },
};

function isOfFacts(order: FlowOrder): order is FactOrder {
  return Object.hasOwn(FACT_KEYS, order);
}

interface SortedPage {
  sort: FlowSort;
  after: SortedPosition | null;
  limit: number;
  /** Flows that are examined at most. */
  most?: number;
}

/**
 * A page of at most `limit` flows in an order, equal ones by start and id, the newest first. No index has the order, so
 * every flow of the window that the filter's index leads to is examined.
 *
 * @throws SearchTooBroad if there are more of them than `most`
 */
export async function searchSortedFlows(
  tx: Tx,
  tenantId: string,
  { where, context, window }: SearchPlan,
  { sort, after, limit, most }: SortedPage,
): Promise<SearchPage<SortedFlow, SortedPosition>> {
  if (window!.from >= window!.to) return { rows: [], next: null, exhausted: true, examinedUntil: null };
  const descending = sort.startsWith("-");
  const order = sort.slice(descending ? 1 : 0) as FlowOrder;
  const search = await flowSearch(tx, tenantId, { where, context, window: window! });
  const limited = most ?? (isOfFacts(order) ? MAX_FACT_SORTED_FLOWS : MAX_SORTED_FLOWS);
  const examined = await examineFlows(tx, tenantId, search, limited);
  if (examined.from > window!.from) throw tooMany(order, limited, examined.from);
  const { value, type, join } = isOfFacts(order)
    ? factKey(FACT_KEYS[order], tenantId)
    : KEYS[order](tenantId, context);
  const beyond = after === null ? sql`true` : isBeyond(
    sql`flow.key`,
    { type, descending },
    after.key,
    sql`(flow.start_at, flow.flow_id) < (${
      timestampLiteral(after.start)
    }::timestamptz, ${after.flowId}::uuid)`,
  );
  const found = await tx.rows<ShownFlowRow & { key: string | number | bigint | null }>(sql`
    select * from (
      select flow.*, ${value} as key
      from (${examined.select(sql`${SHOWN_COLUMNS}, tuple_hash`)}) flow ${join ?? sql``}
    ) flow
    where ${beyond}
    order by ${keyOrder(sql`flow.key`, descending, sql`flow.start_at desc, flow.flow_id desc`)}
    limit ${limit + 1}`);
  const rows = found.slice(0, limit).map(({ key, ...row }): SortedFlow => ({
    ...toShownFlow(row),
    key: key === null ? null : String(key),
  }));
  return {
    rows,
    next: found.length > limit ? positionOfSorted(rows.at(-1)!) : null,
    exhausted: true,
    examinedUntil: null,
  };
}

export function positionOfSorted({ key, start, flowId }: SortedFlow): SortedPosition {
  return { key, start, flowId };
}

/** Numeric, because counters together exceed a bigint. */
function amount(value: Sql): KeyOf {
  return () => ({ value: sql`(${value})::numeric`, type: "numeric" });
}

function text(value: Sql): KeyOf {
  return () => textKey(value);
}

function address(end: "src" | "dst"): KeyOf {
  const { ip } = ENDS[end];
  return () => ({ value: sql`${statedIp(ip)}::inet`, type: "address" });
}

/** Devices by their names, then the other ends by their addresses, which are hexadecimal to be compared as numbers. */
function endKey(end: "src" | "dst"): KeyOf {
  const { ip, deviceId } = ENDS[end];
  const name = sql`coalesce(s.display_name, d.display_name)`;
  return (tenantId) => ({
    ...textKey(sql`case when ${name} <> host(${ip}) then '0' || ${name}
      when ${statedIp(ip)} is not null then '1' || encode(inet_send(${ip}), 'hex') end`),
    join: sql`
      left join device d on d.tenant_id = ${tenantId} and d.device_id = ${deviceId}
      left join device s on s.tenant_id = ${tenantId} and s.device_id = d.merged_into`,
  });
}

function place(end: "src" | "dst", value: Sql): KeyOf {
  return (tenantId) => ({
    ...textKey(value),
    join: sql`left join address_geo g on g.tenant_id = ${tenantId} and g.ip = ${ENDS[end].ip}`,
  });
}

/** The kinds of source as `sources` has them. */
function shownSources(set: Sql): Sql {
  const each = EVIDENCE_SOURCES.map((source) =>
    sql`case when ${set} & ${sourceSet([source])}::integer <> 0 then ${source}::text end`
  );
  return sql`array_to_string(array[${list(each)}], ', ')`;
}

/** The beginning of the Community ID, whose digest begins with the bits of `tuple_hash`; letter case matters. */
function communityKey(tenantId: string): FlowKey {
  const bits = sql`flow.tuple_hash # ${String(hash64(tenantId))}::bigint`;
  return { value: sql`encode(int8send(${bits}), 'base64') collate "C"`, type: "text" };
}

function member(name: string): Sql {
  return sql`r.facts ->> ${name}::text`;
}

/** Of the earliest record with facts of the type, as `factsOfFlows` shows it first. */
function factKey({ type, value, isNumber }: FactKey, tenantId: string): FlowKey {
  const key: SortKey = isNumber ? { value: sql`(${value})::numeric`, type: "numeric" } : textKey(value);
  return {
    ...key,
    join: sql`
      left join lateral (
        select e.facts::json as facts
        from evidence e
        where e.tenant_id = ${tenantId} and e.flow_id = flow.flow_id and e.facts like ${`%"type":"${type}"%`}
        order by e.evidence_id limit 1
      ) r on true`,
  };
}

function tooMany(order: FlowOrder, most: number, from: number): SearchTooBroad {
  const earliest = formatMillis(from);
  return new SearchTooBroad(
    `Sorting by ${order} examines at most ${
      most.toLocaleString("en")
    } flows, and there are more; choose a window that begins at ${earliest} or later, or add a condition that fewer flows meet.`,
    { most, from: earliest },
  );
}
