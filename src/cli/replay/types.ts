// What a replay takes, reports while it runs, and returns.

import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Rejection } from "./rejections.ts";
import type { Skip } from "./skips.ts";
import type { Refused, Wait } from "./transport.ts";

export interface ReplayOptions {
  files: string[];
  /** The core's address, such as `http://127.0.0.1:8081`. */
  url: string;
  /** The source token: decides the sensor and so the tenant. */
  token: string;
  /** Kind of every record, for files that do not state it. */
  kind?: RecordKind | null;
  /** Shifts all times by the same whole seconds, so that the recording ends now. */
  shiftToNow?: boolean;
  /** Records per request, 1 to 1,000 (default). */
  batchLines?: number;
  /** Bytes per request, up to 5 MiB; default 4 MiB. */
  batchBytes?: number;
  /** Compresses bodies. */
  gzip?: boolean;
  /** Path of the progress file for this replay's identity; without it no progress is kept. */
  stateFile?: (identity: string) => string | null;
  /** Resumes an earlier run (default), or starts over. */
  resume?: boolean;
  /** Stops after the current request; the result then has `interrupted`. */
  signal?: AbortSignal;
}

export interface ReplayProgress {
  /** `scanning` reads the times of all files before a shift; `sending` lasts until the end. */
  phase: "scanning" | "sending";
  /** Bytes of the files on disk: read (while scanning) or acknowledged, and in total. */
  bytes: number;
  totalBytes: number;
  /** Records acknowledged in this run, and the three counts that add up to it. */
  records: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  skipped: number;
  /** Why the replay is waiting. */
  waiting: Wait | null;
}

export interface ReplayResult {
  outcome: "complete" | "interrupted" | "refused";
  refusal: Refused | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** The first rejected lines, and how many of all are Suricata alerts. */
  rejections: Rejection[];
  rejectedAlerts: number;
  /** Records acknowledged in this run by kind. */
  kinds: Record<string, number>;
  /** Items that cannot be sent: not JSON, not a supported kind, … */
  skipped: Skip[];
  /** Files that were skipped whole: readable text without any record. */
  filesWithoutRecords: string[];
  /** Truncated files; everything before the damage was sent. */
  damaged: { file: string; message: string }[];
  /** Whether this run resumed an earlier one. */
  resumed: boolean;
  /** Seconds by which the times were shifted. */
  shiftSeconds: number;
  /** The resume file, if there is something to resume. */
  stateFile: string | null;
}

export interface ReplayDependencies {
  onProgress?: (progress: ReplayProgress) => void;
  /** A remark for the user. */
  onNotice?: (text: string) => void;
  /** Unix time, milliseconds. */
  now?: () => number;
  random?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}
