// What a search sees of flows, devices and incidents. Times in microseconds.

import type { TermKind } from "../../contract/filter/field.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { EvidenceSource, IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import type { Count } from "../record/observation.ts";

/** One end of a flow. */
export interface SearchedEnd {
  ip: string;
  port: number | null;
  /** Whether the end is a device of the site. */
  isDevice: boolean;
  bytes: Count | null;
  packets: Count | null;
  /** By the GeoIP files; null if unknown. */
  country: string | null;
  asn: number | null;
}

export interface SearchedFlow {
  flowId: string;
  start: number;
  end: number;
  src: SearchedEnd;
  dst: SearchedEnd;
  proto: string;
  /** Several joined by commas. */
  service: string | null;
  /** The tag that the sensor saw. */
  vlanTag: number | null;
  sources: readonly EvidenceSource[];
  sensorId: string;
  communityId: string | null;
  /** List, indicator and description of each indicator that the flow matched. */
  intel: readonly { list: string; indicator: string; description: string | null }[];
  /** Texts of its records, in the dictionary's form. */
  terms: ReadonlyMap<TermKind, readonly string[]>;
}

/** A device as shown: with the addresses, VLANs and times of devices merged into it. */
export interface SearchedDevice {
  deviceId: string;
  /** The ids of devices merged into it. */
  mergedIds: readonly string[];
  name: string;
  type: string;
  owner: string | null;
  tags: readonly string[];
  addresses: readonly string[];
  vlans: readonly number[];
  score: number;
  firstSeen: number;
  lastSeen: number;
}

export interface SearchedIncident {
  incidentId: string;
  title: string;
  summary: string;
  severity: Severity;
  status: IncidentStatus;
  score: number;
  assignee: string | null;
  /** The display name, of a person who has signed in. */
  assigneeName: string | null;
  detectors: readonly string[];
  /** Of its results. */
  techniques: readonly string[];
  firstSeen: number;
  lastSeen: number;
}

/**
 * A row of a search with what is related to it: of a flow the devices at its ends and the incidents that it is
 * evidence of; of a device its flows in the window and its incidents; of an incident the flows of its evidence
 * and its devices. `kind` says which list has the row itself, as its only element.
 */
export interface SearchedRow {
  kind: ResultKind;
  flows: readonly SearchedFlow[];
  devices: readonly SearchedDevice[];
  incidents: readonly SearchedIncident[];
}
