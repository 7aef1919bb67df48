import type { Sql } from "../engine/sql.ts";

/** A span of flow starts: half-open, in microseconds. */
export interface FlowWindow {
  from: number;
  to: number;
  /** Upper bound of the anchors of the window's flows. Without it every later day is searched. */
  anchorTo?: number;
}

/** Flows to look for: those in the window that the access leads to and that meet the conditions. */
export interface FlowSearch {
  window: FlowWindow & { anchorTo: number };
  /** The best way to the flows; null: by time. */
  access: FlowAccess | null;
  /** Conditions on `flow` that are checked on each row of a part of the window. */
  conditionsIn(part: FlowWindow): Sql[];
  /** Whether the conditions have one of a few forms, so that plans of the statements are kept. */
  hasUsualForm: boolean;
}

export type FlowAccess =
  /** Every flow that starts at `from` (microseconds) or later is among these. */
  | { by: "id"; flowIds: readonly string[]; from: number }
  /** Flows with an end among these devices, with those merged into them; `few`: reading all of them is cheap. */
  | { by: "device"; deviceIds: readonly string[]; few?: boolean }
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
