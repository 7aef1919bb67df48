// What a person's "false positive" teaches: the same detector, device and destination stay quiet unless
// stronger evidence appears.
import { type Destination, type DetectorResult, MAX_DESTINATIONS } from "../detect/kernel/result.ts";

/** A result this much above the judged score is a new matter and opens an incident of its own. */
export const STRONGER_BY = 15;

/** One subject judged a false positive. */
export interface Verdict {
  /** The incident closed with this verdict. */
  incidentId: string;
  modelId: string;
  deviceId: string | null;
  /** As returned by `subjectsOf`. */
  subject: string;
  score: number;
}

/** A verdict on several services of a host, or on all, covers each of them. */
const ANY_PORT = "any";

type ResultSubject = Pick<DetectorResult, "modelId" | "groupKey" | "deviceId" | "destinations">;

/**
 * The subjects of a result for matching verdicts: its destinations, each by name or else by address, with the
 * port. Falls back to the group if there are no destinations, if the list is full, or if there is no device.
 */
export function subjectsOf({ modelId, groupKey, deviceId, destinations }: ResultSubject): string[] {
  if (deviceId === null || destinations.length === 0 || destinations.length >= MAX_DESTINATIONS) {
    return [`group ${modelId} ${groupKey}`];
  }
  return [...new Set(destinations.map(destinationSubject))];
}

function destinationSubject({ ip, name, port }: Destination): string {
  const place = name === null ? ip ?? "" : name.toLowerCase().replace(/\.$/, "");
  return `to ${place} ${port ?? ANY_PORT}`;
}

/**
 * The incident whose verdict covers a result: every destination was judged for this detector and device, none
 * at a score lower by `STRONGER` or more. Null if no verdict covers it.
 */
export function coveringVerdict(
  verdicts: readonly Verdict[],
  result: ResultSubject & { score: number },
): string | null {
  let held: string | null = null;
  for (const subject of subjectsOf(result)) {
    let best: Verdict | null = null;
    const wider = subject.replace(/^(to \S+) \d+$/, `$1 ${ANY_PORT}`);
    for (const one of verdicts) {
      if (one.modelId !== result.modelId || one.deviceId !== result.deviceId) continue;
      if ((one.subject === subject || one.subject === wider) && (best === null || one.score > best.score)) {
        best = one;
      }
    }
    if (best === null || result.score >= best.score + STRONGER_BY) return null;
    held ??= best.incidentId;
  }
  return held;
}
