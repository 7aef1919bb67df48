// How much a device usually sends to the outside in an hour: its own history, in a few hundred bytes.
import type { Micros } from "../../record/observation.ts";
import { defineState, float, list, record, varint } from "../kernel/state/schema.ts";
import { median } from "../kernel/stats.ts";

/** So many of a device's own active hours are remembered: a week of a machine that never sleeps, a month of a person. */
export const MAX_HOURS = 168;
/** Fewer own hours than this are no habit. */
const MIN_HOURS = 24;
/**
 * Hours that are being counted at a time. Records come late and connections are told at their end, so more than one; one
 * that a wild clock opens is closed when it is the one longest untouched.
 */
const MAX_OPEN_HOURS = 4;
/** Sums are remembered as a logarithm in quarters of a doubling, which keeps them in one byte and within 10 %. */
const STEPS_PER_DOUBLING = 4;
/** Habits more even than this (in powers of ten) are taken to be this uneven: nobody sends just as much every hour. */
const MIN_DEVIATION = 0.2;
/** The median absolute deviation of a normal distribution, as a share of its standard deviation. */
const MAD_TO_DEVIATION = 1.4826;

const HOUR: Micros = 3_600_000_000;

export interface OpenHour {
  /** Hours since the Unix epoch. */
  hour: number;
  bytes: number;
  /** The sum when it was last judged; 0 before. */
  evaluatedBytes: number;
}

export interface HoursState {
  /** The one touched last at the end. */
  open: OpenHour[];
  /** Sums of closed hours, oldest first, as logarithms. */
  closed: number[];
}

/** Key: the device. A state takes about 220 bytes, whatever the device sends. */
export const DEVICE_HOURS = defineState<HoursState>({
  id: 30,
  name: "hours of sending",
  keepDays: 30,
  version: 1,
  empty: () => ({ open: [], closed: [] }),
  fields: record<HoursState>({
    open: list(record<OpenHour>({ hour: float, bytes: varint, evaluatedBytes: varint }), MAX_OPEN_HOURS),
    closed: list(varint, MAX_HOURS),
  }),
});

/** Adds bytes that were sent at that time, in place; the hour they fall in. */
export function addToHour(state: HoursState, at: Micros, bytes: number): OpenHour {
  const hour = Math.floor(at / HOUR);
  const { open } = state;
  const last = open[open.length - 1];
  let found: OpenHour;
  if (last?.hour === hour) found = last;
  else {
    const index = open.findIndex((one) => one.hour === hour);
    found = index < 0 ? { hour, bytes: 0, evaluatedBytes: 0 } : open.splice(index, 1)[0]!;
    open.push(found);
    if (open.length > MAX_OPEN_HOURS) close(state, open.shift()!);
  }
  found.bytes = Math.min(found.bytes + bytes, Number.MAX_SAFE_INTEGER);
  return found;
}

function close(state: HoursState, { bytes }: OpenHour): void {
  state.closed.push(Math.round(Math.log2(bytes + 1) * STEPS_PER_DOUBLING));
  if (state.closed.length > MAX_HOURS) state.closed.shift();
}

/** What an hour is compared with. */
export interface Habit {
  /** Other hours of the device that are known. */
  hours: number;
  /** Bytes of its usual hour. */
  usual: number;
  /** How many deviations (of the logarithm, as robust as the median) the hour lies above it; negative below. */
  deviations: number;
}

/** Compares an hour with the others of the device; null where too few are known. */
export function habitOf(state: HoursState, { hour, bytes }: OpenHour): Habit | null {
  const others = state.closed.map((sum) => sum / STEPS_PER_DOUBLING * Math.LOG10E * Math.LN2);
  for (const one of state.open) if (one.hour !== hour) others.push(Math.log10(one.bytes + 1));
  if (others.length < MIN_HOURS) return null;
  const middle = median(others);
  const deviation = MAD_TO_DEVIATION * median(others.map((value) => Math.abs(value - middle)));
  return {
    hours: others.length,
    usual: 10 ** middle,
    deviations: (Math.log10(bytes + 1) - middle) / Math.max(deviation, MIN_DEVIATION),
  };
}
