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

/** The selected rows that are shown: others may have left the list, by a filter or a colleague's change. */
export function shownSelection(selection: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  if (selection.size === 0) return selection;
  const shown = new Set(ids);
  return shown.isSupersetOf(selection) ? selection : shown.intersection(selection);
}

export function useGridRows<T>(props: DataGridProps<T>, memory: GridPlace | undefined): GridRows {
  const { rows, rowId, onActive, onSelection, onOpen } = props;
  const [ownActive, setOwnActive] = useState(memory?.active ?? null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(memory?.opened.keys()));
  const ids = rows.map(rowId);
  const selection = shownSelection(props.selection ?? NONE, ids);
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
