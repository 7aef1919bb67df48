/// <reference lib="dom" />
import { type RefObject, useEffect, useRef, useState } from "react";
import { captioned, savePng } from "./network/export-png.ts";
import type { MapScene } from "./network/map-look.ts";
import type { NetworkRenderer } from "./network/network-renderer.ts";
import { hasWebGl } from "./network/web-gl.ts";
import { formatExact } from "../ui/format.ts";
import { COLOUR_NAMES, shapesOf, VOLUME_NOTE } from "./legend-shapes.ts";
import type { MapColour } from "./map-search.ts";
import { omittedText, summaryText } from "./map-page.ts";

/** The drawn network and its controls. */
export interface MapPicture {
  renderer: RefObject<NetworkRenderer | null>;
  /** Whether there is a renderer, which is loaded after the controls. */
  ready: boolean;
  setReady: (ready: boolean) => void;
  /** Whether this browser can draw it. */
  webGl: boolean;
  /** The share of the layout that is done; null if none is running. */
  arranging: number | null;
  setArranging: (share: number | null) => void;
  /** Nodes that were moved by hand. */
  moved: number;
  setMoved: (moved: number) => void;
}

export function useMapPicture(): MapPicture {
  const renderer = useRef<NetworkRenderer | null>(null);
  const [ready, setReady] = useState(false);
  const [webGl] = useState(hasWebGl);
  const [arranging, setArranging] = useState<number | null>(null);
  const [moved, setMoved] = useState(0);
  return { renderer, ready, setReady, webGl, arranging, setArranging, moved, setMoved };
}

/** Saves the picture with its legend and a caption that says what it shows. */
export function saveMap(
  renderer: NetworkRenderer,
  { state, colouring, comparison }: MapScene,
  colour: MapColour,
  tenantName: string,
): void {
  const { from, to } = state.window;
  const lines = [
    `Network map of ${tenantName}`,
    `${from} to ${to} (UTC): ${summaryText(state)}`,
  ];
  const omitted = omittedText(state);
  if (omitted !== null) lines.push(omitted);
  lines.push(`${VOLUME_NOTE}. Colours: ${COLOUR_NAMES[colour]}`);
  const legend = [
    ...colouring.legend.map(({ key, label, count }) => ({
      colour: key,
      label: `${label} ${formatExact(count)}`,
    })),
    ...shapesOf(comparison !== null),
  ];
  savePng(captioned(renderer, lines, legend), `map-${to.replaceAll(/[:.]/g, "-")}.png`);
}

/** The element that can fill the screen, whether one does, and a function that changes it. */
export function useFullScreen() {
  const box = useRef<HTMLDivElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, []);
  const toggle = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    else void box.current?.requestFullscreen();
  };
  return { box, full, toggle };
}
