import { lossSince } from "../../domain/health/capture.ts";
import type { Tx } from "../../store/engine/database.ts";
import { recordSamples, samplesSince, type StoredSample } from "../../store/health/capture-samples.ts";
import type { Stage } from "./stage.ts";

/** Stores the latest capture statistics of each process of a sensor. */
export const captures: Stage<void> = {
  *write({ tx }, _prepared, { basis: { tenantId, samples } }) {
    yield writeSamples(tx, tenantId, samples);
  },
};

/** `samples` are in the order of arrival. */
async function writeSamples(tx: Tx, tenantId: string, samples: readonly StoredSample[]): Promise<void> {
  if (samples.length === 0) return;
  const stored = new Map((await samplesSince(tx, tenantId, 0)).map((sample) => [keyOf(sample), sample]));
  const latest = new Map<string, StoredSample>();
  for (const sample of samples) {
    const key = keyOf(sample);
    latest.set(key, lossSince(latest.get(key) ?? stored.get(key) ?? null, sample));
  }
  await recordSamples(tx, tenantId, [...latest.values()]);
}

function keyOf({ sensorId, recordKind, peer }: StoredSample): string {
  return `${sensorId} ${recordKind} ${peer ?? ""}`;
}
