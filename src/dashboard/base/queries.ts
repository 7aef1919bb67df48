import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Mark } from "./feed.ts";
import { getPage, type Page, type Params } from "./api.ts";
import { type Range, rangeKey, type Window, windowOf } from "./time/range.ts";
import { currentZone } from "./time/zone.ts";

/** Poll interval of visible data, in milliseconds: records become incidents within seconds. */
export const LIVE = 15_000;
const PAGE = 100;
export const LARGEST_PAGE = 500;
/** Bounds the wait for a sparse list; the reader can load more. */
const EMPTY_PAGES = 30;

/** Later pages keep the window of the first one: the cursor belongs to it. */
interface Next {
  cursor: string;
  window: Window | null;
}
type WindowedPage<T> = Page<T> & { window: Window | null };

/**
 * The server ends a page early when it would have to scan too much, even with no rows. Sparse lists are read
 * on, up to a bound, so that "none" is shown only if there is none.
 */
export async function pageWithRows<T>(path: string, asked: Params, signal: AbortSignal): Promise<Page<T>> {
  let page = await getPage<T>(path, asked, signal);
  for (let more = 0; more < EMPTY_PAGES && page.data.length === 0 && page.next_cursor !== null; more++) {
    page = await getPage<T>(path, { ...asked, cursor: page.next_cursor }, signal);
  }
  return page;
}

/** A time in the filter takes the place of the page's range. */
async function listWindow({ filter }: Params, range: Range): Promise<Window> {
  const now = Date.now();
  if (!filter) return windowOf(range, now);
  // The search language is large, and the first page does without it.
  const { windowOfFilter } = await import("./filter-text.ts");
  const own = windowOfFilter(String(filter), { now, zone: currentZone() });
  return own ?? windowOf(range, now);
}

/** The parameters of a filter in the text form. */
export function filterParams({ filter, ...others }: { filter?: string }): Params {
  return filter === undefined ? others : { ...others, filter, zone: currentZone() };
}

/** A list as far as it is loaded, read page by page. */
export function list<T>(
  tenant: string,
  path: string,
  params: Params,
  range: Range | null,
  marks: readonly Mark[] = [],
) {
  return infiniteQueryOptions({
    queryKey: [tenant, path, params, range && rangeKey(range)],
    initialPageParam: null as Next | null,
    queryFn: async ({ pageParam, signal }): Promise<WindowedPage<T>> => {
      const window = pageParam ? pageParam.window : range && await listWindow(params, range);
      const asked = { ...params, limit: PAGE, ...window, cursor: pageParam?.cursor };
      return { ...await pageWithRows<T>(path, asked, signal), window };
    },
    getNextPageParam: ({ next_cursor, window }): Next | null =>
      next_cursor === null ? null : { cursor: next_cursor, window },
    placeholderData: keepPreviousData,
    meta: { marks },
    // Polling many pages would cost more than it shows.
    refetchInterval: (query) => marks.length > 0 || (query.state.data?.pages.length ?? 0) > 1 ? false : LIVE,
  });
}
