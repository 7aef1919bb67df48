import type { Flow } from "../../../contract/flow/flow.ts";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { isUnstatedIp } from "../../../kit/net/ip.ts";
import { shownIp } from "../../../kit/net/shown-ip.ts";

export interface TalkNode {
  key: string;
  /** `sensor`: the resolver that wrote the record; `unstated`: an address that the record does not state. */
  kind: "device" | "address" | "domain" | "sensor" | "unstated" | "rest";
  /** Device id, address, domain or sensor; the number of hidden nodes for `rest`. */
  value: string;
  label: string;
  /** A name of an address, if one is known. */
  name: string | null;
  country: string | null;
  records: number;
}

/** All traffic from one node to another. */
export interface TalkLink {
  key: string;
  from: string;
  to: string;
  /** Linked evidence, oldest first. */
  evidenceIds: string[];
  flows: number;
  /** Payload of both directions; null if no record states it. */
  bytes: number | null;
  /** Service or port, most frequent first. */
  services: string[];
  /** Named by a result whose flows are not loaded. */
  namedOnly: boolean;
}

export interface TalkGraph {
  /** Devices of the site and other sources. */
  left: TalkNode[];
  /** What they talked to. */
  right: TalkNode[];
  /** Links between the two columns and within the left one. */
  links: TalkLink[];
}

type Source = Pick<
  IncidentDetail,
  "device_ids" | "device_names" | "evidence" | "model_results"
>;

/** Nodes of a column; the others are added up in one more. */
export const COLUMN_NODES = 8;

interface Draft {
  nodes: Map<string, TalkNode>;
  /** Addresses and names of all ends of flows. */
  shown: Set<string>;
  links: Map<string, TalkLink & { serviceCounts: Map<string, number> }>;
}

/**
 * Who talked to whom: the incident's flows by their ends, and destinations that results name without a flow.
 * Equal input gives an equal picture: nodes are ordered by evidence, then by key.
 */
export function talkGraph(incident: Source, flows: readonly Flow[]): TalkGraph {
  const draft: Draft = { nodes: new Map(), links: new Map(), shown: new Set() };
  for (const id of incident.device_ids) addDevice(draft, id, incident.device_names[id] ?? id);
  const evidence = evidenceByFlow(incident);
  const placed = new Set<string>();
  for (const flow of flows.toSorted((a, b) => a.flow_id < b.flow_id ? -1 : 1)) {
    const ids = evidence.get(flow.flow_id) ?? [];
    for (const id of ids) placed.add(id);
    addFlow(draft, incident, flow, ids);
  }
  addNamed(draft, incident, placed);
  return arranged(draft, new Set(incident.device_ids));
}

function evidenceByFlow({ evidence }: Source): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { flow_id, evidence_id } of evidence) {
    found.set(flow_id, [...found.get(flow_id) ?? [], evidence_id]);
  }
  return found;
}

function addDevice(draft: Draft, id: string, label: string): string {
  return addPlain(draft, "device", id, label);
}

/** A node of which nothing else is known. */
function addPlain({ nodes }: Draft, kind: TalkNode["kind"], value: string, label = value): string {
  const key = `${kind} ${value}`;
  if (!nodes.has(key)) nodes.set(key, { key, kind, value, label, name: null, country: null, records: 0 });
  return key;
}

function addAddress({ nodes }: Draft, ip: string, name: string | null, country: string | null): string {
  const key = `address ${ip}`;
  const known = nodes.get(key);
  if (known === undefined) {
    nodes.set(key, { key, kind: "address", value: ip, label: ip, name, country, records: 0 });
  } else known.name ??= name;
  return key;
}

function addFlow(draft: Draft, { device_names }: Source, flow: Flow, evidenceIds: string[]): void {
  const { src, dst, counters, service, proto, primary_evidence } = flow;
  const nameOf = (side: "src" | "dst") => flow.names.find((one) => one.of === side)?.name ?? null;
  for (const { name } of flow.names) draft.shown.add(name);
  const end = (side: "src" | "dst") => {
    const { ip, device_id, geo } = side === "src" ? src : dst;
    draft.shown.add(ip);
    if (device_id !== null) return addDevice(draft, device_id, device_names[device_id] ?? ip);
    if (!isUnstatedIp(ip)) return addAddress(draft, ip, nameOf(side), geo?.country ?? null);
    const shown = shownIp(ip, primary_evidence);
    return addPlain(draft, shown === primary_evidence.sensor_id ? "sensor" : "unstated", shown);
  };
  const link = linkOf(draft, end("src"), end("dst"));
  link.namedOnly = false;
  link.flows++;
  link.evidenceIds.push(...evidenceIds);
  const bytes = bytesOf(counters);
  if (bytes !== null) link.bytes = (link.bytes ?? 0) + bytes;
  count(link.serviceCounts, service ?? (dst.port === 0 ? proto : `${proto}/${dst.port}`));
}

function bytesOf({ src_to_dst, dst_to_src }: Flow["counters"]): number | null {
  if (src_to_dst.bytes === null && dst_to_src.bytes === null) return null;
  return Number(src_to_dst.bytes ?? 0) + Number(dst_to_src.bytes ?? 0);
}

function linkOf({ links }: Draft, from: string, to: string) {
  const key = `${from} > ${to}`;
  let link = links.get(key);
  if (link === undefined) {
    link = {
      key,
      from,
      to,
      evidenceIds: [],
      flows: 0,
      bytes: null,
      services: [],
      namedOnly: true,
      serviceCounts: new Map(),
    };
    links.set(key, link);
  }
  return link;
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Destinations of results that no loaded flow has, with the evidence that is certain to belong to them. */
function addNamed(draft: Draft, incident: Source, placed: ReadonlySet<string>): void {
  const { shown } = draft;
  const retained = new Set(incident.evidence.map(({ evidence_id }) => evidence_id));
  const claimed = new Set(placed);
  for (const result of incident.model_results) {
    if (result.device_id === null) continue;
    const stated = result.destinations.map((one) =>
      one.ip !== null && isUnstatedIp(one.ip) ? { ...one, ip: null } : one
    );
    const named = stated.filter(({ ip, name }) =>
      !(ip !== null && shown.has(ip)) && !(name !== null && (shown.has(name) || nameKnown(shown, name)))
    );
    for (const { ip, name, port } of named) {
      if (ip === null && name === null) continue;
      const from = addDevice(
        draft,
        result.device_id,
        incident.device_names[result.device_id] ?? result.device_id,
      );
      const link = linkOf(
        draft,
        from,
        ip === null ? addPlain(draft, "domain", name!) : addAddress(draft, ip, name, null),
      );
      if (port !== null) count(link.serviceCounts, `port ${port}`);
      if (result.destinations.length > 1) continue;
      const own = result.evidence_ids.filter((id) => retained.has(id) && !claimed.has(id));
      for (const id of own) claimed.add(id);
      link.evidenceIds.push(...own);
    }
  }
}

/** A registered domain is shown already if one of its hosts is. */
function nameKnown(shown: ReadonlySet<string>, name: string): boolean {
  return [...shown].some((one) => one.endsWith(`.${name}`));
}

function arranged({ nodes, links: drafts }: Draft, devices: ReadonlySet<string>): TalkGraph {
  const links = [...drafts.values()].map(({ serviceCounts, ...link }) => ({
    ...link,
    services: [...serviceCounts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) =>
      name
    ),
  }));
  for (const { from, to, evidenceIds } of links) {
    nodes.get(from)!.records += evidenceIds.length;
    nodes.get(to)!.records += evidenceIds.length;
  }
  const isLeft = sides(nodes, links, devices);
  const all = [...nodes.values()].toSorted((a, b) => b.records - a.records || (a.key < b.key ? -1 : 1));
  const [left, leftOf] = column(all.filter(({ key }) => isLeft(key)), "left");
  const position = new Map(left.map(({ key }, index) => [key, index]));
  const [right, rightOf] = column(all.filter(({ key }) => !isLeft(key)), "right");
  const merged = merge(links, (key) => leftOf.get(key) ?? rightOf.get(key) ?? key);
  return { left, right: crossingOrder(right, merged, position), links: merged };
}

/**
 * Originators and the incident's devices stand on the left. A device that only answers another one on the left
 * is a destination.
 */
function sides(
  nodes: ReadonlyMap<string, TalkNode>,
  links: readonly TalkLink[],
  devices: ReadonlySet<string>,
): (key: string) => boolean {
  const originates = new Set(links.map(({ from }) => from));
  const answers = new Set(links.map(({ to }) => to));
  return (key) => {
    const { kind, value } = nodes.get(key)!;
    if (originates.has(key)) return kind === "device" || !answers.has(key);
    return kind === "device" && devices.has(value) && !answers.has(key);
  };
}

/** The first nodes of a column; `replaced` maps the others to the node that adds them up. */
function column(nodes: TalkNode[], side: string): [TalkNode[], Map<string, string>] {
  if (nodes.length <= COLUMN_NODES) return [nodes, new Map()];
  const others = nodes.slice(COLUMN_NODES - 1);
  const key = `rest ${side}`;
  const rest: TalkNode = {
    key,
    kind: "rest",
    value: String(others.length),
    label: `${others.length} more`,
    name: null,
    country: null,
    records: others.reduce((sum, { records }) => sum + records, 0),
  };
  return [
    [...nodes.slice(0, COLUMN_NODES - 1), rest],
    new Map(others.map((node) => [node.key, key])),
  ];
}

function merge(links: readonly TalkLink[], shownKey: (key: string) => string): TalkLink[] {
  const merged = new Map<string, TalkLink>();
  for (const link of links) {
    const [from, to] = [shownKey(link.from), shownKey(link.to)];
    const key = `${from} > ${to}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...link, key, from, to });
    else {
      known.evidenceIds = [...known.evidenceIds, ...link.evidenceIds];
      known.flows += link.flows;
      if (link.bytes !== null) known.bytes = (known.bytes ?? 0) + link.bytes;
      known.services = [...new Set([...known.services, ...link.services])];
      known.namedOnly &&= link.namedOnly;
    }
  }
  return [...merged.values()].toSorted((a, b) =>
    b.evidenceIds.length - a.evidenceIds.length || (a.key < b.key ? -1 : 1)
  );
}

/** Destinations in the order of their sources, so that few links cross. */
function crossingOrder(
  right: readonly TalkNode[],
  links: readonly TalkLink[],
  position: ReadonlyMap<string, number>,
): TalkNode[] {
  const centre = (key: string) => {
    const sources = links.flatMap(({ from, to }) => {
      const other = to === key ? from : from === key ? to : null;
      return other === null ? [] : position.get(other) ?? [];
    });
    return sources.length === 0 ? Infinity : sources.reduce((sum, one) => sum + one, 0) / sources.length;
  };
  const order = new Map(right.map(({ key }, index) => [key, { centre: centre(key), index }]));
  return right.toSorted((a, b) => {
    const [one, other] = [order.get(a.key)!, order.get(b.key)!];
    return a.kind === "rest"
      ? 1
      : b.kind === "rest"
      ? -1
      : one.centre === other.centre
      ? one.index - other.index
      : one.centre - other.centre;
  });
}
