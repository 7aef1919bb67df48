// The map's parameters in the address.
import { oneOf, type Search, text } from "../base/search-params.ts";
import { type Range, type Window, windowOf } from "../base/time/range.ts";

export const MAP_VIEWS = ["network", "globe", "table"] as const;
export type MapView = (typeof MAP_VIEWS)[number];
const MAP_COLOURS = ["severity", "vlan", "country"] as const;
export type MapColour = (typeof MAP_COLOURS)[number];
const MAP_OVERLAYS = ["new", "gone", "both"] as const;
export type MapOverlay = (typeof MAP_OVERLAYS)[number];
export const MAP_HOPS = ["1", "2", "3"] as const;

export interface MapSearch {
  view?: MapView;
  /** A device: the map shows its surroundings only. */
  focus?: string;
  hops?: (typeof MAP_HOPS)[number];
  /** Identifiers of the expanded clusters, separated by commas. */
  expand?: string;
  colour?: MapColour;
  overlay?: MapOverlay;
  /** The selected node or link. */
  node?: string;
  /** The incident that the reader came from. */
  incident?: string;
  /** A condition in the search language. */
  filter?: string;
}

export function readMap(search: Search): MapSearch {
  return {
    view: oneOf(MAP_VIEWS, search.view),
    focus: text(search.focus),
    hops: oneOf(MAP_HOPS, search.hops),
    expand: text(search.expand),
    colour: oneOf(MAP_COLOURS, search.colour),
    overlay: oneOf(MAP_OVERLAYS, search.overlay),
    node: text(search.node),
    incident: text(search.incident),
    filter: text(search.filter),
  };
}

const CLUSTER = /^(?:vlan|asn):(?:none|\d{1,10})$/;
const MOST_EXPANDED = 50;

export function expandedOf({ expand }: MapSearch): string[] {
  return [...new Set((expand ?? "").split(","))].filter((id) => CLUSTER.test(id)).slice(0, MOST_EXPANDED);
}

/** `expand` with a cluster added or removed. */
export function toggleExpanded(search: MapSearch, cluster: string): string | undefined {
  const old = expandedOf(search);
  const next = old.includes(cluster) ? old.filter((id) => id !== cluster) : [...old, cluster];
  return next.length === 0 ? undefined : next.join(",");
}

const DAY = 86_400_000;

/** The API answers for at most 24 hours: of a longer window the last 24 hours are shown. */
export function boundedWindow({ from, to }: Window, longest = DAY): Window & { shortened: boolean } {
  const end = Date.parse(to);
  const shortened = end - Date.parse(from) > longest;
  return { from: shortened ? new Date(end - longest).toISOString() : from, to, shortened };
}

/** For the flows of a map; their list accepts at most 31 days. */
export function windowOfFlows(window: Window): Window {
  const { from, to } = boundedWindow(window, 31 * DAY);
  return { from, to };
}

/**
 * The incident whose evidence the map shows instead of a window: while the filter and the scope are those that its page
 * leads here with.
 */
export function incidentShown({ incident, filter }: MapSearch, scope: Window | null): string | undefined {
  return scope !== null && filter === `incident:${incident}` ? incident : undefined;
}

const MINUTE = 60_000;

/** What the API is asked for: without an end the map is live. */
export function askedWindow(range: Range, now: number): { from: string; to?: string } {
  const window = boundedWindow(windowOf(range, now));
  if (!("preset" in range)) return { from: window.from, to: window.to };
  const length = Date.parse(window.to) - Date.parse(window.from);
  return { from: new Date(Math.ceil(now / MINUTE) * MINUTE - length).toISOString() };
}

const HOUR = 60 * MINUTE;

/**
 * The window 24 hours earlier, extended to whole steps so that it is not read again with every delta: to five minutes,
 * or to hours if it is longer than some.
 */
export function comparedWindow(window: Window): Window {
  const [from, to] = [window.from, window.to].map((at) => Date.parse(at) - DAY) as [number, number];
  const step = to - from > 4 * HOUR ? HOUR : 5 * MINUTE;
  const whole = {
    from: new Date(Math.floor(from / step) * step).toISOString(),
    to: new Date(Math.ceil(to / step) * step).toISOString(),
  };
  const { shortened: _, ...bounded } = boundedWindow(whole);
  return bounded;
}
