// How large the tests are whose numbers can grow: kills, outages, events, generated cases. The list is in long-forms.ts.

export const SCALE_VARIABLE = "NDR_TEST_SCALE";
/** What `make soak` multiplies the numbers with unless the variable says otherwise. */
export const SOAK_SCALE = 10;

const SCALE = Number(Deno.env.get(SCALE_VARIABLE) ?? 1);
if (!(SCALE > 0)) throw new Error(`${SCALE_VARIABLE} must be a number above zero`);

/** Whether this is a longer run than that of `make test`, which prints what it counted. */
export const IS_SOAK = SCALE > 1;

/** The number of `make test`, multiplied by the scale of this run and rounded; at least 1. */
export function scaled(number: number): number {
  return Math.max(1, Math.round(number * SCALE));
}
