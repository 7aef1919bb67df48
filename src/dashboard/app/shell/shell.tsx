/// <reference lib="dom" />
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { useLocation } from "@tanstack/react-router";
import { useFeed } from "../../base/feed.ts";
import { useKeyboard, useShortcut } from "../../base/keys.ts";
import { useRowKeys } from "./rows.ts";
import { useReturn } from "./return-focus.ts";
import { PEEK_SLOT } from "../../ui/peek/peek.tsx";
import { Toasts } from "../../ui/toast/toasts.tsx";
import { ReleaseBanner } from "../../entity/health/release.tsx";
import { GoTo } from "./go-to.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Offline, TopBar } from "./top-bar.tsx";

const Palette = lazy(() => import("../palette/palette.tsx").then(({ Palette }) => ({ default: Palette })));
const PRINT_MILLISECONDS = 3000;

// A page that could not load it is usable, and printed as the screen shows it.
const PrintHead = lazy(async () => {
  // Not needed before the data of the page has arrived.
  await new Promise((resolve) => setTimeout(resolve, PRINT_MILLISECONDS));
  return await import("./print-head.tsx").then(
    ({ PrintHead }) => ({ default: PrintHead }),
    () => ({ default: () => null }),
  );
});

/** Below this width the sidebar is a drawer over the page. */
const NARROW = "(max-width: 800px)";
const STORED = "ndr.sidebar";

function storedCollapsed(): boolean {
  try {
    return localStorage.getItem(STORED) === "collapsed";
  } catch {
    return false;
  }
}

/** The sidebar: a drawer on a narrow screen, otherwise wide or collapsed to icons. */
function useSidebar() {
  const { pathname } = useLocation();
  const [drawer, setDrawer] = useState(false);
  const [collapsed, setCollapsed] = useState(storedCollapsed);
  useEffect(() => setDrawer(false), [pathname]);
  const toggle = () => {
    if (matchMedia(NARROW).matches) return setDrawer(!drawer);
    setCollapsed(!collapsed);
    try {
      localStorage.setItem(STORED, collapsed ? "wide" : "collapsed");
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  };
  return { drawer, collapsed, toggle, closeDrawer: () => setDrawer(false) };
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLElement>("main [data-filter]");
  filter?.focus();
  return filter !== null;
}

export function Shell({ children }: { children: ReactNode }) {
  const { drawer, collapsed, toggle, closeDrawer } = useSidebar();
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState<"unused" | "open" | "closed">("unused");
  const showHelp = useCallback(() => setHelp(true), []);
  const search = useCallback(() => setPalette("open"), []);
  useFeed();
  useKeyboard();
  useRowKeys();
  useReturn();
  useShortcut({ keys: "?", label: "Keyboard shortcuts", group: "General", run: showHelp });
  useShortcut({
    keys: "Ctrl+k",
    label: "Search and commands",
    group: "General",
    run: search,
    inFields: true,
  });
  useShortcut({
    keys: "/",
    label: "Search in this page, otherwise everywhere",
    group: "General",
    run: () => void (focusFilter() || search()),
  });
  useShortcut({ keys: "Escape", label: "Leave a field, close a panel", group: "General", run: () => false });
  const state = `${drawer ? "shell-drawer" : ""} ${collapsed ? "shell-collapsed" : ""}`;
  return (
    <div className={`shell ${state}`} onKeyDown={(event) => event.key === "Escape" && closeDrawer()}>
      <a className="skip" href="#main">Skip to content</a>
      <TopBar menuOpen={drawer || !collapsed} toggleMenu={toggle} showHelp={showHelp} search={search} />
      <aside className="sidebar" id="sidebar" aria-label="Sidebar">
        <Sidebar />
      </aside>
      {drawer && <div className="backdrop" onClick={closeDrawer} />}
      <main id="main" className="main" tabIndex={-1}>
        <Suspense fallback={null}>
          <PrintHead />
        </Suspense>
        <Offline />
        <ReleaseBanner />
        {children}
      </main>
      <div id={PEEK_SLOT} className="peek-slot" />
      <GoTo />
      <Toasts />
      <Shortcuts open={help} close={() => setHelp(false)} />
      {palette !== "unused" && (
        <Suspense fallback={null}>
          <Palette open={palette === "open"} close={() => setPalette("closed")} />
        </Suspense>
      )}
    </div>
  );
}
