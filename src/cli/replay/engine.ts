// Replays recorded sensor files into the ingest. A library; the command line is in ../replay.ts.

import { MAX_INGEST_BYTES, MAX_INGEST_LINES } from "../../contract/record/ingest.ts";
import { NoRecordsError, ReplayInputError } from "./errors.ts";
import { openRecording, type Recording } from "./recording.ts";
import { Run } from "./run.ts";
import { ingestUrl } from "./transport.ts";
import type { ReplayDependencies, ReplayOptions, ReplayResult } from "./types.ts";

const DEFAULT_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Sends the records of all files in order of time, and settles when everything is acknowledged, the ingest
 * refuses permanently, or `signal` aborts. Repeating a replay is safe: the ingest recognises duplicates.
 * Throws ReplayInputError, before anything is sent, for files and options that cannot be replayed. A file
 * without records among others is skipped and named in the result: folders of logs contain such files.
 */
export async function replay(
  options: ReplayOptions,
  dependencies: ReplayDependencies = {},
): Promise<ReplayResult> {
  const url = ingestUrl(options.url);
  const limits = {
    lines: within(options.batchLines ?? MAX_INGEST_LINES, MAX_INGEST_LINES, "lines per batch"),
    bytes: within(options.batchBytes ?? DEFAULT_BATCH_BYTES, MAX_INGEST_BYTES, "bytes per batch"),
  };
  // A header cannot carry anything else, and an empty token is a forgotten one.
  if (!/^[\x21-\x7e]+$/.test(options.token)) {
    throw new ReplayInputError("the source token must be printable ASCII without spaces, and not empty");
  }
  const { recordings, filesWithoutRecords } = await openRecordings(options);
  for (const file of filesWithoutRecords) dependencies.onNotice?.(`${file}: skipped, it contains no records`);
  const result = await new Run(options, dependencies, recordings).run(url, limits);
  return { ...result, filesWithoutRecords };
}

interface Opened {
  recordings: Recording[];
  filesWithoutRecords: string[];
}

async function openRecordings(options: ReplayOptions): Promise<Opened> {
  if (options.files.length === 0) throw new ReplayInputError("specify at least one file to replay");
  const recordings: Recording[] = [];
  const faults: string[] = [];
  const withoutRecords: NoRecordsError[] = [];
  const filesWithoutRecords: string[] = [];
  for (const file of options.files) {
    try {
      const recording = await openRecording(file, options.kind ?? null);
      // A file given twice would be sent twice.
      if (recordings.some(({ path }) => path === recording.path)) faults.push(`${file}: is given twice`);
      recordings.push(recording);
    } catch (error) {
      if (!(error instanceof ReplayInputError)) throw error;
      if (error instanceof NoRecordsError) {
        withoutRecords.push(error);
        filesWithoutRecords.push(file);
      } else faults.push(error.message);
    }
  }
  if (recordings.length === 0 || faults.length > 0) {
    faults.push(...withoutRecords.map(({ message }) => message));
  }
  if (faults.length > 0) throw new ReplayInputError(faults.join("\n"));
  return { recordings, filesWithoutRecords };
}

function within(value: number, max: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new ReplayInputError(`${what}: expected a whole number from 1 to ${max}`);
}
