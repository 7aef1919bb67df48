// What a device has sent to hosts outside in bulk: the largest few, bounded whatever it sends to whom.
import type { Micros } from "../../record/observation.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { defineState, float, list, mapped, record, text, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { beginsAnew, begunAt, goOn, type Stretch } from "../kernel/stretch.ts";

/** Destinations remembered of a device; the one that got least makes room. */
export const MAX_UPLOADS = 12;
/** Evidence kept of each: the newest. */
const MAX_UPLOAD_REFS = 4;
/** Characters kept of a server's or a file's name. */
const MAX_NAME = 80;
/** Characters of an address. */
const MAX_IP = 45;

/** What web requests that write (PUT, POST, …) to a bare address or a WebDAV server have shown. */
interface WebWrites {
  count: number;
  /** Of those whose size the sensor tells. */
  bytes: number;
  put: boolean;
  dav: boolean;
  /** Name of the last file that was written; '' where none was told. */
  file: string;
}

/** What went to one host in one stretch; a day of silence begins another. */
export interface Upload extends Stretch {
  ip: string;
  /** 0 where there is none. */
  port: number;
  /** '' where none is known. */
  name: string;
  connections: number;
  /** Sent by connections that mostly sent. */
  pushed: number;
  /** As exporters tell it, each direction for itself: which is more is known only of both together. */
  sent: number;
  received: number;
  web: WebWrites;
  /** Bytes at the last judgement, and whether it was one of a web upload; 0 before. */
  evaluatedBytes: number;
  evaluatedWeb: boolean;
  /** Score of the last result; 0 before. */
  reportedScore: number;
  refs: EvidenceRef[];
}

/** An upload as it is stored: the web writes in line, the booleans as bits of one number. */
interface StoredUpload extends Omit<Upload, "web" | "judgedWeb">, Pick<WebWrites, "count" | "file"> {
  webBytes: number;
  flags: number;
}

const FLAGS = { put: 1, dav: 2, judgedWeb: 4 } as const;

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
  ({ web, evaluatedWeb, ...upload }) => ({
    ...upload,
    count: web.count,
    webBytes: web.bytes,
    flags: (web.put ? FLAGS.put : 0) + (web.dav ? FLAGS.dav : 0) + (evaluatedWeb ? FLAGS.judgedWeb : 0),
    file: web.file,
  }),
  ({ count, webBytes, flags, file, ...upload }) => ({
    ...upload,
    web: { count, bytes: webBytes, put: (flags & FLAGS.put) > 0, dav: (flags & FLAGS.dav) > 0, file },
    evaluatedWeb: (flags & FLAGS.judgedWeb) > 0,
  }),
);

export interface UploadsState {
  uploads: Upload[];
}

/** Key: the device. At most about 3.8 kB, mostly under 300 bytes. */
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

/** The entry of a host, made or begun anew where that is due. What it gets is added by the caller, in place. */
export function openUpload(state: UploadsState, ip: string, port: number | null, at: Micros): Upload {
  const { uploads } = state;
  const index = uploads.findIndex((upload) => upload.ip === ip);
  const known = uploads[index];
  if (known !== undefined && !beginsAnew(known, at)) {
    goOn(known, at);
    return known;
  }
  const fresh = begin(ip, port, at);
  if (known !== undefined) uploads[index] = fresh;
  else if (uploads.length < MAX_UPLOADS) uploads.push(fresh);
  else uploads[least(uploads)] = fresh;
  return fresh;
}

function begin(ip: string, port: number | null, at: Micros): Upload {
  return {
    ip,
    port: port ?? 0,
    name: "",
    ...begunAt(at),
    connections: 0,
    pushed: 0,
    sent: 0,
    received: 0,
    web: { count: 0, bytes: 0, put: false, dav: false, file: "" },
    evaluatedBytes: 0,
    evaluatedWeb: false,
    reportedScore: 0,
    refs: [],
  };
}

function least(uploads: readonly Upload[]): number {
  let found = 0;
  for (let at = 1; at < uploads.length; at++) if (gross(uploads[at]!) < gross(uploads[found]!)) found = at;
  return found;
}

function gross({ pushed, sent, web }: Upload): number {
  return Math.max(pushed + sent, web.bytes);
}

export function addUploadRef(upload: Upload, ref: EvidenceRef): void {
  if (upload.refs.some(({ evidenceId }) => evidenceId === ref.evidenceId)) return;
  addRef(upload.refs, ref, MAX_UPLOAD_REFS);
}

/** Bounded, so that sums stay numbers that can be stored. */
export function addCapped(sum: number, bytes: number): number {
  return Math.min(sum + bytes, Number.MAX_SAFE_INTEGER);
}

/** A text from a record, as it is remembered. */
export function shortName(text: string): string {
  return text.slice(0, MAX_NAME).toWellFormed();
}
