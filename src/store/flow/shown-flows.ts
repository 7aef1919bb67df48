import type { FlowState } from "../../domain/flow/flow.ts";
import { type DescribedFlowRow, type FlowDescription, toFlowDescription } from "./flows.ts";
import { sql } from "../engine/sql.ts";

// Lists read only the columns that are shown: a page has hundreds of rows, and each value costs.

export interface ShownFlow extends FlowDescription {
  /** Whether the flow has a Community ID. */
  hasTuple: boolean;
}

/** Columns of `flow` for `toShownFlow`. */
export const SHOWN_COLUMNS = sql`
  flow_id, start_at, end_at, tuple_hash is not null as has_tuple, proto, src_ip, src_port, dst_ip, dst_port, icmp_type,
  icmp_code, src_device_id, dst_device_id, src_bytes, src_packets, dst_bytes, dst_packets, semantics_no, service,
  server_name, server_name_kind, server_name_evidence, vlan, observation_count, source_set, primary_evidence_id,
  primary_record_kind, primary_sensor_id`;

export interface ShownFlowRow extends DescribedFlowRow {
  has_tuple: boolean;
}

export function toShownFlow(row: ShownFlowRow): ShownFlow {
  // Assigned instead of copied: a page has hundreds.
  return Object.assign(toFlowDescription(row), { hasTuple: row.has_tuple });
}

/** As `toShownFlow`, from a complete flow. */
export function shownFlow(flow: FlowState): ShownFlow {
  return { ...flow, hasTuple: flow.tuple !== null };
}
