/// <reference lib="dom" />
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "@tanstack/react-router";
import type { Role } from "../../contract/record/kinds.ts";
import { useKeys } from "./keys.ts";
import { useSignedIn } from "./session.ts";
import { Account } from "./account.tsx";
import { HealthLink } from "./health-link.tsx";
import { Icon, type IconName, Logo } from "../ui/icons.tsx";
import { ReleaseBanner } from "../telemetry/release.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { TenantSwitch } from "./tenant-switch.tsx";

const PAGES: { to: string; name: string; icon: IconName; role?: Role }[] = [
  { to: "/", name: "Overview", icon: "overview" },
  { to: "/incidents", name: "Incidents", icon: "incidents" },
  { to: "/devices", name: "Devices", icon: "devices" },
  { to: "/flows", name: "Flows", icon: "flows" },
  { to: "/suppressions", name: "Suppressions", icon: "suppress" },
  { to: "/audit", name: "Audit", icon: "audit", role: "admin" },
];

/** Moves the focus to the new page, so that keyboard and screen reader start there. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [pathname]);
}

export function Shell({ children }: { children: ReactNode }) {
  const { tenantName, roles } = useSignedIn();
  const pages = PAGES.filter(({ role }) => role === undefined || roles.includes(role));
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [help, setHelp] = useState(false);
  const showHelp = useCallback(() => setHelp(true), []);
  useKeys(showHelp);
  useFocusOnNavigation();
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="shell" onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      <a className="skip" href="#main">Skip to content</a>
      <header className="topbar">
        <button
          type="button"
          className="button-icon"
          aria-expanded={open}
          aria-controls="sidebar"
          aria-label="Menu"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "close" : "menu"} />
        </button>
        <Logo />
        <span className="strong">NDR</span>
        <span className="topbar-tenant soft">{tenantName}</span>
      </header>
      <aside className={open ? "sidebar sidebar-open" : "sidebar"} id="sidebar" aria-label="Sidebar">
        <div className="brand">
          <Logo />
          <span className="brand-name">NDR</span>
        </div>
        <TenantSwitch />
        <nav aria-label="Main">
          <ul className="nav">
            {pages.map(({ to, name, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="nav-link"
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                >
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
            <li>
              <HealthLink />
            </li>
          </ul>
        </nav>
        <Account showHelp={showHelp} />
      </aside>
      {open && <div className="backdrop" onClick={() => setOpen(false)} />}
      <main id="main" className="main" tabIndex={-1}>
        <ReleaseBanner />
        {children}
      </main>
      <Shortcuts open={help} close={() => setHelp(false)} />
    </div>
  );
}
