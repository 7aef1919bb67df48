// The values of each field, in memory; the SQL counterparts are in `store/search`. A value that is missing is
// null or left out.

import type { ENTITY_FIELDS } from "../../contract/filter/entity-fields.ts";
import type { FieldOwner, TermKind } from "../../contract/filter/field.ts";
import { type FieldName, FIELDS } from "../../contract/filter/fields.ts";
import type { FLOW_FIELDS } from "../../contract/filter/flow-fields.ts";
import type { RECORD_FIELDS } from "../../contract/filter/record-fields.ts";
import { isUnstatedIp } from "../../kit/net/ip.ts";
import { flowVlan, vlanFinder, type VlanOf } from "../device/vlan.ts";
import type { Count } from "../record/observation.ts";
import type { SearchContext } from "./criterion.ts";
import type { SearchedDevice, SearchedEnd, SearchedFlow, SearchedIncident } from "./row.ts";

export type Value = string | number | bigint;
type Values = readonly (Value | null)[];

/** Fields of flows, devices and incidents alike; `any` is expanded before. */
type CommonField = Exclude<
  FieldName,
  "any" | keyof typeof FLOW_FIELDS | RecordField | keyof typeof ENTITY_FIELDS
>;
type RecordField = keyof typeof RECORD_FIELDS;
type EntityField<O extends FieldOwner> = {
  [F in keyof typeof ENTITY_FIELDS]: (typeof ENTITY_FIELDS)[F]["owner"] extends O ? F : never;
}[keyof typeof ENTITY_FIELDS];

export type FlowField = keyof typeof FLOW_FIELDS | CommonField;
export type DeviceField = EntityField<"device"> | CommonField;
export type IncidentField = EntityField<"incident"> | CommonField;

const MICROS_PER_SECOND = 1_000_000;

/** What the configuration says of addresses. */
export interface SearchedSite {
  vlanOf: VlanOf;
  broadcasts: ReadonlySet<string>;
}

export function searchedSite({ vlans, broadcasts = new Set() }: SearchContext): SearchedSite {
  return { vlanOf: vlanFinder(vlans), broadcasts };
}

type FlowValues = (flow: SearchedFlow, site: SearchedSite) => Values;

const FLOW_VALUES: Record<FlowField, FlowValues> = {
  time: ({ start }) => [start],
  first_seen: ({ start }) => [start],
  last_seen: ({ end }) => [end],
  flow: ({ flowId }) => [flowId],
  ip: ({ src, dst }) => [src.ip, dst.ip],
  "src.ip": ({ src }) => [src.ip],
  "dst.ip": ({ dst }) => [dst.ip],
  port: ({ src, dst }) => [src.port, dst.port],
  "src.port": ({ src }) => [src.port],
  "dst.port": ({ dst }) => [dst.port],
  country: ({ src, dst }) => [src.country, dst.country],
  "src.country": ({ src }) => [src.country],
  "dst.country": ({ dst }) => [dst.country],
  asn: ({ src, dst }) => [src.asn, dst.asn],
  "src.asn": ({ src }) => [src.asn],
  "dst.asn": ({ dst }) => [dst.asn],
  vlan: ({ vlanTag: vlan, src, dst }, { vlanOf }) => [flowVlan({ vlan, src, dst }, vlanOf)],
  direction: (flow, { broadcasts }) => [directionOf(flow, broadcasts)],
  proto: ({ proto }) => [proto],
  service: ({ service }) => service?.split(",") ?? [],
  source: ({ sources }) => sources,
  sensor: ({ sensorId }) => [sensorId],
  community_id: ({ communityId }) => [communityId],
  bytes: (flow) => [bytesOf(flow)],
  "src.bytes": ({ src }) => [src.bytes],
  "dst.bytes": ({ dst }) => [dst.bytes],
  packets: ({ src, dst }) => [sum(src.packets, dst.packets)],
  rate: (flow) => [rateOf(flow)],
  duration: ({ start, end }) => [end - start],
  intel: ({ intel }) => intel.flatMap(({ list, indicator, description }) => [list, indicator, description]),
};

const DEVICE_VALUES: Record<DeviceField, (device: SearchedDevice) => Values> = {
  time: ({ lastSeen }) => [lastSeen],
  first_seen: ({ firstSeen }) => [firstSeen],
  last_seen: ({ lastSeen }) => [lastSeen],
  device: ({ name }) => [name],
  "device.id": ({ deviceId, mergedIds }) => [deviceId, ...mergedIds],
  "device.ip": ({ addresses }) => addresses,
  "device.type": ({ type }) => [type],
  owner: ({ owner }) => [owner],
  tag: ({ tags }) => tags,
  "device.vlan": ({ vlans }) => vlans,
  "device.score": ({ score }) => [score],
};

const INCIDENT_VALUES: Record<IncidentField, (incident: SearchedIncident) => Values> = {
  time: ({ lastSeen }) => [lastSeen],
  first_seen: ({ firstSeen }) => [firstSeen],
  last_seen: ({ lastSeen }) => [lastSeen],
  incident: ({ incidentId }) => [incidentId],
  title: ({ title, summary }) => [title, summary],
  severity: ({ severity }) => [severity],
  status: ({ status }) => [status],
  score: ({ score }) => [score],
  detector: ({ detectors }) => detectors,
  technique: ({ techniques }) => techniques,
  assignee: ({ assignee, assigneeName }) => [assignee, assigneeName],
};

/** The values of one field of flows. */
export function valuesOfFlow(field: FieldName, site: SearchedSite): (flow: SearchedFlow) => Values {
  const { term } = FIELDS[field];
  if (term !== undefined) return ({ terms }) => termValues(terms, term, field);
  const of = FLOW_VALUES[field as FlowField];
  return (flow) => of(flow, site);
}

export function valuesOfDevice(field: FieldName): (device: SearchedDevice) => Values {
  return DEVICE_VALUES[field as DeviceField];
}

export function valuesOfIncident(field: FieldName): (incident: SearchedIncident) => Values {
  return INCIDENT_VALUES[field as IncidentField];
}

/** As the dictionary compares numbers. */
const NUMBER_TERM = /^[0-9]{1,18}$/;

function termValues(terms: SearchedFlow["terms"], kind: TermKind, field: FieldName): Values {
  const texts = terms.get(kind) ?? [];
  if (FIELDS[field].type !== "number") return texts;
  return texts.map((text) => NUMBER_TERM.test(text) ? BigInt(text) : text);
}

/** Null if an address is not stated. */
function directionOf({ src, dst }: SearchedFlow, broadcasts: ReadonlySet<string>): string | null {
  if (isUnstatedIp(src.ip) || isUnstatedIp(dst.ip)) return null;
  const isInside = ({ isDevice, ip }: SearchedEnd) => isDevice || broadcasts.has(ip);
  if (isInside(src)) return isInside(dst) ? "internal" : "outbound";
  return isInside(dst) ? "inbound" : "external";
}

function bytesOf({ src, dst }: SearchedFlow): Count | null {
  return sum(src.bytes, dst.bytes);
}

/** The known counters together; null if neither is known. */
function sum(a: Count | null, b: Count | null): Count | null {
  if (a === null || b === null) return a ?? b;
  return BigInt(a) + BigInt(b);
}

function rateOf(flow: SearchedFlow): number | null {
  const bytes = bytesOf(flow);
  const duration = flow.end - flow.start;
  return bytes === null || duration <= 0 ? null : Number(bytes) / (duration / MICROS_PER_SECOND);
}
