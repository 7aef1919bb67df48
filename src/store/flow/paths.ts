import type { Tx } from "../engine/database.ts";
import { deviceGroup } from "../device/group.ts";
import type { FlowAccess, FlowFilter, FlowWindow } from "./filter.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { hash64 } from "../../kit/hash64.ts";
import { all, prepared, type Sql, sql, unionAll } from "../engine/sql.ts";
import { sourceSet } from "../record/vocabulary.ts";

/** One access path to the flows of a filter: an index holds those with `key` in the order of their start. */
export interface FlowPath {
  key: Sql[];
  /** Conditions that must be checked on each row. */
  rest: Sql[];
  /** Whether the key's values are hidden from the planner, so that one plan serves all of them. */
  unseen?: true;
  /** Whether the path leads to so few flows that reading all of them is cheap. */
  few?: true;
}

/** Values so frequent that a scan by time soon finds some. */
const COMMON_SERVICES = ["dns", "ssl", "tls", "http"];
const COMMON_PROTOCOLS = ["tcp", "udp", "icmp", "ipv6-icmp"];
/**
 * Exactly the predicates of the partial indexes flow_rare_*: a plan made without the value must still match
 * them.
 */
const IS_RARE_SERVICE = sql`service not in ('dns', 'ssl', 'tls', 'http')`;
const IS_RARE_PROTOCOL = sql`proto not in ('tcp', 'udp', 'icmp', 'ipv6-icmp')`;

const FEW = 2000;

/** Disjoint paths that together reach every flow of the filter. */
export async function pathsOf(tx: Tx, tenantId: string, filter: FlowFilter): Promise<FlowPath[]> {
  const { proto, service, source, search } = filter;
  if (search !== undefined) return await searchPaths(tx, tenantId, search.access);
  const ofProto = proto === undefined ? [] : [sql`proto = ${proto}`];
  const ofService = service === undefined ? [] : [sql`(${isService(service)} or ${isOneOf(service)})`];
  const ofSource = source === undefined ? [] : [sql`(source_set & ${sourceSet([source])}) <> 0`];
  const ends = await endsOf(tx, tenantId, filter);
  if (ends !== null) {
    return ends.map((end) => ({ ...end, rest: [...end.rest, ...ofProto, ...ofService, ...ofSource] }));
  }
  if (service !== undefined) {
    const rest = [...ofProto, ...ofSource];
    return [
      ofOneService(service, rest),
      { key: [sql`strpos(service, ',') > 0`], rest: [isOneOf(service), ...rest], unseen: true },
    ];
  }
  if (proto !== undefined && isRareProtocol(proto)) return [ofRareProtocol(proto, ofSource)];
  return [{ key: [], rest: [...ofProto, ...ofSource] }];
}

/** Paths that together reach every flow of the search's access, each once. */
async function searchPaths(tx: Tx, tenantId: string, access: FlowAccess | null): Promise<FlowPath[]> {
  switch (access?.by) {
    case "device":
      return endsAmong(access.deviceIds).map((key): FlowPath => ({ key, rest: [], unseen: true }));
    case "address":
      return await peerEnds(tx, tenantId, access.ip, access.ends);
    case "tuple":
      return access.hashes.map((hash) => ({
        key: [sql`tuple_hash = ${unseen(String(hash), sql`bigint`)}`],
        rest: [],
        unseen: true,
        few: true,
      }));
    case "service":
      return [
        ...access.services.map((service): FlowPath => ({
          key: [sql`service = ${unseen(service, sql`text`)}`, IS_RARE_SERVICE],
          rest: [],
          unseen: true,
        })),
        {
          key: [sql`strpos(service, ',') > 0`],
          rest: [sql`string_to_array(service, ',') && ${textArray(access.services)}::text[]`],
          unseen: true,
        },
      ];
    case "proto":
      return [ofRareProtocol(access.proto, [])];
    default:
      return [{ key: [], rest: [] }];
  }
}

/** Whether an index finds the flows of a protocol. */
export function isRareProtocol(proto: string): boolean {
  return !COMMON_PROTOCOLS.includes(proto);
}

/** Whether an index finds the flows that carry only this service. */
export function isRareService(service: string): boolean {
  return !COMMON_SERVICES.includes(service);
}

function ofRareProtocol(proto: string, rest: Sql[]): FlowPath {
  return { key: [sql`proto = ${unseen(proto, sql`text`)}`, IS_RARE_PROTOCOL], rest, unseen: true };
}

/** Flows that carry only this service. */
function ofOneService(service: string, rest: Sql[]): FlowPath {
  const name = service.toLowerCase();
  if (COMMON_SERVICES.includes(name)) return { key: [], rest: [isService(service), ...rest] };
  if (service !== name) return { key: [isService(service)], rest };
  return { key: [sql`service = ${unseen(service, sql`text`)}`, IS_RARE_SERVICE], rest, unseen: true };
}

/** Sensors write services in lower case. No `lower(…)`: the planner has no statistics on an expression. */
function isService(service: string): Sql {
  const name = service.toLowerCase();
  return service === name ? sql`service = ${name}` : sql`service in (${service}, ${name})`;
}

/** Zeek joins the services of a connection with commas. */
function isOneOf(service: string): Sql {
  return sql`(strpos(service, ',') > 0 and ${service.toLowerCase()} = any(string_to_array(service, ',')))`;
}

/**
 * A path for each requested end, so that each has an index; the paths are disjoint. Null: the filter names no
 * end.
 */
async function endsOf(tx: Tx, tenantId: string, filter: FlowFilter): Promise<FlowPath[] | null> {
  const { deviceId, peerIp, window } = filter;
  const device = deviceId === undefined ? null : await deviceEnds(tx, tenantId, deviceId);
  const ofDevice = (rest: Sql[]) => device!.ends.map((key): FlowPath => ({ key, rest, unseen: true }));
  if (peerIp === undefined) return device && ofDevice([]);
  if (device === null) return await peerEnds(tx, tenantId, peerIp);
  // Use the device's paths when it has few flows: a peer may have millions.
  const either = sql`(src_ip = ${peerIp}::inet or dst_ip = ${peerIp}::inet)`;
  const isFew = window !== null && await areFew(tx, tenantId, window, ofDevice([]));
  if (isFew) return ofDevice([either]).map((end) => ({ ...end, few: true }));
  const withDevice =
    sql`(src_device_id = any(${device.ids}::uuid[]) or dst_device_id = any(${device.ids}::uuid[]))`;
  const ends = await peerEnds(tx, tenantId, peerIp);
  return ends.map((end) => ({ ...end, rest: [...end.rest, withDevice] }));
}

/** Paths to flows with an end among the devices merged with this one. */
async function deviceEnds(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<{ ids: string; ends: Sql[][] }> {
  const group = await deviceGroup(tx, tenantId, deviceId);
  return { ids: plainArray(group), ends: endsAmong(group) };
}

/** The keys of disjoint paths to the flows with an end among these devices. */
function endsAmong(deviceIds: readonly string[]): Sql[][] {
  if (deviceIds.length === 0) return [[sql`false`]];
  const ids = plainArray(deviceIds);
  return deviceIds.flatMap((id) => [
    [sql`src_device_id = ${unseen(id, sql`uuid`)}`],
    [sql`dst_device_id = ${
      unseen(id, sql`uuid`)
    } and (src_device_id is null or src_device_id <> all(${ids}::uuid[]))`],
  ]);
}

/** An end that is a device is found by the device id, any other by its address. */
async function peerEnds(
  tx: Tx,
  tenantId: string,
  peerIp: string,
  ends: readonly ("src" | "dst")[] = ["src", "dst"],
): Promise<FlowPath[]> {
  const holder = await holderOf(tx, tenantId, peerIp);
  const ip = unseen(peerIp, sql`inet`);
  const isSrc = sql`src_ip = ${ip}`;
  // Not found at the other end already.
  const isDst = ends.includes("src") ? sql`dst_ip = ${ip} and src_ip <> ${ip}` : sql`dst_ip = ${ip}`;
  return ends.flatMap((end): FlowPath[] => {
    const [isEnd, device] = end === "src" ? [isSrc, sql`src_device_id`] : [isDst, sql`dst_device_id`];
    const path: FlowPath = { key: [isEnd, sql`${device} is null`], rest: [], unseen: true };
    if (holder === null) return [path];
    // Nearly all flows of a device's address carry the device.
    return [path, { key: [sql`${device} = ${unseen(holder, sql`uuid`)}`], rest: [isEnd], unseen: true }];
  });
}

/**
 * Hides a value from the planner. If it knew that a device has a tenth of all flows, it would scan all flows
 * by time, which reads ten times what the device's own index does, in the same order.
 */
function unseen(value: string, type: Sql): Sql {
  return sql`(select ${value}::${type})`;
}

/**
 * Duration of the tenant's longest flow in microseconds: the most that an anchor can lie after its flow's
 * start.
 */
export async function longestFlow(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ longest_flow: number }>(
    sql`select longest_flow from pipeline_cursor where tenant_id = ${tenantId}`,
  );
  return row?.longest_flow ?? 0;
}

/** A device has two paths; no plan is kept for one that many others were merged into. */
const MAX_KEPT_PATHS = 4;
/** For shorter windows, planning takes no longer than reading. */
const FEW_DAYS = 2 * 86_400_000_000;

/** The statement with its plan kept under a name derived from its text; there are a few dozen forms. */
export function keepPlan(statement: Sql): Sql {
  return prepared(`flows_${hash64(statement.strings.join("$"))}`, statement);
}

/**
 * As `keepPlan` when one plan serves all values: planning for many day partitions takes ten times as long as
 * reading.
 */
export function withKeptPlan(statement: Sql, { from, to }: FlowWindow, paths: readonly FlowPath[]): Sql {
  const serves = to - from > FEW_DAYS && paths.length <= MAX_KEPT_PATHS &&
    paths.every(({ unseen }) => unseen);
  return serves ? keepPlan(statement) : statement;
}

/** That a flow starts in the span. */
export function within(tenantId: string, { from, to, anchorTo }: FlowWindow): Sql[] {
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    sql`anchor_at >= ${timestampLiteral(from - 1000)}::timestamptz`,
    sql`start_at >= ${timestampLiteral(from)}::timestamptz and start_at < ${
      timestampLiteral(to)
    }::timestamptz`,
  ];
  if (anchorTo !== undefined) conditions.push(sql`anchor_at <= ${timestampLiteral(anchorTo)}::timestamptz`);
  return conditions;
}

/**
 * Start (microseconds) of the `n`th newest flow on these paths, `rest` ignored; null if there are fewer than
 * `n`.
 */
export async function nthStart(
  tx: Tx,
  tenantId: string,
  span: FlowWindow,
  paths: readonly FlowPath[],
  n: number,
): Promise<number | null> {
  const scans = paths.map(({ key }) =>
    sql`(select start_at from flow where ${
      all([...within(tenantId, span), ...key])
    } order by start_at desc limit ${n})`
  );
  const statement = sql`
    select start_at from (${unionAll(scans)}) starts order by start_at desc offset ${n - 1} limit 1`;
  const [row] = await tx.rows<{ start_at: number }>(withKeptPlan(statement, span, paths));
  return row?.start_at ?? null;
}

/** Whether these paths reach few flows, `rest` ignored. */
async function areFew(
  tx: Tx,
  tenantId: string,
  window: FlowWindow,
  paths: readonly FlowPath[],
): Promise<boolean> {
  const scans = paths.map(({ key }) =>
    sql`(select 1 from flow where ${all([...within(tenantId, window), ...key])} limit ${FEW})`
  );
  const statement = sql`select count(*)::integer as flows from (${unionAll(scans)}) found`;
  const [row] = await tx.rows<{ flows: number }>(withKeptPlan(statement, window, paths));
  return row!.flows < FEW;
}

async function holderOf(tx: Tx, tenantId: string, ip: string): Promise<string | null> {
  const [row] = await tx.rows<{ device_id: string }>(
    sql`select device_id from device_address where tenant_id = ${tenantId} and ip = ${ip}::inet`,
  );
  return row?.device_id ?? null;
}
