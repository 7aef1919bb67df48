// Feeds records through the real ingest functions and pipeline rounds, in this process.

import assert from "node:assert/strict";
import { openRecording, RecordCursor } from "../../../src/cli/replay/recording.ts";
import { mergeByTime } from "../../../src/cli/replay/merge.ts";
import { SkipReport } from "../../../src/cli/replay/skips.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import type { Source } from "../../../src/config/sources.ts";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import type { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { parseBody } from "../../../src/ingest/parse-body.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { StateCache } from "../../../src/pipeline/state/state-cache.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import { takeIntel } from "../../../src/pipeline/stages/intel.ts";
import type { TenantSettings } from "../../../src/pipeline/stages/stage.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { commitBatch, type CommittedBatch } from "../../../src/store/record/ingest.ts";
import type { RoundSize } from "../../../src/store/record/pending.ts";

/** A packet sensor of tenant `main` that may send every record kind. */
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

/** Ingest lines that `ndr replay` makes of files, in time order, and the reasons for skipped lines. */
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

/** The ingest lines that `ndr replay` makes of these files, as one stream in time order. */
export async function linesOfFiles(...files: string[]): Promise<string[]> {
  return (await replayOf(...files)).lines;
}

/** One ingest line. */
export function line(kind: string, observedAt: string, payload: unknown): string {
  return JSON.stringify({ kind, observed_at: observedAt, payload });
}

/** Commits one request's lines; `receivedAt` is in microseconds since the epoch. */
export async function pushBatch(
  db: Database,
  source: Source,
  lines: readonly string[],
  receivedAt = systemClock.now(),
): Promise<CommittedBatch> {
  const { tenantId, sensorId, trust } = source;
  const body = new TextEncoder().encode(lines.join("\n"));
  const content = await parseBody(body, source);
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

interface RunOptions {
  tenantId: string;
  settings: TenantSettings;
  /** Microseconds since the epoch. */
  now: number;
  size?: RoundSize;
  /** Lists to match against; nothing is matched by default. */
  intel?: IntelSet | null;
  states?: StateCache;
}

/** Prepares and applies one round; returns the number of batches, 0 if there was nothing to do. */
export async function runRound(db: Database, { now, ...options }: RunOptions): Promise<number> {
  if (options.intel) await takeIntel(db, options.tenantId, options.intel);
  const round = await prepareRound(db, options);
  if (round === null) return 0;
  await applyRound(db, round, { now });
  return round.basis.batches;
}

interface SettleOptions extends Partial<TenantSettings> {
  tenantId?: string;
  batchesPerRound?: number;
  /** Lists to match against; nothing is matched by default. */
  intel?: IntelSet;
  /** Microseconds since the epoch; the system time by default. */
  now?: number;
}

/** Runs rounds until all batches are processed. */
export async function settle(db: Database, options: SettleOptions = {}): Promise<void> {
  const { tenantId = "main", batchesPerRound: batches, intel, now } = options;
  const size = batches === undefined ? undefined : { batches, records: 1_000_000 };
  const settings = { ...defaultSite(tenantId), ...options };
  for (;;) {
    const states = new StateCache();
    const round = { tenantId, settings, now: now ?? systemClock.now(), size, intel, states };
    const batches = await runRound(db, round);
    // In production a detector that throws is skipped; here it is a defect.
    assert.deepEqual(states.faults.take(), []);
    if (batches === 0) return;
  }
}
