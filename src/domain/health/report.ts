import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import {
  type ComponentKind,
  JOINED_HOURS,
  PIPELINE_DEGRADED_SECONDS,
  PIPELINE_UNAVAILABLE_SECONDS,
} from "../../contract/health/conditions.ts";
import { connectorComponent } from "../../contract/connector/connector.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { formatMillis } from "../../kit/time.ts";
import { duration, plural } from "../../kit/text.ts";
import { type ConnectionFacts, connectionVerdict } from "./connections.ts";
import type { ClockReading } from "./clock-reading.ts";
import type { CaptureLoss } from "./capture.ts";
import { type ConfigurationFacts, configurationVerdict } from "./configuration.ts";
import { appliance, type Part, part, secondsSince, seenAt } from "./component.ts";
import { type ConnectorFacts, connectorPart } from "./connector.ts";
import type { DiskFacts, SpaceFacts } from "./disk.ts";
import { fileName, fileVerdict, type IntelligenceFacts, listVerdict } from "./intelligence.ts";
import type { LocalNetwork } from "./local-networks.ts";
import { clockVerdict, diskVerdict, spaceVerdict, type Verdict } from "./room.ts";
import { type SensorFacts, sensorPart } from "./sensor.ts";
import { type WebFacts, webVerdict } from "./web.ts";
import { type ServiceFacts, serviceParts, telemetryView, updateView } from "./services.ts";

/** Networks that look local and are not configured, the largest first. */
export interface NetworkFacts {
  unconfigured: readonly LocalNetwork[];
  /** No network is configured, and private ranges are assumed to be internal. */
  assumed: boolean;
}

export const NO_NETWORKS: NetworkFacts = { unconfigured: [], assumed: false };

/** What the database has left; null if unknown, or if no limit is set. */
export interface RoomFacts {
  disk: DiskFacts | null;
  space: SpaceFacts | null;
  /** Null if none was refused. */
  connections?: ConnectionFacts | null;
}

/** Facts available without the store. */
export interface LocalFacts {
  /** Microseconds, like all times here. */
  now: number;
  room: RoomFacts;
  intelligence: IntelligenceFacts;
  services: ServiceFacts;
  /** Null before the clocks were compared. */
  clock: ClockReading | null;
  /** Null if the configuration cannot be reloaded. */
  configuration: ConfigurationFacts | null;
  /** Null before the web layer's first report. */
  web: WebFacts | null;
}

/** Times are server receipt times. Counts cover the last five minutes. */
export interface HealthFacts extends LocalFacts {
  sensors: readonly SensorFacts[];
  ingest: { events: number; unparsed: number; rejected: number; oldestBuffered: number | null };
  capture: CaptureLoss;
  /** Results of the last JOINED_HOURS of source time that joined a campaign incident. */
  joined: number;
  networks: NetworkFacts;
  connectors: readonly ConnectorFacts[];
  /** Previously observed status per component, and since when. */
  observed: ReadonlyMap<string, { status: HealthStatus; since: number }>;
}

/**
 * The report while the store responds. The contract documents the conditions of each status
 * (HEALTH_CONDITIONS).
 */
export function healthReport(facts: HealthFacts): HealthReport {
  const { now, sensors, ingest, capture, connectors, services, observed } = facts;
  const parts = [
    part("store", "store", connectionVerdict(facts.room.connections ?? null)),
    ...sensors.map((sensor) => sensorPart(sensor, now)),
    pipelinePart(facts),
    ...networkParts(facts.networks),
    ...localParts(facts),
    ...connectors.map((connector) => connectorPart(connector, now)),
    ...serviceParts(services, now),
  ];
  const received = sensors.flatMap(({ lastEventAt }) => lastEventAt ?? []);
  const report = assembled(parts, services, {
    now,
    newest: received.length === 0 ? null : Math.max(...received),
    ingest: {
      events_last_5m: ingest.events,
      unparsed_last_5m: ingest.unparsed,
      rejected_last_5m: ingest.rejected,
      oldest_buffered_at: timeText(ingest.oldestBuffered),
    },
    capture: { loss_percent: capture.lossPercent, sampled_at: timeText(capture.sampledAt) },
  });
  const known = <C extends HealthComponent>(component: C): C => {
    const before = observed.get(component.id);
    if (component.since !== null || before?.status !== component.status) return component;
    return { ...component, since: formatMillis(before.since) };
  };
  return {
    ...report,
    components: report.components.map(known),
    telemetry: known(report.telemetry),
    update: known(report.update),
  };
}

/** Components whose state is unknown without the store: as configured, or as of its last response. */
interface StoreDependents {
  sensorIds: readonly string[];
  instances: readonly string[];
  networks: NetworkFacts;
  /** Since when the store has been unavailable. */
  since: number;
  /** Why it cannot commit although it responds; null if it does not respond. */
  writeFault: string | null;
}

/**
 * The report while the store does not respond or cannot commit: what depends on it is unavailable; the rest
 * is reported as usual.
 */
export function storeDownReport(facts: LocalFacts, dependents: StoreDependents): HealthReport {
  const { now, services } = facts;
  const { sensorIds, instances, networks, writeFault } = dependents;
  const outage = writeFault === null ? "does not respond" : "cannot commit";
  const since = formatMillis(dependents.since);
  const without = (kind: ComponentKind, id: string, message: string) =>
    part(kind, id, { status: "unavailable", message }, { since });
  const parts = [
    without("store", "store", `the database ${outage}${writeFault === null ? "" : `: ${writeFault}`}`),
    ...sensorIds.map((id) =>
      without("sensor", `sensor:${id}`, `cannot receive while the database ${outage}`)
    ),
    without("pipeline", "pipeline", `stopped while the database ${outage}`),
    ...networkParts(networks),
    ...localParts(facts),
    ...instances.map((instance) =>
      without("connector", connectorComponent(instance), `no events while the database ${outage}`)
    ),
    ...serviceParts(services, now),
  ];
  const report = assembled(parts, services, {
    now,
    newest: null,
    ingest: { events_last_5m: 0, unparsed_last_5m: 0, rejected_last_5m: 0, oldest_buffered_at: null },
    capture: { loss_percent: null, sampled_at: null },
  });
  const components = report.components.map((one) => one.kind === "appliance" ? { ...one, since } : one);
  return { ...report, components };
}

function assembled(
  parts: readonly Part[],
  services: ServiceFacts,
  rest: { now: number; newest: number | null } & Pick<HealthReport, "ingest" | "capture">,
): HealthReport {
  const { now, newest, ingest, capture } = rest;
  const whole = appliance(parts, newest, now);
  return {
    status: whole.status,
    watermark: timeText(newest),
    components: [whole, ...parts.map(({ component }) => component)],
    ingest,
    capture,
    telemetry: telemetryView(parts, services),
    update: updateView(parts, services),
  };
}

function timeText(at: number | null): string | null {
  return at === null ? null : formatMillis(at);
}

function pipelinePart({ ingest: { oldestBuffered }, joined, now }: HealthFacts): Part {
  const lag = oldestBuffered === null ? 0 : secondsSince(oldestBuffered, now);
  const status: HealthStatus = lag > PIPELINE_UNAVAILABLE_SECONDS
    ? "unavailable"
    : lag > PIPELINE_DEGRADED_SECONDS
    ? "degraded"
    : "ok";
  const messages = [
    ...status === "ok" ? [] : [`records have been waiting for ${duration(lag)}`],
    ...joined === 0 ? [] : [
      `${plural(joined, "result")} of the last ${JOINED_HOURS} hours joined campaign incidents, ` +
      "because the bound of new incidents per hour was reached",
    ],
  ];
  const message = messages.length === 0 ? null : messages.join("; ");
  return part("pipeline", "pipeline", { status, message }, { lag_seconds: lag });
}

/** Networks named in a message. */
const NAMED_NETWORKS = 5;

function networkParts({ unconfigured, assumed }: NetworkFacts): Part[] {
  if (unconfigured.length === 0) return [];
  const named = unconfigured.slice(0, NAMED_NETWORKS);
  const more = unconfigured.length - named.length;
  const lines = named.map(({ network, addresses, exact }) => {
    const count = `${exact ? "" : "about "}${addresses} ${addresses === 1 ? "address" : "addresses"}`;
    return `"- ${network}" (${count})`;
  });
  const one = unconfigured.length === 1;
  const message =
    `${plural(unconfigured.length, "network")} ${
      one ? "looks local and is" : "look local and are"
    } not in sites.yaml: ` +
    `hosts there are no devices. Add to networks what belongs to the site: ` +
    `${lines.join(", ")}${more === 0 ? "" : `, and ${more} more`}` +
    (assumed
      ? "; add the private ranges in use as well, which are assumed only while no network is listed"
      : "");
  return [part("networks", "networks", { status: "degraded", message })];
}

function localParts({ now, room, intelligence, clock, configuration, web }: LocalFacts): Part[] {
  const { disk, space } = room;
  return [
    ...disk === null ? [] : [part("disk", "disk", diskVerdict(disk))],
    ...space === null ? [] : [part("retention", "retention", spaceVerdict(space))],
    ...clock === null ? [] : [part("clock", "clock", clockVerdict(clock))],
    ...configuration === null
      ? []
      : [part("configuration", "configuration", configurationVerdict(configuration))],
    ...intelligenceParts(intelligence),
    ...web === null ? [] : [part("web", "web", webVerdict(web, now), seenAt(web.reportedAt, now))],
  ];
}

/** One part per list and per unreadable file. */
function intelligenceParts({ lists, unreadable, failure, databases }: IntelligenceFacts): Part[] {
  const verdicts = new Map<string, Verdict>();
  for (const list of lists) verdicts.set(list.name, listVerdict(list));
  // A list whose read was interrupted is in both.
  for (const fault of unreadable) verdicts.set(fileName(fault.file), fileVerdict(fault));
  return [
    ...failure === null
      ? []
      : [part("intelligence", "intelligence", { status: "degraded", message: failure })],
    ...[...verdicts].map(([name, verdict]) => part("intelligence", `intelligence:${name}`, verdict)),
    ...databases.map((fault) => part("geoip", `geoip:${fileName(fault.file)}`, fileVerdict(fault))),
  ];
}
