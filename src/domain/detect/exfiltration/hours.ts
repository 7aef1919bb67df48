// Bytes that a device usually sends outside per hour: its own history, in a few hundred bytes.
import type { Micros } from "../../record/observation.ts";
import {
  constant,
  defineVersionedState,
  float,
  list,
  mapped,
  record,
  varint,
} from "../kernel/state/schema.ts";
import { median } from "../kernel/stats.ts";

/** Active hours kept per device: a week of a machine that is always on, a month of a person's. */
export const MAX_HOURS = 168;
/** Fewer hours are not a habit. */
const MIN_HOURS = 24;
/**
 * Hours counted at a time. Records arrive late and connections are reported at their end. The hour that was
 * untouched for longest closes first, which also removes one opened by a wrong clock.
 */
const MAX_OPEN_HOURS = 4;
/**
 * An hour of the day is usual for a device that sent this much in it, or the hours beside it, this often.
 * Idle machines send some 10 kB an hour: time, updates, telemetry.
 */
const USUAL_TIME = { bytes: 100_000, hours: 5 } as const;
const HOURS_OF_DAY = 24;
/** Hours counted per hour of the day. */
const MAX_TIMES = 127;
/** Closed sums are kept as logarithms in quarters of a doubling: one or two bytes each, within 10 %. */
const STEPS_PER_DOUBLING = 4;
/** Lower bound of the deviation (in powers of ten): nothing sends the same amount every hour. */
const MIN_DEVIATION = 0.2;
/** Standard deviation of a normal distribution per median absolute deviation. */
const MAD_TO_DEVIATION = 1.4826;

const HOUR: Micros = 3_600_000_000;

export interface OpenHour {
  /** Hours since the Unix epoch. */
  hour: number;
  bytes: number;
  /** Bytes among them of uploads as other devices make them to the same destinations. */
  ordinary: number;
  /** Bytes at the last evaluation; 0 before the first. */
  evaluatedBytes: number;
}

export interface HoursState {
  /** Hours being counted, the last touched at the end. */
  open: OpenHour[];
  /** Logarithms of the sums of closed hours, oldest first. */
  closed: number[];
  /** Closed hours with USUAL_TIME.bytes or more, by hour of the day (UTC); empty before the first. */
  times: number[];
}

const OPEN_HOUR = { hour: float, bytes: varint, evaluatedBytes: varint };
const CLOSED = list(varint, MAX_HOURS);

/** Keys: a device. A state takes about 240 bytes. */
export const DEVICE_HOURS = defineVersionedState<HoursState>({
  id: 30,
  name: "bytes sent per hour",
  keepDays: 30,
  empty: () => ({ open: [], closed: [], times: [] }),
  versions: [
    // Devices that send little.
    {
      version: 1,
      matches: ({ open, times }) => times.length === 0 && open.every(({ ordinary }) => ordinary === 0),
      fields: record<HoursState>({
        open: list(record<OpenHour>({ ...OPEN_HOUR, ordinary: constant(0) }), MAX_OPEN_HOURS),
        closed: CLOSED,
        times: mapped(constant(null), () => null, () => []),
      }),
    },
    {
      version: 2,
      fields: record<HoursState>({
        open: list(record<OpenHour>({ ...OPEN_HOUR, ordinary: varint }), MAX_OPEN_HOURS),
        closed: CLOSED,
        times: list(varint, HOURS_OF_DAY),
      }),
    },
  ],
});

/** Adds bytes sent at that time, in place, and returns their hour. */
export function addToHour(state: HoursState, at: Micros, bytes: number): OpenHour {
  const hour = Math.floor(at / HOUR);
  const { open } = state;
  const last = open[open.length - 1];
  let found: OpenHour;
  if (last?.hour === hour) found = last;
  else {
    const index = open.findIndex((one) => one.hour === hour);
    found = index < 0 ? { hour, bytes: 0, ordinary: 0, evaluatedBytes: 0 } : open.splice(index, 1)[0]!;
    open.push(found);
    if (open.length > MAX_OPEN_HOURS) close(state, open.shift()!);
  }
  found.bytes = Math.min(found.bytes + bytes, Number.MAX_SAFE_INTEGER);
  return found;
}

/** Whether the device usually sends at this time of the day. */
export function isUsualTime({ times }: HoursState, { hour }: OpenHour): boolean {
  const near = [-1, 0, 1].map((beside) => times[timeOf(hour + beside)] ?? 0);
  return near.reduce((sum, count) => sum + count, 0) >= USUAL_TIME.hours;
}

/** The hour of the day, 0 to 23; hours before 1970 are negative. */
function timeOf(hour: number): number {
  return (hour % HOURS_OF_DAY + HOURS_OF_DAY) % HOURS_OF_DAY;
}

function close(state: HoursState, { hour, bytes }: OpenHour): void {
  state.closed.push(Math.round(Math.log2(bytes + 1) * STEPS_PER_DOUBLING));
  if (state.closed.length > MAX_HOURS) state.closed.shift();
  if (bytes < USUAL_TIME.bytes) return;
  if (state.times.length === 0) state.times = new Array<number>(HOURS_OF_DAY).fill(0);
  const time = timeOf(hour);
  state.times[time] = Math.min(MAX_TIMES, state.times[time]! + 1);
}

/** The usual hours of a device, and how far one hour deviates from them. */
export interface Habit {
  /** Other known hours of the device. */
  hours: number;
  /** Median bytes per hour. */
  usual: number;
  /** Robust deviations of the logarithm that the hour lies above the median; negative below. */
  deviations: number;
}

/** Compares an hour with the others of the device; null if fewer than MIN_HOURS are known. */
export function habitOf(state: HoursState, { hour, bytes }: Pick<OpenHour, "hour" | "bytes">): Habit | null {
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
