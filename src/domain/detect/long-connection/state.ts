// Long connections of a device to one host outside: when any was open within the last day, in steps of ten
// minutes. About 700 bytes at most, and only for connections of at least some minutes.
import type { Micros } from "../../record/observation.ts";
import { RefList, refList } from "../kernel/state/ref-list.ts";
import { defineState, type Field, float, list, record, tenths, varint } from "../kernel/state/schema.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { STALE_LIMIT } from "../kernel/state/sample.ts";

/** Connections recognised by their start, so that later records of the same one are not counted again. */
const MAX_RECENT = 8;
const MAX_REFS = 12;
/** A connection that starts this soon after another one ended replaces it. */
const REOPENED_GAP: Micros = 60 * 1_000_000;
/** Ten minutes; STEPS of them are a day. */
export const STEP: Micros = 600 * 1_000_000;
const STEPS = 144;

/** Eight steps per varint, the first one in the lowest bit. */
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
  /** Step number (since the Unix epoch) of the first step in `open`. */
  base: number;
  /** 1 for each step of the day in which a connection was open. */
  open: Uint8Array;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Duration of the longest connection, which may have started before the day. */
  longest: Micros;
  /** Connections, and those among them that replaced one just ended. */
  connections: number;
  reopened: number;
  recent: { start: Micros; end: Micros }[];
  /** Consecutive connections that lay before the day; see STALE_LIMIT. */
  stale: number;
  refs: RefList;
  /** Open steps at the last evaluation, and its `lastSeen`; the score reported last. */
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
 * Adds a connection as far as it is known; true if the state changed. Records that only extend a known
 * connection change it once every ten minutes.
 */
export function addConnection(state: LongUse, start: Micros, end: Micros, ref: EvidenceRef): boolean {
  const last = Math.floor(end / STEP);
  if (state.connections === 0) restart(state, last, start);
  else if (last < state.base) {
    state.stale++;
    if (state.stale < STALE_LIMIT) return true;
    restart(state, last, start);
  } else if (last >= state.base + 2 * STEPS) restart(state, last, start);

  const known = state.recent.find((one) => one.start === start);
  const first = Math.max(Math.floor(start / STEP), last - STEPS + 1);
  if (known !== undefined && !addsSteps(state, first, last)) return false;
  advanceTo(state, last);
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

function restart(state: LongUse, last: number, start: Micros): void {
  Object.assign(state, emptyUse(), { base: last - STEPS + 1, firstSeen: start, lastSeen: start });
}

/** Moves the day so that it ends with this step, if it is later. */
function advanceTo(state: LongUse, last: number): void {
  const shift = last - (state.base + STEPS - 1);
  if (shift <= 0) return;
  state.open.copyWithin(0, Math.min(shift, STEPS));
  state.open.fill(0, Math.max(0, STEPS - shift));
  state.base += shift;
}
