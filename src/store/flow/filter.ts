import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Sql } from "../engine/sql.ts";

/** A span of flow starts: half-open, in microseconds. */
export interface FlowWindow {
  from: number;
  to: number;
  /** Upper bound of the anchors of the window's flows. Without it every later day is searched. */
  anchorTo?: number;
}

export interface FlowFilter {
  /** Null: no window (an incident's flows). */
  window: FlowWindow | null;
  deviceId?: string;
  /** Canonical address of either end. */
  peerIp?: string;
  proto?: string;
  /** Case-insensitive; matches a flow that carries it among several services. */
  service?: string;
  source?: EvidenceSource;
  incidentId?: string;
  /** What a search asks beyond these. */
  search?: FlowSearch;
}

/** A search's conditions, and what is known of the flows that can meet them. */
export interface FlowSearch {
  /**
   * Conditions on `flow` that are checked on each row of a part of the window; null: without a window. An access path
   * alone does not meet them.
   */
  conditionsIn(part: FlowWindow | null): Sql[];
  /** The best way to the flows; null: by time. */
  access: FlowAccess | null;
}

export type FlowAccess =
  /** Every flow that starts at `from` (microseconds) or later is among these. */
  | { by: "id"; flowIds: readonly string[]; from: number }
  /** Flows with an end among these devices, with those merged into them. */
  | { by: "device"; deviceIds: readonly string[] }
  /** Flows with this address at one of these ends. */
  | { by: "address"; ip: string; ends: readonly ("src" | "dst")[] }
  /** Flows with one of these tuples: few. */
  | { by: "tuple"; hashes: readonly bigint[] }
  /** Flows with one of these spellings of a service, also among several services. */
  | { by: "service"; services: readonly string[] }
  | { by: "proto"; proto: string };

/** Where a page ended: start (microseconds) and id of its last flow. */
export interface FlowPosition {
  start: number;
  flowId: string;
}
