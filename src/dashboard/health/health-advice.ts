// A health report in plain terms: does the appliance see, and what can be done. Apart from what the first page loads.

import type { FailureClass } from "../../contract/connector/connector.ts";
import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import { isOut, shortName, troubles } from "../entity/health/health-labels.ts";

/** What each kind of component is, if its name does not say so. */
export const KINDS: Readonly<Record<string, string>> = {
  store: "the database",
  pipeline: "builds flows, devices and incidents from records",
  networks: "networks that look local and are not configured",
  disk: "free space on the database's disk",
  retention: "keeps records within their space limit",
  configuration: "the files in use, as of the newest reload",
  intelligence: "indicator list",
  geoip: "location database",
  license: "what the plan includes",
  telemetry: "daily heartbeat",
  update: "checks for new versions",
};

/** One sentence for a person who returns after months: does the appliance see, and if not, why. */
export function headline({ status, components }: Pick<HealthReport, "status" | "components">): string {
  const blind = blindness(components);
  if (blind !== null) return blind;
  const silent = silentOf(components);
  if (silent > 0) {
    const sensors = components.filter(({ kind }) => kind === "sensor").length;
    return `Partly blind: ${silent} of ${sensors} sensors ${silent === 1 ? "is" : "are"} silent.`;
  }
  if (status === "ok" && components.some(({ kind }) => kind === "networks")) {
    return "Records arrive, but networks that look local are not configured.";
  }
  if (status === "ok") return "All components work and records arrive.";
  const wrong = troubles(components).length;
  if (wrong === 0) return "Records arrive, but a component does not work as it should.";
  return wrong === 1
    ? "Records arrive, but 1 component does not work as it should."
    : `Records arrive, but ${wrong} components do not work as they should.`;
}

function silentOf(components: readonly HealthComponent[]): number {
  return components.filter(({ kind, status }) => kind === "sensor" && status === "stale").length;
}

/** Why the appliance sees nothing, or null. */
function blindness(components: readonly HealthComponent[]): string | null {
  if (isOut("store", components)) return "Blind: the database does not answer, so records are not accepted.";
  if (isOut("disk", components)) return "Blind: the disk is full, so records are not accepted.";
  if (isOut("pipeline", components)) return "Blind: records are stored but not processed.";
  const sensors = components.filter(({ kind }) => kind === "sensor");
  if (sensors.length === 0) return "Blind: no sensor is configured.";
  if (silentOf(components) < sensors.length) return null;
  if (sensors.every(({ last_event_at: last }) => last === null)) {
    return "Blind: no sensor has sent a record yet.";
  }
  return sensors.length === 1
    ? "Blind: the only sensor is silent."
    : `Blind: all ${sensors.length} sensors are silent.`;
}

/** What an administrator can do, commands in backticks; null if the message says it. */
export function remedy(component: HealthComponent): string | null {
  const { kind, status, last_event_at: last } = component;
  switch (kind) {
    case "store":
      return "Check that PostgreSQL runs and has disk space, and read `journalctl -u ndr-core`. Transports buffer records until " +
        "it answers again.";
    case "pipeline":
      return "No record is lost; records wait. If it stays behind, the machine is too slow for this traffic: check " +
        "CPU, disk and `journalctl -u ndr-core`.";
    case "sensor":
      if (status === "degraded") {
        return "The sensor drops traffic: give it more CPU, a better network card, or less traffic.";
      }
      return last === null
        ? "Check that the sensor runs, that its transport sends to the ingest listener, and that it has the right token."
        : "Check that the sensor and its transport run, and that the monitored link still carries traffic.";
    case "connector":
      return `${failureRemedy(component)}\`ndr connectors test ${shortName(component)} --live\` tests it. ` +
        "Events wait for up to seven days and are sent in order once it works.";
    default:
      return null;
  }
}

function failureRemedy({ connector }: HealthComponent): string {
  const failure = connector?.failure_class ?? null;
  return failure === null ? "" : `${FAILURES[failure]} `;
}

const FAILURES: Readonly<Record<FailureClass, string>> = {
  auth: "The receiver rejects the signature: compare the secret on both sides.",
  forbidden: "The receiver, or a proxy in front of it, forbids the request: allow this appliance.",
  tls:
    "The receiver's certificate is not trusted: renew it, install its authority, or correct the fingerprint.",
  unreachable:
    "The receiver is unreachable or out of service: check its address, the firewall and the receiver.",
  timeout: "The receiver is too slow: check its load and the network.",
  rate_limited: "The receiver limits the rate: raise its limit for this appliance.",
  rejected: "The receiver rejects events permanently: check its address and what it accepts.",
  unexpected_shape:
    "The answer does not come from a webhook receiver: check scheme, port and path of its address.",
};
