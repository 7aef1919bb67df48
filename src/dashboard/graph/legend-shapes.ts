// The entries of the legend, on the page and in the saved picture.
import type { MapColour } from "./map-search.ts";

export const COLOUR_NAMES: Record<MapColour, string> = {
  severity: "Highest severity of open incidents",
  vlan: "VLAN",
  country: "Country",
};

export const VOLUME_NOTE = "Size and width are the volume of traffic";

const SHAPES = [
  { shape: "device", label: "Device" },
  { shape: "external", label: "External address" },
  { shape: "cluster", label: "Group of several: open it to see them" },
  { shape: "incident", label: "Open incident, coloured by severity" },
  { shape: "intel", label: "Threat intelligence match" },
  { shape: "link", label: "Connection" },
  { shape: "incident-link", label: "Connection with an open incident" },
] as const;

const COMPARED = [
  { shape: "new", label: "New since the day before" },
  { shape: "gone", label: "Gone since the day before" },
] as const;

export type LegendShape = (typeof SHAPES | typeof COMPARED)[number]["shape"];

/** What the shapes mean, with those of a comparison. */
export function shapesOf(compared: boolean): readonly { shape: LegendShape; label: string }[] {
  return compared ? [...SHAPES, ...COMPARED] : SHAPES;
}
