import type { ReactNode } from "react";
import { useFirstRows } from "./first-rows.tsx";
import { TableBox } from "./table.tsx";

interface ShortTableProps<T> {
  label: string;
  /** The header cells. */
  head: ReactNode;
  all: T[];
  row: (item: T) => ReactNode;
}

/** A table of the first rows of a long list; the rest on request. */
export function ShortTable<T>({ label, head, all, row }: ShortTableProps<T>) {
  const { rows, more } = useFirstRows(all);
  return (
    <>
      <TableBox label={label} head={head}>{rows.map(row)}</TableBox>
      {more}
    </>
  );
}
