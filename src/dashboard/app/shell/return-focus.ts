/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { useEffect, useRef } from "react";
import { useLocation, useRouter } from "@tanstack/react-router";

/** How long a page may take to show the row that had the focus. */
const WAIT_MILLISECONDS = 5000;

interface Place {
  scroll: number;
  /** The address of the link that had the focus, and which of several equal ones it was. */
  href: string | null;
  nth: number;
}

/** Where each step of the browser's history was left. */
const places = new Map<string, Place>();

function placeNow(): Place {
  const active = document.activeElement;
  const href = active instanceof HTMLAnchorElement ? active.getAttribute("href") : null;
  const nth = href === null ? -1 : linksTo(href).indexOf(active as HTMLAnchorElement);
  return { scroll: scrollY, href: nth < 0 ? null : href, nth };
}

function linksTo(href: string): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("main a[href]")].filter((link) =>
    link.getAttribute("href") === href
  );
}

/** Restores scroll and focus once the page has its rows again; false until then. */
function restore({ scroll, href, nth }: Place): boolean {
  const link = href === null ? null : linksTo(href)[nth] ?? null;
  if (href !== null && link === null) return false;
  if (document.documentElement.scrollHeight < scroll + innerHeight / 2) return false;
  scrollTo(0, scroll);
  link?.focus({ preventScroll: true });
  return true;
}

/**
 * A new page gets the focus, so that keyboard and screen reader start there; Back and Forward return to the row and
 * the scroll position that were left.
 */
export function useReturn(): void {
  const { pathname, state } = useLocation();
  const { history } = useRouter();
  const key = state.__TSR_key ?? "";
  const last = useRef({ pathname, key });
  const moved = useRef<string>("PUSH");
  useEffect(() => {
    if ("scrollRestoration" in globalThis.history) globalThis.history.scrollRestoration = "manual";
    const leaving = () => places.set(last.current.key, placeNow());
    // The link of a click has the focus; keys and scripts also leave by the history.
    document.addEventListener("click", leaving, true);
    document.addEventListener("keydown", leaving, true);
    const stop = history.subscribe(({ action }) => {
      moved.current = action.type;
      if (action.type === "PUSH") leaving();
    });
    return () => {
      document.removeEventListener("click", leaving, true);
      document.removeEventListener("keydown", leaving, true);
      stop();
    };
  }, [history]);
  useEffect(() => {
    const before = last.current;
    last.current = { pathname, key };
    if (before.pathname === pathname) return;
    const place = moved.current === "PUSH" || moved.current === "REPLACE" ? undefined : places.get(key);
    if (place === undefined) {
      document.getElementById("main")?.focus({ preventScroll: true });
      scrollTo(0, 0);
      return;
    }
    let restored = restore(place);
    if (restored && place.href === null) return;
    const main = document.getElementById("main");
    if (main === null) return;
    if (!restored) {
      const focused = document.activeElement;
      if (focused !== main && main.contains(focused)) {
        // A grid has returned to its cell; the link that was followed stood in a row that is closed again.
        scrollTo(0, place.scroll);
        return;
      }
      main.focus({ preventScroll: true });
    }
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      removeEventListener("pointerdown", stop);
      removeEventListener("keydown", stop);
    };
    const observer = new MutationObserver(() => {
      // The page that is left may have the same link until it is gone, and the focus with it.
      if (!restored || document.activeElement === document.body) restored = restore(place);
    });
    observer.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => {
      // The page has fewer links to the same object than before.
      const others = restored || place.href === null ? [] : linksTo(place.href);
      if (others.length > 0) restore({ ...place, nth: others.length - 1 });
      stop();
    }, WAIT_MILLISECONDS);
    // The person is already doing something else.
    addEventListener("pointerdown", stop);
    addEventListener("keydown", stop);
    return stop;
  }, [pathname, key]);
}
