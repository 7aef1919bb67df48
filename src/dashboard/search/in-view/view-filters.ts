// Filters for what the reader has in view, to be offered after a search that found nothing.

import type { FieldName } from "../../../contract/filter/fields.ts";
import { printCondition } from "../../../contract/filter/printer.ts";
import type { ResultKind } from "../../../contract/filter/tree.ts";
import type { Device } from "../../../contract/device/device.ts";
import type { Flow } from "../../../contract/flow/flow.ts";
import type { Incident } from "../../../contract/incident/incident.ts";
import { comparisonOf } from "../../base/comparison.ts";

/** Rows that are or were on the page. */
export interface Viewed {
  flows: readonly Pick<Flow, "src" | "dst" | "service" | "server_name">[];
  devices: readonly Pick<Device, "device_id" | "display_name" | "device_type">[];
  incidents: readonly Pick<Incident, "device_ids" | "model_ids" | "severity">[];
}

type Value = string | null | undefined;

const UNSTATED = ["0.0.0.0", "::"];

/** What the rows have in the fields that a search for each kind is narrowed by first. */
function valuesOf(
  { flows, devices, incidents }: Viewed,
): Readonly<Record<ResultKind, readonly (readonly [FieldName, readonly Value[]])[]>> {
  const names = new Map(devices.map(({ device_id, display_name }) => [device_id, display_name]));
  const ofFlows = flows.flatMap(({ src, dst }) =>
    [src, dst].map(({ device_id }) => names.get(device_id ?? ""))
  );
  const ofIncidents = incidents.flatMap(({ device_ids }) => device_ids.map((id) => names.get(id)));
  const own = [...names.values()];
  return {
    flows: [
      ["device", ofFlows.some(Boolean) ? ofFlows : own],
      ["service", flows.map(({ service }) => service)],
      ["server_name", flows.map(({ server_name }) => server_name)],
      ["dst.ip", flows.map(({ dst }) => UNSTATED.includes(dst.ip) ? null : dst.ip)],
    ],
    devices: [["device", own], ["device.type", devices.map(({ device_type }) => device_type)]],
    incidents: [
      ["device", ofIncidents.some(Boolean) ? ofIncidents : own],
      ["detector", incidents.flatMap(({ model_ids }) => model_ids)],
      ["severity", incidents.map(({ severity }) => severity)],
    ],
  };
}

/** For each field the filter for its most frequent value, the earlier one of equals. */
export function filtersInView(kind: ResultKind, viewed: Viewed): string[] {
  return valuesOf(viewed)[kind].flatMap(([field, values]) => {
    const counts = new Map<string, number>();
    for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
    const condition = most && comparisonOf(field, most[0]);
    return condition ? [printCondition(condition)] : [];
  });
}
