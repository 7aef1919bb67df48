import { Link } from "@tanstack/react-router";
import type { GraphArc, GraphLink, GraphNode } from "../../contract/graph/graph.ts";
import { to } from "../base/links.ts";
import { serviceNames } from "../entity/service-name.ts";
import { formatBytes, formatExact, formatLabel } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { SortHeader, sortRows, useSorting } from "../ui/table.tsx";
import { ShortTable } from "../ui/short-table.tsx";
import { SeverityTag } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";
import type { Severity } from "../../contract/record/kinds.ts";
import { arcName, filterOfLink, filterOfNode, KIND_NAMES, nodeLabel, placeOf } from "./graph-labels.ts";
import { type Comparison, type GraphState, neighbours } from "./graph-model.ts";

function rank(severity: Severity | null): number {
  return severity === null ? 0 : SEVERITY_ORDER.length - SEVERITY_ORDER.indexOf(severity);
}

function SeverityCell({ severity, intel }: { severity: Severity | null; intel: boolean }) {
  return (
    <>
      {severity === null ? <span className="muted">None</span> : <SeverityTag severity={severity} />}
      {intel && <span className="chip chip-bad mark">threat intelligence</span>}
    </>
  );
}

/** A number of flows that leads to them; a group of others has no filter. */
function FlowCount({ count, filter }: { count: number | bigint; filter: string | null }) {
  if (filter === null) return formatExact(count);
  return <Link {...to.explore({ filter })} className="link" title="Show the flows">{formatExact(count)}
  </Link>;
}

type NodeKey = "label" | "kind" | "place" | "bytes" | "flows" | "links" | "severity" | "last";

interface TableProps {
  state: GraphState;
  vlans: ReadonlyMap<number, string>;
  onSelect: (id: string) => void;
  /** Only these nodes and their links; null shows all. */
  found: ReadonlySet<string> | null;
  comparison: Comparison | null;
}

function NodeTable({ state, vlans, onSelect, found, comparison }: TableProps) {
  const { sorting, toggle } = useSorting<NodeKey>({ key: "bytes", down: true });
  const links = neighbours(state);
  const by: Record<NodeKey, (node: GraphNode) => string | number> = {
    label: ({ label }) => label,
    kind: ({ kind }) => KIND_NAMES[kind],
    place: (node) => placeOf(node, vlans),
    bytes: ({ bytes }) => Number(bytes),
    flows: ({ flows }) => Number(flows),
    links: ({ node_id }) => links.get(node_id)?.length ?? 0,
    severity: ({ severity }) => rank(severity),
    last: ({ last_seen }) => Date.parse(last_seen),
  };
  const shown = [...state.nodes.values()].filter(({ node_id }) => found === null || found.has(node_id));
  const rows = sorting === null ? shown : sortRows(shown, by[sorting.key], sorting.down);
  const head = { sorting, toggle };
  return (
    <ShortTable
      label="Nodes"
      head={
        <>
          <SortHeader name="label" {...head}>Name</SortHeader>
          <SortHeader name="kind" {...head}>Kind</SortHeader>
          <SortHeader name="place" {...head}>Belongs to</SortHeader>
          <SortHeader name="bytes" down className="number" {...head}>Traffic</SortHeader>
          <SortHeader name="flows" down className="number" {...head}>Flows</SortHeader>
          <SortHeader name="links" down className="number" {...head}>Connections</SortHeader>
          <SortHeader name="severity" down {...head}>Open incidents</SortHeader>
          <SortHeader name="last" down {...head}>Last seen</SortHeader>
        </>
      }
      all={rows}
      row={(node) => (
        <tr key={node.node_id}>
          <td>
            <button type="button" className="link text-button" onClick={() => onSelect(node.node_id)}>
              <Foreign text={node.label} />
            </button>
            {comparison?.newNodes.has(node.node_id) && <span className="chip mark">new</span>}
          </td>
          <td>{KIND_NAMES[node.kind]}</td>
          <td>{placeOf(node, vlans)}</td>
          <td className="number">{formatBytes(node.bytes)}</td>
          <td className="number">
            <FlowCount count={node.flows} filter={filterOfNode(node)} />
          </td>
          <td className="number">{formatExact(links.get(node.node_id)?.length ?? 0)}</td>
          <td>
            <SeverityCell severity={node.severity} intel={node.intel} />
          </td>
          <td>
            <Time at={node.last_seen} short />
          </td>
        </tr>
      )}
    />
  );
}

type LinkKey = "source" | "target" | "services" | "out" | "in" | "flows" | "severity" | "last";

function LinkTable({ state, onSelect, found, comparison }: TableProps) {
  const { sorting, toggle } = useSorting<LinkKey>({ key: "out", down: true });
  const label = (id: string) => nodeLabel(id, state.nodes);
  const by: Record<LinkKey, (link: GraphLink) => string | number> = {
    source: ({ source }) => label(source),
    target: ({ target }) => label(target),
    services: ({ services }) => serviceNames(services),
    out: ({ bytes_out }) => Number(bytes_out),
    in: ({ bytes_in }) => Number(bytes_in),
    flows: ({ flows }) => Number(flows),
    severity: ({ severity }) => rank(severity),
    last: ({ last_seen }) => Date.parse(last_seen),
  };
  const shown = [...state.links.values()].filter(({ source, target }) =>
    found === null || found.has(source) || found.has(target)
  );
  const rows = sorting === null ? shown : sortRows(shown, by[sorting.key], sorting.down);
  const head = { sorting, toggle };
  return (
    <ShortTable
      label="Connections"
      head={
        <>
          <SortHeader name="source" {...head}>One end</SortHeader>
          <SortHeader name="target" {...head}>Other end</SortHeader>
          <SortHeader name="services" {...head}>Services</SortHeader>
          <SortHeader name="out" down className="number" {...head}>Sent by one end</SortHeader>
          <SortHeader name="in" down className="number" {...head}>Sent by the other</SortHeader>
          <SortHeader name="flows" down className="number" {...head}>Flows</SortHeader>
          <SortHeader name="severity" down {...head}>Open incidents</SortHeader>
          <SortHeader name="last" down {...head}>Last seen</SortHeader>
        </>
      }
      all={rows}
      row={(link) => (
        <tr key={link.link_id}>
          <td>
            <button type="button" className="link text-button" onClick={() => onSelect(link.link_id)}>
              <Foreign text={label(link.source)} />
            </button>
            {comparison?.newLinks.has(link.link_id) && <span className="chip mark">new</span>}
          </td>
          <td>
            <Foreign text={label(link.target)} />
          </td>
          <td>
            <Foreign text={serviceNames(link.services)} />
          </td>
          <td className="number">{formatBytes(link.bytes_out)}</td>
          <td className="number">{formatBytes(link.bytes_in)}</td>
          <td className="number">
            <FlowCount count={link.flows} filter={filterOfLink(link, state.nodes)} />
          </td>
          <td>
            <SeverityCell severity={link.severity} intel={link.intel} />
          </td>
          <td>
            <Time at={link.last_seen} short />
          </td>
        </tr>
      )}
    />
  );
}

/** The map as two tables: the same numbers without a picture. */
export function MapTables(props: TableProps) {
  const { state, comparison, vlans } = props;
  return (
    <div className="map-tables">
      <Card title="Nodes" note={formatExact(state.nodes.size)} flush>
        <NodeTable {...props} />
      </Card>
      <Card title="Connections" note={formatExact(state.links.size)} flush>
        <LinkTable {...props} />
      </Card>
      {comparison !== null && comparison.goneNodes.length > 0 && (
        <Card title="Gone since the day before" note={formatExact(comparison.goneNodes.length)} flush>
          <ul className="rows">
            {comparison.goneNodes.map((node) => (
              <li key={node.node_id} className="row">
                <Foreign text={node.label} />
                <span className="muted">
                  {[KIND_NAMES[node.kind], placeOf(node, vlans)].filter(Boolean).join(", ")}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

type ArcKey = "label" | "addresses" | "bytes" | "flows" | "severity";

/** The globe's arcs as a table. */
export function ArcTable({ arcs }: { arcs: GraphArc[] }) {
  const { sorting, toggle } = useSorting<ArcKey>({ key: "bytes", down: true });
  const by: Record<ArcKey, (arc: GraphArc) => string | number> = {
    label: arcName,
    addresses: ({ member_count }) => member_count,
    bytes: ({ bytes }) => Number(bytes),
    flows: ({ flows }) => Number(flows),
    severity: ({ severity }) => rank(severity),
  };
  const rows = sorting === null ? arcs : sortRows(arcs, by[sorting.key], sorting.down);
  const head = { sorting, toggle };
  return (
    <ShortTable
      label="Destinations"
      head={
        <>
          <SortHeader name="label" {...head}>Network and country</SortHeader>
          <SortHeader name="addresses" down className="number" {...head}>Addresses</SortHeader>
          <SortHeader name="bytes" down className="number" {...head}>Traffic</SortHeader>
          <SortHeader name="flows" down className="number" {...head}>Flows</SortHeader>
          <SortHeader name="severity" down {...head}>Open incidents</SortHeader>
        </>
      }
      all={rows}
      row={(arc) => (
        <tr key={arc.arc_id}>
          <td>
            <Foreign text={arcName(arc)} />
          </td>
          <td className="number">{formatExact(arc.member_count)}</td>
          <td className="number">{formatBytes(arc.bytes)}</td>
          <td className="number">{formatExact(arc.flows)}</td>
          <td>
            <SeverityCell severity={arc.severity} intel={arc.intel} />
          </td>
        </tr>
      )}
    />
  );
}

export function severityLabel(severity: Severity | null): string {
  return severity === null ? "no open incident" : formatLabel(severity).toLowerCase();
}
