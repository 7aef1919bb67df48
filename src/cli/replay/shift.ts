// Shifts the times of a record by whole seconds. Only the whole-second part changes, so fractions keep every
// digit, and only known time members are changed: never a certificate's validity, a file's dates or a
// duration.

import type { RecordKind } from "../../contract/record/kinds.ts";
import { unboundDateIn } from "../../domain/record/unbound/line.ts";
import { JsonError, parseMembers } from "../../kit/json/json.ts";

/**
 * Names of members that hold a time; a nested table descends into that member's object, `line` into a log
 * line.
 */
interface Wanted {
  readonly [name: string]: true | "line" | Wanted;
}

const ZEEK: Wanted = { ts: true, _write_ts: true };
const SURICATA: Wanted = { timestamp: true, flow: { start: true, end: true } };
const NETFLOW: Wanted = {
  ...goflow2("time_received", "time_flow_start", "time_flow_end"),
  // pmacct
  timestamp_start: true,
  timestamp_end: true,
  timestamp_arrival: true,
  timestamp_export: true,
  timestamp_min: true,
  timestamp_max: true,
  stamp_inserted: true,
  stamp_updated: true,
  // nfdump
  first: true,
  last: true,
  received: true,
  t_first: true,
  t_last: true,
  t_received: true,
  t_event: true,
};
const UNBOUND: Wanted = { timestamp: true, time: true, message: "line" };

/**
 * goflow2 spells a member `time_flow_start_ns`, `TimeFlowStart` or `timeFlowStartMs`, by version and format.
 */
function goflow2(...names: string[]): Wanted {
  const spellings = names.flatMap((name) => [name, `${name}_ms`, `${name}_ns`]).flatMap((name) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return [name, camel, camel.charAt(0).toUpperCase() + camel.slice(1)];
  });
  return Object.fromEntries(spellings.map((name) => [name, true]));
}

function timesOf(kind: RecordKind): Wanted {
  if (kind.startsWith("zeek.")) return ZEEK;
  if (kind.startsWith("suricata.")) return SURICATA;
  return kind === "netflow.flow" ? NETFLOW : UNBOUND;
}

/** The payload's text with shifted times. Throws JsonError if the text is not one JSON object. */
export function shiftPayload(kind: RecordKind, text: string, seconds: number): string {
  return edit(text, timesOf(kind), seconds);
}

/** An ingest envelope's text with `observed_at` and its payload's times shifted. Throws JsonError too. */
export function shiftEnvelope(kind: RecordKind, text: string, seconds: number): string {
  return edit(text, { observed_at: true, payload: timesOf(kind) }, seconds);
}

/** Replaces the wanted members in place; every other byte stays. */
function edit(text: string, wanted: Wanted, seconds: number): string {
  let result = "";
  let done = 0;
  // A map keeps the order of the text.
  for (const [name, { start, end, conflicting }] of parseMembers(text, "")) {
    if (!Object.hasOwn(wanted, name)) continue;
    if (conflicting) throw new JsonError(`${name} is repeated`, start);
    const want = wanted[name]!;
    const value = text.slice(start, end);
    result += text.slice(done, start);
    if (want === true) result += shiftValue(value, seconds);
    else if (want === "line") result += shiftLine(value, seconds);
    else result += value.startsWith("{") ? edit(value, want, seconds) : value;
    done = end;
  }
  return result + text.slice(done);
}

/**
 * Shifts the time of an Unbound log line: `[1584966001] unbound[1:0] reply: …`. Searched in the JSON text,
 * because no encoder escapes the characters of a date or the brackets. A date without a year stays.
 */
function shiftLine(json: string, seconds: number): string {
  const place = json.startsWith('"') ? unboundDateIn(json) : null;
  if (place === null) return json;
  return json.slice(0, place.start) + shiftTime(json.slice(place.start, place.end), seconds) +
    json.slice(place.end);
}

/**
 * Shifts a JSON value's text if it is a time; anything else (`null`, an object, other text) is returned
 * unchanged.
 */
export function shiftValue(json: string, seconds: number): string {
  if (!json.startsWith('"')) return shiftNumber(json, seconds);
  return '"' + shiftTime(json.slice(1, -1), seconds) + '"';
}

function shiftTime(text: string, seconds: number): string {
  return NUMBER.test(text) ? shiftNumber(text, seconds) : shiftText(text, seconds);
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})([Tt ])(\d{2}):(\d{2}):(\d{2})(?=$|[^\d])/;

/**
 * Shifts `2019-05-02 13:56:01.123456+0200` and similar; separator, fraction and offset stay. The epoch and
 * earlier times stay too: programs write them for "unknown" (Go: the year 1).
 */
export function shiftText(text: string, seconds: number): string {
  const match = DATE_TIME.exec(text);
  if (match === null) return text;
  const [whole, year, month, day, separator, hour, minute, second] = match;
  const before = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  if (+year! < 100 || !(before > 0)) return text;
  const after = new Date(before + seconds * 1000);
  if (Number.isNaN(after.getTime()) || after.getUTCFullYear() > 9999 || after.getUTCFullYear() < 0) {
    return text;
  }
  const iso = after.toISOString();
  return iso.slice(0, 10) + separator + iso.slice(11, 19) + text.slice(whole.length);
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Shifts an epoch number by its text, exactly: seconds, milli-, micro- or nanoseconds, by magnitude. Zero
 * stays zero, because exporters write it for "unknown".
 */
export function shiftNumber(text: string, seconds: number): string {
  const match = NUMBER.exec(text);
  const value = Number(text);
  if (match === null || value === 0) return text;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  // The number is `digits / 10 ** places`.
  let places = fraction.length - Number(exponent);
  let digits = BigInt(sign! + whole! + fraction);
  if (places < 0) {
    digits *= 10n ** BigInt(-places);
    places = 0;
  }
  digits += BigInt(seconds) * unitsPerSecond(value) * 10n ** BigInt(places);
  if (places === 0) return digits.toString();
  const padded = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  return (digits < 0n ? "-" : "") + padded.slice(0, -places) + "." + padded.slice(-places);
}

/** Epoch seconds reach 1e11 in the year 5138, milliseconds passed it in 1973; and so on by thousands. */
function unitsPerSecond(value: number): bigint {
  const size = Math.abs(value);
  if (size < 1e11) return 1n;
  if (size < 1e14) return 1000n;
  return size < 1e17 ? 1_000_000n : 1_000_000_000n;
}
