// Hosts that receive large numbers of packets or connection attempts, in bounded space.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { addRef, refs } from "../kernel/state/refs.ts";
import { type Slot, slotPlan, touchSlot } from "../kernel/state/slots.ts";
import { defineState, float, list, record, tenths, text, varint } from "../kernel/state/schema.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";

/** Targets kept per state. A new one replaces the target that received least. */
export const MAX_TARGETS = 4;
/**
 * States that all internal targets share, so that a scan of the network cannot add rows: it only replaces
 * targets that received less.
 */
export const INSIDE_STATES = 128;
/**
 * Windows are aligned to the clock, so that what they count does not depend on which sensor's records come
 * first. Six of them are an hour; more are kept, because records may be late.
 */
const PLAN = slotPlan(6, 6);
export const WINDOW: Micros = PLAN.length;
const MAX_WINDOWS = PLAN.kept;
/** Newest records of a target that are kept as evidence. */
const MAX_TARGET_REFS = 4;
/** Distinct sources, source ports and ports of a target: exact below this number, else within about 20 %. */
const SKETCH = 24;
/** Longest address and protocol name (`ipv6-icmp`), in characters. */
const MAX_TEXT = { ip: 45, proto: 9 } as const;

/** What a target received within ten minutes: connection attempts for TCP, else packets. */
export interface Window extends Slot {
  first: Micros;
  last: Micros;
  sent: number;
  /** Packets that came back; for TCP the connections that carried data, projected from a sample. */
  answered: number;
  bytes: number;
}

export interface Target {
  ip: string;
  proto: string;
  /** Start of the activity: the last silence of 24 hours ended then. */
  since: Micros;
  /** At least one; the one touched last is at the end. */
  windows: Window[];
  sources: Distinct;
  /** Pairs of source address and source port. */
  tuples: Distinct;
  ports: Distinct;
  /** What was sent within the busiest hour when it last was a flood. */
  evaluated: number;
  /** Highest score reported; 0 if none. */
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface FloodState {
  targets: Target[];
}

/** Keys: a device, for targets outside; `inside <number>`, for targets inside. At most about 6 kB. */
export const FLOODS = defineState<FloodState>({
  id: 47,
  name: "floods",
  keepDays: 3,
  version: 2,
  empty: () => ({ targets: [] }),
  fields: record({
    targets: list(
      record<Target>({
        ip: text(MAX_TEXT.ip),
        proto: text(MAX_TEXT.proto),
        since: float,
        windows: list(
          record<Window>({
            slot: float,
            first: float,
            last: float,
            sent: varint,
            answered: varint,
            bytes: varint,
          }),
          MAX_WINDOWS,
        ),
        sources: distinct(SKETCH),
        tuples: distinct(SKETCH),
        ports: distinct(SKETCH),
        evaluated: varint,
        reportedScore: tenths,
        refs: refs(MAX_TARGET_REFS),
      }),
      MAX_TARGETS,
    ),
  }),
});

/** The target itself, not a copy; null if unknown. */
export function findTarget({ targets }: FloodState, ip: string, proto: string): Target | null {
  return targets.find((one) => one.ip === ip && one.proto === proto) ?? null;
}

/** What one record adds. */
interface Sent {
  ip: string;
  proto: string;
  /** The source as the sketches count it. */
  source: string;
  sourcePort: number | null;
  port: number | null;
  at: Micros;
  end: Micros;
  sent: number;
  answered: number;
  bytes: number;
}

/**
 * Adds what was sent, in place, and returns the target with the window that changed. A record more than
 * three hours from the target's newest window, in either direction, restarts the target: a wrong clock costs only
 * what was counted so far.
 */
export function addSent(
  state: FloodState,
  { ip, proto, source, sourcePort, port, at, end, sent, answered, bytes }: Sent,
  ref: EvidenceRef,
): { target: Target; window: Window } {
  let target = findTarget(state, ip, proto);
  if (target === null) {
    const { targets } = state;
    if (targets.length >= MAX_TARGETS) targets.splice(leastActive(targets, at), 1);
    target = newTarget(ip, proto, at);
    targets.push(target);
  }
  const window = windowOf(target, at);
  window.first = Math.min(window.first, at);
  window.last = Math.max(window.last, end);
  window.sent = Math.min(window.sent + sent, Number.MAX_SAFE_INTEGER);
  window.answered = Math.min(window.answered + answered, Number.MAX_SAFE_INTEGER);
  window.bytes = Math.min(window.bytes + bytes, Number.MAX_SAFE_INTEGER);
  target.sources.add(source);
  target.tuples.add(`${source} ${sourcePort ?? 0}`);
  if (port !== null) target.ports.add(String(port));
  addRef(target.refs, ref, MAX_TARGET_REFS);
  return { target, window };
}

/** Adds what came back to the window of this time; false if nothing was sent then. */
export function addAnswered(target: Target, at: Micros, count: number): boolean {
  const slot = Math.floor(at / WINDOW);
  const window = target.windows.find((one) => one.slot === slot);
  if (window === undefined) return false;
  window.answered = Math.min(window.answered + count, Number.MAX_SAFE_INTEGER);
  return true;
}

/**
 * The windows of the hour with the slot in which most was sent; null if that is less than `least`, which costs
 * one pass over the windows in the common case.
 */
export function busiestHour({ windows }: Target, slot: number, least: number): Window[] | null {
  let all = 0;
  for (const { sent } of windows) all += sent;
  if (all < least) return null;
  let [busiest, most] = [slot, -1];
  for (let from = slot - PLAN.window + 1; from <= slot; from++) {
    let sum = 0;
    for (const window of windows) if (isInHour(window, from)) sum += window.sent;
    if (sum > most) [busiest, most] = [from, sum];
  }
  return most < least ? null : windows.filter((window) => isInHour(window, busiest));
}

/** Whether a window lies in the hour that begins with slot `from`. */
function isInHour({ slot }: Slot, from: number): boolean {
  return slot >= from && slot < from + PLAN.window;
}

/** Sums of windows. */
export function sumOf(windows: readonly Window[]): Omit<Window, "slot"> {
  const sum = { first: Infinity, last: -Infinity, sent: 0, answered: 0, bytes: 0 };
  for (const { first, last, sent, answered, bytes } of windows) {
    sum.first = Math.min(sum.first, first);
    sum.last = Math.max(sum.last, last);
    sum.sent = Math.min(sum.sent + sent, Number.MAX_SAFE_INTEGER);
    sum.answered = Math.min(sum.answered + answered, Number.MAX_SAFE_INTEGER);
    sum.bytes = Math.min(sum.bytes + bytes, Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

function windowOf(target: Target, at: Micros): Window {
  const slot = Math.floor(at / WINDOW);
  const current = target.windows.at(-1)!;
  if (current.slot === slot) return current;
  const silence = Math.abs(slot - newestSlot(target));
  if (silence >= MAX_WINDOWS) {
    const { since, reportedScore } = target;
    Object.assign(target, newTarget(target.ip, target.proto, at));
    if (silence * WINDOW <= STRETCH_GAP) Object.assign(target, { since: Math.min(since, at), reportedScore });
  }
  // Streams open new ports for days: what was seen before a silent hour says nothing about this one.
  if (!target.windows.some((one) => Math.abs(one.slot - slot) < PLAN.window)) {
    const { sources, tuples, ports, evaluated } = newTarget(target.ip, target.proto, at);
    Object.assign(target, { sources, tuples, ports, evaluated });
  }
  target.since = Math.min(target.since, at);
  return touchSlot(target.windows, at, PLAN, () => newWindow(at));
}

function newWindow(at: Micros): Window {
  return { slot: Math.floor(at / WINDOW), first: at, last: at, sent: 0, answered: 0, bytes: 0 };
}

function newestSlot({ windows }: Target): number {
  let newest = windows[0]!.slot;
  for (const { slot } of windows) newest = Math.max(newest, slot);
  return newest;
}

function newTarget(ip: string, proto: string, at: Micros): Target {
  return {
    ip,
    proto,
    since: at,
    windows: [newWindow(at)],
    sources: new Distinct(SKETCH),
    tuples: new Distinct(SKETCH),
    ports: new Distinct(SKETCH),
    evaluated: 0,
    reportedScore: 0,
    refs: [],
  };
}

function leastActive(targets: readonly Target[], at: Micros): number {
  const slot = Math.floor(at / WINDOW);
  const activity = (target: Target) =>
    Math.abs(slot - newestSlot(target)) >= MAX_WINDOWS ? 0 : sumOf(target.windows).sent;
  let least = 0;
  for (let index = 1; index < targets.length; index++) {
    if (activity(targets[index]!) < activity(targets[least]!)) least = index;
  }
  return least;
}
