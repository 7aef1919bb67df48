/// <reference lib="dom" />
import { useEffect, useState } from "react";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCommand } from "../palette/commands.ts";
import { setLive, useLive } from "../../base/live.ts";
import { to } from "../../base/links.ts";
import { Icon, Logo } from "../../ui/icons.tsx";
import { RANGE_SLOT } from "../../ui/time/range-control.tsx";
import { setZoneMode, useZone, zoneName } from "../../base/time/zone.ts";
import { Account } from "./account.tsx";
import { Notifications } from "./notifications.tsx";
import { TenantSwitch } from "./tenant-switch.tsx";

interface TopBarProps {
  menuOpen: boolean;
  toggleMenu: () => void;
  showHelp: () => void;
  search: () => void;
}

/** What belongs to every page: tenant, search, time, notifications, account. */
export function TopBar({ menuOpen, toggleMenu, showHelp, search }: TopBarProps) {
  return (
    <header className="topbar">
      <button
        type="button"
        className="button-icon"
        aria-expanded={menuOpen}
        aria-controls="sidebar"
        aria-label="Menu"
        title="Menu"
        onClick={toggleMenu}
      >
        <Icon name="menu" />
      </button>
      <Link {...to.overview()} className="brand" aria-label="NDR, overview">
        <Logo />
        <span className="brand-name">NDR</span>
      </Link>
      <TenantSwitch />
      <button
        type="button"
        className="search-button"
        onClick={search}
        aria-keyshortcuts="Control+K"
      >
        <Icon name="search" />
        <span className="search-button-text">Search or jump to</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <div className="topbar-tools">
        <div id={RANGE_SLOT} className="range-slot" />
        <ZoneSwitch />
        <Refresh />
        <LiveSwitch />
        <Notifications />
        <Account showHelp={showHelp} />
      </div>
    </header>
  );
}

/** The zone of every time on screen; switches between the browser's zone and UTC. */
function ZoneSwitch() {
  const zone = useZone();
  const utc = zone === "UTC";
  const next = utc ? "local" : "utc";
  useCommand({
    label: utc ? "Show times in the local zone" : "Show times in UTC",
    icon: "clock",
    words: "timezone zone clock",
    run: () => setZoneMode(next),
  });
  const name = zoneName(zone, Date.now());
  return (
    <button
      type="button"
      className="topbar-zone"
      title={utc ? "Times are in UTC. Switch to the local zone." : `Times are in ${zone}. Switch to UTC.`}
      aria-label={`Times in ${name}. Switch to ${utc ? "the local zone" : "UTC"}`}
      onClick={() => setZoneMode(next)}
    >
      {name}
    </button>
  );
}

function Refresh() {
  const client = useQueryClient();
  const fetching = useIsFetching() > 0;
  const refresh = () => void client.invalidateQueries();
  useCommand({ label: "Refresh", icon: "refresh", words: "reload", run: refresh });
  return (
    <button
      type="button"
      className={fetching ? "button-icon spinning" : "button-icon"}
      title="Refresh"
      aria-label="Refresh"
      onClick={refresh}
    >
      <Icon name="refresh" />
    </button>
  );
}

function LiveSwitch() {
  const live = useLive();
  const client = useQueryClient();
  const change = () => {
    setLive(!live);
    // What happened meanwhile is shown at once.
    if (!live) void client.invalidateQueries();
  };
  useCommand({
    label: live ? "Pause live updates" : "Continue live updates",
    icon: live ? "pause" : "play",
    words: "live freeze",
    run: change,
  });
  return (
    <button
      type="button"
      className={live ? "topbar-live" : "topbar-live topbar-paused"}
      aria-pressed={!live}
      aria-label="Pause live updates"
      title={live ? "Live. Pause updates." : "Paused. Continue updates."}
      onClick={change}
    >
      <Icon name={live ? "pause" : "play"} />
      <span className="topbar-word">{live ? "Live" : "Paused"}</span>
    </button>
  );
}

/** A notice while the browser has no network. */
export function Offline() {
  const [online, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const follow = () => setOnline(navigator.onLine);
    addEventListener("online", follow);
    addEventListener("offline", follow);
    return () => {
      removeEventListener("online", follow);
      removeEventListener("offline", follow);
    };
  }, []);
  if (online) return null;
  return (
    <div className="bar bar-warning" role="status">
      <Icon name="warning" />
      <span>
        <strong>You are offline.</strong>{" "}
        This page shows what was loaded before. Nothing can be saved until the connection is back; what you
        typed is kept.
      </span>
    </div>
  );
}
