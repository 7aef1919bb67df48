import type { ProfiledFlow } from "../domain/device/profile.ts";
import { type FlowRow, fromInet } from "./flows.ts";
import { sql } from "./sql.ts";
import { semanticsOf, serverNameKindOf } from "./vocabulary.ts";

export type ProfiledRow = Pick<
  FlowRow,
  | "flow_id"
  | "start_at"
  | "end_at"
  | "proto"
  | "src_ip"
  | "src_port"
  | "dst_ip"
  | "dst_port"
  | "src_device_id"
  | "dst_device_id"
  | "src_bytes"
  | "src_packets"
  | "dst_bytes"
  | "dst_packets"
  | "semantics_no"
  | "service"
  | "server_name"
  | "server_name_kind"
  | "server_name_evidence"
>;

/** Its columns. */
export const PROFILED =
  sql`flow_id, start_at, end_at, proto, src_ip, src_port, dst_ip, dst_port, src_device_id,
  dst_device_id, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, service, server_name, server_name_kind,
  server_name_evidence`;

export function toProfiledFlow(row: ProfiledRow): ProfiledFlow {
  const { server_name: name, server_name_kind: kind, server_name_evidence: evidenceId } = row;
  return {
    flowId: row.flow_id,
    start: row.start_at,
    end: row.end_at,
    proto: row.proto,
    src: { ip: fromInet(row.src_ip), port: row.src_port },
    dst: { ip: fromInet(row.dst_ip), port: row.dst_port },
    srcDeviceId: row.src_device_id,
    dstDeviceId: row.dst_device_id,
    counters: {
      srcToDst: { bytes: row.src_bytes, packets: row.src_packets },
      dstToSrc: { bytes: row.dst_bytes, packets: row.dst_packets },
      semantics: semanticsOf(row.semantics_no),
    },
    service: row.service,
    serverName: name === null || kind === null || evidenceId === null
      ? null
      : { name, ...serverNameKindOf(kind), evidenceId },
  };
}
