import { ApiError } from "../contract/request/errors.ts";
import { parseTimestamp } from "../kit/time.ts";
import { fieldError } from "./field-error.ts";

const MINUTE = 60_000_000;
const DEFAULT_WINDOW = 15 * MINUTE;

/** Half-open time window, in microseconds. */
export interface Window {
  from: number;
  to: number;
}

/**
 * Reads `from` and `to` of a query. `to` defaults to now, `from` to 15 minutes before `to`; a lone `from` in
 * the future therefore gives an empty window, which is rejected.
 *
 * @throws ApiError invalid_request for a malformed timestamp, invalid_time_range for an empty or too long
 * window
 */
export function readWindow(
  query: { from?: string; to?: string },
  now: number,
  maxDays: number | null,
): Window {
  const to = query.to === undefined ? now : readTimestamp("to", query.to);
  const from = query.from === undefined ? to - DEFAULT_WINDOW : readTimestamp("from", query.from);
  if (from >= to) throw new ApiError("invalid_time_range");
  if (maxDays !== null) checkLength({ from, to }, maxDays);
  return { from, to };
}

/** @throws ApiError invalid_time_range for a window of more than `maxDays` */
export function checkLength({ from, to }: Window, maxDays: number): void {
  if (to - from > maxDays * 1440 * MINUTE) {
    const most = maxDays === 1 ? "24 hours" : `${maxDays} days`;
    throw new ApiError("invalid_time_range", `The time window may cover at most ${most}.`, {
      reason: "window_too_long",
      max_days: maxDays,
    });
  }
}

/** Parses a client's timestamp to microseconds. */
export function readTimestamp(field: string, text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null) {
    throw fieldError(field, "expected an RFC 3339 timestamp, such as 2026-01-31T07:15:00Z");
  }
  return parsed.micros;
}
