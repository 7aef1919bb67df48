import type { EvidenceSource } from "../../contract/record/kinds.ts";

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
}

/** Where a page ended: start (microseconds) and id of its last flow. */
export interface FlowPosition {
  start: number;
  flowId: string;
}
