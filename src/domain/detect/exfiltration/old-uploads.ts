// What a device has sent to hosts outside in bulk: the largest few, bounded whatever it sends to whom.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { addRef, readRefs, writeRefs } from "../kernel/state/refs.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { beginsAnew, begunAt, goOn, type Stretch } from "../kernel/stretch.ts";

/** Destinations remembered of a device; the one that got least makes room. */
export const MAX_UPLOADS = 12;
/** Evidence kept of each: the newest. */
const MAX_UPLOAD_REFS = 4;
/** Characters kept of a server's or a file's name. */
const MAX_NAME = 80;

const VERSION = 1;

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
  judged: number;
  judgedWeb: boolean;
  /** Score of the last result; 0 before. */
  score: number;
  refs: EvidenceRef[];
}

export interface UploadsState {
  uploads: Upload[];
}

/** Key: the device. At most about 3.8 kB, mostly under 300 bytes. */
export const UPLOADS: StateType<UploadsState> = {
  id: 31,
  name: "uploads",
  keepDays: 7,
  empty: () => ({ uploads: [] }),
  encode({ uploads }) {
    const out = new ByteWriter(16 + 200 * uploads.length);
    out.varint(VERSION);
    out.varint(uploads.length);
    for (const upload of uploads) write(out, upload);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`uploads: expected version ${VERSION}, got ${version}`);
    const uploads: Upload[] = [];
    for (let left = from.varint(); left > 0; left--) uploads.push(read(from));
    from.end();
    return { uploads };
  },
  size: ({ uploads }) => 64 + 700 * uploads.length,
};

function write(out: ByteWriter, upload: Upload): void {
  const { web } = upload;
  out.text(upload.ip);
  out.varint(upload.port);
  out.text(upload.name);
  out.float(upload.firstSeen);
  out.float(upload.lastSeen);
  out.varint(upload.stale);
  out.varint(upload.connections);
  for (const bytes of [upload.pushed, upload.sent, upload.received, upload.judged]) out.varint(bytes);
  out.float(upload.score);
  out.varint(web.count);
  out.varint(web.bytes);
  out.varint(Number(web.put) + 2 * Number(web.dav) + 4 * Number(upload.judgedWeb));
  out.text(web.file);
  writeRefs(out, upload.refs);
}

function read(from: ByteReader): Upload {
  const ip = from.text();
  const port = from.varint();
  const name = from.text();
  const firstSeen = from.float();
  const lastSeen = from.float();
  const stale = from.varint();
  const connections = from.varint();
  const pushed = from.varint();
  const sent = from.varint();
  const received = from.varint();
  const judged = from.varint();
  const score = from.float();
  const count = from.varint();
  const bytes = from.varint();
  const flags = from.varint();
  const file = from.text();
  const refs = readRefs(from);
  const web = { count, bytes, put: (flags & 1) > 0, dav: (flags & 2) > 0, file };
  const judgedWeb = (flags & 4) > 0;
  return {
    ip,
    port,
    name,
    firstSeen,
    lastSeen,
    stale,
    connections,
    pushed,
    sent,
    received,
    web,
    judged,
    judgedWeb,
    score,
    refs,
  };
}

export function uploadTo(state: UploadsState, ip: string): Upload | null {
  return state.uploads.find((upload) => upload.ip === ip) ?? null;
}

/** The entry of a host, made or begun anew where that is due. What it gets is added by the caller, in place. */
export function touchUpload(state: UploadsState, ip: string, port: number | null, at: Micros): Upload {
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
    judged: 0,
    judgedWeb: false,
    score: 0,
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
export function plus(sum: number, bytes: number): number {
  return Math.min(sum + bytes, Number.MAX_SAFE_INTEGER);
}

/** A text from a record, as it is remembered. */
export function shortName(text: string): string {
  return text.slice(0, MAX_NAME).toWellFormed();
}
