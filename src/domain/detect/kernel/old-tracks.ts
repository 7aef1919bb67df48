// What is remembered of a source's attempts that came to nothing: a few tracks, each counting in bounded room.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "./state/bytes.ts";
import { Distinct, hash32 } from "./state/distinct.ts";
import { addRef, readRefs, writeRefs } from "./state/refs.ts";
import type { EvidenceRef } from "./result.ts";

/** Tracks kept of each sort; when all are taken, a newcomer may take the place of the least one. */
const MAX_TRACKS = { port: 4, target: 3, any: 1, source: 6 } as const;
/** Distinct values counted exactly up to this many in an hour and in a day, then estimated within some 15 to 20 %. */
const SKETCH = { hour: 24, day: 48 } as const;
/** Newest attempts of a track whose evidence is named. */
const MAX_TRACK_REFS = 4;
/** A track that nothing new was added to for so long gives way to a newcomer at once. */
const IDLE: Micros = 600_000_000;
/** One newcomer in so many takes the place of the least track, so that a flood cannot keep all of them moving. */
const TAKEOVER = 16;

const HOUR: Micros = 3_600_000_000;
const DAY: Micros = 24 * HOUR;
const VERSION = 1;

export type TrackSort = keyof typeof MAX_TRACKS;

/** Distinct values of one thing: targets of one port, ports of one target, whatever the sort counts. */
export interface Track {
  sort: TrackSort;
  /** Hash of what it is about. */
  key: number;
  /** Start of the day that it counts, its first and its newest attempt. */
  since: Micros;
  first: Micros;
  last: Micros;
  day: Distinct;
  hourSince: Micros;
  hour: Distinct;
  /** Most that were counted in one hour of this day; see `countsOf`. */
  hourPeak: number;
  /** Of the ports met: lowest and highest; 0 where there are none. */
  low: number;
  high: number;
  /** The highest score reported of this day. */
  reported: number;
  refs: EvidenceRef[];
}

export interface ScanState {
  tracks: Track[];
}

/** One attempt as a track takes it. */
export interface Knock {
  /** What the track counts. */
  value: string;
  port: number | null;
  at: Micros;
  ref: EvidenceRef;
}

/** The track after the attempt; null where it told nothing new, or found no place. Then nothing has changed. */
export function addKnock(state: ScanState, sort: TrackSort, about: string, knock: Knock): Track | null {
  const hash = hash32(knock.value);
  const track = trackOf(state, sort, about) ?? place(state, sort, keyOf(sort, about), hash, knock.at);
  return track !== null && take(track, hash, knock) ? track : null;
}

/** What was counted in the day, and in its busiest hour: that cannot be more, whatever the smaller sketch estimates. */
export function countsOf({ day, hourPeak }: Track): { day: number; hour: number } {
  return { day: day.count, hour: Math.min(hourPeak, day.count) };
}

/** The track as it stands; null where there is none. */
export function trackOf(state: ScanState, sort: TrackSort, about: string): Track | null {
  const key = keyOf(sort, about);
  return state.tracks.find((track) => track.key === key && track.sort === sort) ?? null;
}

function keyOf(sort: TrackSort, about: string): number {
  return hash32(`${sort} ${about}`);
}

function place(state: ScanState, sort: TrackSort, key: number, hash: number, at: Micros): Track | null {
  const { tracks } = state;
  let same = 0;
  let least: Track | null = null;
  let idle: Track | null = null;
  for (const track of tracks) {
    if (track.sort !== sort) continue;
    same++;
    const silent = Math.abs(at - track.last);
    if (silent > DAY || (silent > IDLE && track.reported === 0)) idle ??= track;
    if (least === null || track.day.count < least.day.count) least = track;
  }
  const isFull = same >= MAX_TRACKS[sort];
  const out = isFull ? idle ?? (hash % TAKEOVER === 0 ? least : null) : null;
  if (isFull && out === null) return null;
  const fresh = begin(sort, key, at);
  if (out === null) tracks.push(fresh);
  else tracks[tracks.indexOf(out)] = fresh;
  return fresh;
}

function begin(sort: TrackSort, key: number, at: Micros): Track {
  return {
    sort,
    key,
    since: at,
    first: at,
    last: at,
    day: new Distinct(SKETCH.day),
    hourSince: at,
    hour: new Distinct(SKETCH.hour),
    hourPeak: 0,
    low: 0,
    high: 0,
    reported: 0,
    refs: [],
  };
}

/**
 * A day, and within it an hour, begins with the first attempt outside of the one before, in either direction: so a
 * wild clock costs what was counted so far and no more. What is an hour late still counts.
 */
function take(track: Track, hash: number, { port, at, ref }: Knock): boolean {
  const newDay = at >= track.since + DAY || at < track.since - HOUR;
  if (newDay) Object.assign(track, begin(track.sort, track.key, at));
  const newHour = at >= track.hourSince + HOUR || at < track.hourSince - HOUR;
  if (newHour) {
    track.hourSince = at;
    track.hour = new Distinct(SKETCH.hour);
  }
  const newInDay = track.day.addHash(hash);
  const newInHour = track.hour.addHash(hash);
  if (!newInDay && !newInHour) return false;
  track.first = Math.min(track.first, at);
  track.last = Math.max(track.last, at);
  // As long as all of it lies within an hour, the day's larger sketch tells the hour better.
  const within = track.last - track.first <= HOUR;
  track.hourPeak = Math.max(track.hourPeak, within ? track.day.count : track.hour.count);
  if (port !== null) {
    track.low = track.low === 0 ? port : Math.min(track.low, port);
    track.high = Math.max(track.high, port);
  }
  addRef(track.refs, ref, MAX_TRACK_REFS);
  return true;
}

const SORTS: readonly TrackSort[] = ["port", "target", "any", "source"];

/** Typically under 300 bytes; at most about 4 kB, when every track counts in full. */
export function encodeScan({ tracks }: ScanState): Uint8Array {
  const out = new ByteWriter(64 + 400 * tracks.length);
  out.varint(VERSION);
  out.varint(tracks.length);
  for (const track of tracks) {
    out.varint(SORTS.indexOf(track.sort));
    out.varint(track.key);
    for (const time of [track.since, track.first, track.last, track.hourSince]) out.float(time);
    track.day.write(out);
    track.hour.write(out);
    for (const value of [track.hourPeak, track.low, track.high, Math.round(track.reported * 10)]) {
      out.varint(value);
    }
    writeRefs(out, track.refs);
  }
  return out.bytes();
}

/** Throws a RangeError for bytes of another version. */
export function decodeScan(bytes: Uint8Array): ScanState {
  const from = new ByteReader(bytes);
  const version = from.varint();
  if (version !== VERSION) throw new RangeError(`scan state: expected version ${VERSION}, got ${version}`);
  const tracks: Track[] = [];
  for (let left = from.varint(); left > 0; left--) {
    const sort = SORTS[from.varint()];
    if (sort === undefined) throw new RangeError("scan state: expected a sort of track");
    const key = from.varint();
    const [since, first, last, hourSince] = [from.float(), from.float(), from.float(), from.float()];
    const day = Distinct.read(from, SKETCH.day);
    const hour = Distinct.read(from, SKETCH.hour);
    const [hourPeak, low, high, tenths] = [from.varint(), from.varint(), from.varint(), from.varint()];
    const refs = readRefs(from);
    tracks.push({
      sort,
      key,
      since,
      first,
      last,
      day,
      hourSince,
      hour,
      hourPeak,
      low,
      high,
      reported: tenths / 10,
      refs,
    });
  }
  from.end();
  return { tracks };
}

export function weighScan({ tracks }: ScanState): number {
  return tracks.reduce(
    (sum, { day, hour, refs }) => sum + 400 + day.weight + hour.weight + 220 * refs.length,
    64,
  );
}
