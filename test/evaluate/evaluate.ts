// Replays and judges captures, each as a tenant of one database, so that they do not affect each other.

import type { Database } from "../../src/store/engine/database.ts";
import type { Capture } from "./capture.ts";
import { type CaptureOutcome, judge } from "./judge.ts";
import { replayCapture } from "./replay.ts";
import { deviceDays, seenIncidents } from "./seen.ts";

/** @param tell called with one line after each capture */
export async function evaluate(
  db: Database,
  captures: readonly Capture[],
  tell: (line: string) => void = () => {},
): Promise<CaptureOutcome[]> {
  const outcomes: CaptureOutcome[] = [];
  for (const capture of captures) {
    const { name, labels } = capture;
    const tenantId = `capture-${name}`;
    const started = performance.now();
    const records = await replayCapture(db, tenantId, capture);
    outcomes.push(judge(name, labels, await seenIncidents(db, tenantId), await deviceDays(db, tenantId)));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    tell(`${name}: ${records} records in ${seconds} s`);
  }
  return outcomes;
}
