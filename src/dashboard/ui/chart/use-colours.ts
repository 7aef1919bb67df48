/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { type ChartColour, colourClass } from "./colour.ts";

/** Changes whenever colours of the page may have changed. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    // At once: paper is in the light theme, and shows what is drawn when the theme has changed.
    const changed = () => flushSync(() => setVersion((old) => old + 1));
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) =>
      matchMedia(query)
    );
    for (const query of queries) query.addEventListener("change", changed);
    return () => {
      observer.disconnect();
      for (const query of queries) query.removeEventListener("change", changed);
    };
  }, []);
  return version;
}

/** The colours of classes as a canvas takes them. `parent` is in the page. */
export function readColours(
  parent: HTMLElement,
  names: readonly (ChartColour | "axis" | "rule")[],
): string[] {
  return names.map((name) => {
    // One for each: with reduced motion a change of colour is a very short transition, which would begin with the
    // colour before.
    const probe = document.createElement("span");
    probe.className = `chart-probe ${
      name === "axis" || name === "rule" ? `chart-${name}` : colourClass(name)
    }`;
    parent.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
}
