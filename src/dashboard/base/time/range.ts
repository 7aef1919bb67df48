// The time range of the view. It is kept in the address, so that a shared link shows the same.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const PRESETS = [
  { id: "15m", label: "Last 15 minutes", milliseconds: 15 * MINUTE },
  { id: "1h", label: "Last hour", milliseconds: HOUR },
  { id: "24h", label: "Last 24 hours", milliseconds: DAY },
  { id: "7d", label: "Last 7 days", milliseconds: 7 * DAY },
  { id: "30d", label: "Last 30 days", milliseconds: 30 * DAY },
] as const;
type PresetId = (typeof PRESETS)[number]["id"];
const DEFAULT_PRESET: PresetId = "24h";

/** The address's parameters: a preset, or `from` and `to` in RFC 3339. */
export interface RangeSearch {
  range?: PresetId;
  from?: string;
  to?: string;
  /** The window of a pivot, `from/to`: it takes the place of the range until it is removed. */
  scope?: string;
}

export type Range = { preset: PresetId } | { from: string; to: string };

/** The window sent to the API. */
export interface Window {
  from: string;
  to: string;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

/** The range from raw search parameters; unusable values are dropped. */
export function readRangeSearch(search: Record<string, unknown>): RangeSearch {
  const scope = scopeOf(search) === null ? {} : { scope: String(search.scope) };
  if (isTime(search.from) && isTime(search.to) && Date.parse(search.from) < Date.parse(search.to)) {
    return { from: search.from, to: search.to, ...scope };
  }
  const preset = PRESETS.find(({ id }) => id === search.range);
  return preset ? { range: preset.id, ...scope } : scope;
}

/** The window of a pivot; null if there is none or it is unusable. */
export function scopeOf({ scope }: { scope?: unknown }): Window | null {
  const [from, to, ...more] = typeof scope === "string" ? scope.split("/") : [];
  if (more.length > 0 || !isTime(from) || !isTime(to) || !(Date.parse(from) < Date.parse(to))) return null;
  return { from, to };
}

/** What a page shows: the scope of a pivot, otherwise the range. */
export function rangeOf(search: RangeSearch): Range {
  return scopeOf(search) ?? chosenRange(search);
}

/** The range that stays while pages change. */
export function chosenRange(search: RangeSearch): Range {
  if (search.from !== undefined && search.to !== undefined) return { from: search.from, to: search.to };
  return { preset: search.range ?? DEFAULT_PRESET };
}

/** The search parameters of a range; every key is present, so it also clears previous values. */
export function searchOf(range: Range): RangeSearch {
  return "preset" in range
    ? { range: range.preset, from: undefined, to: undefined, scope: undefined }
    : { range: undefined, from: range.from, to: range.to, scope: undefined };
}

/** A stable key: a preset keeps its key as time moves on. */
export function rangeKey(range: Range): string {
  return "preset" in range ? range.preset : `${range.from}/${range.to}`;
}

/** The end is rounded up to the minute, so that current records are inside. */
export function windowOf(range: Range, now: number): Window {
  if (!("preset" in range)) return { from: range.from, to: range.to };
  const length = PRESETS.find(({ id }) => id === range.preset)?.milliseconds ?? DAY;
  const to = Math.ceil((now + 1) / MINUTE) * MINUTE;
  return { from: new Date(to - length).toISOString(), to: new Date(to).toISOString() };
}

/** The 24 hours around an instant, to look at old recordings. */
export function dayAround(at: string): Window {
  const middle = Date.parse(at);
  return {
    from: new Date(middle - DAY + HOUR).toISOString(),
    to: new Date(middle + HOUR).toISOString(),
  };
}

/** The range of the same length before or after; it never ends later than now. */
export function shifted(range: Range, step: 1 | -1, now: number): Range {
  const window = windowOf(range, now);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const length = to - from;
  const latest = Date.parse(windowOf({ preset: DEFAULT_PRESET }, now).to);
  const end = step === 1 ? Math.min(to + length, Math.max(latest, to)) : to - length;
  return { from: new Date(end - length).toISOString(), to: new Date(end).toISOString() };
}

/** Lists accept at most 31 days. */
const LONGEST = 31 * DAY;

/** Twice as long around the same middle, up to the longest range and not beyond now. */
export function zoomedOut(range: Range, now: number): Range {
  const window = windowOf(range, now);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const length = Math.min((to - from) * 2, Math.max(LONGEST, to - from));
  const latest = Math.max(Date.parse(windowOf({ preset: DEFAULT_PRESET }, now).to), to);
  const end = Math.min(to + (length - (to - from)) / 2, latest);
  return { from: new Date(end - length).toISOString(), to: new Date(end).toISOString() };
}

/** The begin of a window without age limit: before any record. */
export const EVER = "1970-01-01T00:00:00Z";
