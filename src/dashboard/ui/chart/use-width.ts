/// <reference lib="dom" />
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { usePrinting } from "../printing.ts";

/** A4 and Letter without their margins and those of a card, in pixels. */
const MOST_ON_PAPER = 640;

/** The width of an element in whole pixels, kept current; 0 before it is laid out. On paper at most what has room there. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(0);
  const printing = usePrinting();
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    // A chart of another width would be drawn after the paper was.
    const read = () =>
      matchMedia("print").matches || setWidth(Math.floor(element.getBoundingClientRect().width));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, printing ? Math.min(width, MOST_ON_PAPER) : width];
}
