import type { ProfiledFlow } from "../../domain/device/classify/profile.ts";
import type { Tx } from "../engine/database.ts";
import { asShown } from "../device/group.ts";
import { longestFlow } from "./paths.ts";
import { type FlowRow, fromInet } from "./flows.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { prepared, sql } from "../engine/sql.ts";

type ProfiledRow = Pick<
  FlowRow,
  | "flow_id"
  | "start_at"
  | "end_at"
  | "proto"
  | "src_ip"
  | "dst_ip"
  | "dst_port"
  | "src_device_id"
  | "dst_device_id"
  | "src_bytes"
  | "dst_bytes"
  | "service"
  | "server_name"
>;

const PROFILED =
  sql`flow_id, start_at, end_at, proto, src_ip, dst_ip, dst_port, src_device_id, dst_device_id, src_bytes,
  dst_bytes, service, server_name`;

/**
 * The newest flows of devices that are one machine, at most `limit`, with the columns of a profile. `from`
 * and `to` in microseconds, half-open, on the flow's start. One prepared statement: planning for a month of
 * partitions takes ten times as long as reading.
 */
export async function flowsToProfile(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<ProfiledFlow[]> {
  const anchorTo = Math.max(to + await longestFlow(tx, tenantId), 0);
  const within = sql`tenant_id = ${tenantId}
    and anchor_at >= ${timestampLiteral(from - 1000)}::timestamptz
    and anchor_at <= ${timestampLiteral(anchorTo)}::timestamptz
    and start_at >= ${timestampLiteral(from)}::timestamptz and start_at < ${
    timestampLiteral(to)
  }::timestamptz`;
  const newest = sql`order by start_at desc, flow_id desc limit ${limit}`;
  const ids = plainArray(deviceIds);
  const rows = await tx.rows<ProfiledRow>(prepared(
    "flows_to_profile",
    sql`
    select f.* from unnest(${ids}::uuid[]) as d (id) cross join lateral (
      (select ${PROFILED} from flow where ${within} and src_device_id = d.id ${newest})
      union all
      (select ${PROFILED} from flow where ${within} and dst_device_id = d.id
        and (src_device_id is null or src_device_id <> all(${ids}::uuid[])) ${newest})
    ) f ${newest}`,
  ));
  return await asShown(tx, tenantId, rows.map(toProfiledFlow));
}

function toProfiledFlow(row: ProfiledRow): ProfiledFlow {
  return {
    flowId: row.flow_id,
    start: row.start_at,
    end: row.end_at,
    proto: row.proto,
    src: { ip: fromInet(row.src_ip) },
    dst: { ip: fromInet(row.dst_ip), port: row.dst_port },
    srcDeviceId: row.src_device_id,
    dstDeviceId: row.dst_device_id,
    counters: { srcToDst: { bytes: row.src_bytes }, dstToSrc: { bytes: row.dst_bytes } },
    service: row.service,
    serverName: row.server_name === null ? null : { name: row.server_name },
  };
}
