// Replays a capture through the real reader, ingest, pipeline and database.

import { mergeByTime, type MergeSource } from "../../src/cli/replay/merge.ts";
import { openRecording, RecordCursor } from "../../src/cli/replay/recording.ts";
import { SkipReport } from "../../src/cli/replay/skips.ts";
import { defaultSite, type SiteConfig } from "../../src/config/sites.ts";
import { parseCidr } from "../../src/kit/net/ip.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { pushBatch, sensor, settle } from "../support/record/pipeline.ts";
import type { InventoryDevice } from "../../src/config/inventory.ts";
import type { Source } from "../../src/config/sources.ts";
import { storeInventory } from "../../src/core/jobs/inventory.ts";
import { compileIntel } from "../../src/domain/intel/compile.ts";
import { IntelSet } from "../../src/domain/intel/intel-set.ts";
import type { Capture, GeneratedTraffic } from "./capture.ts";
import { SENSORS } from "./generate/traffic.ts";
import type { Labels } from "./labels.ts";

/** Lines per ingest request. A pipeline round follows every few requests, as in live operation. */
const BATCH = 500;
const BATCHES_A_ROUND = 8;

/**
 * Sends a whole capture as this tenant and runs the pipeline until it is done. Throws if a file is damaged or
 * unreadable.
 */
export async function replayCapture(db: Database, tenantId: string, capture: Capture): Promise<number> {
  const { labels, generated } = capture;
  const sources = labels.sensors.map(({ sensorId, trust }) => sensor(sensorId, { tenantId, trust }));
  const options = { ...siteOf(tenantId, labels), tenantId, batchesPerRound: BATCHES_A_ROUND };
  if (generated !== undefined) return await replayGenerated(db, generated, sources, options);
  let lines: SensorLine[] = [];
  let sent = 0;
  for await (const record of recordsOf(labels)) {
    lines.push(record);
    if (lines.length < BATCH) continue;
    sent += await send(db, sources, lines);
    lines = [];
  }
  sent += await send(db, sources, lines);
  await settle(db, options);
  return sent;
}

/** Sends records as if live: received when written, and processed before the next ones are made. */
async function replayGenerated(
  db: Database,
  { records, types, indicators }: GeneratedTraffic,
  sources: readonly Source[],
  options: SiteConfig & { batchesPerRound: number },
): Promise<number> {
  const { tenantId } = options;
  await storeInventory(db, tenantId, [...types].map(([ip, type]) => deviceOf(ip, type)), 0);
  const intel = indicators === ""
    ? undefined
    : new IntelSet(compileIntel([{ name: "list", pieces: [indicators] }]).data);
  let lines: SensorLine[] = [];
  let sent = 0;
  let now = 0;
  const process = async () => {
    for (let at = 0; at < lines.length; at += BATCH) {
      await send(db, sources, lines.slice(at, at + BATCH), now);
    }
    sent += lines.length;
    lines = [];
    await settle(db, { ...options, now, intel });
  };
  for (const { at, sensor, line } of records()) {
    now = Math.round(at * 1e6);
    lines.push({ sensor: SENSORS.indexOf(sensor), line });
    if (lines.length === BATCH * BATCHES_A_ROUND) await process();
  }
  await process();
  return sent;
}

interface SensorLine {
  /** Its position among the sensors of the labels. */
  sensor: number;
  line: string;
}

async function send(
  db: Database,
  sources: readonly Source[],
  lines: readonly SensorLine[],
  receivedAt?: number,
): Promise<number> {
  for (const [index, source] of sources.entries()) {
    const own = lines.filter(({ sensor }) => sensor === index).map(({ line }) => line);
    if (own.length > 0) await pushBatch(db, source, own, receivedAt);
  }
  return lines.length;
}

function deviceOf(ip: string, type: string): InventoryDevice {
  return { name: ip, type, owner: null, tags: [], addresses: [ip], macAddresses: [] };
}

/** Ingest lines of all sensors, in time order as if live, or file by file. */
async function* recordsOf({ sensors, order }: Labels): AsyncGenerator<SensorLine> {
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
