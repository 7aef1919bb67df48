// Replays recorded sensor files into the ingest. Usable from code; the command line is in ../replay.ts.

import { MAX_INGEST_BYTES, MAX_INGEST_LINES } from "../../contract/record/ingest.ts";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { ReplayInputError } from "./errors.ts";
import { openRecording, type Recording } from "./recording.ts";
import { Run } from "./run.ts";
import type { Skip } from "./skips.ts";
import { ingestUrl, type Refused, type Wait } from "./transport.ts";

export interface ReplayOptions {
  files: string[];
  /** The core's address, such as `http://127.0.0.1:8081`. */
  url: string;
  /** The source token: whose sensor the records are, and so whose tenant. */
  token: string;
  /** What every record is, for files that do not say. */
  kind?: RecordKind | null;
  /** Moves all times by the same whole seconds, so that the recording ends now. */
  shiftToNow?: boolean;
  /** Records a request, 1 to 1,000 (the default). */
  batchLines?: number;
  /** Bytes a request, up to 5 MiB; default 4 MiB. */
  batchBytes?: number;
  /** Sends bodies compressed. */
  gzip?: boolean;
  /** Where the progress is kept for a later run, given this replay's identity; without it nothing is kept. */
  stateFile?: (identity: string) => string | null;
  /** Whether to go on where an earlier run stopped (the default) or to begin again. */
  resume?: boolean;
  /** Stops after the request under way; the result then says `interrupted`. */
  signal?: AbortSignal;
}

export interface ReplayProgress {
  /** `scanning` reads the times of all files, before a shift; `sending` until the end. */
  phase: "scanning" | "sending";
  /** Bytes of the files on disk, read (when scanning) or acknowledged, and in all. */
  bytes: number;
  totalBytes: number;
  /** Records acknowledged in this run, and the three counts they are the sum of. */
  records: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  skipped: number;
  /** Why nothing moves at the moment. */
  waiting: Wait | null;
}

export interface ReplayResult {
  outcome: "complete" | "interrupted" | "refused";
  refusal: Refused | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** Records acknowledged in this run per kind. */
  kinds: Record<string, number>;
  /** Items that cannot be sent: not JSON, not a kind of the service, … */
  skipped: Skip[];
  /** Files that ended in the middle; what came before was sent. */
  damaged: { file: string; message: string }[];
  /** Whether this run went on where an earlier one stopped. */
  resumed: boolean;
  /** Seconds by which the times were moved. */
  shiftSeconds: number;
  /** The resume file, while there is something to resume. */
  stateFile: string | null;
}

export interface ReplayDependencies {
  onProgress?: (progress: ReplayProgress) => void;
  /** A remark for the person who started it. */
  onNotice?: (text: string) => void;
  /** Unix time, milliseconds. */
  now?: () => number;
  random?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const DEFAULT_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Sends the records of all files in the order of their times, and settles when everything is acknowledged, the
 * ingest refuses for good, or `signal` aborts. Repeating a replay is safe: the ingest knows records again.
 * Throws ReplayInputError, before anything is sent, for files and options that cannot be replayed.
 */
export async function replay(
  options: ReplayOptions,
  dependencies: ReplayDependencies = {},
): Promise<ReplayResult> {
  const url = ingestUrl(options.url);
  const limits = {
    lines: within(options.batchLines ?? MAX_INGEST_LINES, MAX_INGEST_LINES, "lines of a batch"),
    bytes: within(options.batchBytes ?? DEFAULT_BATCH_BYTES, MAX_INGEST_BYTES, "bytes of a batch"),
  };
  // A header cannot carry anything else, and an empty token is a forgotten one.
  if (!/^[\x21-\x7e]+$/.test(options.token)) {
    throw new ReplayInputError("the source token must be printable ASCII without spaces, and not empty");
  }
  const recordings = await openRecordings(options);
  return await new Run(options, dependencies, recordings).run(url, limits);
}

async function openRecordings(options: ReplayOptions): Promise<Recording[]> {
  if (options.files.length === 0) throw new ReplayInputError("name at least one file to replay");
  const recordings: Recording[] = [];
  const faults: string[] = [];
  for (const file of options.files) {
    try {
      const recording = await openRecording(file, options.kind ?? null);
      // Named twice it would be sent twice, side by side.
      if (recordings.some(({ path }) => path === recording.path)) faults.push(`${file}: is named twice`);
      recordings.push(recording);
    } catch (error) {
      if (!(error instanceof ReplayInputError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new ReplayInputError(faults.join("\n"));
  return recordings;
}

function within(value: number, max: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new ReplayInputError(`${what}: expected a whole number from 1 to ${max}`);
}
