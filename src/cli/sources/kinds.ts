// The kinds of sensors that have a transport in debian/transport.

import { RECORD_KINDS, type RecordKind, sourceOfKind, type TrustClass } from "../../contract/record/kinds.ts";

export const SENSOR_KINDS = ["suricata", "zeek", "netflow", "unbound"] as const;
export type SensorKind = (typeof SENSOR_KINDS)[number];

const TRUST: Readonly<Record<SensorKind, TrustClass>> = {
  suricata: "packet",
  zeek: "packet",
  netflow: "exporter",
  unbound: "firewall_app",
};

export function trustOf(kind: SensorKind): TrustClass {
  return TRUST[kind];
}

/** What a sensor of this kind may send. */
export function recordKindsOf(kind: SensorKind): RecordKind[] {
  return RECORD_KINDS.filter((one) => sourceOfKind(one) === kind);
}

/** The kind of a sensor that sends these records; null if it sends those of several kinds. */
export function kindOf(records: Iterable<RecordKind>): SensorKind | null {
  const found = new Set([...records].map(sourceOfKind));
  return SENSOR_KINDS.find((kind) => found.size === 1 && found.has(kind)) ?? null;
}

/** `suricata (10)`, `netflow.flow`, `zeek (7), unbound.query`. */
export function kindsText(records: Iterable<RecordKind>): string {
  const groups = Map.groupBy(records, sourceOfKind);
  return [...groups].map(([source, kinds]) => kinds.length === 1 ? kinds[0]! : `${source} (${kinds.length})`)
    .join(", ");
}
