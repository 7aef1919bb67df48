// Numbers with units: sizes, rates and durations.

interface Unit {
  name: string;
  size: number;
}

/** Largest first. */
const BYTE_UNITS: readonly Unit[] = [
  { name: "TiB", size: 1024 ** 4 },
  { name: "TB", size: 1000 ** 4 },
  { name: "GiB", size: 1024 ** 3 },
  { name: "GB", size: 1000 ** 3 },
  { name: "MiB", size: 1024 ** 2 },
  { name: "MB", size: 1000 ** 2 },
  { name: "KiB", size: 1024 },
  { name: "kB", size: 1000 },
  { name: "B", size: 1 },
];

/** In milliseconds, largest first. */
const DURATION_UNITS: readonly Unit[] = [
  { name: "d", size: 86_400_000 },
  { name: "h", size: 3_600_000 },
  { name: "m", size: 60_000 },
  { name: "s", size: 1000 },
  { name: "ms", size: 1 },
];

/** Longer spellings, as people write them. */
const DURATION_NAMES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(DURATION_UNITS.map(({ name, size }) => [name, size])),
  w: 604_800_000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  hr: 3_600_000,
  hrs: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
  week: 604_800_000,
  weeks: 604_800_000,
};

const BITS_PER_BYTE = 8;
const MULTIPLES: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

export const BYTE_UNIT_NAMES = BYTE_UNITS.map(({ name }) => name);
export const DURATION_UNIT_NAMES = DURATION_UNITS.map(({ name }) => name);

const NUMBER = /^(\d{1,16}(?:\.\d{1,12})?|\.\d{1,12})$/;

/** A number that is not negative, without an exponent; `k`, `M`, `G` and `T` multiply by 1000 and so on. */
export function parseNumber(text: string): number | null {
  const match = /^([\d.]+)([kmgt]?)$/i.exec(text);
  if (match === null || !NUMBER.test(match[1]!)) return null;
  return exact(Number(match[1]) * MULTIPLES[match[2]!.toLowerCase()]!);
}

/** Bytes; `MB` counts 1000, `MiB` 1024, and no unit means bytes. A fraction of a byte is rounded. */
export function parseBytes(text: string): number | null {
  const match = /^([\d.]+)\s*([a-z]*)$/i.exec(text);
  if (match === null || !NUMBER.test(match[1]!)) return null;
  const size = byteSize(match[2]!);
  return size === null ? null : exact(Math.round(Number(match[1]) * size));
}

function byteSize(unit: string): number | null {
  const lower = unit.toLowerCase();
  if (lower === "" || lower === "byte" || lower === "bytes") return 1;
  const known = BYTE_UNITS.find(({ name }) => name.toLowerCase() === lower);
  // `10M`, as people type it.
  return known?.size ?? BYTE_UNITS.find(({ name }) => name.toLowerCase() === `${lower}b`)?.size ?? null;
}

/** Bytes per second; `Mbit/s` and `Mbps` count bits, `MB/s` and `MBps` bytes. */
export function parseRate(text: string): number | null {
  const bits = /^([\d.]+)\s*([kmgt]?)(?:bit\/s|bits\/s|bps|b\/s)$/.exec(withLowerPrefix(text));
  if (bits !== null && NUMBER.test(bits[1]!)) {
    return exact(Math.round(Number(bits[1]) * MULTIPLES[bits[2]!]! / BITS_PER_BYTE));
  }
  return parseBytes(text.replace(/(?:\/s|(?<=[kMGTi ]?B)ps)$/, ""));
}

/** `Mbit/s` as `mbit/s`: only the letter before `b` may be upper case, for `B` counts bytes. */
function withLowerPrefix(text: string): string {
  return text.replace(/[KMGT](?=b)/, (letter) => letter.toLowerCase());
}

/** Whole milliseconds: `90s`, `1h30m`, `2 days`. A number alone counts seconds. */
export function parseDuration(text: string): number | null {
  if (NUMBER.test(text)) return wholeMilliseconds(Number(text) * 1000);
  let total = 0;
  let end = 0;
  for (const match of text.matchAll(/([\d.]+)\s*([a-z]+)\s*/gi)) {
    const size = Object.hasOwn(DURATION_NAMES, match[2]!.toLowerCase())
      ? DURATION_NAMES[match[2]!.toLowerCase()]!
      : null;
    if (match.index !== end || size === null || !NUMBER.test(match[1]!)) return null;
    total += Number(match[1]) * size;
    end += match[0].length;
  }
  return end === text.length && end > 0 ? wholeMilliseconds(total) : null;
}

function wholeMilliseconds(milliseconds: number): number | null {
  return exact(Math.round(milliseconds));
}

function exact(value: number): number | null {
  return Number.isFinite(value) && value <= Number.MAX_SAFE_INTEGER ? value : null;
}

/**
 * The text of a number in the largest unit that divides it. Always with a unit, so that a following word is not
 * read as one.
 */
export function printBytes(bytes: number): string {
  const { name, size } = largestUnit(bytes, BYTE_UNITS);
  return `${plainNumber(bytes / size)}${name}`;
}

export function printRate(bytesPerSecond: number): string {
  const { name, size } = largestUnit(bytesPerSecond, BYTE_UNITS);
  return `${plainNumber(bytesPerSecond / size)}${name}/s`;
}

export function printDuration(milliseconds: number): string {
  const { name, size } = largestUnit(milliseconds, DURATION_UNITS);
  return `${plainNumber(milliseconds / size)}${name}`;
}

/** Digits without an exponent, which the parser does not take. */
export function plainNumber(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const text = String(value);
  return text.includes("e") ? value.toFixed(12).replace(/0+$/, "") : text;
}

function largestUnit(value: number, units: readonly Unit[]): Unit {
  const fallback = units.at(-1)!;
  return value === 0 ? fallback : units.find(({ size }) => value % size === 0) ?? fallback;
}
