import type { RecordKind } from "../../contract/kinds.ts";
import type { Micros } from "../records/observation.ts";

/** Three times the quarter of an hour after which Zeek measures its loss anew; what is older says nothing of now. */
export const CAPTURE_CURRENT_SECONDS = 2700;

/** What a process of a sensor said last about its capture. */
export interface CaptureWord {
  sensorId: string;
  /** The process or interface; null where the record names none. */
  peer: string | null;
  recordKind: RecordKind;
  /** When the server received it: a skewed sensor clock must not make it look new. */
  receivedAt: Micros;
  /** Null where it is not known. */
  lossPercent: number | null;
}

export interface CaptureLoss {
  lossPercent: number | null;
  sampledAt: Micros | null;
}

/**
 * The capture of the whole is as good as its worst part: the highest loss that any process of these sensors reported
 * of late, and when. Of one process what Zeek found missing in the traffic (`capture_loss`) goes before what its driver
 * counted as dropped (`stats`), which is part of it: they are never added. Nothing is claimed where nobody reports.
 */
export function captureLoss(
  words: readonly CaptureWord[],
  sensorIds: readonly string[],
  now: Micros,
): CaptureLoss {
  const processes = new Map<string, CaptureWord>();
  for (const word of words) {
    if (word.lossPercent === null || !sensorIds.includes(word.sensorId)) continue;
    if (word.receivedAt < now - CAPTURE_CURRENT_SECONDS * 1_000_000) continue;
    const key = `${word.sensorId} ${word.peer ?? ""}`;
    if (processes.get(key)?.recordKind !== "zeek.capture_loss") processes.set(key, word);
  }
  let worst: CaptureLoss = { lossPercent: null, sampledAt: null };
  for (const { lossPercent, receivedAt } of processes.values()) {
    if (lossPercent! > (worst.lossPercent ?? -1)) worst = { lossPercent, sampledAt: receivedAt };
  }
  return worst;
}
