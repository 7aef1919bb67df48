/// <reference lib="dom" />
import { type ReactNode, useState } from "react";
import { Icon } from "./icons.tsx";

interface TableBoxProps {
  label: string;
  /** The header cells. */
  head: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls sideways on a narrow screen, reachable by keyboard. */
export function TableBox({ label, head, children }: TableBoxProps) {
  return (
    <div className="table-box" role="region" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface Sorting<K extends string> {
  key: K;
  down: boolean;
}

/** Sorts the loaded rows; a second click reverses the order. */
export function useSorting<K extends string>(first: Sorting<K> | null) {
  const [sorting, setSorting] = useState(first);
  const toggle = (key: K, down: boolean) =>
    setSorting((old) => old?.key === key ? { key, down: !old.down } : { key, down });
  return { sorting, toggle };
}

type Sortable = string | number;

/** A sorted copy; equal rows keep their order. */
export function sortRows<T>(rows: T[], by: (row: T) => Sortable, down: boolean): T[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [by(a), by(b)];
    if (typeof left === "string" && typeof right === "string") {
      return sign * left.localeCompare(right, "en", { numeric: true });
    }
    return left === right ? 0 : left < right ? -sign : sign;
  });
}

interface SortHeaderProps<K extends string> {
  name: K;
  sorting: Sorting<K> | null;
  toggle: (key: K, down: boolean) => void;
  /** The order of the first click: numbers and times descending, names ascending. */
  down?: boolean;
  className?: string;
  children: ReactNode;
}

export function SortHeader<K extends string>(props: SortHeaderProps<K>) {
  const { name, sorting, toggle, down = false, className, children } = props;
  const active = sorting?.key === name;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={active ? sorting.down ? "descending" : "ascending" : "none"}
    >
      <button type="button" className="sort" onClick={() => toggle(name, down)}>
        {children}
        <Icon name="down" className={active ? sorting.down ? "sort-on" : "sort-on turned" : "sort-off"} />
      </button>
    </th>
  );
}
