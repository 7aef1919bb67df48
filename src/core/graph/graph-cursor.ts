import { ApiError } from "../../contract/request/errors.ts";
import type { Cursors } from "../cursor.ts";
import { fieldError } from "../field-error.ts";
import type { GraphScope } from "./graph-scope.ts";

/** Which graph a cursor stands for: the state after a batch, in a window that ends at `to`. */
export interface GraphPosition {
  scope: GraphScope;
  /** Length of the window in minutes. */
  minutes: number;
  /** End of the window in microseconds, a whole minute. */
  to: number;
  /** The last batch whose effects are included. */
  batchNo: number;
  /** Of the content that the client has: names, VLANs and incidents change without a batch. */
  digest: string;
}

/** A position with the time at which its cursor was issued, in microseconds. */
interface IssuedPosition extends GraphPosition {
  at: number;
}

/** Digits of a time to the base 36, which are enough for 4,000 years. */
const TIME_DIGITS = 11;

/** A cursor is bound to the tenant and to graphs. What it stands for is in it, so that it needs no other parameter. */
function boundTo(tenantId: string) {
  return { tenantId, operation: "graph", filter: {} };
}

/** In text order, cursors are in the order of `at`. */
export function sealGraphCursor(
  cursors: Cursors,
  tenantId: string,
  position: GraphPosition,
  at: number,
): string {
  return `${timeText(at)}.${cursors.seal(boundTo(tenantId), { ...position, at }, at)}`;
}

/**
 * @param field The parameter or header with the cursor, for errors.
 * @returns null if the cursor is authentic but older than a day
 * @throws ApiError invalid_request for a forged or foreign cursor
 */
export function openGraphCursor(
  cursors: Cursors,
  tenantId: string,
  cursor: string,
  now: number,
  field = "since",
): IssuedPosition | null {
  const invalid = () => fieldError(field, "expected a cursor of this tenant's graph", "invalid_cursor");
  const sealed = cursor.slice(TIME_DIGITS + 1);
  let position: IssuedPosition | null;
  try {
    position = cursors.open<IssuedPosition>(boundTo(tenantId), sealed, now);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== "cursor_expired") throw invalid();
    return null;
  }
  if (position === null || cursor !== `${timeText(position.at)}.${sealed}`) throw invalid();
  // Cursors that were issued before there were filters have none.
  return { ...position, scope: { ...position.scope, filter: position.scope.filter ?? null } };
}

function timeText(at: number): string {
  return at.toString(36).padStart(TIME_DIGITS, "0");
}
