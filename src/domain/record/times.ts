import { formatMicros, parseTimestamp } from "../../kit/time.ts";
import type { JsonValue } from "../../kit/json/json.ts";
import { warn, whole } from "./fields.ts";
import type { Micros } from "./observation.ts";

/** A time that a record states. */
export interface Time {
  /** Rounded down to the microsecond. */
  micros: Micros;
  /** RFC 3339, UTC, every digit the record has. */
  canonical: string;
  /** The text had no zone and was taken as UTC. */
  zoneless: boolean;
}

/** A flow that lasts longer is a broken clock, not a flow. */
const MAX_SPAN: Micros = 366 * 86_400 * 1e6;

const EPOCH_SECONDS = /^(\d{1,11})(?:\.(\d{1,30}))?$/;
const ZONELESS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,30})?$/;

/**
 * A time as epoch seconds (number or text, with fraction) or as text: RFC 3339, `+0000` offsets, a space for
 * the `T`, no zone (taken as UTC). `null` for anything else and outside 1970 to 2255.
 */
export function readTime(value: JsonValue | undefined): Time | null {
  // A number's own shortest text has the digits the record has; arithmetic on it would lose the last of them.
  if (typeof value === "number") return epochSeconds(String(value));
  if (typeof value !== "string" || value.length > 64) return null;
  return epochSeconds(value) ?? isoTime(value);
}

/** A time as a whole number of units since the epoch; 0 is an exporter's "not set" and gives `null`. */
export function readEpoch(value: JsonValue | undefined, unit: "ns" | "ms" | "s"): Time | null {
  const exact = whole(value);
  if (exact === null || exact <= 0n || exact >= 2n ** 64n) return null;
  const digits = { ns: 9, ms: 3, s: 0 }[unit];
  const padded = exact.toString().padStart(digits + 1, "0");
  const split = padded.length - digits;
  return epochSeconds(digits === 0 ? padded : `${padded.slice(0, split)}.${padded.slice(split)}`);
}

/** The micros of a member that should be a time. What is there and is none, or lacks a zone, gives a warning. */
export function timeOf(value: JsonValue | undefined, name: string, warnings: string[]): Micros | null {
  if (value === undefined || value === null) return null;
  const plain = plainMicros(value);
  if (plain !== null) return plain;
  const time = readTime(value);
  if (time === null) {
    warn(warnings, `${name}: expected a time`);
    return null;
  }
  if (time.zoneless) warn(warnings, "time without a zone taken as UTC");
  return time.micros;
}

/**
 * As `readTime`, without any text, for what most times are: epoch seconds of at most six decimals; null for any other.
 * Below 2^32 doubles lie closer than microseconds: one number of those gives this double, and is what its text says.
 */
function plainMicros(value: JsonValue): Micros | null {
  if (typeof value !== "number" || value < 1 || value >= 2 ** 32) return null;
  const micros = Math.round(value * 1e6);
  return micros / 1e6 === value ? micros : null;
}

/** The time an observation covers; `moment` instead, with a warning, where the two ends make no sense. */
export function span(
  start: Micros,
  end: Micros,
  moment: Micros,
  warnings: string[],
): { start: Micros; end: Micros } {
  const length = end - start;
  if (length >= 0 && length <= MAX_SPAN) return { start, end };
  warn(warnings, length < 0 ? "ends before it starts" : "lasts longer than 366 days");
  return { start: moment, end: moment };
}

function epochSeconds(text: string): Time | null {
  const match = EPOCH_SECONDS.exec(text);
  if (match === null) return null;
  const fraction = match[2] ?? "";
  const micros = Number(match[1]) * 1e6 + Number((fraction + "000000").slice(0, 6));
  return Number.isSafeInteger(micros) ? new EpochTime(micros, fraction) : null;
}

/** Normalising needs the micros only, so the text is made when it is asked for. */
class EpochTime implements Time {
  readonly zoneless = false;

  constructor(readonly micros: Micros, private readonly fraction: string) {}

  get canonical(): string {
    const digits = this.fraction.replace(/0+$/, "");
    return formatMicros(this.micros).slice(0, 19) + (digits === "" ? "Z" : `.${digits}Z`);
  }
}

function isoTime(text: string): Time | null {
  const iso = text.charAt(10) === " " ? text.slice(0, 10) + "T" + text.slice(11) : text;
  const zoneless = ZONELESS.test(iso);
  const time = parseTimestamp(zoneless ? iso + "Z" : iso);
  if (time === null || time.micros < 0 || !Number.isSafeInteger(time.micros)) return null;
  return { micros: time.micros, canonical: time.canonical, zoneless };
}
