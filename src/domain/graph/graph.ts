import type { NodeKind } from "../../contract/graph/graph.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Count, Micros } from "../record/observation.ts";

/** See the contract for the meaning of these fields. */
interface Seen {
  bytes: Count;
  flows: number;
  severity: Severity | null;
  intel: boolean;
  firstSeen: Micros;
  lastSeen: Micros;
}

export interface Coordinates {
  latitude: number;
  longitude: number;
}

export interface Node extends Seen {
  nodeId: string;
  kind: NodeKind;
  label: string;
  memberCount: number | null;
  deviceId: string | null;
  deviceType: string | null;
  ip: string | null;
  vlanId: number | null;
  asn: number | null;
  country: string | null;
  coordinates: Coordinates | null;
  incidents: number;
}

export interface Link extends Seen {
  linkId: string;
  source: string;
  target: string;
  bytesOut: Count;
  bytesIn: Count;
  packets: Count;
  services: string[];
  incidents: number;
  incidentIds: string[];
}

export interface Arc extends Seen {
  arcId: string;
  source: Coordinates;
  target: Coordinates;
  label: string;
  country: string | null;
  asn: number | null;
  memberCount: number;
}

/** Each list in the order of its ids. */
export interface Graph {
  focusNodeId: string | null;
  nodes: Node[];
  links: Link[];
  arcs: Arc[];
  omitted: { nodes: number; links: number; arcs: number };
}
