// Options that several commands share.

import { type Command, InvalidArgumentError, Option } from "commander";
import { parseTimestamp } from "../kit/time.ts";

const UNITS: Record<string, number> = { m: 60_000_000, h: 3_600_000_000, d: 86_400_000_000 };

/** A time (RFC 3339) or an age (`90m`, `24h`, `7d`), in microseconds. */
function timeOrAge(text: string): number {
  const age = /^(\d{1,5})([mhd])$/.exec(text);
  if (age) return Date.now() * 1000 - Number(age[1]) * UNITS[age[2]!]!;
  const time = parseTimestamp(text);
  if (time === null) {
    throw new InvalidArgumentError("expected a time such as 2026-01-31T07:15:00Z, or 90m, 24h, 7d");
  }
  return time.micros;
}

/** Parser of a number of lines from 1 to `most`. */
export function numberOfLines(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most) {
      throw new InvalidArgumentError(`expected a whole number from 1 to ${most}`);
    }
    return value;
  };
}

/** A span of time as flags, in microseconds; without `until` it ends now. */
export interface SpanFlags {
  since: number;
  until?: number;
}

/** Adds `--since` (by default a day ago) and `--until`. */
export function withSpan(command: Command): Command {
  return command
    .addOption(
      new Option("--since <time>", "from this time on").argParser(timeOrAge).default(
        timeOrAge("24h"),
        "24h ago",
      ),
    )
    .option("--until <time>", "before this time", timeOrAge);
}

/** The span of the flags; null if it would be empty. */
export function spanOf(
  { since, until = Date.now() * 1000 + 1 }: SpanFlags,
): { from: number; to: number } | null {
  return since < until ? { from: since, to: until } : null;
}
