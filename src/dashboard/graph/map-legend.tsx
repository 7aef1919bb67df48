/// <reference lib="dom" />
import { type ReactNode, useState } from "react";
import type { LegendEntry } from "./graph-style.ts";
import { COLOUR_NAMES, type LegendShape, shapesOf, VOLUME_NOTE } from "./legend-shapes.ts";
import { formatExact } from "../ui/format.ts";
import type { MapColour } from "./map-search.ts";

function Shape({ kind }: { kind: LegendShape }) {
  return (
    <svg className="legend-shape" viewBox="0 0 20 20" aria-hidden="true">
      {kind === "device" && <circle cx="10" cy="10" r="6" className="shape-fill" />}
      {kind === "external" && <circle cx="10" cy="10" r="5" className="shape-hollow" />}
      {kind === "cluster" && (
        <>
          <circle cx="10" cy="10" r="8" className="shape-fill" />
          <circle cx="10" cy="10" r="6.4" className="shape-inner" />
        </>
      )}
      {kind === "incident" && (
        <>
          <circle cx="10" cy="10" r="5" className="shape-fill" />
          <circle cx="10" cy="10" r="8" className="shape-ring" />
        </>
      )}
      {kind === "intel" && <path d="M10 4 16 15H4z" className="shape-bad" />}
      {kind === "link" && <path d="M2 14 18 6" className="shape-plain-link" />}
      {kind === "incident-link" && <path d="M2 14 18 6" className="shape-incident-link" />}
      {kind === "new" && <path d="M10 5v10M5 10h10" className="shape-link" />}
      {kind === "gone" && <circle cx="10" cy="10" r="6" className="shape-gone" />}
    </svg>
  );
}

interface LegendProps {
  colour: MapColour;
  entries: LegendEntry[];
  compared: boolean;
  /** It was opened or closed. */
  onToggle: () => void;
}

/** Below this width the legend would leave too little room for the map. */
const NARROW = "(max-width: 1180px)";

/** A box over the map that can be closed. */
export function LegendBox({ onToggle, children }: { onToggle?: () => void; children: ReactNode }) {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  return (
    <details
      className="map-legend"
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        onToggle?.();
      }}
    >
      <summary>Legend</summary>
      {children}
    </details>
  );
}

/** What shapes, sizes and colours mean. */
export function MapLegend({ colour, entries, compared, onToggle }: LegendProps) {
  return (
    <LegendBox onToggle={onToggle}>
      <p className="muted small">{COLOUR_NAMES[colour]}</p>
      <ul>
        {entries.map(({ key, label, count }) => (
          <li key={key}>
            <svg className="legend-shape" viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="6" className={`swatch-${key}`} />
            </svg>
            <span>{label}</span>
            <span className="muted">{formatExact(count)}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">{VOLUME_NOTE}</p>
      <ul>
        {shapesOf(compared).map(({ shape, label }) => (
          <li key={shape}>
            <Shape kind={shape} />
            {label}
          </li>
        ))}
      </ul>
    </LegendBox>
  );
}
