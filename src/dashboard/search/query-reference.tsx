import { type ComponentType, createContext, Suspense, useContext, useState } from "react";
import { Icon } from "../ui/icons.tsx";
import { Peek } from "../ui/peek/peek.tsx";
import { SkeletonBlock } from "../ui/states.tsx";

/** The documentation of the search language; `app` provides it, and loads it when it is opened. */
export const ReferenceText = createContext<ComponentType | null>(null);

/** Opens the reference of the search language beside the page, so that it can be read while a query is written. */
export function QueryReference() {
  const Text = useContext(ReferenceText);
  const [open, setOpen] = useState(false);
  if (Text === null) return null;
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label="Query reference"
        aria-expanded={open}
        title="Fields, operators and examples of the search language"
        onClick={() => setOpen(!open)}
      >
        <Icon name="help" />
      </button>
      <Peek label="Help" title="Query reference" open={open} onClose={() => setOpen(false)}>
        <Suspense fallback={<SkeletonBlock tall />}>
          <Text />
        </Suspense>
      </Peek>
    </>
  );
}
