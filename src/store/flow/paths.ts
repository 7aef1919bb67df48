import type { Tx } from "../engine/database.ts";
import type { FlowAccess, FlowWindow } from "./filter.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { hash64 } from "../../kit/hash64.ts";
import { all, prepared, type Sql, sql, unionAll } from "../engine/sql.ts";

/** One access path to the flows of a filter: an index holds those with `key` in the order of their start. */
export interface FlowPath {
  key: Sql[];
  /** Conditions that must be checked on each row. */
  rest: Sql[];
  /** Whether the key's values are hidden from the planner, so that one plan serves all of them. */
  unseen?: true;
  /** Whether the path leads to so few flows that reading all of them is cheap. */
  few?: boolean | undefined;
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

/** Paths that together reach every flow of an access, each once. */
export async function pathsOf(tx: Tx, tenantId: string, access: FlowAccess | null): Promise<FlowPath[]> {
  switch (access?.by) {
    case "device":
      return endsAmong(access.deviceIds).map((key): FlowPath => ({
        key,
        rest: [],
        unseen: true,
        few: access.few,
      }));
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
      return [{
        key: [sql`proto = ${unseen(access.proto, sql`text`)}`, IS_RARE_PROTOCOL],
        rest: [],
        unseen: true,
      }];
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
  ends: readonly ("src" | "dst")[],
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

/** That a flow is of the tenant, starts in the window, and is in a day partition that can hold flows of it. */
export function within(tenantId: string, { from, to, anchorTo }: FlowWindow): Sql[] {
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    // No flow starts more than a millisecond after its anchor.
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

/** Whether an access leads to so few flows that reading all of them is cheap. */
export async function leadsToFew(
  tx: Tx,
  tenantId: string,
  window: FlowWindow,
  access: FlowAccess,
): Promise<boolean> {
  const paths = await pathsOf(tx, tenantId, access);
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
