/// <reference lib="dom" />
import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { GraphLink, GraphNode } from "../../contract/graph/graph.ts";
import { call } from "../base/api.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { serviceNames } from "../entity/service-name.ts";
import { ABSENT, formatBytes, formatExact, plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import type { Window } from "../base/time/range.ts";
import { SeverityTag } from "../ui/tags.tsx";
import { EVER } from "../base/time/range.ts";
import { Time } from "../ui/time/time.tsx";
import { typeName } from "../entity/device/device-type.tsx";
import { countryName } from "./graph-style.ts";
import { filterOfLink, filterOfNode, KIND_NAMES, nodeLabel } from "./graph-labels.ts";
import { clusterOf, type GraphState, isCluster, neighbours, otherEnd } from "./graph-model.ts";
import { MAP_HOPS, type MapSearch } from "./map-search.ts";

const MOST_LINKS = 8;
const MOST_INCIDENTS = 5;
/** Of the links of an address or a group, so that the filter stays short. */
const MOST_NAMED = 20;

const DAY = 86_400_000;

/** Open work of any age, the worst first: of a device, or of those of some incidents that are. */
const openIncidents = (tenant: string, of: { device: string } | { ids: readonly string[] }) => ({
  queryKey: [tenant, "map-incidents", of],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call("listIncidents", {
      query: {
        ..."device" in of
          ? { device_id: of.device, filter: "status:(open, investigating)" }
          : { filter: `incident:(${of.ids.join(", ")})` },
        sort: "-score",
        limit: MOST_INCIDENTS,
        from: EVER,
        to: new Date(Date.now() + DAY).toISOString(),
      },
      signal,
    }),
});

function Facts({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The open incidents of a device, or of links: `ids` has some of the `count` incidents. */
function Incidents({ device, ids, count }: { device: string | null; ids: readonly string[]; count: number }) {
  const { tenant } = useSignedIn();
  const { data } = useQuery({
    ...openIncidents(tenant, device === null ? { ids } : { device }),
    enabled: count > 0 && (device !== null || ids.length > 0),
  });
  if (count === 0) return null;
  const rest = count - (data?.length ?? count);
  return (
    <section>
      <h3>Open incidents</h3>
      <ul className="map-list">
        {(data ?? []).map(({ id, title, severity }) => (
          <li key={id}>
            <SeverityTag severity={severity} />
            <Link {...to.incident(id)} className="link">
              <Foreign text={title} />
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="muted small">{formatExact(rest)} more</p>}
    </section>
  );
}

interface DetailsProps {
  state: GraphState;
  /** A node or link. */
  selected: string;
  search: MapSearch;
  vlans: ReadonlyMap<number, string>;
  window: Window;
  select: (id: string | null) => void;
  change: (search: Partial<MapSearch>) => void;
  toggleCluster: (cluster: string) => void;
  expanded: string[];
}

function Flows({ filter, window, children }: { filter: string | null; window: Window; children: ReactNode }) {
  if (filter === null) return null;
  return (
    <Link {...to.explore({ filter, scope: window })} className="button">
      <Icon name="flows" />
      {children}
    </Link>
  );
}

/** Narrows the map to the traffic of a node or link. */
function OnlyThis({ filter, change }: { filter: string | null } & Pick<DetailsProps, "change">) {
  if (filter === null) return null;
  return (
    <button type="button" className="button" onClick={() => change({ filter })}>
      <Icon name="search" />Filter for it
    </button>
  );
}

function trafficText({ bytes, flows }: Pick<GraphNode, "bytes" | "flows">): string {
  if (flows === 0) return "Unknown: its flows are no longer retained";
  return `${formatBytes(bytes)} in ${plural(Number(flows), "flow")}`;
}

function NodeDetails(props: DetailsProps & { node: GraphNode }) {
  const { node, state, search, vlans, window, select, change, toggleCluster, expanded } = props;
  const links = [...neighbours(state).get(node.node_id) ?? []]
    .sort((a, b) => Number(b.bytes) - Number(a.bytes));
  const cluster = clusterOf(node);
  const facts: [string, ReactNode][] = [];
  if (node.ip !== null) facts.push(["Address", <EntityChip key="ip" kind="address" value={node.ip} />]);
  if (node.device_type !== null && node.device_type !== "unknown") {
    facts.push(["Type", typeName(node.device_type)]);
  }
  if (node.member_count !== null) {
    facts.push([node.kind === "vlan_cluster" ? "Devices" : "Addresses", formatExact(node.member_count)]);
  }
  if (node.vlan_id !== null) {
    facts.push(["VLAN", [node.vlan_id, vlans.get(node.vlan_id)].filter(Boolean).join(" ")]);
  }
  if (node.asn !== null) facts.push(["Network", `AS${node.asn}`]);
  if (node.country !== null) facts.push(["Country", countryName(node.country)]);
  facts.push(["Traffic", trafficText(node)]);
  facts.push(["First seen", <Time key="first" at={node.first_seen} />]);
  facts.push(["Last seen", <Time key="last" at={node.last_seen} />]);
  return (
    <>
      <p className="soft">
        {KIND_NAMES[node.kind]}
        {node.intel && <span className="chip chip-bad mark">threat intelligence match</span>}
      </p>
      <div className="map-actions">
        {node.device_id !== null && (
          <Link {...to.device(node.device_id, window)} className="button">
            <Icon name="devices" />Device
          </Link>
        )}
        <Flows filter={filterOfNode(node)} window={window}>Flows</Flows>
        <OnlyThis filter={filterOfNode(node)} change={change} />
        {isCluster(node) && (
          <button
            type="button"
            className="button"
            onClick={() => toggleCluster(node.node_id)}
          >
            Expand
          </button>
        )}
        {cluster !== null && expanded.includes(cluster) && (
          <button
            type="button"
            className="button"
            onClick={() => toggleCluster(cluster)}
          >
            Collapse {nodeLabel(cluster, state.nodes)}
          </button>
        )}
      </div>
      {node.device_id !== null && (
        <div className="map-hops">
          <span className="soft small" id="hops-label">Show only what is within</span>
          <span className="segments" role="group" aria-labelledby="hops-label">
            {MAP_HOPS.map((hops) => (
              <button
                key={hops}
                type="button"
                className="segment"
                aria-pressed={search.focus === node.device_id && (search.hops ?? "1") === hops}
                onClick={() => change({ focus: node.device_id ?? undefined, hops })}
              >
                {hops === "1" ? "1 hop" : `${hops} hops`}
              </button>
            ))}
          </span>
        </div>
      )}
      <Facts rows={facts} />
      <Incidents
        device={node.device_id}
        ids={[...new Set(links.flatMap((link) => link.incident_ids))].slice(0, MOST_NAMED)}
        count={node.incidents}
      />
      <section>
        <h3>{links.length === 0 ? "No connections" : plural(links.length, "connection")}</h3>
        <ul className="map-list">
          {links.slice(0, MOST_LINKS).map((link) => {
            const other = otherEnd(link, node.node_id);
            return (
              <li key={link.link_id}>
                <button type="button" className="link text-button clip" onClick={() => select(other)}>
                  <Foreign text={nodeLabel(other, state.nodes)} />
                </button>
                <button
                  type="button"
                  className="text-button muted small nowrap"
                  onClick={() => select(link.link_id)}
                  aria-label={`Connection with ${nodeLabel(other, state.nodes)}, ${formatBytes(link.bytes)}`}
                >
                  {serviceNames(link.services.slice(0, 2))} {formatBytes(link.bytes)}
                </button>
              </li>
            );
          })}
        </ul>
        {links.length > MOST_LINKS && (
          <p className="muted small">The {MOST_LINKS} with the most traffic; the table lists all.</p>
        )}
      </section>
    </>
  );
}

function LinkDetails({ link, state, window, select, change }: DetailsProps & { link: GraphLink }) {
  const end = (id: string) => (
    <button type="button" className="link text-button" onClick={() => select(id)}>
      <Foreign text={nodeLabel(id, state.nodes)} />
    </button>
  );
  return (
    <>
      <p className="soft">
        Connection
        {link.intel && <span className="chip chip-bad mark">threat intelligence match</span>}
      </p>
      <div className="map-actions">
        <Flows filter={filterOfLink(link, state.nodes)} window={window}>Flows</Flows>
        <OnlyThis filter={filterOfLink(link, state.nodes)} change={change} />
      </div>
      <Facts
        rows={[
          ["Ends", <span key="ends" className="values">{end(link.source)}{end(link.target)}</span>],
          ...link.flows === 0 ? [["Traffic", trafficText(link)] as [string, ReactNode]] : [
            [`Sent by ${nodeLabel(link.source, state.nodes)}`, formatBytes(link.bytes_out)],
            [`Sent by ${nodeLabel(link.target, state.nodes)}`, formatBytes(link.bytes_in)],
            ["Packets", formatExact(link.packets)],
            ["Flows", formatExact(link.flows)],
          ] as [string, ReactNode][],
          [
            "Services",
            link.services.length === 0 ? ABSENT : <Foreign key="s" text={serviceNames(link.services)} />,
          ],
          ...link.incidents === 0 ? [["Incidents", "None open"] as [string, ReactNode]] : [],
          ["First seen", <Time key="first" at={link.first_seen} />],
          ["Last seen", <Time key="last" at={link.last_seen} />],
        ]}
      />
      <Incidents device={null} ids={link.incident_ids} count={link.incidents} />
    </>
  );
}

/** The selected node or link. */
export function MapDetails(props: DetailsProps) {
  const { state, selected, select } = props;
  const node = state.nodes.get(selected);
  const link = state.links.get(selected);
  const title = node?.label ??
    (link
      ? `${nodeLabel(link.source, state.nodes)} – ${nodeLabel(link.target, state.nodes)}`
      : "Not on the map");
  return (
    <aside
      className="map-details"
      aria-label="Details"
      onKeyDown={(event) => event.key === "Escape" && select(null)}
    >
      <div className="map-details-head">
        <h2 tabIndex={-1} id="map-details-title" className="wrap">
          <Foreign text={title} />
        </h2>
        <button
          type="button"
          className="button-icon"
          aria-label="Close the details"
          onClick={() => select(null)}
        >
          <Icon name="close" />
        </button>
      </div>
      {node !== undefined && <NodeDetails {...props} node={node} />}
      {link !== undefined && <LinkDetails {...props} link={link} />}
      {node === undefined && link === undefined && (
        <p className="soft">
          It had no traffic in this window, is part of a group, or was left out. Choose a longer window, or
          focus on the device.
        </p>
      )}
    </aside>
  );
}
