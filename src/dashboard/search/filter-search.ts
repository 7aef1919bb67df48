import { type Search, text } from "../base/search-params.ts";

export interface FilterSearch {
  /** A filter in the text form. */
  filter?: string;
  /** Values to rank: see `readTop`. */
  top?: string;
}

export function readFilter(search: Search): FilterSearch {
  return { filter: text(search.filter), top: text(search.top) };
}

/** A list with a query bar, views and a server sort. */
export function readList(search: Search): FilterSearch & { view?: string; sort?: string } {
  return { ...readFilter(search), view: text(search.view), sort: text(search.sort) };
}
