// What an upload, or an hour of much sending, is worth.
//
// An upload's score = what was done (a bulk upload, or a web upload to a bare address) + how much + circumstances: a
// destination nobody used before, or that only this device uses, raises it; one that the site has long used, that many use
// or that is probably inside lowers it; and the device's own habit does either, once it is known.
import type { Micros } from "../../record/observation.ts";
import type { Habit } from "./hours.ts";
import { addCapped, type Upload } from "./uploads.ts";
import type { SubScore } from "../kernel/result.ts";
import { clamp01 } from "../kernel/stats.ts";
import { duration, moment, percent, plural, size } from "../kernel/wording.ts";

/**
 * Bytes to one outside host in a stretch that are a bulk upload on any site: more than mail, forms and telemetry. By itself
 * it is reported from twice as much on.
 */
const BULK_BYTES = 50_000_000;
/** Bytes that a client writes to a bare address or a WebDAV server outside; what pages send there is far smaller. */
const WEB_BYTES = 1_000_000;
/** At this much the share of the volume is full; logarithmic from the threshold. */
const FULL_BYTES = 10_000_000_000;
/** A connection, or both directions of an exporter's, that sends this many times what it gets mostly sends. */
export const ONE_SIDED = { connection: 3, exporter: 5 } as const;
const BASE_POINTS = { bulk: 17, web: 35 } as const;
const VOLUME_POINTS = { bulk: 28, web: 25 } as const;

/** An hour is looked at from this many bytes on, if that is so many times the usual, so many deviations above it. */
export const HOUR_BYTES = 10_000_000;
const HOUR_TIMES = 5;
const HOUR_DEVIATIONS = { none: 3.5, full: 10 } as const;
const HOUR_POINTS = { base: 10, deviation: 35, volume: 15 } as const;
/** So many of the device's own hours make its habit something to rest a result on. */
export const KNOWN_HOURS = 40;

/** New: nobody's contact before this time ahead of the upload, in a network watched long enough. */
const NEW_SECONDS = 86_400;
const HISTORY_DAYS = 7;
const NEW_POINTS = 15;
const KNOWN_POINTS = -20;
/** Only this device's, in a network large enough for that to mean something. */
const RARE_MIN_DEVICES = 10;
const RARE_POINTS = 5;
/** From so many users on, and this share of the devices, a destination is everybody's. */
const COMMON_MIN_USERS = 3;
const COMMON_SHARE = { from: 0.1, full: 0.5 } as const;
const COMMON_POINTS = -30;
const ASSUMED_POINTS = -10;
const ARCHIVE_POINTS = 8;
const PUT_POINTS = 8;
/** The device's own habit: much more than usual, or as much as usual. */
const HABIT_DEVIATIONS = { none: 3, full: 8, usual: 1.5 } as const;
const HABIT_POINTS = { much: 20, usual: -15 } as const;
/** Files that collected data is packed into, dumps, mail boxes and databases. */
const ARCHIVE = /\.(7z|zip|rar|tar|t?gz|bz2|xz|cab|dmp|pst|ost|sql|bak|mdb|vhdx?|kdbx)$/i;

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** What the upload itself does not know. */
export interface UploadContext {
  deviceId: string;
  deviceName: string;
  /** The destination is in a private range of its own that nobody configured. */
  assumedInside: boolean;
  /** Devices of this tenant that use the destination, this one included, and all devices. */
  users: number;
  deviceCount: number;
  /** First use of the destination's address, or of its name where that is older, by anyone. */
  firstUse: Micros | null;
  historySince: Micros;
  /** The hour's place in the device's habit; null while too few hours are known. */
  habit: Habit | null;
  learned: boolean;
}

/** Bytes that count as uploaded. */
function uploadedBytes({ pushed, sent, received }: Upload): number {
  return addCapped(pushed, sent >= ONE_SIDED.exporter * received ? sent : 0);
}

/** Bytes of a web upload: as its requests tell, or as its connections where the sensor tells no sizes; 0 where there is none. */
function webBytes(upload: Upload): number {
  const { web } = upload;
  if (web.count === 0) return 0;
  return web.bytes > 0
    ? Math.max(web.bytes, web.bytes >= WEB_BYTES ? uploadedBytes(upload) : 0)
    : uploadedBytes(upload);
}

/** How an upload may be told: as a web upload, as a bulk one, or not at all. */
export function uploadKind(upload: Upload): { kind: "bulk" | "web"; bytes: number } | null {
  const web = webBytes(upload);
  if (web >= WEB_BYTES) return { kind: "web", bytes: web };
  const bytes = uploadedBytes(upload);
  return bytes >= BULK_BYTES ? { kind: "bulk", bytes } : null;
}

export function uploadShares(upload: Upload, kind: "bulk" | "web", bytes: number): SubScore[] {
  const [least, what] = kind === "web"
    ? [WEB_BYTES, "a web client wrote to a bare address or a WebDAV server"]
    : [BULK_BYTES, `one host got ${size(BULK_BYTES)} or more`];
  return [
    { name: `${kind}_upload`, value: 1, weight: BASE_POINTS[kind], detail: what },
    {
      name: "volume",
      value: share(Math.log(bytes / least) / Math.log(FULL_BYTES / least)),
      weight: VOLUME_POINTS[kind],
      detail: `${size(bytes)} in ${plural(Math.max(1, upload.connections), "connection")}`,
    },
  ];
}

/** Only what applies is listed. */
export function uploadModifiers(upload: Upload, kind: "bulk" | "web", context: UploadContext): SubScore[] {
  const all = [
    ...(kind === "web" ? webModifiers(upload) : []),
    novelty(upload, context),
    prevalence(context),
    habitModifier(context),
    context.assumedInside
      ? modifier(
        "assumed_inside",
        ASSUMED_POINTS,
        "a private address, taken to be inside as nobody said otherwise",
      )
      : null,
  ];
  return all.filter((item) => item !== null && item.value !== 0) as SubScore[];
}

function webModifiers({ web }: Upload): (SubScore | null)[] {
  return [
    web.put || web.dav
      ? modifier("file_upload", PUT_POINTS, web.dav ? "as files, over WebDAV" : "as files, with PUT")
      : null,
    isArchive(web.file)
      ? modifier("archive", ARCHIVE_POINTS, `"${web.file}" is an archive, a dump or a database by its name`)
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
    return modifier("known_destination", KNOWN_POINTS, `in use here for ${duration(known / SECOND)} before`);
  }
  if (firstUse - historySince < HISTORY_DAYS * DAY || known > NEW_SECONDS * SECOND) return null;
  return modifier("new_destination", NEW_POINTS, `nobody here used it before ${moment(firstUse)}`);
}

function prevalence({ users, deviceCount }: UploadContext): SubScore | null {
  if (users <= 1) {
    if (deviceCount < RARE_MIN_DEVICES) return null;
    return modifier("rare_destination", RARE_POINTS, `no other of ${deviceCount} devices uses it`);
  }
  if (users < COMMON_MIN_USERS) return null;
  const part = users / Math.max(users, deviceCount);
  const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
  return modifier(
    "common_destination",
    COMMON_POINTS * common,
    `${users} of ${deviceCount} devices (${percent(part)}) use it`,
  );
}

function habitModifier({ habit, learned }: UploadContext): SubScore | null {
  if (habit === null || !learned || habit.hours < KNOWN_HOURS) return null;
  const detail = `the device usually sends ${size(habit.usual)} an hour to the outside (${
    plural(habit.hours, "hour")
  } known)`;
  if (habit.deviations < HABIT_DEVIATIONS.usual) return modifier("usual_volume", HABIT_POINTS.usual, detail);
  const { none, full } = HABIT_DEVIATIONS;
  const much = clamp01((habit.deviations - none) / (full - none));
  return modifier("unusual_volume", HABIT_POINTS.much * much, detail);
}

/** Whether an hour stands out at all. */
export function standsOut(bytes: number, habit: Habit): boolean {
  return bytes >= HOUR_BYTES && bytes >= HOUR_TIMES * habit.usual && habit.deviations >= HOUR_DEVIATIONS.none;
}

export function hourShares(bytes: number, habit: Habit): SubScore[] {
  const { none, full } = HOUR_DEVIATIONS;
  return [
    {
      name: "unusual_hour",
      value: 1,
      weight: HOUR_POINTS.base,
      detail: "far more than the device's usual hour",
    },
    {
      name: "deviation",
      value: share((habit.deviations - none) / (full - none)),
      weight: HOUR_POINTS.deviation,
      detail: `${habit.deviations.toFixed(1)} deviations above the usual ${size(habit.usual)} of ${
        plural(habit.hours, "hour")
      }`,
    },
    {
      name: "volume",
      value: share(Math.log(bytes / HOUR_BYTES) / Math.log(FULL_BYTES / HOUR_BYTES)),
      weight: HOUR_POINTS.volume,
      detail: `${size(bytes)} in the hour`,
    },
  ];
}

function modifier(name: string, value: number, detail: string): SubScore {
  return { name, value: Math.round(value * 10) / 10, weight: 1, detail };
}

function share(value: number): number {
  return Math.round(clamp01(value) * 1000) / 1000;
}
