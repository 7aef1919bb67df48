// What a person's "false positive" teaches: the same detector, device and destination stay quiet, unless something
// stronger appears.
import { type Destination, type DetectorResult, MAX_DESTINATIONS } from "../detect/kernel/result.ts";

/** A result that scores so much more than what was judged is another matter, which opens an incident of its own. */
export const STRONGER = 15;

/** One thing that was judged a false positive. */
export interface Taught {
  /** The incident that was closed with it. */
  incidentId: string;
  modelId: string;
  deviceId: string | null;
  /** As `subjectsOf` names it. */
  subject: string;
  score: number;
}

/** Who judged several services of a place, or all, judged each of them. */
const ANY_PORT = "any";

type Judged = Pick<DetectorResult, "modelId" | "groupKey" | "deviceId" | "destinations">;

/**
 * What a result is about, as a verdict remembers it: its destinations, each by name or else by address, with the port;
 * its group where there are none, or more than a result lists, or no device to tie them to.
 */
export function subjectsOf({ modelId, groupKey, deviceId, destinations }: Judged): string[] {
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
 * The incident whose verdict holds a result back: every destination was judged for this detector and device, and none
 * so much lower. Null where nothing does.
 */
export function heldBy(taught: readonly Taught[], result: Judged & { score: number }): string | null {
  let held: string | null = null;
  for (const subject of subjectsOf(result)) {
    let best: Taught | null = null;
    const wider = subject.replace(/^(to \S+) \d+$/, `$1 ${ANY_PORT}`);
    for (const one of taught) {
      if (one.modelId !== result.modelId || one.deviceId !== result.deviceId) continue;
      if ((one.subject === subject || one.subject === wider) && (best === null || one.score > best.score)) {
        best = one;
      }
    }
    if (best === null || result.score >= best.score + STRONGER) return null;
    held ??= best.incidentId;
  }
  return held;
}
