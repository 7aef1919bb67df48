/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being printed: the paper shows what is rendered before the event has returned. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const change = (next: boolean) => flushSync(() => setPrinting(next));
    const [start, end] = [() => change(true), () => change(false)];
    const media = matchMedia("print");
    const onMedia = () => change(media.matches);
    addEventListener("beforeprint", start);
    addEventListener("afterprint", end);
    media.addEventListener("change", onMedia);
    return () => {
      removeEventListener("beforeprint", start);
      removeEventListener("afterprint", end);
      media.removeEventListener("change", onMedia);
    };
  }, []);
  return printing;
}
