import { oneOf, type Search, text } from "../../base/search-params.ts";
import { type FilterSearch, readFilter } from "../../search/filter-search.ts";

const SUPPRESSED_VIEWS = ["only", "shown"] as const;
type SuppressedView = (typeof SUPPRESSED_VIEWS)[number];

export function readTriage(
  search: Search,
): FilterSearch & { view?: string; sort?: string; suppressed?: SuppressedView } {
  return {
    ...readFilter(search),
    view: text(search.view),
    sort: text(search.sort),
    suppressed: oneOf(SUPPRESSED_VIEWS, search.suppressed),
  };
}
