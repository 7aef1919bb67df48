import { useEffect, useState } from "react";
import { exactTime, formatAgo, formatTime } from "../format.ts";
import { useZone } from "../../base/time/zone.ts";

interface TimeProps {
  at: string;
  /** Without seconds, for lists. */
  short?: boolean;
  /** The time that stands before it: the day is left out if it is the same. Default: now. */
  after?: string | null;
}

/** A time in the zone of the top bar; the title has the exact time with its zone, and in UTC. */
export function Time({ at, short = false, after = null }: TimeProps) {
  const zone = useZone();
  return (
    <time dateTime={at} title={exactTime(at, zone)} className="nowrap">
      {formatTime(at, after === null ? Date.now() : Date.parse(after), short, zone)}
    </time>
  );
}

/**
 * Relative age, kept current; the exact time is in the title. `skew`: milliseconds by which the clock behind `at` is
 * ahead of this browser's.
 */
export function Ago({ at, skew = 0 }: { at: string; skew?: number }) {
  const now = useNow() + skew;
  const zone = useZone();
  return (
    <time dateTime={at} title={exactTime(at, zone)} className="nowrap">
      {formatAgo(at, now)}
    </time>
  );
}

const TICK_MILLISECONDS = 5000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
