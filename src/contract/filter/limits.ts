/** Limits of a filter; documented in the API, tested with random trees. */
export const FILTER_LIMITS = {
  /** Levels of nesting. */
  depth: 10,
  /** Comparisons in one filter. */
  terms: 64,
  /** Values in one list. */
  listLength: 100,
  /** Characters of one value. */
  valueLength: 512,
  /** Characters of the text form. */
  textLength: 4096,
} as const;
