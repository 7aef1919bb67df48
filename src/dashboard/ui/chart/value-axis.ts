// Ticks of the axis of values.

/** Round steps between ticks: 1, 2 or 5 times a power of ten. */
export const TICK_STEPS: number[] = Array.from(
  { length: 18 },
  (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power),
)
  .flat();

const TICK_SPACE = 36;
/** At most this share of the axis lies between ticks: steps differ by a factor of 2.5, so one fits above 0. */
const LARGEST_SHARE = 0.38;

/** The least pixels between ticks of an axis of this height. */
export function tickSpace(height: number): number {
  return Math.min(TICK_SPACE, height * LARGEST_SHARE);
}
