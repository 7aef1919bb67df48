// Uploads of a device to hosts outside: the largest few, in bounded space.
import type { Micros } from "../../record/observation.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, mapped, record, text, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { extendStretch, newStretch, startsNewStretch, type Stretch } from "../kernel/stretch.ts";

/** Destinations kept per device. A new one replaces the destination that received least. */
export const MAX_UPLOADS = 12;
/** Newest evidence kept per destination. */
const MAX_UPLOAD_REFS = 4;
/** Characters kept of the name of a server or file. */
const MAX_NAME = 80;
/** Characters of an address. */
const MAX_IP = 45;

/** Writing web requests (PUT, POST, PATCH) to a bare address or a WebDAV server. */
interface WebWrites {
  count: number;
  /** Total of the requests whose size the sensor reports. */
  bytes: number;
  put: boolean;
  dav: boolean;
  /** Name of the last file written; empty if none was reported. */
  file: string;
}

/** Upload to one host in one stretch of activity; a day of silence starts another. */
export interface Upload extends Stretch {
  ip: string;
  /** 0 if there is none. */
  port: number;
  /** Server name; empty if unknown. */
  name: string;
  connections: number;
  /** Bytes sent by connections that mostly sent. */
  pushed: number;
  /** Bytes of exporters, which report each direction separately; they are only comparable in sum. */
  sent: number;
  received: number;
  web: WebWrites;
  /** All of `pushed` went over protocols that the sensor does not know, without a server name. */
  raw: boolean;
  /** Bytes at the last evaluation, 0 before the first; and whether a web upload was ever evaluated. */
  evaluatedBytes: number;
  evaluatedWeb: boolean;
  /** Score of the last result; 0 if none. */
  reportedScore: number;
  refs: EvidenceRef[];
}

/** Stored form of an upload: web writes inline, booleans as bits. */
interface StoredUpload
  extends Omit<Upload, "web" | "raw" | "evaluatedWeb">, Pick<WebWrites, "count" | "file"> {
  webBytes: number;
  flags: number;
}

const FLAGS = { put: 1, dav: 2, evaluatedWeb: 4, raw: 8 } as const;

const UPLOAD = mapped<Upload, StoredUpload>(
  record<StoredUpload>({
    ip: text(MAX_IP),
    port: varint,
    name: text(MAX_NAME),
    firstSeen: float,
    lastSeen: float,
    stale: varint,
    connections: varint,
    pushed: varint,
    sent: varint,
    received: varint,
    evaluatedBytes: varint,
    reportedScore: float,
    count: varint,
    webBytes: varint,
    flags: varint,
    file: text(MAX_NAME),
    refs: refs(MAX_UPLOAD_REFS),
  }),
  ({ web, raw, evaluatedWeb, ...upload }) => ({
    ...upload,
    count: web.count,
    webBytes: web.bytes,
    flags: (web.put ? FLAGS.put : 0) + (web.dav ? FLAGS.dav : 0) + (evaluatedWeb ? FLAGS.evaluatedWeb : 0) +
      (raw ? FLAGS.raw : 0),
    file: web.file,
  }),
  ({ count, webBytes, flags, file, ...upload }) => ({
    ...upload,
    web: { count, bytes: webBytes, put: (flags & FLAGS.put) > 0, dav: (flags & FLAGS.dav) > 0, file },
    raw: (flags & FLAGS.raw) > 0,
    evaluatedWeb: (flags & FLAGS.evaluatedWeb) > 0,
  }),
);

export interface UploadsState {
  uploads: Upload[];
}

/** Keys: a device. At most about 3.8 kB for names in ASCII, typically less than 300 bytes. */
export const UPLOADS = defineState<UploadsState>({
  id: 31,
  name: "uploads",
  keepDays: 7,
  version: 1,
  empty: () => ({ uploads: [] }),
  fields: record({ uploads: list(UPLOAD, MAX_UPLOADS) }),
});

export function findUpload(state: UploadsState, ip: string): Upload | null {
  return state.uploads.find((upload) => upload.ip === ip) ?? null;
}

/** The upload to a host, created or restarted if needed. The caller adds to it in place. */
export function openUpload(state: UploadsState, ip: string, port: number | null, at: Micros): Upload {
  const { uploads } = state;
  const index = uploads.findIndex((upload) => upload.ip === ip);
  const known = uploads[index];
  if (known !== undefined && !startsNewStretch(known, at)) {
    extendStretch(known, at);
    return known;
  }
  const upload = newUpload(ip, port, at);
  if (known !== undefined) uploads[index] = upload;
  else if (uploads.length < MAX_UPLOADS) uploads.push(upload);
  else uploads[smallest(uploads)] = upload;
  return upload;
}

function newUpload(ip: string, port: number | null, at: Micros): Upload {
  return {
    ip,
    port: port ?? 0,
    name: "",
    ...newStretch(at),
    connections: 0,
    pushed: 0,
    sent: 0,
    received: 0,
    web: { count: 0, bytes: 0, put: false, dav: false, file: "" },
    raw: false,
    evaluatedBytes: 0,
    evaluatedWeb: false,
    reportedScore: 0,
    refs: [],
  };
}

function smallest(uploads: readonly Upload[]): number {
  let found = 0;
  for (let at = 1; at < uploads.length; at++) {
    if (totalBytes(uploads[at]!) < totalBytes(uploads[found]!)) found = at;
  }
  return found;
}

function totalBytes({ pushed, sent, web }: Upload): number {
  return Math.max(pushed + sent, web.bytes);
}

export function addUploadRef(upload: Upload, ref: EvidenceRef): void {
  if (upload.refs.some(({ evidenceId }) => evidenceId === ref.evidenceId)) return;
  addRef(upload.refs, ref, MAX_UPLOAD_REFS);
}

/** Sum, capped at the largest safe integer so that it can be stored. */
export function addCapped(sum: number, bytes: number): number {
  return Math.min(sum + bytes, Number.MAX_SAFE_INTEGER);
}

/** A name from a record, cut to MAX_NAME and well-formed. */
export function shortName(text: string): string {
  return text.slice(0, MAX_NAME).toWellFormed();
}
