import type { Tx } from "./database.ts";
import { deviceGroup } from "./device-group.ts";
import type { FlowFilter, FlowWindow } from "./flow-list.ts";
import { plainArray, timestampLiteral } from "./literals.ts";
import { all, planKept, type Sql, sql } from "./sql.ts";
import { sourceSet } from "./vocabulary.ts";

/** One way to flows that a filter asks for: an index has those with `key` in the order of their start. */
export interface FlowPath {
  key: Sql[];
  /** What remains to be told from each row. */
  rest: Sql[];
  /** Names the form of the keys where the planner sees nothing of their values, so that one plan serves all of them. */
  unseenAs?: "device" | "address";
}

/** As in migration 15: what flows have so often that time alone soon leads to some. */
const COMMON_SERVICES = ["dns", "ssl", "tls", "http"];
const COMMON_PROTOCOLS = ["tcp", "udp", "icmp", "ipv6-icmp"];

/** Flows of a device, so few that looking through them all costs nothing. */
const FEW = 2000;

/** Ways that together lead to every flow of the filter, and to none twice. */
export async function pathsOf(tx: Tx, tenantId: string, filter: FlowFilter): Promise<FlowPath[]> {
  const { proto, service, source } = filter;
  const ofProto = proto === undefined ? [] : [sql`proto = ${proto}`];
  const ofService = service === undefined ? [] : [sql`(${isService(service)} or ${isOneOf(service)})`];
  const ofSource = source === undefined ? [] : [sql`(source_set & ${sourceSet([source])}) <> 0`];
  const ends = await endsOf(tx, tenantId, filter);
  if (ends !== null) {
    return ends.map((end) => ({ ...end, rest: [...end.rest, ...ofProto, ...ofService, ...ofSource] }));
  }
  if (service !== undefined) {
    const isCommon = COMMON_SERVICES.includes(service.toLowerCase());
    const own = isService(service);
    const rest = [...ofProto, ...ofSource];
    return [
      isCommon ? { key: [], rest: [own, ...rest] } : { key: [own], rest },
      { key: [sql`strpos(service, ',') > 0`], rest: [isOneOf(service), ...rest] },
    ];
  }
  if (proto !== undefined && !COMMON_PROTOCOLS.includes(proto)) return [{ key: ofProto, rest: ofSource }];
  return [{ key: [], rest: [...ofProto, ...ofSource] }];
}

/**
 * Sensors write services in lower case. (Not by `lower(…)`: of an expression the planner knows no statistics.) One
 * alone has an index that several have not.
 */
function isService(service: string): Sql {
  const name = service.toLowerCase();
  return service === name ? sql`service = ${name}` : sql`service in (${service}, ${name})`;
}

/** Zeek joins several services of one connection by commas. */
function isOneOf(service: string): Sql {
  return sql`(strpos(service, ',') > 0 and ${service.toLowerCase()} = any(string_to_array(service, ',')))`;
}

/** One scan for each end that is asked for, so that each has an index; no flow is in two. Null: any end will do. */
async function endsOf(tx: Tx, tenantId: string, filter: FlowFilter): Promise<FlowPath[] | null> {
  const { deviceId, peerIp, window } = filter;
  const device = deviceId === undefined ? null : await deviceEnds(tx, tenantId, deviceId);
  const ofDevice = (rest: Sql[]) => device!.ends.map((key): FlowPath => ({ key, rest, unseenAs: "device" }));
  if (peerIp === undefined) return device && ofDevice([]);
  if (device === null) return await peerEnds(tx, tenantId, peerIp);
  // By the device where it has few flows: a peer may have millions.
  const either = sql`(src_ip = ${peerIp}::inet or dst_ip = ${peerIp}::inet)`;
  const isFew = window !== null && await nthStart(tx, tenantId, window, ofDevice([]), FEW) === null;
  if (isFew) return ofDevice([either]);
  const withDevice =
    sql`(src_device_id = any(${device.ids}::uuid[]) or dst_device_id = any(${device.ids}::uuid[]))`;
  return (await peerEnds(tx, tenantId, peerIp)).map((end) => ({ ...end, rest: [...end.rest, withDevice] }));
}

/** Ends that are one of the devices that show as this one. */
async function deviceEnds(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<{ ids: string; ends: Sql[][] }> {
  const group = await deviceGroup(tx, tenantId, deviceId);
  const ids = plainArray(group);
  const ends = group.flatMap((id) => [
    [sql`src_device_id = ${unseen(id, sql`uuid`)}`],
    [sql`dst_device_id = ${
      unseen(id, sql`uuid`)
    } and (src_device_id is null or src_device_id <> all(${ids}::uuid[]))`],
  ]);
  return { ids, ends: group.length === 0 ? [[sql`false`]] : ends };
}

/** An end that is a device is found by the device, any other by its address. */
async function peerEnds(tx: Tx, tenantId: string, peerIp: string): Promise<FlowPath[]> {
  const holder = await holderOf(tx, tenantId, peerIp);
  // Of a busy address that is no device the planner must know how busy it is: only its index has no order of time. Few
  // flows of a device's address are without the device.
  const ip = holder === null ? sql`${peerIp}::inet` : unseen(peerIp, sql`inet`);
  const src = sql`src_ip = ${ip}`;
  const dst = sql`dst_ip = ${ip} and src_ip <> ${ip}`;
  const ends: FlowPath[] = [
    { key: [src, sql`src_device_id is null`], rest: [] },
    { key: [dst, sql`dst_device_id is null`], rest: [] },
  ];
  if (holder === null) return ends;
  const device = unseen(holder, sql`uuid`);
  ends.push({ key: [sql`src_device_id = ${device}`], rest: [src] });
  ends.push({ key: [sql`dst_device_id = ${device}`], rest: [dst] });
  return ends.map((end) => ({ ...end, unseenAs: "address" }));
}

/**
 * A value that the planner does not see. Where it saw that a device has a tenth of all flows, it would look through all
 * of them by time, which reads ten times what the device's own index does, in the same order.
 */
function unseen(value: string, type: Sql): Sql {
  return sql`(select ${value}::${type})`;
}

/** The longest flow there is, in microseconds: an anchor lies so long after its flow's start at most. */
export async function longestFlow(tx: Tx, tenantId: string): Promise<number> {
  const [row] = await tx.rows<{ longest_flow: number }>(
    sql`select longest_flow from pipeline_cursor where tenant_id = ${tenantId}`,
  );
  return row?.longest_flow ?? 0;
}

/** Two for a device: of one that stands for many, no plan is kept. */
const MAX_KEPT_PATHS = 4;
/** Of fewer days, planning takes no longer than reading. */
const FEW_DAYS = 2 * 86_400_000_000;

/**
 * Names the plan that is kept for these paths in such a span, null where none is: of many days' partitions planning takes
 * ten times as long as reading, and every device's own index is the best. The text of the paths' keys follows from it.
 */
export function keptPlan({ from, to }: FlowWindow, paths: readonly FlowPath[]): string | null {
  const form = paths[0]?.unseenAs;
  if (form === undefined || to - from <= FEW_DAYS || paths.length > MAX_KEPT_PATHS) return null;
  return `${form}_${paths.length}`;
}

/** When the `n`th newest of the flows on these paths, whatever remains to be told of them, began, from 1; null where fewer are. */
export async function nthStart(
  tx: Tx,
  tenantId: string,
  span: FlowWindow,
  paths: readonly FlowPath[],
  n: number,
): Promise<number | null> {
  const within = [
    sql`tenant_id = ${tenantId}`,
    sql`anchor_at >= ${timestampLiteral(span.from - 1000)}::timestamptz`,
    sql`start_at >= ${timestampLiteral(span.from)}::timestamptz and start_at < ${
      timestampLiteral(span.to)
    }::timestamptz`,
  ];
  const { anchorTo } = span;
  if (anchorTo !== undefined) within.push(sql`anchor_at <= ${timestampLiteral(anchorTo)}::timestamptz`);
  const scans = paths.map(({ key }) =>
    sql`(select start_at from flow where ${all([...within, ...key])} order by start_at desc limit ${n})`
  );
  const every = scans.reduce((left, right) => sql`${left} union all ${right}`);
  const statement = sql`
    select start_at from (${every}) starts order by start_at desc offset ${n - 1} limit 1`;
  const kept = keptPlan(span, paths);
  const name = `start_of_${kept}${anchorTo === undefined ? "" : "_to"}`;
  const [row] = await tx.rows<{ start_at: number }>(kept === null ? statement : planKept(name, statement));
  return row?.start_at ?? null;
}

async function holderOf(tx: Tx, tenantId: string, ip: string): Promise<string | null> {
  const [row] = await tx.rows<{ device_id: string }>(
    sql`select device_id from device_address where tenant_id = ${tenantId} and ip = ${ip}::inet`,
  );
  return row?.device_id ?? null;
}
