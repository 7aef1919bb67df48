import { type ReactNode, useMemo } from "react";
import type { Window } from "../base/time/range.ts";
import { EntityScope, useScope } from "./entity-scope.ts";

interface PivotWindowProps {
  /** When what the values belong to happened; undefined while that is not known. */
  window: Window | undefined;
  children: ReactNode;
}

/** Values below it lead to pages with this window as a scope that can be removed. */
export function PivotWindow({ window, children }: PivotWindowProps) {
  const outer = useScope();
  const { from, to } = window ?? {};
  const scope = useMemo(
    () => from === undefined || to === undefined ? outer : { ...outer, window: { from, to } },
    [outer, from, to],
  );
  return <EntityScope value={scope}>{children}</EntityScope>;
}
