// One file of a replay: inspected first, then read record by record.

import { open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { sha256Hex } from "../../kit/hash.ts";
import { MAX_INGEST_BYTES } from "../../contract/record/ingest.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { messageOf } from "../../kit/errors.ts";
import { DamagedFileError, readPieces } from "./bytes.ts";
import { detectLayout, type Layout } from "./detect.ts";
import { ReplayInputError } from "./errors.ts";
import { type Interpreter, interpreterOf, type Line } from "./interpret.ts";
import { documents, type Item, lines } from "./items.ts";
import type { SkipReport } from "./skips.ts";

/** The first bytes of a file, by which a resumed replay recognises it; it may have grown since. */
interface Fingerprint {
  bytes: number;
  sha256: string;
}

export interface Recording {
  /** As given by the caller, and without its folders. */
  file: string;
  name: string;
  /** Absolute. */
  path: string;
  size: number;
  fingerprint: Fingerprint;
  layout: Layout;
  kind: RecordKind | null;
}

const FINGERPRINT_BYTES = 4096;
const HEAD_BYTES = 64 * 1024;

/** Opens a file and detects its format. Throws ReplayInputError if it is unreadable or not a recording. */
export async function openRecording(file: string, kind: RecordKind | null): Promise<Recording> {
  const path = resolve(file);
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new ReplayInputError(`${file}: is a folder, expected a file`);
    const layout = await detectLayout(file, await headOf(path), kind);
    const fingerprint = await fingerprintOf(path, FINGERPRINT_BYTES);
    return { file, name: basename(file), path, size: info.size, fingerprint, layout, kind };
  } catch (error) {
    if (error instanceof ReplayInputError) throw error;
    throw new ReplayInputError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}

/** Of the first `bytes` bytes, or all of a shorter file. */
export async function fingerprintOf(path: string, bytes: number): Promise<Fingerprint> {
  const handle = await open(path);
  try {
    const buffer = new Uint8Array(bytes);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, bytes - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled === bytes) break;
    }
    const head = buffer.subarray(0, filled);
    return { bytes: filled, sha256: sha256Hex(head) };
  } finally {
    await handle.close();
  }
}

/** Content with at least one whole record: up to the first line end after 64 KiB. */
async function headOf(path: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const { data } of readPieces(path)) {
      parts.push(data);
      size += data.length;
      if (size >= MAX_INGEST_BYTES || (size >= HEAD_BYTES && parts.some((part) => part.includes(0x0a)))) {
        break;
      }
    }
  } catch (error) {
    // The readable part suffices for detection; the damage is reported when it is read.
    if (!(error instanceof DamagedFileError) || size === 0) throw error;
  }
  const head = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    head.set(part, at);
    at += part.length;
  }
  return head;
}

/** A line to send and its origin. */
export interface ReplayRecord extends Line {
  /** Index of its recording in the replay. */
  source: number;
  /** Number of its item, counted from 1, and the bytes of the file read up to it. */
  item: number;
  offset: number;
  /** Time for the merge, in microseconds: its own, else that of the previous record. */
  order: number;
}

interface CursorOptions {
  source: number;
  /** Items that an earlier run has sent. */
  passed: number;
  shiftSeconds: number;
  skips: SkipReport;
  /** Called once if the file is damaged; the cursor then ends. */
  onDamage: (message: string) => void;
}

/** Reads a recording's records in file order. */
export class RecordCursor {
  readonly #recording: Recording;
  readonly #options: CursorOptions;
  readonly #interpreter: Interpreter;
  readonly #groups: AsyncGenerator<Item[], void, void>;
  #group: Item[] = [];
  #at = 0;
  #order = Number.NEGATIVE_INFINITY;

  constructor(recording: Recording, options: CursorOptions) {
    const { format, container } = recording.layout;
    this.#recording = recording;
    this.#options = options;
    this.#interpreter = interpreterOf(format, recording.kind, options.shiftSeconds);
    const split = container === "lines" ? lines : documents;
    this.#groups = split(readPieces(recording.path), MAX_INGEST_BYTES);
  }

  /** The next record to send, `null` at the end. Items that cannot be sent are reported as skipped. */
  async next(): Promise<ReplayRecord | null> {
    const { passed, source } = this.#options;
    for (;;) {
      const item = this.#group[this.#at++];
      if (item === undefined) {
        if (!await this.#fill()) return null;
      } else if (item.number <= passed) {
        if (item.bytes !== null) this.#interpreter.pass(item.bytes);
      } else {
        const line = this.#read(item);
        if (line === null) continue;
        this.#order = line.micros ?? this.#order;
        return { ...line, source, item: item.number, offset: item.offset, order: this.#order };
      }
    }
  }

  async close(): Promise<void> {
    await this.#groups.return();
  }

  async #fill(): Promise<boolean> {
    this.#at = 0;
    this.#group = [];
    try {
      const next = await this.#groups.next();
      if (next.done) return false;
      this.#group = next.value;
      return true;
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      this.#options.onDamage(error.message);
      return false;
    }
  }

  #read(item: Item): Line | null {
    const tooLong = {
      skip: `longer than the ingest's limit of ${MAX_INGEST_BYTES} bytes`,
      unreadable: true,
    } as const;
    const read = item.bytes === null ? tooLong : this.#interpreter.read(item.bytes);
    if (read === null) return null;
    const unsent = "skip" in read ? read : read.bytes.length > MAX_INGEST_BYTES ? tooLong : null;
    if (unsent === null) return read as Line;
    this.#options.skips.add(unsent, `${this.#recording.name}:${item.number}`);
    return null;
  }
}
