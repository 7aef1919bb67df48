import { lossSince } from "../../domain/health/capture.ts";
import type { Tx } from "../../store/engine/database.ts";
import { recordSamples, samplesSince, type StoredSample } from "../../store/health/capture-samples.ts";

/** Keeps the last word of each process of a sensor about its capture; samples are in the order of arrival. */
export async function recordCaptures(
  tx: Tx,
  tenantId: string,
  samples: readonly StoredSample[],
): Promise<void> {
  if (samples.length === 0) return;
  const last = new Map((await samplesSince(tx, tenantId, 0)).map((sample) => [keyOf(sample), sample]));
  const said = new Map<string, StoredSample>();
  for (const sample of samples) {
    const key = keyOf(sample);
    const word = lossSince(said.get(key) ?? last.get(key) ?? null, sample);
    said.set(key, word);
  }
  await recordSamples(tx, tenantId, [...said.values()]);
}

function keyOf({ sensorId, recordKind, peer }: StoredSample): string {
  return `${sensorId} ${recordKind} ${peer ?? ""}`;
}
