/// <reference lib="dom" />
import { type RefObject, useEffect, useRef, useState } from "react";
import { captioned, savePng } from "./network/export-png.ts";
import type { MapScene } from "./network/map-look.ts";
import type { NetworkRenderer } from "./network/network-renderer.ts";
import { hasWebGl } from "./network/web-gl.ts";
import { omittedText, summaryText } from "./map-page.ts";

/** The drawn network and its controls. */
export interface MapPicture {
  renderer: RefObject<NetworkRenderer | null>;
  /** Whether this browser can draw it. */
  webGl: boolean;
  arranging: boolean;
  setArranging: (arranging: boolean) => void;
  /** Nodes that were moved by hand. */
  moved: number;
  setMoved: (moved: number) => void;
}

export function useMapPicture(): MapPicture {
  const renderer = useRef<NetworkRenderer | null>(null);
  const [webGl] = useState(hasWebGl);
  const [arranging, setArranging] = useState(false);
  const [moved, setMoved] = useState(0);
  return { renderer, webGl, arranging, setArranging, moved, setMoved };
}

/** Saves the picture with a caption that says what it shows. */
export function saveMap(renderer: NetworkRenderer, { state, colouring }: MapScene, tenantName: string): void {
  const { from, to } = state.window;
  const lines = [
    `Network map of ${tenantName}`,
    `${from} to ${to} (UTC): ${summaryText(state)}`,
    `Colours: ${colouring.legend.map(({ label, count }) => `${label} ${count}`).join(", ")}`,
  ];
  const omitted = omittedText(state);
  if (omitted !== null) lines.push(omitted);
  savePng(captioned(renderer, lines), `map-${to.replaceAll(/[:.]/g, "-")}.png`);
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
