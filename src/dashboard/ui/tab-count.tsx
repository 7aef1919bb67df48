import { formatExact } from "./format.ts";

interface TabCountProps {
  /** Null until it is known: its room is kept. Undefined if the tab has none. */
  count: number | null | undefined;
}

/** The number of objects behind a tab. */
export function TabCount({ count }: TabCountProps) {
  if (count === undefined) return null;
  return <span className="tab-count muted">{count === null ? "" : formatExact(count)}</span>;
}
