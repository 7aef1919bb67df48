// Search parameters of an address. Values that a page does not know are dropped: a mistyped address must not break it.

export type Search = Record<string, unknown>;

/** A non-empty text parameter, otherwise undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((one) => one === value);
}

export function none(): Record<never, never> {
  return {};
}

/** Whether any filter is set. */
export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
