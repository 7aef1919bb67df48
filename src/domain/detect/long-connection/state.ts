// What is remembered of the long connections of a device to one host outside: when any was open within the last day, in
// steps of ten minutes. About 700 bytes at most; only connections of some minutes get here at all.
import type { Micros } from "../../record/observation.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, type Field, float, list, record, tenths, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { STALE_LIMIT } from "../kernel/state/sample.ts";

/** Connections known by their start, so that a later word of the same one is not taken for another. */
const MAX_RECENT = 8;
const MAX_REFS = 12;
/** A connection that begins so soon after one has ended takes its place. */
const REOPENED_GAP: Micros = 60 * 1_000_000;
/** Steps of ten minutes: a day of them. */
export const STEP: Micros = 600 * 1_000_000;
const STEPS = 144;

/** Eight steps in a varint each, the first one in the lowest bit. */
const OPEN_STEPS: Field<Uint8Array> = {
  write(out, open) {
    for (let at = 0; at < STEPS; at += 8) {
      let byte = 0;
      for (let bit = 0; bit < 8; bit++) byte |= (open[at + bit] ?? 0) << bit;
      out.varint(byte);
    }
  },
  read(from) {
    const open = new Uint8Array(STEPS);
    for (let at = 0; at < STEPS; at += 8) {
      const byte = from.varint();
      for (let bit = 0; bit < 8; bit++) open[at + bit] = (byte >> bit) & 1;
    }
    return open;
  },
  size: () => 300,
  maxBytes: STEPS / 8 * 2,
};

export interface LongUse {
  /** Step number (since the Unix epoch) of the first in `open`. */
  base: number;
  /** Whether a connection was open in each step of the day. */
  open: Uint8Array;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Longest connection; it may have begun before the day. */
  longest: Micros;
  /** Connections, and those of them that took the place of one just ended. */
  connections: number;
  reopened: number;
  recent: { start: Micros; end: Micros }[];
  /** Connections in a row that lay before the day: see STALE_LIMIT. */
  stale: number;
  refs: RefList;
  /** Steps that the last judgement saw and the end they were up to; the score told last. */
  evaluatedSteps: number;
  evaluatedAt: Micros;
  reportedScore: number;
}

/** Keys: `<device> <peer address>`. */
export const LONG_USES = defineState<LongUse>({
  id: 25,
  name: "long connections",
  keepDays: 3,
  version: 1,
  empty: emptyUse,
  fields: record<LongUse>({
    base: float,
    open: OPEN_STEPS,
    firstSeen: float,
    lastSeen: float,
    longest: float,
    evaluatedAt: float,
    connections: varint,
    reopened: varint,
    stale: varint,
    evaluatedSteps: varint,
    reportedScore: tenths,
    recent: list(record<LongUse["recent"][number]>({ start: float, end: float }), MAX_RECENT),
    refs: refList(MAX_REFS),
  }),
});

function emptyUse(): LongUse {
  return {
    base: 0,
    open: new Uint8Array(STEPS),
    firstSeen: 0,
    lastSeen: 0,
    longest: 0,
    connections: 0,
    reopened: 0,
    recent: [],
    stale: 0,
    refs: new RefList(),
    evaluatedSteps: 0,
    evaluatedAt: 0,
    reportedScore: 0,
  };
}

export function openSteps({ open }: LongUse): number {
  let count = 0;
  for (const step of open) count += step;
  return count;
}

/**
 * Takes up a connection as far as it is known; true where the state changed. A record that only makes a known
 * connection longer changes it once in ten minutes.
 */
export function addConnection(state: LongUse, start: Micros, end: Micros, ref: EvidenceRef): boolean {
  const last = Math.floor(end / STEP);
  if (state.connections === 0) begin(state, last, start);
  else if (last < state.base) {
    state.stale++;
    if (state.stale < STALE_LIMIT) return true;
    begin(state, last, start);
  } else if (last >= state.base + 2 * STEPS) begin(state, last, start);

  const known = state.recent.find((one) => one.start === start);
  const first = Math.max(Math.floor(start / STEP), last - STEPS + 1);
  if (known !== undefined && !addsSteps(state, first, last)) return false;
  moveTo(state, last);
  for (let step = Math.max(first, state.base); step <= last; step++) state.open[step - state.base] = 1;
  if (known === undefined) {
    if (state.recent.some((one) => start >= one.end && start - one.end <= REOPENED_GAP)) state.reopened++;
    state.connections++;
    state.recent.push({ start, end });
    if (state.recent.length > MAX_RECENT) state.recent.shift();
  } else {
    known.end = Math.max(known.end, end);
  }
  state.stale = 0;
  state.firstSeen = Math.min(state.firstSeen, start);
  state.lastSeen = Math.max(state.lastSeen, end);
  state.longest = Math.max(state.longest, end - start);
  state.refs.add(ref, MAX_REFS);
  return true;
}

function addsSteps(state: LongUse, first: number, last: number): boolean {
  if (last >= state.base + STEPS) return true;
  for (let step = Math.max(first, state.base); step <= last; step++) {
    if (state.open[step - state.base] === 0) return true;
  }
  return false;
}

function begin(state: LongUse, last: number, start: Micros): void {
  Object.assign(state, emptyUse(), { base: last - STEPS + 1, firstSeen: start, lastSeen: start });
}

/** Lets the day end with this step, if it is later than its end. */
function moveTo(state: LongUse, last: number): void {
  const shift = last - (state.base + STEPS - 1);
  if (shift <= 0) return;
  state.open.copyWithin(0, Math.min(shift, STEPS));
  state.open.fill(0, Math.max(0, STEPS - shift));
  state.base += shift;
}
