// Records through the real ingest functions and the real pipeline rounds, in this process.

import assert from "node:assert/strict";
import { openRecording, RecordCursor } from "../../../src/cli/replay/recording.ts";
import { mergeByTime } from "../../../src/cli/replay/merge.ts";
import { SkipReport } from "../../../src/cli/replay/skips.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import type { Source } from "../../../src/config/sources.ts";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import type { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { readBody } from "../../../src/ingest/batch.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import { runRound, type TenantNetworks } from "../../../src/pipeline/run/round.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { commitBatch, type CommittedBatch } from "../../../src/store/record/ingest.ts";

/** A packet sensor of tenant `main` that may send everything. */
export function sensor(sensorId: string, change: Partial<Source> = {}): Source {
  return {
    sensorId,
    tenantId: "main",
    allowedKinds: new Set(RECORD_KINDS),
    trust: "packet",
    expectedExporters: null,
    ...change,
  };
}

/** What `ndr replay` makes of files: ingest lines, in the order of time, and why the other lines were not sent. */
interface Replayed {
  lines: string[];
  skips: SkipReport;
}

export async function replayOf(...files: string[]): Promise<Replayed> {
  const skips = new SkipReport();
  const onDamage = (message: string) => {
    throw new Error(message);
  };
  const recordings = await Promise.all(files.map((file) => openRecording(file, null)));
  const sources = recordings.map((recording, source) => {
    const open = () => new RecordCursor(recording, { source, passed: 0, shiftSeconds: 0, skips, onDamage });
    return { open, peek: open, fromStart: true };
  });
  const decoder = new TextDecoder();
  const lines: string[] = [];
  for await (const record of mergeByTime(sources)) lines.push(decoder.decode(record.bytes));
  return { lines, skips };
}

/** The ingest lines that `ndr replay` makes of these files: one stream in the order of time. */
export async function linesOfFiles(...files: string[]): Promise<string[]> {
  return (await replayOf(...files)).lines;
}

/** One ingest line. */
export function line(kind: string, observedAt: string, payload: unknown): string {
  return JSON.stringify({ kind, observed_at: observedAt, payload });
}

/** Commits one request's lines; `receivedAt` is the server's time in microseconds. */
export async function pushBatch(
  db: Database,
  source: Source,
  lines: readonly string[],
  receivedAt = systemClock.now(),
): Promise<CommittedBatch> {
  const { tenantId, sensorId, trust } = source;
  const body = new TextEncoder().encode(lines.join("\n"));
  const content = await readBody(body, source);
  return await commitBatch(db, { tenantId, sensorId, trust, receivedAt, content });
}

export async function push(
  db: Database,
  source: Source,
  lines: readonly string[],
  batchSize = 500,
): Promise<void> {
  for (let at = 0; at < lines.length; at += batchSize) {
    await pushBatch(db, source, lines.slice(at, at + batchSize));
  }
}

interface SettleOptions extends Partial<TenantNetworks> {
  tenantId?: string;
  batchesPerRound?: number;
  /** Lists to match against; without them nothing is matched. */
  intel?: IntelSet;
  /** What time it is, microseconds; else the machine says. */
  now?: number;
}

/** Runs rounds until nothing is left to take up. */
export async function settle(db: Database, options: SettleOptions = {}): Promise<void> {
  const { tenantId = "main", batchesPerRound: batches, intel, now } = options;
  const size = batches === undefined ? undefined : { batches, records: 1_000_000 };
  const networks = { ...defaultSite(tenantId), ...options };
  for (;;) {
    const memories = new StateCache();
    const { batches } = await runRound(
      db,
      tenantId,
      networks,
      now ?? systemClock.now(),
      size,
      intel,
      memories,
    );
    // In operation a detector that fails is left out; here it is a defect.
    assert.deepEqual(memories.faults.take(), []);
    if (batches === 0) return;
  }
}
