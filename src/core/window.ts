import { ApiError } from "../contract/errors.ts";
import { parseTimestamp } from "../kit/time.ts";

const MINUTE = 60_000_000;
const DEFAULT_WINDOW = 15 * MINUTE;

/** Half-open, microseconds. */
export interface Window {
  from: number;
  to: number;
}

/**
 * `from` and `to` of a query; the last 15 minutes by default, 15 minutes before `to` when only that is given.
 *
 * @throws ApiError invalid_request for what is no timestamp, invalid_time_range for an empty or too long window.
 */
export function readWindow(
  query: { from?: string; to?: string },
  now: number,
  maxDays: number | null,
): Window {
  const to = query.to === undefined ? null : readTimestamp("to", query.to);
  const from = query.from === undefined ? (to ?? now) - DEFAULT_WINDOW : readTimestamp("from", query.from);
  const window = { from, to: to ?? Math.max(now, from + 1) };
  if (window.from >= window.to) throw new ApiError("invalid_time_range");
  if (maxDays !== null && window.to - window.from > maxDays * 1440 * MINUTE) {
    throw new ApiError("invalid_time_range", `The window may cover at most ${maxDays} days.`, {
      max_days: maxDays,
    });
  }
  return window;
}

export function readTimestamp(field: string, text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null) {
    throw new ApiError("invalid_request", `${field}: expected an RFC 3339 timestamp.`, { field });
  }
  return parsed.micros;
}
