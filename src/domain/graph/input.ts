import type { GraphScene } from "../../contract/graph/graph.ts";
import { MAX_GRAPH_ARCS, MAX_GRAPH_LINKS, MAX_GRAPH_NODES } from "../../contract/graph/graph.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Site } from "../../contract/site.ts";
import type { Micros } from "../record/observation.ts";
import type { PairTraffic } from "./traffic.ts";
import type { AddressTraffic } from "./traffic-table.ts";

export interface GraphDevice {
  deviceId: string;
  name: string;
  type: string;
  vlanId: number | null;
  /** The address that it used last. */
  ip: string;
}

export interface GraphIncident {
  incidentId: string;
  severity: Severity;
  deviceIds: readonly string[];
  /** The ends of its flows. */
  pairs: readonly (readonly [string, string])[];
}

/** What GeoIP files say of an address; null is unknown. */
export interface GraphPlace {
  country: string | null;
  city: string | null;
  latitude: number | null;
  longitude: number | null;
  asn: number | null;
  asOrganisation: string | null;
}

export interface GraphLimits {
  nodes: number;
  links: number;
  arcs: number;
  /** Nodes while no cluster is expanded. */
  sight: number;
}

export const GRAPH_LIMITS: GraphLimits = {
  nodes: MAX_GRAPH_NODES,
  links: MAX_GRAPH_LINKS,
  arcs: MAX_GRAPH_ARCS,
  sight: 200,
};

export interface GraphInput {
  scene: GraphScene;
  window: { from: Micros; to: Micros };
  /** In any order. */
  pairs: readonly PairTraffic[] | AddressTraffic;
  /** By address; several addresses may belong to one device. */
  devices: ReadonlyMap<string, GraphDevice>;
  placeOf(ip: string): GraphPlace;
  /** The VLAN of an address by the networks of `site`, if it is known without looking for it. */
  vlanOf?(ip: string): number | null;
  /** The broadcast addresses of the site's networks, which are no nodes. */
  broadcasts?: ReadonlySet<string>;
  /** Open ones, the highest scores first. */
  incidents: readonly GraphIncident[];
  site: Pick<Site, "vlans" | "home_coordinates">;
  /** A device; the graph then has only what is at most `hops` links away from it. */
  focus: string | null;
  hops: number;
  /** Ids of clusters whose members are shown. */
  expand: readonly string[];
  limits?: GraphLimits;
}
