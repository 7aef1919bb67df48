import { useStepMemory } from "../../base/step-memory.ts";

/** Where a reader was in a grid. */
export interface GridPlace {
  offset: number;
  active: string | null;
  /** Whether the grid had the focus. */
  focused: boolean;
  /** Rows that were open in place, with their heights in pixels. */
  opened: ReadonlyMap<string, number>;
}

/** The place in a grid when this step of the browser's history was left, and a function that keeps it. */
export function useGridMemory(name: string): [GridPlace | undefined, (place: GridPlace) => void] {
  return useStepMemory<GridPlace>(name);
}
