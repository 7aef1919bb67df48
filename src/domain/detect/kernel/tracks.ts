// Tracks of a source's failed attempts: each counts the distinct values of one thing, in bounded space.
// Shared by scan, brute-force and mass-mail.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct, hash32 } from "./state/distinct.ts";
import { addRef, refs } from "./state/refs.ts";
import { type Field, float, list, mapped, oneOf, record, sized, tenths, varint } from "./state/schema.ts";
import { type Slot, slotPlan, touchSlot, windowsOf } from "./state/slots.ts";
import { LATENESS } from "./lateness.ts";
import type { EvidenceRef } from "./result.ts";

/** Tracks kept per kind. When all are taken, a new one may replace an idle or the smallest one. */
const MAX_TRACKS = { port: 4, target: 3, any: 1, source: 6 } as const;
/** Distinct values counted exactly up to this many per slot and per day, then estimated within 15 to 20 %. */
const SKETCH = { slot: 24, day: 48 } as const;
/** Windows of 40 to 60 minutes. */
const PLAN = slotPlan(3, 3);
/** Newest attempts of a track that are kept as evidence. */
const MAX_TRACK_REFS = 4;
/** A track without a new value for this long is replaced first. */
const IDLE: Micros = 600_000_000;
/**
 * One in this many new tracks replaces the smallest one, so that a flood cannot keep all of them busy for
 * ever.
 */
const TAKEOVER = 16;

/**
 * A state holds either the tracks of a device (port, target, any) or those of outside sources. It takes about
 * 12 kB when all of them are full, and typically less than 300 bytes.
 */
export const MAX_STATE_TRACKS = MAX_TRACKS.port + MAX_TRACKS.target + MAX_TRACKS.any;

const HOUR: Micros = 3_600_000_000;
const DAY: Micros = 24 * HOUR;

/** Stored by position: append only. */
const KINDS = ["port", "target", "any", "source"] as const;

export type TrackKind = typeof KINDS[number];

/**
 * Distinct values of one subject: the targets of a port, the ports of a target, and so on, depending on the
 * kind.
 */
export interface Track {
  kind: TrackKind;
  /** Hash of the kind and the subject. */
  key: number;
  /** Start of the counted day, and its earliest and latest attempt. */
  since: Micros;
  first: Micros;
  last: Micros;
  day: Distinct;
  /** The values of the recent past. */
  slots: TrackSlot[];
  /** Most values counted in one hour of this day; see `countsOf`. */
  hourPeak: number;
  /** Lowest and highest port seen; 0 if there was none. */
  low: number;
  high: number;
  /** Highest score reported for this day. */
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface TrackSlot extends Slot {
  values: Distinct;
}

export interface TrackState {
  tracks: Track[];
}

/** One attempt as a track counts it. */
export interface CountedAttempt {
  /** The value that the track counts. */
  value: string;
  port: number | null;
  at: Micros;
  ref: EvidenceRef;
}

/**
 * The updated track; null if the value is not new or there is no room for another track. Then nothing has
 * changed.
 */
export function addAttempt(
  state: TrackState,
  kind: TrackKind,
  subject: string,
  attempt: CountedAttempt,
): Track | null {
  const hash = hash32(attempt.value);
  const track = findTrack(state, kind, subject) ??
    openTrack(state, kind, keyOf(kind, subject), hash, attempt.at);
  return track !== null && addTo(track, hash, attempt) ? track : null;
}

/**
 * Values of the day and of its busiest hour, which is capped by the day: the hour's smaller sketch may
 * overestimate.
 */
export function countsOf({ day, hourPeak }: Track): { day: number; hour: number } {
  return { day: day.count, hour: Math.min(hourPeak, day.count) };
}

/** The track itself, not a copy; null if there is none. */
export function findTrack(state: TrackState, kind: TrackKind, subject: string): Track | null {
  const key = keyOf(kind, subject);
  return state.tracks.find((track) => track.key === key && track.kind === kind) ?? null;
}

function keyOf(kind: TrackKind, subject: string): number {
  return hash32(`${kind} ${subject}`);
}

function openTrack(
  state: TrackState,
  kind: TrackKind,
  key: number,
  hash: number,
  at: Micros,
): Track | null {
  const { tracks } = state;
  let same = 0;
  let smallest: Track | null = null;
  let idle: Track | null = null;
  for (const track of tracks) {
    if (track.kind !== kind) continue;
    same++;
    const silence = Math.abs(at - track.last);
    if (silence > DAY || (silence > IDLE && track.reportedScore === 0)) idle ??= track;
    if (smallest === null || track.day.count < smallest.day.count) smallest = track;
  }
  const isFull = same >= MAX_TRACKS[kind];
  const replaced = isFull ? idle ?? (hash % TAKEOVER === 0 ? smallest : null) : null;
  if (isFull && replaced === null) return null;
  const track = newTrack(kind, key, at);
  if (replaced === null) tracks.push(track);
  else tracks[tracks.indexOf(replaced)] = track;
  return track;
}

function newTrack(kind: TrackKind, key: number, at: Micros): Track {
  return {
    kind,
    key,
    since: at,
    first: at,
    last: at,
    day: new Distinct(SKETCH.day),
    slots: [],
    hourPeak: 0,
    low: 0,
    high: 0,
    reportedScore: 0,
    refs: [],
  };
}

/**
 * Counts a value; false if it is not new. A day restarts with the first attempt outside of the previous one,
 * in either direction: a wrong clock costs only what was counted so far. Up to LATENESS late still counts.
 */
function addTo(track: Track, hash: number, { port, at, ref }: CountedAttempt): boolean {
  const startsDay = at >= track.since + DAY || at < track.since - LATENESS;
  if (startsDay) Object.assign(track, newTrack(track.kind, track.key, at));
  const slot = touchSlot(track.slots, at, PLAN, (slot) => ({ slot, values: new Distinct(SKETCH.slot) }));
  const isNewInDay = track.day.addHash(hash);
  const isNewInSlot = slot.values.addHash(hash);
  if (!isNewInDay && !isNewInSlot) return false;
  track.first = Math.min(track.first, at);
  track.last = Math.max(track.last, at);
  // While everything lies within one hour, the larger sketch of the day is the better estimate.
  const isOneHour = track.last - track.first <= HOUR;
  track.hourPeak = Math.max(track.hourPeak, isOneHour ? track.day.count : busiestHour(track, slot));
  if (port !== null) {
    track.low = track.low === 0 ? port : Math.min(track.low, port);
    track.high = Math.max(track.high, port);
  }
  addRef(track.refs, ref, MAX_TRACK_REFS);
  return true;
}

/** Values of the busiest hour with the slot. */
function busiestHour({ slots, hourPeak }: Track, slot: TrackSlot): number {
  let most = 0;
  for (const window of windowsOf(slots, slot, PLAN)) {
    if (window.reduce((sum, { values }) => sum + values.count, 0) <= Math.max(most, hourPeak)) continue;
    const values = new Distinct(SKETCH.slot);
    for (const one of window) values.addAll(one.values);
    most = Math.max(most, values.count);
  }
  return most;
}

const BEFORE_SLOTS = {
  kind: oneOf<TrackKind>(KINDS, "track"),
  key: varint,
  since: float,
  first: float,
  last: float,
};
const AFTER_SLOTS = {
  hourPeak: varint,
  low: varint,
  high: varint,
  reportedScore: tenths,
  refs: refs(MAX_TRACK_REFS),
};

const FIELDS = record<Track>({
  ...BEFORE_SLOTS,
  day: distinct(SKETCH.day),
  slots: list(record<TrackSlot>({ slot: float, values: distinct(SKETCH.slot) }), PLAN.kept),
  ...AFTER_SLOTS,
});

/** The sketches are objects with arrays of their own. */
const TRACK = sized(FIELDS, (track) => 250 + FIELDS.size(track));

/** A state of up to `max` tracks. */
export function trackFields(max: number): Field<TrackState> {
  return record<TrackState>({ tracks: list(TRACK, max) });
}

/** A track with an hour that began with the attempt that arrived first. */
interface FirstTrack extends Omit<Track, "slots"> {
  hourSince: Micros;
  hour: Distinct;
}

const FIRST_TRACK = mapped<Track, FirstTrack>(
  record<FirstTrack>({
    ...BEFORE_SLOTS,
    hourSince: float,
    day: distinct(SKETCH.day),
    hour: distinct(SKETCH.slot),
    ...AFTER_SLOTS,
  }),
  () => {
    throw new RangeError("tracks: version 1 is only read");
  },
  ({ hourSince, hour, ...track }) => ({
    ...track,
    slots: hour.count === 0 ? [] : [{ slot: Math.floor(hourSince / PLAN.length), values: hour }],
  }),
);

/** The same as version 1 stored it. Only read. */
export function firstTrackFields(max: number): Field<TrackState> {
  return record<TrackState>({ tracks: list(FIRST_TRACK, max) });
}
