/// <reference lib="dom" />
// How nodes and links look: radius by volume, colour by severity, VLAN or country.
import type { GraphLink, GraphNode } from "../../contract/graph/graph.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { formatLabel } from "../ui/format.ts";
import { type GraphState, isCluster } from "./graph-model.ts";
import type { MapColour } from "./map-search.ts";

const CATEGORIES = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** `inside` and `outside`: nodes without a colour of their own. */
export type ColourKey = Severity | "inside" | "outside" | `cat-${(typeof CATEGORIES)[number]}`;

/** Colours of the theme as `rgb()` values, because WebGL and canvases know no custom properties. */
export type Palette = Record<ColourKey | "surface" | "line" | "text" | "muted" | "focus" | "bad", string>;

// Okabe and Ito's colour-blind safe scale, if the theme has none.
const FALLBACK = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c7a00", "#7a5fb0"];

const VARIABLES: [string, string][] = [
  ...SEVERITY_ORDER.map((severity): [string, string] => [severity, `var(--${severity}-fill)`]),
  ...CATEGORIES.map((at): [string, string] => [`cat-${at}`, `var(--cat-${at}, ${FALLBACK[at - 1]})`]),
  ["inside", "var(--map-inside)"],
  ["outside", "var(--map-outside)"],
  ["surface", "var(--surface)"],
  ["line", "var(--map-line)"],
  ["text", "var(--text)"],
  ["muted", "var(--text-3)"],
  ["focus", "var(--focus)"],
  ["bad", "var(--critical-ink)"],
];

/** What a person's own colours replace; the style sheet of the map replaces its own. */
const FORCED: Partial<Record<keyof Palette, string>> = {
  surface: "Canvas",
  text: "CanvasText",
  muted: "GrayText",
  focus: "Highlight",
};

/** Whether the browser replaces the colours of pages by those that a person has chosen. */
export function hasForcedColours(): boolean {
  return matchMedia("(forced-colors: active)").matches;
}

/** Reads the palette of the theme that applies to the element. */
export function readPalette(element: HTMLElement): Palette {
  const forced: Partial<Record<string, string>> = hasForcedColours() ? FORCED : {};
  const probe = document.createElement("span");
  probe.hidden = true;
  // Otherwise every colour would be that of text.
  probe.style.setProperty("forced-color-adjust", "none");
  element.append(probe);
  const palette = Object.fromEntries(VARIABLES.map(([name, value]) => {
    probe.style.color = forced[name] ?? value;
    return [name, getComputedStyle(probe).color];
  })) as Palette;
  probe.remove();
  return palette;
}

/** `first` with `share` of `second`, both `rgb()`: opaque, so that overlapping links do not add up. */
export function mixColours(first: string, second: string, share: number): string {
  const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const [one, two] = [parts(first), parts(second)];
  const mixed = one.map((value, at) => Math.round(value * (1 - share) + (two[at] ?? value) * share));
  return `rgb(${mixed.join(", ")})`;
}

const SMALLEST = 7;
const LARGEST = 19;

/** Share of the scale from 100 bytes to 100 GB, logarithmic. */
function volume(bytes: number | bigint): number {
  return Math.min(1, Math.max(0, (Math.log10(Number(bytes) + 1) - 2) / 9));
}

/** Radius in layout units. */
export function radiusOf(node: GraphNode): number {
  return SMALLEST + (LARGEST - SMALLEST) * volume(node.bytes) + (isCluster(node) ? 6 : 0);
}

/** Width in layout units. */
export function widthOf(link: GraphLink): number {
  return 1.2 + 5 * volume(link.bytes);
}

export function isInside(node: GraphNode): boolean {
  return node.kind === "device" || node.kind === "vlan_cluster";
}

function groupOf(node: GraphNode, colour: MapColour): string | null {
  if (colour === "severity") return node.severity;
  if (colour === "country") return isInside(node) ? null : node.country;
  return isInside(node) && node.vlan_id !== null ? String(node.vlan_id) : null;
}

export interface LegendEntry {
  key: ColourKey;
  label: string;
  count: number;
}

export interface Colouring {
  colourOf: (node: GraphNode) => ColourKey;
  legend: LegendEntry[];
}

const regions = new Intl.DisplayNames(["en-GB"], { type: "region", fallback: "code" });

export function countryName(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

function groupLabel(group: string, colour: MapColour, vlans: ReadonlyMap<number, string>): string {
  if (colour === "severity") return formatLabel(group);
  if (colour === "country") return countryName(group);
  const name = vlans.get(Number(group));
  return name ? `VLAN ${group} ${name}` : `VLAN ${group}`;
}

/**
 * Colours and their legend. The largest groups get a colour of their own, VLANs and countries in the order of their
 * names, so that a group keeps its colour while the traffic changes.
 */
export function colouringOf(
  state: GraphState,
  colour: MapColour,
  vlans: ReadonlyMap<number, string>,
): Colouring {
  const counts = new Map<string, number>();
  let [inside, outside] = [0, 0];
  for (const node of state.nodes.values()) {
    const group = groupOf(node, colour);
    if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
    else if (isInside(node)) inside++;
    else outside++;
  }
  const keys = new Map<string, ColourKey>();
  if (colour === "severity") {
    for (const severity of SEVERITY_ORDER) if (counts.has(severity)) keys.set(severity, severity);
  } else {
    const largest = [...counts].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
      .slice(0, CATEGORIES.length).map(([group]) => group);
    largest.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    largest.forEach((group, at) => keys.set(group, `cat-${CATEGORIES[at]!}`));
  }
  const legend = [...keys].map(([group, key]) => ({
    key,
    label: groupLabel(group, colour, vlans),
    count: counts.get(group) ?? 0,
  }));
  const others = [...counts].filter(([group]) => !keys.has(group)).reduce((sum, [, count]) => sum + count, 0);
  if (colour === "vlan") inside += others;
  else outside += others;
  const without = colour === "severity" ? ", no open incident" : "";
  const insideLabel = colour === "vlan" ? "No VLAN or another one" : `Inside${without}`;
  const outsideLabel = colour === "country" ? "Unknown or another country" : `Outside${without}`;
  if (inside > 0) legend.push({ key: "inside", label: insideLabel, count: inside });
  if (outside > 0) legend.push({ key: "outside", label: outsideLabel, count: outside });
  return {
    colourOf: (node) => {
      const group = groupOf(node, colour);
      return (group === null ? undefined : keys.get(group)) ?? (isInside(node) ? "inside" : "outside");
    },
    legend,
  };
}
