// Times on axes and in tooltips, in the zone that the dashboard shows.

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", { ...options, hourCycle: "h23", timeZone: zone });
    formats.set(key, format);
  }
  return format;
}

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const DATE = { day: "numeric", month: "short" } as const;

/** The label of a tick: the clock, and the day below it at the first tick of a day. */
export function axisLabels(times: readonly number[], step: number, zone: string): string[] {
  const day = formatIn(zone, DATE);
  if (step >= DAY) return times.map((time) => day.format(time));
  const clock = formatIn(zone, step < MINUTE ? { ...CLOCK, second: "2-digit" } : CLOCK);
  let last = "";
  return times.map((time) => {
    const today = day.format(time);
    const isFirst = today !== last;
    last = today;
    return isFirst ? `${clock.format(time)}\n${today}` : clock.format(time);
  });
}

/** Sizes of steps between ticks of a time axis, in milliseconds. */
const STEPS = [
  ...[1000, 5000, 10_000, 30_000],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 60 * MINUTE),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];

/** Ticks at round times of the zone, at most `most` of them. */
export function timeTicks(
  from: number,
  to: number,
  zone: string,
  most: number,
): { times: number[]; step: number } {
  const step = STEPS.find((size) => (to - from) / size <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const times: number[] = [];
  // The offset is read at each tick: it changes where the clocks do. It is less than a day to either side.
  for (let at = Math.floor(from / step) * step - DAY; at <= to + DAY; at += step) {
    const local = at - offsetOf(at, zone);
    if (local >= from && local <= to && local !== times.at(-1)) times.push(local);
  }
  return { times, step };
}

/** Milliseconds by which the zone's clock is ahead of UTC at an instant. */
export function offsetOf(at: number, zone: string): number {
  const parts = formatIn(zone, {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(at / 1000) * 1000;
}

/** A span of time: `24 Mar, 14:00 to 15:00`. The second day is named if it is another one. */
export function spanLabel(from: number, to: number, zone: string): string {
  const day = formatIn(zone, DATE);
  const short = to - from < MINUTE || from % MINUTE !== 0 || to % MINUTE !== 0;
  const clock = formatIn(zone, short ? { ...CLOCK, second: "2-digit" } : CLOCK);
  const [first, last] = [day.format(from), day.format(to)];
  const isWholeDay = clock.format(from) === "00:00" && clock.format(to) === "00:00";
  if (isWholeDay) {
    const end = day.format(to - 1);
    return end === first ? first : `${first} to ${end}`;
  }
  const end = first === last ? clock.format(to) : `${last}, ${clock.format(to)}`;
  return `${first}, ${clock.format(from)} to ${end}`;
}
