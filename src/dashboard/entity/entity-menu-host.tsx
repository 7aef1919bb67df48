/// <reference lib="dom" />
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import {
  EntityMenuContext,
  EntityScope,
  type MenuRequest,
  type ShowMenu,
  usePivotWindow,
} from "./entity-scope.ts";

const View = lazy(() =>
  import("./entity-menu.tsx").then(({ EntityMenuView }) => ({ default: EntityMenuView }))
);

/** Gives every `EntityChip` below it one common menu, which loads when it is first opened, and the page's scope. */
export function EntityMenu({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<MenuRequest | null>(null);
  const show = useCallback<ShowMenu>((entity, scope, anchor) => setShown({ entity, scope, anchor }), []);
  const window = usePivotWindow();
  const scope = useMemo(() => ({ window }), [window]);
  return (
    <EntityMenuContext.Provider value={show}>
      <EntityScope.Provider value={scope}>{children}</EntityScope.Provider>
      <Suspense>{shown !== null && <View shown={shown} />}</Suspense>
    </EntityMenuContext.Provider>
  );
}
