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
    const repaint = () => own.repaint();
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", repaint);
    const size = new ResizeObserver(() => own.resize());
    size.observe(box.current!);
    return () => {
      theme.disconnect();
      system.removeEventListener("change", repaint);
      size.disconnect();
      renderer.current = null;
      own.kill();
    };
  }, [tenant, renderer]);

  useEffect(() => shown?.update(scene), [shown, scene]);

  const zoom = (direction: 1 | -1) => () => renderer.current?.zoom(direction);
  useShortcut({ keys: ["+", "="], label: "Zoom into the map", group: "View", run: zoom(1) });
  useShortcut({ keys: "-", label: "Zoom out of the map", group: "View", run: zoom(-1) });
  useShortcut({ keys: "0", label: "Show the whole map", group: "View", run: () => renderer.current?.fit() });
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
      const from = selected !== null && own.placeOnScreen(selected) !== null ? selected : null;
      const next = from === null ? own.start() : own.next(from, direction);
      if (next !== null) {
        props.onSelect(next);
        own.reveal(next);
      }
    } else if (event.key === "+" || event.key === "=") own.zoom(1);
    else if (event.key === "-") own.zoom(-1);
    else if (event.key === "0") own.fit();
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
