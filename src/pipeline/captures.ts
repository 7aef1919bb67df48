import type { Tx } from "../store/database.ts";
import { recordSamples, type StoredSample } from "../store/capture-samples.ts";

/** Keeps the last word of each process of a sensor about its capture; samples are in the order of arrival. */
export async function recordCaptures(
  tx: Tx,
  tenantId: string,
  samples: readonly StoredSample[],
): Promise<void> {
  const last = new Map<string, StoredSample>();
  for (const sample of samples) {
    last.set(`${sample.sensorId} ${sample.recordKind} ${sample.peer ?? ""}`, sample);
  }
  await recordSamples(tx, tenantId, [...last.values()]);
}
