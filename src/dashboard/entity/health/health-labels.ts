// The components of a health report: their groups, their short names, and which need attention.

import type { HealthComponent } from "../../../contract/health/health.ts";
import type { HealthStatus } from "../../../contract/record/kinds.ts";
import { formatLabel } from "../../ui/format.ts";

export interface Group {
  title: string;
  note: string;
  kinds: readonly string[];
}

export const SENSORS: Group = {
  title: "Sensors",
  note: "by receipt time, independent of sensor clocks",
  kinds: ["sensor"],
};
export const CONNECTORS: Group = {
  title: "Connectors",
  note: "event receivers; counted since the service started",
  kinds: ["connector"],
};
export const CORE: Group = {
  title: "Appliance",
  note: "stores and processes records",
  kinds: ["store", "pipeline", "networks", "disk", "retention", "clock", "configuration", "web"],
};
export const FILES: Group = {
  title: "Files",
  note: "reloaded automatically when they change",
  kinds: ["intelligence", "geoip"],
};
export const SERVICES: Group = {
  title: "Licence, heartbeat, updates",
  note: "never change the overall status",
  kinds: ["license", "telemetry", "update"],
};
const GROUPS: readonly Group[] = [CORE, SENSORS, CONNECTORS, FILES, SERVICES];

const OFF: readonly (string | null)[] = ["disabled", "unlicensed", "off"];

/** Switched off is not a fault. */
export function isOff({ message }: Pick<HealthComponent, "message">): boolean {
  return OFF.includes(message);
}

const WORST_FIRST: readonly HealthStatus[] = ["unavailable", "degraded", "stale", "ok"];

function rank(component: HealthComponent): number {
  return isOff(component) ? WORST_FIRST.length : WORST_FIRST.indexOf(component.status);
}

/** The components of a group, worst first; unknown kinds belong to the appliance. */
export function membersOf(group: Group, components: readonly HealthComponent[]): HealthComponent[] {
  const known = GROUPS.flatMap(({ kinds }) => kinds);
  const isMember = (kind: string) =>
    group.kinds.includes(kind) || (group === CORE && kind !== "appliance" && !known.includes(kind));
  return components.filter(({ kind }) => isMember(kind)).sort((a, b) =>
    rank(a) - rank(b) || group.kinds.indexOf(a.kind) - group.kinds.indexOf(b.kind) ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}

/** While the store is unavailable nothing is known about these: look at the store. */
const NEED_THE_STORE: readonly string[] = ["sensor", "pipeline", "connector"];

/**
 * Components that need attention, worst first; without those that are switched off or have no effect on the
 * overall status.
 */
export function troubles(components: readonly HealthComponent[]): HealthComponent[] {
  const storeIsOut = isOut("store", components);
  return GROUPS.filter((group) => group !== SERVICES)
    .flatMap((group) => membersOf(group, components))
    .filter(({ kind }) => !storeIsOut || !NEED_THE_STORE.includes(kind))
    .filter((component) => component.status !== "ok" && !isOff(component))
    .sort((a, b) => rank(a) - rank(b));
}

/** `edge` of `sensor:edge`, because the kind is shown beside it; `Pipeline` of `pipeline`. */
export function shortName({ id, kind }: Pick<HealthComponent, "id" | "kind">): string {
  if (id === "license") return "Licence";
  return id === kind ? formatLabel(id) : id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : id;
}

/** Whether the component exists and is unavailable. */
export function isOut(id: string, components: readonly HealthComponent[]): boolean {
  return components.some((one) => one.id === id && one.status === "unavailable");
}
