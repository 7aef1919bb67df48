import type { Device } from "../../contract/device/device.ts";
import type { ResultKind } from "../../contract/filter/tree.ts";
import type { Flow } from "../../contract/flow/flow.ts";
import type { Incident } from "../../contract/incident/incident.ts";

/** An object as the API shows it. */
export type Found = Flow | Device | Incident;

type Cell = string | number | bigint | boolean | null | undefined;
type Columns<T> = Record<string, (item: T) => Cell>;

const FLOW: Columns<Flow> = {
  flow_id: (flow) => flow.flow_id,
  start: (flow) => flow.start,
  end: (flow) => flow.end,
  src_ip: (flow) => flow.src.ip,
  src_port: (flow) => flow.src.port,
  src_device_id: (flow) => flow.src.device_id,
  src_country: (flow) => flow.src.geo?.country,
  src_asn: (flow) => flow.src.geo?.asn,
  dst_ip: (flow) => flow.dst.ip,
  dst_port: (flow) => flow.dst.port,
  dst_device_id: (flow) => flow.dst.device_id,
  dst_country: (flow) => flow.dst.geo?.country,
  dst_asn: (flow) => flow.dst.geo?.asn,
  proto: (flow) => flow.proto,
  service: (flow) => flow.service,
  server_name: (flow) => flow.server_name,
  vlan_id: (flow) => flow.vlan_id,
  src_bytes: (flow) => flow.counters.src_to_dst.bytes,
  src_packets: (flow) => flow.counters.src_to_dst.packets,
  dst_bytes: (flow) => flow.counters.dst_to_src.bytes,
  dst_packets: (flow) => flow.counters.dst_to_src.packets,
  sources: (flow) => flow.sources.join(" "),
  sensor_id: (flow) => flow.primary_evidence.sensor_id,
  community_id: (flow) => flow.community_id,
  threat_intelligence: (flow) => flow.threat_intelligence,
};

const DEVICE: Columns<Device> = {
  device_id: (device) => device.device_id,
  display_name: (device) => device.display_name,
  device_type: (device) => device.device_type,
  classification_source: (device) => device.classification_source,
  confidence: (device) => device.confidence,
  owner: (device) => device.owner,
  tags: (device) => device.tags.join(" "),
  addresses: (device) => device.addresses.join(" "),
  vlan_ids: (device) => device.vlan_ids.join(" "),
  first_seen: (device) => device.first_seen,
  last_seen: (device) => device.last_seen,
  score: (device) => device.score,
  incident_count: (device) => device.incident_count,
};

const INCIDENT: Columns<Incident> = {
  id: (incident) => incident.id,
  title: (incident) => incident.title,
  severity: (incident) => incident.severity,
  score: (incident) => incident.score,
  status: (incident) => incident.status,
  first_seen: (incident) => incident.first_seen,
  last_seen: (incident) => incident.last_seen,
  device_ids: (incident) => incident.device_ids.join(" "),
  model_ids: (incident) => incident.model_ids.join(" "),
  summary: (incident) => incident.summary,
};

const COLUMNS = { flows: FLOW, devices: DEVICE, incidents: INCIDENT };

/** The names of a kind's columns as the first line (RFC 4180). */
export function csvHeader(kind: ResultKind): string {
  return csvRow(Object.keys(COLUMNS[kind]));
}

export function csvLine(kind: ResultKind, item: Found): string {
  // The item is of the kind.
  const columns = COLUMNS[kind] as Columns<Found>;
  return csvRow(Object.values(columns).map((cellOf) => cellOf(item)));
}

/** One line (RFC 4180). */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/** Beginnings that spreadsheets take for a formula, in both widths. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * A cell in quotes where needed, also for readers that separate cells by semicolons. A text that a spreadsheet would run
 * as a formula begins with an apostrophe.
 */
function quoted(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  const text = String(cell);
  const inert = typeof cell === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
