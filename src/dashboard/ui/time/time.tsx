import { useEffect, useState } from "react";
import { formatAgo, formatTime } from "../format.ts";

/** Local time, in lists without seconds; the exact UTC time is in the title. */
export function Time({ at, short = false }: { at: string; short?: boolean }) {
  return (
    <time dateTime={at} title={`${at} (UTC)`} className="nowrap">
      {formatTime(at, Date.now(), short)}
    </time>
  );
}

/**
 * Relative age, kept current; local time and UTC are in the title. `skew`: milliseconds by which the clock
 * behind `at` is ahead of this browser's.
 */
export function Ago({ at, skew = 0 }: { at: string; skew?: number }) {
  const now = useNow() + skew;
  return (
    <time dateTime={at} title={`${formatTime(at, now)} local, ${at} UTC`} className="nowrap">
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
