// Replays a capture through the real reader, ingest, pipeline and database.

import { mergeByTime, type MergeSource } from "../../src/cli/replay/merge.ts";
import { openRecording, RecordCursor } from "../../src/cli/replay/recording.ts";
import { SkipReport } from "../../src/cli/replay/skips.ts";
import { defaultSite, type SiteConfig } from "../../src/config/sites.ts";
import { parseCidr } from "../../src/kit/net/ip.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { pushBatch, sensor, settle } from "../support/record/pipeline.ts";
import type { Labels } from "./labels.ts";

/** Lines per ingest request. A pipeline round follows every few requests, as in live operation. */
const BATCH = 500;
const BATCHES_A_ROUND = 8;

/**
 * Sends a whole capture as this tenant and runs the pipeline until it is done. Throws if a file is damaged or
 * unreadable.
 */
export async function replayCapture(db: Database, tenantId: string, labels: Labels): Promise<number> {
  const sources = labels.sensors.map(({ sensorId, trust }) => sensor(sensorId, { tenantId, trust }));
  let lines: { sensor: number; line: string }[] = [];
  let sent = 0;
  const send = async () => {
    for (const [index, source] of sources.entries()) {
      const own = lines.filter(({ sensor }) => sensor === index).map(({ line }) => line);
      if (own.length > 0) await pushBatch(db, source, own);
    }
    sent += lines.length;
    lines = [];
  };
  for await (const record of recordsOf(labels)) {
    lines.push(record);
    if (lines.length === BATCH) await send();
  }
  await send();
  await settle(db, { ...siteOf(tenantId, labels), tenantId, batchesPerRound: BATCHES_A_ROUND });
  return sent;
}

/** Ingest lines of all sensors, in time order as if live, or file by file. */
async function* recordsOf({ sensors, order }: Labels): AsyncGenerator<{ sensor: number; line: string }> {
  const files = sensors.flatMap(({ files }, sensor) => files.map((file) => ({ ...file, sensor })));
  const sources: MergeSource[] = [];
  for (const [source, { path, kind, shiftSeconds }] of files.entries()) {
    const recording = await openRecording(path, kind);
    const options = { source, passed: 0, shiftSeconds, skips: new SkipReport(), onDamage };
    const open = () => new RecordCursor(recording, options);
    sources.push({ open, peek: open, fromStart: true });
  }
  const decoder = new TextDecoder();
  for (const together of order === "time" ? [sources] : sources.map((one) => [one])) {
    for await (const { bytes, source } of mergeByTime(together)) {
      yield { sensor: files[source]!.sensor, line: decoder.decode(bytes) };
    }
  }
}

function onDamage(message: string): never {
  throw new Error(message);
}

function siteOf(tenantId: string, { networks }: Labels): SiteConfig {
  const site = defaultSite(tenantId);
  if (networks === null) return site;
  return { ...site, networks: networks.map((text) => parseCidr(text)!), networksAssumed: false };
}
