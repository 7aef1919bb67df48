// What each kind of value is called, how it is searched for, and which page shows it.

import { FIELD_LABELS, type FieldName } from "../../contract/filter/fields.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import type { Condition } from "../../contract/filter/tree.ts";
import { parseIp } from "../../kit/net/ip.ts";
import { type Target, to } from "../base/links.ts";
import { comparisonOf } from "../base/comparison.ts";
import type { IconName } from "../ui/icons.tsx";
import type { Window } from "../base/time/range.ts";
import { serviceName } from "./service-name.ts";

const ENTITY_KINDS = [
  "address",
  "device",
  "domain",
  "port",
  "service",
  "fingerprint",
  "signature",
  "country",
  "asn",
  "vlan",
  "user",
  "sensor",
  "technique",
  "detector",
  "value",
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

interface Kind {
  name: string;
  icon: IconName | null;
  /** The field that finds it; `any` looks in every field of the value's type. */
  field: FieldName;
}

export const KINDS: Readonly<Record<EntityKind, Kind>> = {
  address: { name: "Address", icon: null, field: "ip" },
  device: { name: "Device", icon: "devices", field: "device.id" },
  domain: { name: "Domain", icon: null, field: "any" },
  port: { name: "Port", icon: null, field: "port" },
  service: { name: "Service", icon: null, field: "service" },
  fingerprint: { name: "Fingerprint", icon: "fingerprint", field: "any" },
  signature: { name: "Signature", icon: "signature", field: "alert" },
  country: { name: "Country", icon: null, field: "country" },
  asn: { name: "Network", icon: null, field: "asn" },
  vlan: { name: "VLAN", icon: null, field: "vlan" },
  user: { name: "Account", icon: "user", field: "user" },
  sensor: { name: "Sensor", icon: null, field: "sensor" },
  technique: { name: "Technique", icon: null, field: "technique" },
  detector: { name: "Detector", icon: null, field: "detector" },
  // A value of any other field, which the entity names.
  value: { name: "Value", icon: null, field: "any" },
};

/** A value with what is known of it. */
export interface Entity {
  kind: EntityKind;
  value: string | number;
  /** What is shown. Default: the value. */
  label?: string;
  /** The device that an address belongs to. */
  deviceId?: string | null;
  /** The field in which the value was seen, such as `src.ip`. Default: the kind's; none for a `value`. */
  field?: FieldName;
  /** Where the value stands in a record, to be copied. */
  path?: string;
}

/** What the value is called: the field's name for a `value`. */
export function nameOfEntity({ kind, field, path }: Entity): string {
  if (kind !== "value") return KINDS[kind].name;
  if (field === undefined) return path ?? KINDS.value.name;
  const label = FIELD_LABELS[field];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const KIND_OF_FIELD: Partial<Record<FieldName, EntityKind>> = {
  "ip": "address",
  "src.ip": "address",
  "dst.ip": "address",
  "device.ip": "address",
  "port": "port",
  "src.port": "port",
  "dst.port": "port",
  "server_name": "domain",
  "dns.query": "domain",
  "http.host": "domain",
  "service": "service",
  "ja3": "fingerprint",
  "ja3s": "fingerprint",
  "ja4": "fingerprint",
  "ja4s": "fingerprint",
  "hassh": "fingerprint",
  "hassh_server": "fingerprint",
  "certificate": "fingerprint",
  "alert": "signature",
  "country": "country",
  "src.country": "country",
  "dst.country": "country",
  "asn": "asn",
  "src.asn": "asn",
  "dst.asn": "asn",
  "vlan": "vlan",
  "user": "user",
  "sensor": "sensor",
  "technique": "technique",
  "detector": "detector",
};

const DOMAIN_FIELDS = ["dns.query", "server_name", "dns.answer"] as const;

/**
 * What finds a domain and the names below it, each by its index. A name in any field would be compared with every kind
 * of text.
 */
export function domainCondition(
  domain: string,
  fields: readonly (typeof DOMAIN_FIELDS)[number][] = DOMAIN_FIELDS,
): Condition {
  return {
    any: fields.flatMap((field): Condition[] => {
      // A pattern in the address bar.
      if (domain.includes("*")) return [{ field, op: "matches", value: domain }];
      const own: Condition = { field, op: "=", value: domain };
      return domain.includes(".") ? [own, { field, op: "matches", value: `*.${domain}` }] : [own];
    }),
  };
}

/** What a value of a field is. */
export function kindOfField(field: FieldName): EntityKind {
  return KIND_OF_FIELD[field] ?? "value";
}

export function labelOf({ kind, value, label }: Entity): string {
  if (label !== undefined) return label;
  if (kind === "asn") return `AS${value}`;
  if (kind === "service") return serviceName(String(value));
  return kind === "vlan" ? `VLAN ${value}` : String(value);
}

/**
 * The condition that finds the value; null if the search language cannot express it. Unless a field is known in which it was
 * seen, a domain is also what is below it.
 */
export function conditionOf({ kind, value, field }: Entity): Condition | null {
  if (kind === "value" && field === undefined) return null;
  const name = field ?? KINDS[kind].field;
  if (name !== "any") return comparisonOf(name, value);
  if (kind === "domain") return domainCondition(String(value));
  return { field: "any", op: "matches", value: String(value) };
}

/** As `conditionOf`, at either end and in every field: what an entity's page and its flows are about. */
export function wholeCondition(entity: Entity): Condition | null {
  return conditionOf(entity.kind === "value" ? entity : { ...entity, field: undefined });
}

export function textOfCondition(condition: Condition | null): string {
  return condition === null ? "" : printCondition(condition);
}

/** The flows of a value; `scope` keeps the window of the page that links to them. */
export function flowsOf(entity: Entity, scope?: Window): Target {
  return to.explore({ filter: textOfCondition(wholeCondition(entity)), scope });
}

const MAP_KINDS: ReadonlySet<EntityKind> = new Set([
  "address",
  "device",
  "service",
  "country",
  "asn",
  "vlan",
  "technique",
  "detector",
]);

/** The map of the traffic with a value; null if the map does not know it. `scope` is as for `flowsOf`. */
export function mapOf(entity: Entity, scope?: Window): Target | null {
  if (!MAP_KINDS.has(entity.kind)) return null;
  const window = scope && `${scope.from}/${scope.to}`;
  return to.map({ filter: textOfCondition(wholeCondition(entity)), scope: window });
}

/** The page of a value; null if its kind has none. `scope` is as for `flowsOf`. */
export function pageOf({ kind, value }: Entity, scope?: Window): Target | null {
  switch (kind) {
    case "address":
      return to.address(String(value), scope);
    case "device":
      return to.device(String(value), scope);
    case "domain":
      // Clients also name servers by their address.
      return parseIp(String(value)) === null
        ? to.domain(String(value), scope)
        : to.address(String(value), scope);
    case "fingerprint":
      return to.fingerprint(String(value), scope);
    case "signature":
      return to.signature(String(value), scope);
    case "detector":
      return to.detector(String(value), scope);
    default:
      return null;
  }
}

/** Where a click on a value leads: its page, otherwise what it touches. */
export function targetOf(entity: Entity, scope?: Window): Target {
  const page = pageOf(entity, scope);
  if (page !== null) return page;
  const filter = textOfCondition(wholeCondition(entity));
  return entity.kind === "technique" ? to.triage({ filter }) : to.explore({ filter, scope });
}
