import { useNavigate, useSearch } from "@tanstack/react-router";
import type { GridColumn } from "./grid-column.ts";

/**
 * The order of a list in the API's text form, kept in the address. An order that no column has is dropped. `Sort` are the
 * orders that the columns offer.
 */
export function useSort<Sort extends string, T>(
  columns: readonly GridColumn<T>[],
  usual: Sort,
): [sort: Sort, setSort: (sort: string) => void] {
  const { sort }: { sort?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const offered = columns.some((column) => sort !== undefined && column.sort?.includes(sort));
  return [offered ? sort as Sort : usual, (next) =>
    void navigate({
      to: ".",
      search: (old) => ({ ...old, sort: next === usual ? undefined : next }),
    })];
}
