// Counts of the recent past in slots of source time. A window that begins with the record that arrives first
// depends on the order of arrival; slots are the same for every order.
import type { Micros } from "../../../record/observation.ts";
import { LATENESS } from "../lateness.ts";

export interface Slot {
  /** Number of the slot since the Unix epoch. */
  slot: number;
}

/** How the slots of a window are laid out. */
interface SlotPlan {
  /** Length of a slot. */
  length: Micros;
  /** Slots in a window. */
  window: number;
  /**
   * Slots kept. Those touched longest ago go first, which also removes one of a wrong clock. With this many,
   * no slot goes that a record within LATENESS may still need.
   */
  kept: number;
}

/** Slots of an hour divided by `parts`, and windows of `window` such slots. */
export function slotPlan(parts: number, window: number): SlotPlan {
  const length = 3_600_000_000 / parts;
  return { length, window, kept: 2 * Math.ceil(LATENESS / length) + window };
}

/** The slot of a time, the last touched from now on; `make` opens it if it is not kept. */
export function touchSlot<T extends Slot>(
  slots: T[],
  at: Micros,
  { length, kept }: SlotPlan,
  make: (slot: number) => T,
): T {
  const slot = Math.floor(at / length);
  const last = slots.at(-1);
  if (last?.slot === slot) return last;
  const index = slots.findIndex((one) => one.slot === slot);
  const found = index < 0 ? make(slot) : slots.splice(index, 1)[0]!;
  slots.push(found);
  if (slots.length > kept) slots.shift();
  return found;
}

/** Every window that contains the slot, as the kept slots in it; the windows ascend. */
export function windowsOf<T extends Slot>(slots: readonly T[], { slot }: Slot, { window }: SlotPlan): T[][] {
  const near = slots.filter((one) => Math.abs(one.slot - slot) < window).sort((a, b) => a.slot - b.slot);
  const windows: T[][] = [];
  for (let first = slot - window + 1; first <= slot; first++) {
    // A window without its first slot is part of the next one.
    if (first < slot && !near.some((one) => one.slot === first)) continue;
    windows.push(near.filter((one) => one.slot >= first && one.slot < first + window));
  }
  return windows;
}

/** The index of the item that was used longest ago; one of a wrong clock first. */
export function leastRecent(items: readonly { slots: readonly { last: Micros }[] }[], at: Micros): number {
  let least = 0;
  let longest = -1;
  for (const [index, { slots }] of items.entries()) {
    const silence = Math.min(...slots.map(({ last }) => Math.abs(at - last)));
    if (silence > longest) [least, longest] = [index, silence];
  }
  return least;
}

/** Number of bits that are set in a non-negative integer below 2^31. */
export function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left >>= 1) count += left & 1;
  return count;
}
