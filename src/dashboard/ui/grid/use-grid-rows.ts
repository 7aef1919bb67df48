import { useState } from "react";
import type { GridPlace } from "./grid-memory.ts";
import type { DataGridProps } from "./grid-props.ts";

const NONE: ReadonlySet<string> = new Set();

/** Which rows of a grid are active, selected and open, and what changes it. */
export interface GridRows {
  ids: readonly string[];
  active: string | null;
  activate: (row: number) => void;
  selects: boolean;
  selection: ReadonlySet<string>;
  select: (selection: ReadonlySet<string>) => void;
  toggleSelected: (id: string) => void;
  opens: boolean;
  opened: ReadonlySet<string>;
  toggleOpen: (id: string) => void;
  /** What Enter and a double click do. */
  open: (row: number) => void;
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

export function useGridRows<T>(props: DataGridProps<T>, memory: GridPlace | undefined): GridRows {
  const { rows, rowId, selection = NONE, onActive, onSelection, onOpen } = props;
  const [ownActive, setOwnActive] = useState(memory?.active ?? null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(memory?.opened.keys()));
  const ids = rows.map(rowId);
  const active = props.active === undefined ? ownActive : props.active;
  const opens = props.detail !== undefined;
  const select = (next: ReadonlySet<string>) => onSelection?.(next);
  const toggleOpen = (id: string) => setOpened((old) => toggled(old, id));
  return {
    ids,
    active,
    activate: (row) => {
      const id = ids[row] ?? null;
      if (id === active) return;
      setOwnActive(id);
      onActive?.(id, rows[row] ?? null);
    },
    selects: props.selection !== undefined,
    selection,
    select,
    toggleSelected: (id) => select(toggled(selection, id)),
    opens,
    opened,
    toggleOpen,
    open: (row) => {
      const opening = rows[row];
      if (opening === undefined) return;
      if (onOpen) onOpen(opening);
      else if (opens) toggleOpen(ids[row]!);
    },
  };
}
