import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { ItemOf, ListId, QueryOf } from "../../contract/request/client.ts";
import type { Mark } from "./feed.ts";
import { type Call, type Page, pageOf, pageOfAny } from "./api.ts";
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
export function pageWithRows<Id extends ListId>(
  id: Id,
  request: Call<Id>,
  cursor: string | null = null,
): Promise<Page<ItemOf<Id>>> {
  return withRows((next) => pageOf(id, request, next), cursor);
}

async function withRows<T>(read: (cursor: string | null) => Promise<Page<T>>, cursor: string | null) {
  let page = await read(cursor);
  for (let more = 0; more < EMPTY_PAGES && page.data.length === 0 && page.next_cursor !== null; more++) {
    page = await read(page.next_cursor);
  }
  return page;
}

/** A time in the filter takes the place of the page's range. */
async function listWindow({ filter }: { filter?: unknown }, range: Range): Promise<Window> {
  const now = Date.now();
  if (!filter) return windowOf(range, now);
  // The search language is large, and the first page does without it.
  const { windowOfFilter } = await import("./filter-text.ts");
  const own = windowOfFilter(String(filter), { now, zone: currentZone() });
  return own ?? windowOf(range, now);
}

/** The parameters of a filter in the text form. */
export function filterParams<T extends { filter?: string }>(params: T): T & { zone?: string } {
  return params.filter === undefined ? params : { ...params, zone: currentZone() };
}

/** A list as far as it is loaded, read page by page. */
export function list<Id extends ListId>(
  tenant: string,
  id: Id,
  query: QueryOf<Id>,
  range: Range | null,
  marks: readonly Mark[] = [],
) {
  return infiniteQueryOptions({
    queryKey: [tenant, id, query, range && rangeKey(range)],
    initialPageParam: null as Next | null,
    queryFn: async ({ pageParam, signal }): Promise<WindowedPage<ItemOf<Id>>> => {
      const window = pageParam ? pageParam.window : range && await listWindow(query, range);
      const asked = { query: { ...query, limit: PAGE, ...window }, signal };
      const read = (cursor: string | null) => pageOfAny(id, asked, cursor);
      const page = await withRows(read, pageParam?.cursor ?? null) as Page<ItemOf<Id>>;
      return { ...page, window };
    },
    getNextPageParam: ({ next_cursor, window }): Next | null =>
      next_cursor === null ? null : { cursor: next_cursor, window },
    placeholderData: keepPreviousData,
    meta: { marks },
    // Polling many pages would cost more than it shows.
    refetchInterval: (query) => marks.length > 0 || (query.state.data?.pages.length ?? 0) > 1 ? false : LIVE,
  });
}
