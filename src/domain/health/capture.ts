import { CAPTURE_CURRENT_SECONDS } from "../../contract/health/conditions.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Count, Micros } from "../record/observation.ts";
import { droppedPercent } from "../record/suricata/stats.ts";

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

/** What a process said of its packets, over the `interval` before; of Suricata, since its start. */
export interface CaptureCounters {
  recordKind: RecordKind;
  interval: Micros | null;
  packets: Count | null;
  dropped: Count | null;
  lossPercent: number | null;
}

/**
 * The loss of now. Suricata counts from its start on, and what it lost in the last minutes would not show in the sum of months: the
 * difference to what it said before is taken, unless it was started anew since.
 */
export function lossSince<S extends CaptureCounters>(before: S | null, sample: S): S {
  if (before === null || !isTotal(before) || !isTotal(sample)) return sample;
  const passed = sample.interval - before.interval;
  const [packets, dropped] = [
    Number(sample.packets) - Number(before.packets),
    Number(sample.dropped) - Number(before.dropped),
  ];
  if (passed <= 0 || packets < 0 || dropped < 0) return sample;
  return { ...sample, lossPercent: droppedPercent(packets, dropped) };
}

function isTotal<S extends CaptureCounters>(
  sample: S,
): sample is S & { interval: Micros; packets: Count; dropped: Count } {
  const { recordKind, interval, packets, dropped } = sample;
  return recordKind === "suricata.anomaly" && interval !== null && packets !== null && dropped !== null;
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
