import type { ReactNode } from "react";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Card, PageHeader } from "./page.tsx";
import { ErrorState, SkeletonRows, StaleNotice } from "./states.tsx";
import { LoadMore, TableBox } from "./table.tsx";

type PagesOf<T> = InfiniteData<{ data: T[] }>;

/** All rows that are loaded so far. */
export function loadedRows<T>(data: PagesOf<T> | undefined): T[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

/** Whether any filter is set. */
export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

interface ListPageProps<T> {
  /** The listed objects in the plural: `Flows`. */
  title: string;
  note: string;
  /** Controls of the whole page, such as the time range. */
  tools?: ReactNode;
  filters: ReactNode;
  query: UseInfiniteQueryResult<PagesOf<T>>;
  /** The header cells. */
  head: ReactNode;
  /** The loaded rows, in display order. */
  rows: T[];
  row: (item: T) => ReactNode;
  /** Shown in place of rows if there are none. */
  empty: ReactNode;
}

/** A list page: filters, rows as far as they are loaded, or the reason why there are none. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, note, tools, filters, query } = props;
  const { data, error, isFetchNextPageError, refetch } = query;
  return (
    <div className="page">
      <PageHeader title={title} note={note}>{tools}</PageHeader>
      {filters}
      {data && !isFetchNextPageError && <StaleNotice error={error} retry={() => void refetch()} />}
      <Card title={`List of ${title.toLowerCase()}`} className="card-plain" flush>
        <Rows {...props} />
      </Card>
    </div>
  );
}

function Rows<T>({ title, query, head, rows, row, empty }: ListPageProps<T>) {
  const { data, error, isPending, isFetchNextPageError, refetch } = query;
  if (isPending) return <SkeletonRows rows={8} />;
  if (!data) {
    return <ErrorState what={`The ${title.toLowerCase()}`} error={error} retry={() => void refetch()} />;
  }
  if (rows.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <TableBox label={title} head={head}>{rows.map(row)}</TableBox>
      <LoadMore
        count={rows.length}
        hasMore={query.hasNextPage}
        loading={query.isFetchingNextPage}
        error={isFetchNextPageError ? error : null}
        more={() => void query.fetchNextPage()}
        restart={() => void refetch()}
      />
    </>
  );
}
