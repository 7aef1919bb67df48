// Texts of the sensor-anomaly detector.
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, list, shortened, within } from "../../../kit/text.ts";
import { eventLabel } from "./events.ts";
import type { Anomalies } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

/** Peers and events named in a summary. */
const NAMED = 3;

export function describeAnomalies(
  { worst, events, peers, count, firstSeen, lastSeen }: Anomalies,
  deviceName: string,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const isLeak = worst === "leak";
  const labels = list(busiest(events).slice(0, NAMED).map((name) => eventLabel(shortened(name))));
  const named = busiest(peers).slice(0, NAMED);
  return {
    title: isLeak
      ? titleLine`${deviceName} leaks or extracts memory via TLS heartbeats`
      : titleLine`Protocol anomalies in connections of ${deviceName}`,
    phrase: isLeak ? "memory leaked via TLS heartbeats" : `protocol anomalies (${labels})`,
    summary:
      `The sensor reported ${atLeast(count, "event")} ${
        within(firstSeen, lastSeen)
      } about connections of ${deviceName} ` +
      `with ${list([...named, ...(peers.length > NAMED ? ["others"] : [])])}: ${labels}.`,
    explanation:
      `Tunnels and custom protocols of attackers deviate from standard protocols, but so do faulty programs and captures ` +
      `with gaps (events that such captures usually cause are left out). An anomaly alone says little: check what else ` +
      `is known about ${deviceName} and these peers.`,
  };
}

/** Names by descending count. */
export function busiest(counts: readonly { name: string; count: number }[]): string[] {
  return counts.toSorted((a, b) => b.count - a.count).map(({ name }) => name);
}
