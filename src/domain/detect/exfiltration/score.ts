// Scores of uploads and of hours with unusually much sent.
//
// Score of an upload = what was done (a bulk upload, or a web upload to a bare address) + volume +
// circumstances. A new destination, or one that only this device uses, adds points; one that the site has
// long used, that many devices use or that is probably inside takes points; the device's own habit does
// either, once it is known.
import type { Micros } from "../../record/observation.ts";
import type { SubScore } from "../kernel/result.ts";
import { extra, logShare, share } from "../kernel/score.ts";
import { clamp01 } from "../kernel/stats.ts";
import { duration, moment, percent, plural, size } from "../../../kit/text.ts";
import type { Habit } from "./hours.ts";
import { addCapped, type Upload } from "./uploads.ts";

/**
 * Bytes to one outside host in one stretch that are a bulk upload on any site: more than mail, forms and
 * telemetry. Without other evidence it is reported from twice as much.
 */
const BULK_BYTES = 50_000_000;
/** Bytes written by a web client to a bare address or a WebDAV server; ordinary pages send far less there. */
const WEB_BYTES = 1_000_000;
/** Bytes sent one way over an unknown protocol to a bare address, which programs of a site hardly do. */
const RAW_BYTES = 10_000_000;
/** Bytes at which the volume share is full (log scale from the threshold). */
const FULL_BYTES = 10_000_000_000;
/** A connection, or an exporter's two directions, with this ratio of sent to received bytes mostly sends. */
export const ONE_SIDED = { connection: 3, exporter: 5 } as const;
const BASE_POINTS = { bulk: 17, web: 35, raw: 37 } as const;
const VOLUME_POINTS = { bulk: 28, web: 25, raw: 25 } as const;

/** An hour stands out from this many bytes, multiples of the usual hour, and deviations above it. */
export const HOUR_BYTES = 10_000_000;
const HOUR_TIMES = 5;
const HOUR_DEVIATIONS = { none: 3.5, full: 10 } as const;
const HOUR_POINTS = { base: 10, deviation: 35, volume: 15 } as const;
/** Known hours from which the habit of a device is reliable enough for a result. */
export const KNOWN_HOURS = 40;

/** New: first contact at most this long before the upload, in a network with enough history. */
const NEW_SECONDS = 86_400;
const HISTORY_DAYS = 7;
const NEW_POINTS = 15;
const KNOWN_POINTS = -20;
/** Rare: used by this device only, in a network of at least this many devices. */
const RARE_MIN_DEVICES = 10;
const RARE_POINTS = 5;
/** Common: at least this many users; points are full at the upper share of devices. */
const COMMON_MIN_USERS = 3;
const COMMON_SHARE = { from: 0.1, full: 0.5 } as const;
const COMMON_POINTS = -30;
const ASSUMED_POINTS = -10;
const ARCHIVE_POINTS = 8;
const PUT_POINTS = 8;
/** Deviations from the device's own habit: much more than usual, or as much as usual. */
const HABIT_DEVIATIONS = { none: 3, full: 8, usual: 1.5 } as const;
const HABIT_POINTS = { much: 20, usual: -15 } as const;
/** Archives, dumps, mailboxes and databases. */
const ARCHIVE = /\.(7z|zip|rar|tar|t?gz|bz2|xz|cab|dmp|pst|ost|sql|bak|mdb|vhdx?|kdbx)$/i;

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

export type UploadKind = keyof typeof BASE_POINTS;

/** Circumstances of an upload. */
export interface UploadContext {
  deviceId: string;
  deviceName: string;
  /** The destination is in a private range that is not configured. */
  assumedInside: boolean;
  /** Devices of this tenant that use the destination, including this one; and all devices. */
  users: number;
  deviceCount: number;
  /** First use of the address or the name, whichever is older, by any device. */
  firstUse: Micros | null;
  historySince: Micros;
  /** Comparison of the hour with the device's habit; null while too few hours are known. */
  habit: Habit | null;
  learned: boolean;
}

/** Bytes that count as uploaded. */
function uploadedBytes({ pushed, sent, received }: Upload): number {
  return addCapped(pushed, sent >= ONE_SIDED.exporter * received ? sent : 0);
}

/**
 * Bytes of a web upload, from its requests or, if the sensor reports no sizes, its connections; 0 if there is
 * none.
 */
function webBytes(upload: Upload): number {
  const { web } = upload;
  if (web.count === 0) return 0;
  return web.bytes > 0
    ? Math.max(web.bytes, web.bytes >= WEB_BYTES ? uploadedBytes(upload) : 0)
    : uploadedBytes(upload);
}

/** Kind and bytes of an upload; null if it is too small. */
export function uploadKind(upload: Upload): { kind: UploadKind; bytes: number } | null {
  const web = webBytes(upload);
  if (web >= WEB_BYTES) return { kind: "web", bytes: web };
  const bytes = uploadedBytes(upload);
  if (upload.raw && upload.name === "" && upload.pushed >= RAW_BYTES) {
    return { kind: "raw", bytes: upload.pushed };
  }
  return bytes >= BULK_BYTES ? { kind: "bulk", bytes } : null;
}

export function uploadShares(upload: Upload, kind: UploadKind, bytes: number): SubScore[] {
  const [least, what]: [number, string] = kind === "web"
    ? [WEB_BYTES, "a web client wrote to a bare address or a WebDAV server"]
    : kind === "raw"
    ? [RAW_BYTES, "sent one way over an unknown protocol to a bare address"]
    : [BULK_BYTES, `one host received ${size(BULK_BYTES)} or more`];
  return [
    share(`${kind}_upload`, 1, BASE_POINTS[kind], what),
    share(
      "volume",
      logShare(bytes, least, FULL_BYTES),
      VOLUME_POINTS[kind],
      `${size(bytes)} in ${plural(Math.max(1, upload.connections), "connection")}`,
    ),
  ];
}

/** Modifiers that apply. */
export function uploadModifiers(upload: Upload, kind: UploadKind, context: UploadContext): SubScore[] {
  const all = [
    ...(kind === "web" ? webModifiers(upload) : []),
    novelty(upload, context),
    prevalence(context),
    habitModifier(context),
    context.assumedInside
      ? extra(
        "assumed_inside",
        ASSUMED_POINTS,
        "a private address, assumed to be internal",
      )
      : null,
  ];
  return all.filter((item) => item !== null && item.value !== 0) as SubScore[];
}

function webModifiers({ web }: Upload): (SubScore | null)[] {
  return [
    web.put || web.dav
      ? extra("file_upload", PUT_POINTS, web.dav ? "files written over WebDAV" : "files written with PUT")
      : null,
    isArchive(web.file)
      ? extra("archive", ARCHIVE_POINTS, `"${web.file}" looks like an archive, a dump or a database`)
      : null,
  ];
}

export function isArchive(file: string): boolean {
  return ARCHIVE.test(file);
}

function novelty(upload: Upload, { firstUse, historySince }: UploadContext): SubScore | null {
  if (firstUse === null) return null;
  const known = upload.firstSeen - firstUse;
  if (known > HISTORY_DAYS * DAY) {
    return extra(
      "known_destination",
      KNOWN_POINTS,
      `in use here ${duration(known / SECOND)} before the upload`,
    );
  }
  if (firstUse - historySince < HISTORY_DAYS * DAY || known > NEW_SECONDS * SECOND) return null;
  return extra("new_destination", NEW_POINTS, `no device here used it before ${moment(firstUse)}`);
}

function prevalence({ users, deviceCount }: UploadContext): SubScore | null {
  if (users <= 1) {
    if (deviceCount < RARE_MIN_DEVICES) return null;
    return extra("rare_destination", RARE_POINTS, `no other of ${deviceCount} devices uses it`);
  }
  if (users < COMMON_MIN_USERS) return null;
  const part = users / Math.max(users, deviceCount);
  const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
  return extra(
    "common_destination",
    COMMON_POINTS * common,
    `${users} of ${deviceCount} devices (${percent(part)}) use it`,
  );
}

function habitModifier({ habit, learned }: UploadContext): SubScore | null {
  if (habit === null || !learned || habit.hours < KNOWN_HOURS) return null;
  const detail = `the device usually sends ${size(habit.usual)} per hour outside (${
    plural(habit.hours, "hour")
  } known)`;
  if (habit.deviations < HABIT_DEVIATIONS.usual) return extra("usual_volume", HABIT_POINTS.usual, detail);
  const { none, full } = HABIT_DEVIATIONS;
  const much = clamp01((habit.deviations - none) / (full - none));
  return extra("unusual_volume", HABIT_POINTS.much * much, detail);
}

/** Whether an hour is unusual enough to be reported. */
export function standsOut(bytes: number, habit: Habit): boolean {
  return bytes >= HOUR_BYTES && bytes >= HOUR_TIMES * habit.usual && habit.deviations >= HOUR_DEVIATIONS.none;
}

export function hourShares(bytes: number, habit: Habit): SubScore[] {
  const { none, full } = HOUR_DEVIATIONS;
  return [
    share("unusual_hour", 1, HOUR_POINTS.base, "far more than the device's usual hour"),
    share(
      "deviation",
      (habit.deviations - none) / (full - none),
      HOUR_POINTS.deviation,
      `${habit.deviations.toFixed(1)} deviations above the usual ${size(habit.usual)} of ${
        plural(habit.hours, "hour")
      }`,
    ),
    share(
      "volume",
      logShare(bytes, HOUR_BYTES, FULL_BYTES),
      HOUR_POINTS.volume,
      `${size(bytes)} in the hour`,
    ),
  ];
}
