/// <reference lib="dom" />
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState, type WheelEvent } from "react";
import { geoGraticule10, geoOrthographic, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import land from "world-atlas/land-110m.json" with { type: "json" };
import type { GraphArc } from "../../contract/graph/graph.ts";
import type { SiteReport } from "../../contract/site.ts";
import { formatBytes, formatExact, formatLabel, plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Card } from "../ui/page.tsx";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { Empty } from "../ui/states.tsx";
import { arcName } from "./graph-labels.ts";
import type { GraphState } from "./graph-model.ts";
import { LegendBox } from "./map-legend.tsx";
import { placelessText } from "./map-page.ts";
import { ArcTable, severityLabel } from "./map-tables.tsx";
import "./globe.css";

interface Place {
  latitude: number;
  longitude: number;
}

const SIZE = 640;
const RADIUS = 300;
const TURN = 10;
const ZOOMS = [1, 1.5, 2.2, 3.2, 4.6] as const;

type Topology = Parameters<typeof feature>[0];
const atlas = land as unknown as Topology;
const continents = feature(atlas, atlas.objects.land!);
const graticule = geoGraticule10();

function widthOf({ bytes }: GraphArc): number {
  return 1 + Math.max(0, Math.log10(Number(bytes) + 1) - 3) * 0.55;
}

const ARC_LOOKS = [...SEVERITY_ORDER, "intel", "plain"] as const;
type ArcLook = (typeof ARC_LOOKS)[number];

const LOOK_NAMES: Partial<Record<ArcLook, string>> = {
  intel: "Threat intelligence match",
  plain: "No open incident",
};

function lookOf({ severity, intel }: GraphArc): ArcLook {
  return severity ?? (intel ? "intel" : "plain");
}

function describe(arc: GraphArc): string {
  const addresses = plural(arc.member_count, "address", "addresses");
  return `${arcName(arc)}: ${formatBytes(arc.bytes)}, ${addresses}, ${severityLabel(arc.severity)}`;
}

/** The view that shows most: the site in the middle of the half with its destinations. */
function middleOf(home: Place, arcs: GraphArc[]): [number, number] {
  const radians = Math.PI / 180;
  const sum = { x: 0, y: 0, z: 0 };
  const add = ({ longitude, latitude }: Place, weight: number) => {
    const [angle, height] = [longitude * radians, latitude * radians];
    sum.x += Math.cos(height) * Math.cos(angle) * weight;
    sum.y += Math.cos(height) * Math.sin(angle) * weight;
    sum.z += Math.sin(height) * weight;
  };
  // The site counts as much as all destinations together, so that it is always on the visible half.
  add(home, Math.max(1, arcs.length));
  for (const { target } of arcs) add(target, 1);
  const longitude = Math.atan2(sum.y, sum.x) / radians;
  const latitude = Math.atan2(sum.z, Math.hypot(sum.x, sum.y)) / radians;
  return [longitude, Math.max(-60, Math.min(60, latitude))];
}

/** What colours and lines mean. */
function GlobeLegend({ arcs }: { arcs: GraphArc[] }) {
  const entries = ARC_LOOKS.map((look) => ({
    look,
    count: arcs.filter((arc) => lookOf(arc) === look).length,
  }))
    .filter(({ count }) => count > 0);
  return (
    <LegendBox>
      <p className="muted small">Highest severity of open incidents</p>
      <ul>
        {entries.map(({ look, count }) => (
          <li key={look}>
            <svg className="legend-shape" viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="6" className={`globe-swatch arc-${look}`} />
            </svg>
            <span>{LOOK_NAMES[look] ?? formatLabel(look)}</span>
            <span className="muted">{formatExact(count)}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">Width is the volume of traffic</p>
      <ul>
        <li>
          <svg className="legend-shape" viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="5.5" className="globe-home" />
          </svg>
          The site
        </li>
      </ul>
    </LegendBox>
  );
}

interface GlobeProps {
  state: GraphState;
  home: Place;
}

function GlobePicture({ state, home }: GlobeProps) {
  const start = useMemo(() => middleOf(home, [...state.arcs.values()]), [home, state.arcs]);
  const [[longitude, latitude], setCentre] = useState(start);
  const [level, setLevel] = useState(0);
  const drag = useRef<{ x: number; y: number; longitude: number; latitude: number } | null>(null);
  const scale = RADIUS * ZOOMS[level]!;
  const projection = geoOrthographic().scale(scale).translate([SIZE / 2, SIZE / 2])
    .rotate([-longitude, -latitude]).clipAngle(90).precision(0.5);
  const path = geoPath(projection);
  // The arcs with the worst incidents and the most traffic are drawn last, on top.
  const arcs = useMemo(
    () =>
      [...state.arcs.values()].sort((a, b) =>
        Number(a.severity !== null) - Number(b.severity !== null) || Number(a.bytes) - Number(b.bytes)
      ),
    [state.arcs],
  );
  const turn = (x: number, y: number) =>
    setCentre(([oldX, oldY]) => [(oldX + x + 540) % 360 - 180, Math.max(-85, Math.min(85, oldY + y))]);
  const zoom = (by: number) => setLevel((old) => Math.min(ZOOMS.length - 1, Math.max(0, old + by)));
  const reset = () => {
    setCentre(start);
    setLevel(0);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = TURN / ZOOMS[level]!;
    if (event.key === "ArrowLeft") turn(-step, 0);
    else if (event.key === "ArrowRight") turn(step, 0);
    else if (event.key === "ArrowUp") turn(0, step);
    else if (event.key === "ArrowDown") turn(0, -step);
    else if (event.key === "+" || event.key === "=") zoom(1);
    else if (event.key === "-") zoom(-1);
    else if (event.key === "0") reset();
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, longitude, latitude };
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const from = drag.current;
    if (from === null) return;
    const degrees = 180 / Math.PI / scale * SIZE / event.currentTarget.getBoundingClientRect().width;
    setCentre([
      (from.longitude - (event.clientX - from.x) * degrees + 540) % 360 - 180,
      Math.max(-85, Math.min(85, from.latitude + (event.clientY - from.y) * degrees)),
    ]);
  };
  const centre = projection([home.longitude, home.latitude]);
  const homeVisible = path({ type: "Point", coordinates: [home.longitude, home.latitude] }) !== null;
  return (
    <div className="globe">
      <div
        className="globe-box"
        role="application"
        tabIndex={0}
        aria-label={`Globe: ${
          plural(arcs.length, "destination")
        }. Arrow keys turn it, plus and minus zoom, 0 ` +
          "returns to the site. The table below lists the same."}
        onKeyDown={onKeyDown}
        onWheel={(event: WheelEvent) => event.ctrlKey && zoom(event.deltaY < 0 ? 1 : -1)}
      >
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          aria-hidden="true"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={() => drag.current = null}
          onPointerCancel={() => drag.current = null}
        >
          <path className="globe-sea" d={path({ type: "Sphere" }) ?? ""} />
          <path className="globe-grid" d={path(graticule) ?? ""} />
          <path className="globe-land" d={path(continents) ?? ""} />
          {arcs.map((arc) => {
            const ends = [arc.source, arc.target].map((at) => [at.longitude, at.latitude]);
            return (
              <g key={arc.arc_id} className={`globe-arc arc-${lookOf(arc)}`}>
                <title>{describe(arc)}</title>
                <path strokeWidth={widthOf(arc)} d={path({ type: "LineString", coordinates: ends }) ?? ""} />
                <path
                  className="globe-end"
                  d={path.pointRadius(2 + widthOf(arc) / 2)({ type: "Point", coordinates: ends[1]! }) ?? ""}
                />
              </g>
            );
          })}
          {centre !== null && homeVisible && (
            <circle className="globe-home" cx={centre[0]} cy={centre[1]} r="6">
              <title>The site</title>
            </circle>
          )}
        </svg>
      </div>
      {arcs.length > 0 && <GlobeLegend arcs={arcs} />}
      <div className="map-zoom" role="group" aria-label="Zoom">
        <button type="button" className="button-icon" aria-label="Zoom in" onClick={() => zoom(1)}>
          <Icon name="plus" />
        </button>
        <button type="button" className="button-icon" aria-label="Zoom out" onClick={() => zoom(-1)}>
          <Icon name="minus" />
        </button>
        <button type="button" className="button-icon" aria-label="Return to the site" onClick={reset}>
          <Icon name="fit" />
        </button>
      </div>
    </div>
  );
}

/** Where the traffic goes: arcs from the site, or why there are none. */
export function Globe({ state, site }: { state: GraphState; site: SiteReport }) {
  const home = site.home_coordinates;
  if (home === null) {
    return (
      <Empty icon="globe" title="The site has no coordinates in sites.yaml">
        <p className="soft">
          The globe draws traffic from the site's own place and invents none. Add{" "}
          <code>home_coordinates</code> for this site to sites.yaml, or use the network map.
        </p>
      </Empty>
    );
  }
  const arcs = [...state.arcs.values()];
  const placeless = placelessText(state);
  return (
    <>
      <GlobePicture state={state} home={home} />
      {arcs.length === 0
        ? (
          <Empty icon="globe" title="No destination with a known place">
            <p className="soft">
              No external address had traffic in this window, or the GeoIP database has no place for any of
              them.
            </p>
          </Empty>
        )
        : (
          <Card
            title="Destinations"
            note={plural(arcs.length, "network and place", "networks and places")}
            flush
          >
            {placeless !== null && <p className="soft card-text">{placeless}</p>}
            <ArcTable arcs={arcs} />
          </Card>
        )}
    </>
  );
}
