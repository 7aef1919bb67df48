import { formatMicros, parseTimestamp } from "../../kit/time.ts";
import type { JsonValue } from "../../kit/json/json.ts";
import { warn, whole } from "./fields.ts";
import type { CaptureSample, Micros, Observation } from "./observation.ts";

/** A time stated in a record. */
export interface Time {
  /** Truncated to microseconds. */
  micros: Micros;
  /** RFC 3339 in UTC, with full precision. */
  canonical: string;
  /** The text had no zone and was taken as UTC. */
  zoneless: boolean;
}

/** Longer spans come from a broken clock. */
const MAX_SPAN: Micros = 366 * 86_400 * 1e6;

/** A time this far after the envelope's, or after the receipt, comes from a broken clock or a wrapped counter. */
export const MAX_AHEAD: Micros = 86_400 * 1e6;

const EPOCH_SECONDS = /^(\d{1,11})(?:\.(\d{1,30}))?$/;
const ZONELESS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,30})?$/;

/**
 * Parses epoch seconds (number or text, with fraction) or text: RFC 3339, also with `+0000` offsets, a space
 * for the `T`, or no zone (taken as UTC). Null for anything else and outside 1970 to 2255.
 */
export function readTime(value: JsonValue | undefined): Time | null {
  // The shortest text of a number has the record's digits; arithmetic would lose the last of them.
  if (typeof value === "number") return epochSeconds(String(value));
  if (typeof value !== "string" || value.length > 64) return null;
  return epochSeconds(value) ?? isoTime(value);
}

/** Parses a whole number of units since the epoch; 0 means "not set" and gives null. */
export function readEpoch(value: JsonValue | undefined, unit: "ns" | "us" | "ms" | "s"): Time | null {
  const exact = whole(value);
  if (exact === null || exact <= 0n || exact >= 2n ** 64n) return null;
  const digits = { ns: 9, us: 6, ms: 3, s: 0 }[unit];
  const padded = exact.toString().padStart(digits + 1, "0");
  const split = padded.length - digits;
  return epochSeconds(digits === 0 ? padded : `${padded.slice(0, split)}.${padded.slice(split)}`);
}

/** The microseconds of a time member. Warns if it is invalid or has no zone. */
export function timeOf(value: JsonValue | undefined, name: string, warnings: string[]): Micros | null {
  if (value === undefined || value === null) return null;
  const plain = plainMicros(value);
  if (plain !== null) return plain;
  const time = readTime(value);
  if (time === null) {
    warn(warnings, `${name}: expected a time`);
    return null;
  }
  if (time.zoneless) warn(warnings, "time has no zone, assumed UTC");
  return time.micros;
}

/**
 * Fast path of `readTime` for epoch seconds with at most six decimals; null for anything else. Below 2^32,
 * doubles are denser than microseconds, so the rounded value is exact if it maps back to the same double.
 */
function plainMicros(value: JsonValue): Micros | null {
  if (typeof value !== "number" || value < 1 || value >= 2 ** 32) return null;
  const micros = Math.round(value * 1e6);
  return micros / 1e6 === value ? micros : null;
}

/** The interval of an observation; `moment` with a warning if start and end are implausible. */
export function span(
  start: Micros,
  end: Micros,
  moment: Micros,
  warnings: string[],
): { start: Micros; end: Micros } {
  if (start - moment > MAX_AHEAD) {
    warn(warnings, "starts more than a day after the envelope's time");
    return { start: moment, end: moment };
  }
  const length = end - start;
  if (length >= 0 && length <= MAX_SPAN) return { start, end };
  warn(warnings, length < 0 ? "ends before it starts" : "lasts longer than 366 days");
  return { start: moment, end: moment };
}

/**
 * Replaces the times of an observation that are more than a day after its receipt, in place and with a warning:
 * by the envelope's time, or by the receipt's if the envelope is that far ahead too. `observedAt` itself stays,
 * because it is part of the record's identity.
 */
export function boundByReceipt(
  observation: Pick<Observation, "observedAt" | "start" | "end" | "warnings">,
  receivedAt: Micros,
): void {
  const { observedAt, start, end, warnings } = observation;
  const latest = receivedAt + MAX_AHEAD;
  if (start <= latest && end <= latest && observedAt <= latest) return;
  if (observedAt > latest) warn(warnings, "observed_at is more than a day after the receipt");
  const moment = observedAt > latest ? receivedAt : observedAt;
  if (start > latest) {
    warn(warnings, "starts more than a day after the receipt");
    observation.start = moment;
  }
  if (end > latest) {
    warn(warnings, "ends more than a day after the receipt");
    observation.end = Math.max(observation.start, moment);
  }
}

/** The time of a capture sample, or of its receipt if the sample states one more than a day later. */
export function sampleTime({ at }: Pick<CaptureSample, "at">, receivedAt: Micros): Micros {
  return at - receivedAt > MAX_AHEAD ? receivedAt : at;
}

function epochSeconds(text: string): Time | null {
  const match = EPOCH_SECONDS.exec(text);
  if (match === null) return null;
  const fraction = match[2] ?? "";
  const micros = Number(match[1]) * 1e6 + Number((fraction + "000000").slice(0, 6));
  return micros <= LATEST ? new EpochTime(micros, fraction) : null;
}

/** Later times are invalid: an end, a start plus a duration, must stay an exact integer (below the year 2255). */
const LATEST: Micros = Date.UTC(2200, 0, 1) * 1000;

/** Formats the canonical text lazily, because normalising needs only the microseconds. */
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
  if (time === null || time.micros < 0 || time.micros > LATEST) return null;
  return { micros: time.micros, canonical: time.canonical, zoneless };
}
