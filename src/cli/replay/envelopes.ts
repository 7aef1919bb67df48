// Reads recordings as ingest envelopes and sends envelopes, for a caller that decides when each one is sent.

import type { RecordKind } from "../../contract/record/kinds.ts";
import { readUnboundLine } from "../../domain/record/unbound/line.ts";
import { formatMillis } from "../../kit/time.ts";
import { eveKindOf, observedAtOf } from "../../domain/record/derive-envelope.ts";
import type { Batch } from "./batch.ts";
import { readPieces } from "./bytes.ts";
import { lines } from "./items.ts";
import { openRecording, RecordCursor } from "./recording.ts";
import { shiftEnvelope } from "./shift.ts";
import { SkipReport } from "./skips.ts";
import { ingestUrl, Transport } from "./transport.ts";
import { MAX_INGEST_BYTES } from "../../contract/record/ingest.ts";
import { pause } from "../../kit/threads/pause.ts";

export interface Envelope {
  /** One line of the ingest, with the recorded times. */
  text: string;
  /** When the source wrote it, in microseconds. */
  micros: number;
  /** The line with all its times shifted by whole seconds. */
  shifted(seconds: number): string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const REQUEST_TIMEOUT_MS = 60_000;

/** The records of a file, in file order. Throws ReplayInputError if the file is not a recording. */
export async function readEnvelopes(file: string, kind: RecordKind | null = null): Promise<Envelope[]> {
  const recording = await openRecording(file, kind);
  const options = { source: 0, passed: 0, shiftSeconds: 0, skips: new SkipReport(), onDamage: () => {} };
  const cursor = new RecordCursor(recording, options);
  const envelopes: Envelope[] = [];
  for (let record = await cursor.next(); record !== null; record = await cursor.next()) {
    const micros = record.writtenMicros ?? record.micros;
    if (micros === null || record.kind === null) continue;
    const text = decoder.decode(record.bytes);
    const recordKind = record.kind as RecordKind;
    envelopes.push({ text, micros, shifted: (seconds) => shiftEnvelope(recordKind, text, seconds) });
  }
  await cursor.close();
  return envelopes;
}

/**
 * The lines of a sensor's log that `ndr replay` skips because they are damaged or no record of that kind. A log
 * shipper sends them all the same.
 */
export async function readOtherLines(file: string, kind: RecordKind): Promise<string[]> {
  const isRecord = kind === "unbound.query" ? (text: string) => readUnboundLine(text) !== null : hasEveTime;
  const others: string[] = [];
  for await (const group of lines(readPieces(file), MAX_INGEST_BYTES)) {
    for (const { bytes } of group) {
      const text = bytes === null ? "" : decoder.decode(bytes).trim();
      if (text !== "" && !isRecord(text)) others.push(text);
    }
  }
  return others;
}

function hasEveTime(text: string): boolean {
  try {
    return observedAtOf("suricata.alert", JSON.parse(text)) !== null;
  } catch {
    return false;
  }
}

/** The envelope that a log shipper puts around such a line at that time (microseconds). */
export function shipLine(text: string, kind: RecordKind, micros: number): string {
  const head = (named: string) => `{"kind":"${named}","observed_at":"${formatMillis(micros)}","payload":`;
  if (kind === "unbound.query") {
    const message = text.replace(/^\[\d+\]/, `[${Math.floor(micros / 1e6)}]`);
    return `${head(kind)}${JSON.stringify({ message })}}`;
  }
  const type = /"event_type"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? "";
  return `${head(eveKindOf(type) ?? kind)}${text}}`;
}

/** Sends lines with a source token; false if the signal aborted first. Throws if the ingest refuses them. */
type SendLines = (token: string, lines: readonly string[], signal: AbortSignal) => Promise<boolean>;

export function lineSender(coreUrl: string): SendLines {
  const url = ingestUrl(coreUrl);
  const transportOf = (token: string) =>
    new Transport({
      url,
      token,
      gzip: false,
      timeoutMs: REQUEST_TIMEOUT_MS,
      now: Date.now,
      random: Math.random,
      sleep: pause,
      onWait: () => {},
    });
  return async (token, texts, signal) => {
    const body = encoder.encode(texts.join("\n"));
    const batch: Batch = { body, lines: texts.length, records: [], kinds: new Map(), reached: new Map() };
    const delivery = await transportOf(token).deliver(batch, signal);
    if (delivery.type === "refused") throw new Error(`the ingest refused records: ${delivery.message}`);
    return delivery.type === "acknowledged";
  };
}
