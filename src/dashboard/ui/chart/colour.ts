import type { Severity } from "../../../contract/record/kinds.ts";

/** The colour of a series: a category, or a severity if the series is one. Each is a class in charts.css. */
export type ChartColour = Category | Severity;
type Category = "cat-1" | "cat-2" | "cat-3" | "cat-4" | "cat-5" | "cat-6" | "cat-other";

const CATEGORIES = ["cat-1", "cat-2", "cat-3", "cat-4", "cat-5", "cat-6"] as const;

/** The colour of the category at an index; those beyond the scale share one. */
export function categoryColour(index: number): Category {
  return CATEGORIES[index] ?? "cat-other";
}

export function colourClass(colour: ChartColour): string {
  return `chart-${colour}`;
}
