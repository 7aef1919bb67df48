// The last 24 hours as a scale of minutes.
import type { Range, Window } from "../base/time/range.ts";

export const DAY_MINUTES = 24 * 60;
const MINUTE = 60_000;

/** The presets that the map can show, with their length in minutes. */
export const LENGTHS = [
  { preset: "15m", minutes: 15, label: "15 min" },
  { preset: "1h", minutes: 60, label: "1 h" },
  { preset: "24h", minutes: DAY_MINUTES, label: "24 h" },
] as const;

export function lengthOf({ from, to }: Window): number {
  return Math.max(1, Math.min(DAY_MINUTES, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE)));
}

/** How far the end of the window is from now, in minutes: 0 or negative. */
export function positionOf(window: Window, now: number): number {
  return Math.min(0, Math.round((Date.parse(window.to) - now) / MINUTE));
}

/** The range of a window of a length that ends at a position; at the end a preset, which is live. */
export function rangeAt(position: number, minutes: number, now: number): Range {
  const preset = LENGTHS.find((one) => one.minutes === minutes)?.preset;
  if (position >= 0 && preset !== undefined) return { preset };
  const end = Math.floor(now / MINUTE) * MINUTE + position * MINUTE;
  return { from: new Date(end - minutes * MINUTE).toISOString(), to: new Date(end).toISOString() };
}

/** Where a time lies on the scale from 0, a day ago, to `DAY_MINUTES`, now. */
export function scaleOf(at: string, now: number): number {
  const minutes = DAY_MINUTES + (Date.parse(at) - now) / MINUTE;
  return Math.min(DAY_MINUTES, Math.max(0, minutes));
}
