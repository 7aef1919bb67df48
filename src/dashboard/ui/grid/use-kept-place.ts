/// <reference lib="dom" />
import { type FocusEvent, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { Virtualizer } from "@tanstack/react-virtual";
import type { GridPlace } from "./grid-memory.ts";
import type { GridRows } from "./use-grid-rows.ts";

/** Keeps the place of the reader when the grid goes. Returns the handlers that observe its focus. */
export function useKeptPlace(
  keep: (place: GridPlace) => void,
  { ids, active, opened }: GridRows,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rowHeight: number,
) {
  const focused = useRef(false);
  const keepPlace = useEffectEvent(() => {
    const heights = [...opened].map((id) =>
      [id, virtualizer.measurementsCache[ids.indexOf(id)]?.size ?? rowHeight] as const
    );
    keep({
      offset: virtualizer.scrollOffset ?? 0,
      active,
      focused: focused.current,
      opened: new Map(heights),
    });
  });
  useLayoutEffect(() => () => keepPlace(), []);
  return {
    onFocus: () => {
      focused.current = true;
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      // The shell moves the focus to the whole page when another one begins to load.
      focused.current = currentTarget.contains(relatedTarget) ||
        relatedTarget?.contains(currentTarget) === true;
    },
  };
}
