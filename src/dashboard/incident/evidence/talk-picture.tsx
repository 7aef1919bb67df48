import { useMemo, useState } from "react";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import type { Flow } from "../../../contract/flow/flow.ts";
import { ABSENT, formatBytes, plural } from "../../ui/format.ts";
import { EntityChip } from "../../entity/entity-chip.tsx";
import { serviceNames } from "../../entity/service-name.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { type TalkGraph, talkGraph, type TalkLink, type TalkNode } from "./talk-graph.ts";

interface TalkPictureProps {
  incident: IncidentDetail;
  flows: readonly Flow[];
  /** The key of the selected link. */
  selected: string | null;
  select: (link: TalkLink | null, label: string) => void;
}

/** Who talked to whom: sources on the left, destinations on the right, links as wide as their evidence. */
export function TalkPicture({ incident, flows, selected, select }: TalkPictureProps) {
  const graph = useMemo(() => talkGraph(incident, flows), [incident, flows]);
  const [table, setTable] = useState(false);
  if (graph.links.length === 0) {
    return <p className="muted">Neither the flows nor the results of this incident name two ends.</p>;
  }
  const labels = new Map([...graph.left, ...graph.right].map(({ key, label }) => [key, label]));
  const toggle = (link: TalkLink) =>
    select(link.key === selected ? null : link, `${labels.get(link.from)} to ${labels.get(link.to)}`);
  return (
    <div className="talk">
      {table
        ? <TalkTable graph={graph} labels={labels} selected={selected} toggle={toggle} />
        : (
          <div className="talk-picture">
            <ul className="talk-column" aria-label="Sources">
              {graph.left.map((node) => <Node key={node.key} node={node} />)}
            </ul>
            <Links graph={graph} labels={labels} selected={selected} toggle={toggle} />
            <ul className="talk-column" aria-label="Destinations">
              {graph.right.map((node) => <Node key={node.key} node={node} />)}
            </ul>
          </div>
        )}
      <p className="talk-foot muted small">
        <span>
          Width: linked records. {graph.links.some(({ to }) => isIn(graph.left, to)) &&
            "Dashed: towards the left or within it. "}
        </span>
        <button type="button" className="link-button" onClick={() => setTable(!table)}>
          {table ? "Show as picture" : "Show as table"}
        </button>
      </p>
    </div>
  );
}

function isIn(nodes: readonly TalkNode[], wanted: string): boolean {
  return nodes.some(({ key }) => key === wanted);
}

function Node({ node }: { node: TalkNode }) {
  const { kind, value, label, name, country, records } = node;
  return (
    <li className={`talk-node talk-${kind}`}>
      <span className="talk-value">
        {kind === "rest" || kind === "unstated"
          ? <span className="soft">{label}</span>
          : <EntityChip kind={kind} value={value} label={label} country={country} />}
        <span className="muted small nowrap">{records > 0 ? plural(records, "record") : ABSENT}</span>
      </span>
      {name !== null && <Foreign text={name} className="muted small clip" />}
    </li>
  );
}

interface LinksProps {
  graph: TalkGraph;
  labels: ReadonlyMap<string, string>;
  selected: string | null;
  toggle: (link: TalkLink) => void;
}

const HEIGHT = 100;

/**
 * The links between two columns of rows with equal height. The table has the same links for the keyboard and for
 * screen readers.
 */
function Links({ graph: { left, right, links }, labels, selected, toggle }: LinksProps) {
  const place = new Map<string, { x: number; y: number }>();
  left.forEach(({ key }, index) => place.set(key, { x: 0, y: (index + 0.5) / left.length * HEIGHT }));
  right.forEach(({ key }, index) => place.set(key, { x: 100, y: (index + 0.5) / right.length * HEIGHT }));
  const most = Math.max(1, ...links.map(({ evidenceIds }) => evidenceIds.length));
  return (
    <svg className="talk-links" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {links.toReversed().map((link) => {
        const [from, to] = [place.get(link.from), place.get(link.to)];
        if (from === undefined || to === undefined) {
          return null;
        }
        const isEmpty = link.evidenceIds.length === 0;
        const share = Math.sqrt(link.evidenceIds.length / most);
        const className = [
          isEmpty ? "talk-empty" : "talk-link",
          to.x <= from.x && "talk-back",
          selected !== null && (link.key === selected ? "talk-chosen" : "talk-other"),
        ].filter(Boolean).join(" ");
        return (
          <g
            key={link.key}
            className={className}
            onClick={isEmpty ? undefined : () => toggle(link)}
          >
            <path className="talk-hit" d={curve(from, to)} />
            <path className="talk-line" d={curve(from, to)} strokeWidth={1.5 + share * 6} />
            <title>
              {`${labels.get(link.from)} to ${labels.get(link.to)}: ${
                plural(link.evidenceIds.length, "linked record")
              }${link.services.length > 0 ? `, ${serviceNames(link.services.slice(0, 3))}` : ""}`}
            </title>
          </g>
        );
      })}
    </svg>
  );
}

interface Point {
  x: number;
  y: number;
}

/** Between the columns an S; within one column an arc. */
function curve(from: Point, to: Point): string {
  const bend = from.x === to.x ? (from.x === 0 ? 40 : 60) : 50;
  return `M${from.x} ${from.y.toFixed(2)}C${bend} ${from.y.toFixed(2)} ${bend} ${to.y.toFixed(2)} ${to.x} ${
    to.y.toFixed(2)
  }`;
}

/** The same links as a table; a row's button selects its evidence. */
function TalkTable({ graph, labels, selected, toggle }: LinksProps) {
  return (
    <div className="table-box" role="region" aria-label="Who talked to whom" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Services</th>
            <th scope="col" className="number">Flows</th>
            <th scope="col" className="number">Bytes</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {graph.links.map((link) => (
            <tr key={link.key}>
              <td>
                <Foreign text={labels.get(link.from) ?? ""} />
              </td>
              <td>
                <Foreign text={labels.get(link.to) ?? ""} />
              </td>
              <td>
                <Foreign text={serviceNames(link.services.slice(0, 5)) || ABSENT} />
              </td>
              <td className="number">{link.namedOnly ? ABSENT : link.flows}</td>
              <td className="number nowrap">{formatBytes(link.bytes)}</td>
              <td className="nowrap">
                {link.evidenceIds.length === 0 ? ABSENT : (
                  <button
                    type="button"
                    className="link-button"
                    aria-pressed={link.key === selected}
                    onClick={() => toggle(link)}
                  >
                    {plural(link.evidenceIds.length, "record")}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
