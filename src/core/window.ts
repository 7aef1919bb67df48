import { ApiError } from "../contract/request/errors.ts";
import { parseTimestamp } from "../kit/time.ts";
import { badField } from "./field-error.ts";

const MINUTE = 60_000_000;
const DEFAULT_WINDOW = 15 * MINUTE;

/** Half-open, microseconds. */
export interface Window {
  from: number;
  to: number;
}

/**
 * `from` and `to` of a query. `to` is now where it is not given, `from` 15 minutes before `to`; so a lone `from`
 * in the future makes an empty window, which is refused like any other.
 *
 * @throws ApiError invalid_request for what is no timestamp, invalid_time_range for an empty or too long window.
 */
export function readWindow(
  query: { from?: string; to?: string },
  now: number,
  maxDays: number | null,
): Window {
  const to = query.to === undefined ? now : readTimestamp("to", query.to);
  const from = query.from === undefined ? to - DEFAULT_WINDOW : readTimestamp("from", query.from);
  if (from >= to) throw new ApiError("invalid_time_range");
  if (maxDays !== null && to - from > maxDays * 1440 * MINUTE) {
    throw new ApiError("invalid_time_range", `The window may cover at most ${maxDays} days.`, {
      max_days: maxDays,
    });
  }
  return { from, to };
}

/** Microseconds. */
export function readTimestamp(field: string, text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null) throw badField(field, "expected an RFC 3339 timestamp, such as 2026-01-31T07:15:00Z");
  return parsed.micros;
}
