/// <reference lib="dom" />
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { shortcutKey, useShortcut } from "../../base/keys.ts";
import { useSignedIn } from "../../base/session.ts";
import { MiniMap } from "./mini-map.tsx";
import type { MapScene } from "./map-look.ts";
import { type MapHandlers, NetworkRenderer } from "./network-renderer.ts";

interface NetworkMapProps {
  scene: MapScene;
  /** Describes the selected node or link for screen readers. */
  description: string;
  onSelect: (id: string | null) => void;
  onOpen: (id: string) => void;
  /** Shows the details and moves the focus there. */
  onEnter: () => void;
  onArranging: (share: number | null) => void;
  onMoved: (count: number) => void;
  /** Whether `renderer` is there. */
  onReady: (ready: boolean) => void;
  renderer: RefObject<NetworkRenderer | null>;
}

const DIRECTIONS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The canvas of the network map with its keyboard. */
export function NetworkMap(props: NetworkMapProps) {
  const { scene, description, renderer } = props;
  const { tenant } = useSignedIn();
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<NetworkRenderer | null>(null);
  const mini = useRef<(() => void) | null>(null);
  const [onMini] = useState(() => (draw: (() => void) | null) => {
    mini.current = draw;
  });
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const handlers: MapHandlers = {
      onSelect: (id) => latest.current.onSelect(id),
      onOpen: (id) => latest.current.onOpen(id),
      onArranging: (share) => latest.current.onArranging(share),
      onMoved: (count) => latest.current.onMoved(count),
      onRender: () => mini.current?.(),
    };
    const own = new NetworkRenderer(box.current!, tenant, handlers);
    renderer.current = own;
    setShown(own);
    latest.current.onReady(true);
    const repaint = () => own.repaint();
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const system = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((one) => matchMedia(one));
    for (const query of system) query.addEventListener("change", repaint);
    // Fonts are loaded when they are first used.
    document.fonts.addEventListener("loadingdone", repaint);
    const size = new ResizeObserver(() => own.camera.resize());
    size.observe(box.current!);
    return () => {
      theme.disconnect();
      for (const query of system) query.removeEventListener("change", repaint);
      document.fonts.removeEventListener("loadingdone", repaint);
      size.disconnect();
      renderer.current = null;
      latest.current.onReady(false);
      own.kill();
    };
  }, [tenant, renderer]);

  useEffect(() => shown?.update(scene), [shown, scene]);

  const zoom = (direction: 1 | -1) => () => renderer.current?.camera.zoom(direction);
  useShortcut({ keys: ["+", "="], label: "Zoom into the map", group: "View", run: zoom(1) });
  useShortcut({ keys: "-", label: "Zoom out of the map", group: "View", run: zoom(-1) });
  useShortcut({
    keys: "0",
    label: "Show the whole map",
    group: "View",
    run: () => renderer.current?.camera.fit(),
  });
  // Listed here; the map itself handles them while it has the focus.
  useShortcut({
    keys: Object.keys(DIRECTIONS),
    label: "On the map: move between neighbours",
    group: "View",
    run: () => false,
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const own = renderer.current;
    if (own === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    const { selected } = scene;
    if (direction !== undefined) {
      const from = selected !== null && own.camera.placeOf(selected) !== null ? selected : null;
      const next = from === null ? own.start() : own.next(from, direction);
      if (next !== null) {
        props.onSelect(next);
        own.camera.reveal(next);
      }
    } else if (event.key === "+" || event.key === "=") own.camera.zoom(1);
    else if (event.key === "-") own.camera.zoom(-1);
    else if (event.key === "0") own.camera.fit();
    else if (event.key === "Enter" && selected !== null) props.onEnter();
    else if (shortcutKey(event) === "e" && selected !== null) props.onOpen(selected);
    else if (event.key === "Escape" && selected !== null) props.onSelect(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="network-map">
      <div
        ref={box}
        className="map-canvas"
        role="application"
        tabIndex={0}
        aria-label="Network map"
        aria-describedby="map-keys"
        onKeyDown={onKeyDown}
      />
      <p id="map-keys" className="hidden">
        Arrow keys move between neighbours, Enter opens the details, E opens a group or focuses on a device,
        plus and minus zoom, 0 shows the whole map, Escape clears the selection.
      </p>
      <p className="hidden" aria-live="polite">{description}</p>
      <MiniMap renderer={shown} onReady={onMini} />
    </div>
  );
}
