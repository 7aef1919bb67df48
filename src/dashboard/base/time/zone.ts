/// <reference lib="dom" />
import { useSyncExternalStore } from "react";

/** Whether times are shown in the zone of the browser or in UTC. */
export type ZoneMode = "local" | "utc";

const STORED = "ndr.zone";
const listeners = new Set<() => void>();

let ownZone: string | null = null;

/** The IANA name of the browser's zone, as it was when the page was opened: each time of a list asks for it. */
export function browserZone(): string {
  return ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

function storedMode(): ZoneMode {
  try {
    return localStorage.getItem(STORED) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}

let mode: ZoneMode | null = null;

function zoneMode(): ZoneMode {
  return mode ??= storedMode();
}

/** The zone in which times are shown and typed: an IANA name, or `UTC`. */
export function currentZone(): string {
  return zoneMode() === "utc" ? "UTC" : browserZone();
}

export function setZoneMode(next: ZoneMode): void {
  mode = next;
  try {
    if (next === "utc") localStorage.setItem(STORED, "utc");
    else localStorage.removeItem(STORED);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Another tab changed it. */
function onStorage({ key }: StorageEvent): void {
  if (key !== STORED) return;
  mode = null;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // One listener of the window for all times of the page; adding it again has no effect.
  addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The zone in which times are shown; the component follows the switch. */
export function useZone(): string {
  return useSyncExternalStore(subscribe, currentZone);
}

/** The short name of a zone at a time: `UTC`, `CET`, `GMT+5:30`. */
export function zoneName(zone: string, at: number): string {
  if (zone === "UTC") return "UTC";
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}
