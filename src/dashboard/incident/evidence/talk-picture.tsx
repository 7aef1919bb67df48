import { useMemo } from "react";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { useZone } from "../../base/time/zone.ts";
import { windowAround } from "../../entity/incident/incident-window.ts";
import { LinkedText } from "../../entity/linked-text.tsx";
import { serviceNames } from "../../entity/service-name.ts";
import { spanLabel } from "../../ui/chart/time-axis.ts";
import { useWidth } from "../../ui/chart/use-width.ts";
import { ABSENT, formatBytes, formatLabel, plural } from "../../ui/format.ts";
import { bytesOf, talkGraph, type TalkLink, type TalkNode } from "./talk-graph.ts";
import { TalkNodeName } from "./talk-node.tsx";
import { TalkTable } from "./talk-table.tsx";

interface TalkPictureProps {
  incident: IncidentDetail;
  /** The key of the selected link. */
  selected: string | null;
  select: (link: TalkLink | null, label: string) => void;
}

/** Who talked to whom: sources on the left, destinations on the right, arrows as wide as their bytes; and as a table. */
export function TalkPicture({ incident, selected, select }: TalkPictureProps) {
  const { left, right, links } = useMemo(() => talkGraph(incident), [incident]);
  if (links.length === 0) {
    return <p className="muted">Neither the flows nor the results of this incident name two ends.</p>;
  }
  const nodes = new Map([...left, ...right].map((node) => [node.key, node]));
  const labels = new Map([...nodes].map(([key, { label }]) => [key, label]));
  const toggle = (link: TalkLink) =>
    select(link.key === selected ? null : link, `${labels.get(link.from)} to ${labels.get(link.to)}`);
  const rows = Math.max(left.length, right.length);
  const isNamedOnly = links.some(({ flows }) => flows === 0);
  return (
    <div className="talk">
      <div className="talk-side">
        <div className="talk-picture">
          <Column label="Sources" nodes={left} rows={rows} />
          <Arrows
            left={left}
            right={right}
            links={links}
            labels={labels}
            selected={selected}
            toggle={toggle}
          />
          <Column label="Destinations" nodes={right} rows={rows} />
        </div>
        <p className="muted small">
          Arrows point from the client to the server. Width: bytes; colour: severity of the findings.
          {isNamedOnly && " Dashed: only a result names the destination."}
          {incident.evidence_truncated && " Drawn from the newest 500 records; the map shows all pairs."}
        </p>
      </div>
      <TalkTable
        links={links}
        nodes={nodes}
        window={windowAround(incident)}
        selected={selected}
        toggle={toggle}
      />
    </div>
  );
}

/** Pixels of a row of nodes. */
const ROW = 46;

function Column({ label, nodes, rows }: { label: string; nodes: readonly TalkNode[]; rows: number }) {
  return (
    <ul className="talk-column" aria-label={label} style={{ height: rows * ROW }}>
      {nodes.map((node) => <Node key={node.key} node={node} />)}
    </ul>
  );
}

function Node({ node }: { node: TalkNode }) {
  const { name, records } = node;
  return (
    <li className="talk-node">
      <span className="talk-value">
        <TalkNodeName node={node} />
      </span>
      <span className="talk-more muted small">
        {name !== null && (
          <span className="clip">
            <LinkedText text={name} />
          </span>
        )}
        <span className="nowrap">{records > 0 ? plural(records, "record") : ABSENT}</span>
      </span>
    </li>
  );
}

interface ArrowsProps {
  left: readonly TalkNode[];
  right: readonly TalkNode[];
  links: readonly TalkLink[];
  labels: ReadonlyMap<string, string>;
  selected: string | null;
  toggle: (link: TalkLink) => void;
}

const THINNEST = 1.5;
const WIDEST = 7;
const HEAD = 9;

/** The links between two columns of rows; the table has the same ones for the keyboard and for screen readers. */
function Arrows({ left, right, links, labels, selected, toggle }: ArrowsProps) {
  const zone = useZone();
  const [box, width] = useWidth<HTMLDivElement>();
  const height = Math.max(left.length, right.length) * ROW;
  const place = new Map<string, Point>();
  left.forEach(({ key }, index) => place.set(key, { x: 0, y: (index + 0.5) / left.length * height }));
  right.forEach(({ key }, index) => place.set(key, { x: width, y: (index + 0.5) / right.length * height }));
  const most = Math.max(...links.map(bytesOf));
  return (
    <div ref={box} className="talk-arrows" style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {links.toReversed().map((link) => {
            const [from, to] = [place.get(link.from), place.get(link.to)];
            if (from === undefined || to === undefined) return null;
            const isEmpty = link.evidenceIds.length === 0;
            const stroke = THINNEST + (WIDEST - THINNEST) * shareOf(bytesOf(link), most);
            const className = [
              "talk-link",
              `ink-${link.severity ?? "info"}`,
              isEmpty && "talk-empty",
              link.flows === 0 && "talk-named",
              selected !== null && (link.key === selected ? "talk-chosen" : "talk-other"),
            ].filter(Boolean).join(" ");
            const d = curve(from, to, width);
            return (
              <g key={link.key} className={className} onClick={isEmpty ? undefined : () => toggle(link)}>
                <path className="talk-hit" d={d} />
                <path className="talk-line" d={d} strokeWidth={stroke} />
                <path className="talk-head" d={head(to, stroke)} />
                <title>
                  {`${labels.get(link.from)} to ${labels.get(link.to)}: ${described(link, zone)}`}
                </title>
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

/** Bytes span many magnitudes: a plain share would draw all but one line as a hair, a logarithm all alike. */
function shareOf(bytes: number, most: number): number {
  return most === 0 ? 0 : (bytes / most) ** 0.35;
}

function described(link: TalkLink, zone: string): string {
  const { services, sent, received, severity, firstSeen, lastSeen, evidenceIds } = link;
  return [
    serviceNames(services.slice(0, 3)),
    `${formatBytes(sent)} sent, ${formatBytes(received)} received`,
    spanLabel(Date.parse(firstSeen), Date.parse(lastSeen), zone),
    severity === null ? "" : `severity ${formatLabel(severity).toLowerCase()}`,
    plural(evidenceIds.length, "record"),
  ].filter((part) => part !== "").join("; ");
}

interface Point {
  x: number;
  y: number;
}

/** Between the columns an S, within one column an arc; it ends where the arrow's head begins. */
function curve(from: Point, to: Point, width: number): string {
  const isArc = from.x === to.x;
  const bend = (isArc ? (from.x === 0 ? 0.45 : 0.55) : 0.5) * width;
  const end = to.x === 0 ? HEAD : to.x - HEAD;
  return `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${end} ${to.y}`;
}

/** A triangle at the end of a line, towards its column. */
function head({ x, y }: Point, stroke: number): string {
  const half = 3.5 + stroke / 2;
  const back = x === 0 ? x + HEAD + 1 : x - HEAD - 1;
  return `M${x} ${y}L${back} ${y - half}L${back} ${y + half}Z`;
}
