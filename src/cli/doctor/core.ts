// What the running core says of its health; without it, when each sensor's newest record arrived.

import type { HealthComponent } from "../../contract/health/health.ts";
import type { Source } from "../../config/sources.ts";
import type { ConfigInput } from "../../config/yaml/input.ts";
import { messageOf } from "../../kit/errors.ts";
import { lastRecords } from "../last-records.ts";
import { coreApi, CoreUnreachable } from "../search/core-api.ts";
import { searchInstallation } from "../search/installation.ts";
import type { Check } from "./finding.ts";

const JOURNAL = "journalctl -u ndr-core -n 50";

/** The components of each tenant; null if the core does not answer. */
export async function checkCore(
  check: Check,
  input: ConfigInput,
  tenantIds: Iterable<string>,
): Promise<Map<string, HealthComponent[]> | null> {
  try {
    const installation = searchInstallation(input);
    const reports = new Map<string, HealthComponent[]>();
    for (const tenantId of tenantIds) {
      // Messages are for administrators.
      const call = coreApi(installation, tenantId, { subject: "ndr doctor", role: "admin" });
      reports.set(tenantId, (await call("getHealth", {})).data.components);
    }
    check.pass(`ndr-core answers at ${new URL(installation.coreUrl).host}`);
    return reports;
  } catch (error) {
    if (!(error instanceof CoreUnreachable)) throw error;
    check.fail(messageOf(error), `systemctl restart ndr-core; ${JOURNAL}`);
    return null;
  }
}

/** Reported by checks of their own, or sums of others. */
const ELSEWHERE = ["appliance", "sensor", "disk", "clock", "license"];

/** Components that are not in order; what is switched off is. */
export function checkHealth(check: Check, reports: ReadonlyMap<string, HealthComponent[]>): void {
  const seen = new Set<string>();
  for (const [tenantId, components] of reports) {
    for (const { id, kind, status, message } of components) {
      if (status === "ok" || ELSEWHERE.includes(kind) || message === "disabled") continue;
      const text = `${id}: ${message ?? status}`;
      // Those of the appliance are in the report of every tenant.
      if (seen.has(text)) continue;
      seen.add(text);
      const remedy = kind === "connector" ? "sudo -u ndr ndr connectors list" : `man ndr-health; ${JOURNAL}`;
      const where = reports.size > 1 ? `${tenantId}, ${text}` : text;
      if (status === "unavailable") check.fail(where, remedy);
      else check.warn(where, remedy);
    }
  }
  if (seen.size === 0) check.pass("every component that the core watches is in order");
}

const TRANSPORT = "syslog-ng-ctl stats | grep d_ndr; journalctl -u syslog-ng -n 20";

export async function checkSensors(
  check: Check,
  input: ConfigInput,
  sources: readonly Source[],
  reports: ReadonlyMap<string, HealthComponent[]> | null,
): Promise<void> {
  if (sources.length === 0) {
    check.warn("no sensor is enabled", "sudo ndr sources add suricata");
    return;
  }
  const records = reports === null ? await lastRecords(input, sources.map(({ tenantId }) => tenantId)) : null;
  if (records?.fault) return check.skip(`the last records are unknown: ${records.fault}`);
  for (const { sensorId, tenantId } of sources) {
    const component = reports?.get(tenantId)?.find(({ id }) => id === `sensor:${sensorId}`);
    const last = reports === null ? records!.times?.get(tenantId)?.get(sensorId) : component?.last_event_at;
    if (reports !== null && component === undefined) {
      check.warn(
        `${sensorId} is in sources.yaml, but the core does not know it`,
        "systemctl reload ndr-core",
      );
    } else if (!last) check.warn(`${sensorId}: no record has arrived yet`, TRANSPORT);
    else if (component !== undefined && component.status !== "ok") {
      check.warn(`${sensorId}: ${component.message ?? component.status}`, TRANSPORT);
    } else check.pass(`${sensorId}: last record ${last.slice(0, 19).replace("T", " ")} UTC`);
  }
}
