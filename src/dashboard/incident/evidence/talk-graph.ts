import { FILTER_LIMITS } from "../../../contract/filter/limits.ts";
import { normalise } from "../../../contract/filter/normalise.ts";
import { printCondition } from "../../../contract/filter/printer.ts";
import type { Condition } from "../../../contract/filter/tree.ts";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import type { IncidentParty, IncidentTalk } from "../../../contract/incident/talk.ts";
import type { Severity } from "../../../contract/record/kinds.ts";
import { SEVERITY_ORDER } from "../../ui/severity.ts";

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
  /** The addresses that its flows have; of all hidden nodes for `rest`. */
  addresses: string[];
  records: number;
}

/** All traffic from one node to another. */
export interface TalkLink {
  key: string;
  from: string;
  to: string;
  /** Linked evidence. */
  evidenceIds: string[];
  flows: number;
  /** Payload from `from` to `to`; null if no record states it. */
  sent: number | null;
  /** Payload from `to` to `from`. */
  received: number | null;
  /** Services, or ports without a known one, most frequent first. */
  /** All flows of the pair during the incident, evidence or not; null if they were not added up. */
  all: { flows: number; bytes: number | null } | null;
  services: string[];
  ports: number[];
  firstSeen: string;
  lastSeen: string;
  /** The highest of the findings that rely on it; null if none names its records. */
  severity: Severity | null;
}

interface TalkGraph {
  /** Devices of the site and other sources. */
  left: TalkNode[];
  /** What they talked to. */
  right: TalkNode[];
  /** Links between the two columns and within the left one, most bytes first. */
  links: TalkLink[];
}

type Source = Pick<IncidentDetail, "device_ids" | "device_names" | "talks">;

/** Nodes of a column; the others are added up in one more. */
export const COLUMN_NODES = 8;

interface Draft {
  nodes: Map<string, TalkNode>;
  links: TalkLink[];
}

/**
 * Who talked to whom as two columns with links. Equal input gives an equal picture: nodes stand in the order of their
 * first traffic.
 */
export function talkGraph({ device_ids, device_names, talks }: Source): TalkGraph {
  const draft: Draft = { nodes: new Map(), links: [] };
  for (const id of device_ids) addNode(draft, "device", id, device_names[id] ?? id);
  for (const talk of talks) {
    const [from, to] = [nodeOf(draft, talk.src, talk), nodeOf(draft, talk.dst, talk)];
    draft.links.push({
      key: `${from} > ${to}`,
      from,
      to,
      evidenceIds: talk.evidence_ids,
      flows: talk.flows,
      sent: talk.bytes_out === null ? null : Number(talk.bytes_out),
      received: talk.bytes_in === null ? null : Number(talk.bytes_in),
      all: allOf(talk),
      services: talk.services,
      ports: talk.ports,
      firstSeen: talk.first_seen,
      lastSeen: talk.last_seen,
      severity: talk.severity,
    });
  }
  return arranged(draft, new Set(device_ids));
}

function allOf({ all_flows }: IncidentTalk): TalkLink["all"] {
  if (all_flows === null) return null;
  const { flows, bytes_out, bytes_in } = all_flows;
  const stated = [bytes_out, bytes_in].filter((bytes) => bytes !== null);
  return {
    flows,
    bytes: stated.length === 0 ? null : stated.reduce<number>((all, bytes) => all + Number(bytes), 0),
  };
}

function addedUp(a: TalkLink["all"], b: TalkLink["all"]): TalkLink["all"] {
  return a === null || b === null ? null : { flows: a.flows + b.flows, bytes: sum(a.bytes, b.bytes) };
}

function nodeOf(draft: Draft, party: IncidentParty, { flows }: IncidentTalk): string {
  const { ip, device_id, name, country } = party;
  if (device_id !== null) {
    const key = addNode(draft, "device", device_id, name ?? ip ?? device_id);
    const { addresses } = draft.nodes.get(key)!;
    if (ip !== null && !addresses.includes(ip)) addresses.push(ip);
    return key;
  }
  if (ip !== null) return addNode(draft, "address", ip, ip, name, country);
  if (name === null) return addNode(draft, "unstated", "not stated");
  // A flow without an address is one of a resolver's log, and is named by its sensor.
  return addNode(draft, flows > 0 ? "sensor" : "domain", name);
}

function addNode(
  { nodes }: Draft,
  kind: TalkNode["kind"],
  value: string,
  label = value,
  name: string | null = null,
  country: string | null = null,
): string {
  const key = `${kind} ${value}`;
  const known = nodes.get(key);
  if (known === undefined) {
    const addresses = kind === "address" ? [value] : [];
    nodes.set(key, { key, kind, value, label, name, country, addresses, records: 0 });
  } else known.name ??= name;
  return key;
}

function arranged({ nodes, links }: Draft, devices: ReadonlySet<string>): TalkGraph {
  const firstSeen = new Map<string, string>();
  for (const { from, to, evidenceIds, firstSeen: at } of links) {
    for (const key of [from, to]) {
      nodes.get(key)!.records += evidenceIds.length;
      const known = firstSeen.get(key);
      if (known === undefined || at < known) firstSeen.set(key, at);
    }
  }
  const isLeft = sides(nodes, links, devices);
  const byRecords = [...nodes.values()].toSorted((a, b) => b.records - a.records || (a.key < b.key ? -1 : 1));
  const inTime = (a: TalkNode, b: TalkNode) => {
    const [one, other] = [a, b].map(({ key }) => firstSeen.get(key) ?? "~");
    if (a.kind === "rest" || b.kind === "rest") return a.kind === "rest" ? 1 : -1;
    return one! < other! ? -1 : one! > other! ? 1 : a.key < b.key ? -1 : 1;
  };
  const [left, leftOf] = column(byRecords.filter(({ key }) => isLeft(key)), "left");
  const [right, rightOf] = column(byRecords.filter(({ key }) => !isLeft(key)), "right");
  return {
    left: left.toSorted(inTime),
    right: right.toSorted(inTime),
    links: merge(links, (key) => leftOf.get(key) ?? rightOf.get(key) ?? key),
  };
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
    addresses: others.flatMap(({ addresses }) => addresses),
    records: others.reduce((sum, { records }) => sum + records, 0),
  };
  return [
    [...nodes.slice(0, COLUMN_NODES - 1), rest],
    new Map(others.map((node) => [node.key, key])),
  ];
}

/** The filter of the flows from one end to the other; null if an end has no address. */
export function flowsBetween(from: TalkNode, to: TalkNode): string | null {
  const [sources, destinations] = [from.addresses, to.addresses];
  if ([sources, destinations].some(({ length }) => length === 0 || length > FILTER_LIMITS.listLength)) {
    return null;
  }
  const all = [
    { field: "src.ip", op: "matches", value: sources },
    { field: "dst.ip", op: "matches", value: destinations },
  ] satisfies Condition[];
  return printCondition(normalise({ all }));
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
      known.sent = sum(known.sent, link.sent);
      known.received = sum(known.received, link.received);
      known.all = addedUp(known.all, link.all);
      known.services = [...new Set([...known.services, ...link.services])];
      known.ports = [...new Set([...known.ports, ...link.ports])];
      if (link.firstSeen < known.firstSeen) known.firstSeen = link.firstSeen;
      if (link.lastSeen > known.lastSeen) known.lastSeen = link.lastSeen;
      known.severity = higher(known.severity, link.severity);
    }
  }
  return [...merged.values()].toSorted((a, b) =>
    bytesOf(b) - bytesOf(a) || (a.firstSeen < b.firstSeen ? -1 : a.firstSeen > b.firstSeen ? 1 : 0) ||
    (a.key < b.key ? -1 : 1)
  );
}

/** Both directions; what is not stated counts as none. */
export function bytesOf({ sent, received }: Pick<TalkLink, "sent" | "received">): number {
  return (sent ?? 0) + (received ?? 0);
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? a ?? b : a + b;
}

function higher(a: Severity | null, b: Severity | null): Severity | null {
  if (a === null || b === null) return a ?? b;
  return SEVERITY_ORDER.indexOf(a) < SEVERITY_ORDER.indexOf(b) ? a : b;
}
