import { CAPTURE_CURRENT_SECONDS } from "../../contract/health/conditions.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Count, Micros } from "../record/observation.ts";
import { droppedPercent } from "../record/suricata/stats.ts";

/** The latest capture report of a sensor process. */
export interface CaptureReport {
  sensorId: string;
  /** The process or interface; null if the record names none. */
  peer: string | null;
  recordKind: RecordKind;
  /** Server receipt time: a skewed sensor clock must not make it look recent. */
  receivedAt: Micros;
  /** Null if unknown. */
  lossPercent: number | null;
}

export interface CaptureLoss {
  lossPercent: number | null;
  sampledAt: Micros | null;
}

/** Packet counts of a process over the preceding `interval`; for Suricata, since its start. */
export interface CaptureCounters {
  recordKind: RecordKind;
  interval: Micros | null;
  packets: Count | null;
  dropped: Count | null;
  lossPercent: number | null;
}

/**
 * The current loss. Suricata's counters run from its start, so a recent loss would vanish in months of
 * totals: takes the difference to the previous report, unless Suricata has restarted since.
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
 * The worst capture loss among these sensors' processes in recent reports, and when it was reported. For one
 * process Zeek's missing traffic (`capture_loss`) takes precedence over its driver's drops (`stats`), which
 * are part of it: they are never added. Null without a recent report.
 */
export function captureLoss(
  reports: readonly CaptureReport[],
  sensorIds: readonly string[],
  now: Micros,
): CaptureLoss {
  const processes = new Map<string, CaptureReport>();
  for (const report of reports) {
    if (report.lossPercent === null || !sensorIds.includes(report.sensorId)) continue;
    if (report.receivedAt < now - CAPTURE_CURRENT_SECONDS * 1_000_000) continue;
    const key = `${report.sensorId} ${report.peer ?? ""}`;
    if (processes.get(key)?.recordKind !== "zeek.capture_loss") processes.set(key, report);
  }
  let worst: CaptureLoss = { lossPercent: null, sampledAt: null };
  for (const { lossPercent, receivedAt } of processes.values()) {
    if (lossPercent! > (worst.lossPercent ?? -1)) worst = { lossPercent, sampledAt: receivedAt };
  }
  return worst;
}
