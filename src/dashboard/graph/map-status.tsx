import { useEffect, useState } from "react";
import { formatSpan, formatTime } from "../ui/format.ts";
import type { MapStatus } from "./stream/use-graph.ts";

/** The state of the stream in words. */
function statusText(status: MapStatus, now: number): string {
  switch (status.state) {
    case "connecting":
      return "Connecting";
    case "live":
      return "Live";
    case "paused":
      return "Paused";
    case "past":
      return "Past window";
    case "reconnecting":
      return `Reconnecting since ${formatTime(status.since, now)}`;
    case "busy":
      return `All streams are in use, next attempt in ${formatSpan(Math.max(1000, status.until - now))}`;
    case "refused":
      return `Not live: ${status.message}`;
  }
}

const TICK_MILLISECONDS = 1000;

export function StatusTag({ status, watermark }: { status: MapStatus; watermark: string | null }) {
  const [now, setNow] = useState(Date.now);
  const counts = status.state === "busy";
  useEffect(() => {
    setNow(Date.now());
    if (!counts) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, [counts, status]);
  return (
    <span
      className={`tag map-status map-status-${status.state}`}
      title={watermark === null ? undefined : `Includes records up to ${watermark} (UTC)`}
    >
      <span className="tag-dot" aria-hidden="true" />
      <span role="status">{statusText(status, now)}</span>
    </span>
  );
}
