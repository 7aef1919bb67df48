import { lazy } from "react";

/** The forms that the menu of a value opens; each loads when it is first opened. */
export const MENU_FORMS = {
  BlockValue: lazy(() => import("../../review/entity/block-value.tsx")),
  ChangeDetector: lazy(() => import("../../review/entity/change-detector.tsx")),
  SuppressValue: lazy(() => import("../../review/entity/suppress-value.tsx")),
};
