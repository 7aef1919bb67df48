import { useMemo } from "react";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";

/** How far a list is loaded, for `DataGrid`. */
export interface ListState {
  /** The first page is not there yet. */
  pending: boolean;
  /** Why the list, or its next page, could not be read. */
  error: unknown;
  hasMore: boolean;
  loading: boolean;
  loadMore: () => void;
  /** Reads the list again. */
  retry: () => void;
}

type Pages<T> = InfiniteData<{ data: T[] }>;

/** The rows of a paged query and its state, as properties of a `DataGrid`. */
export function useList<T>(query: UseInfiniteQueryResult<Pages<T>>): { rows: T[]; list: ListState } {
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return {
    rows,
    list: {
      pending: query.isPending,
      error: query.error,
      hasMore: query.hasNextPage,
      loading: query.isFetchingNextPage,
      loadMore: () => void query.fetchNextPage(),
      retry: () => void query.refetch(),
    },
  };
}
