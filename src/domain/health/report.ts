import type { HealthComponent, HealthReport } from "../../contract/health.ts";
import type { HealthStatus } from "../../contract/kinds.ts";
import { formatMillis } from "../../kit/time.ts";
import type { CaptureLoss } from "./capture.ts";
import type { DiskFacts, SpaceFacts } from "./disk.ts";
import { fileName, fileVerdict, type IntelligenceFacts, listVerdict } from "./intelligence.ts";
import { diskVerdict, spaceVerdict, type Verdict } from "./room.ts";

const SECOND = 1_000_000;

/** A sensor that was silent this long is `stale`. */
export const STALE_AFTER_SECONDS = 900;
/** A record that waited this long for the pipeline makes it `degraded`. */
export const PIPELINE_LAG_SECONDS = 60;

/** Times are the server's receipt times, in microseconds. */
export interface HealthInput {
  now: number;
  sensors: readonly { sensorId: string; lastEventAt: number | null }[];
  ingest: { events: number; unparsed: number; rejected: number; oldestBuffered: number | null };
  capture?: CaptureLoss;
  room?: RoomFacts;
  intelligence?: IntelligenceFacts;
}

/** What is known of the room for records; null where nothing is known, or no limit set. */
export interface RoomFacts {
  disk: DiskFacts | null;
  space: SpaceFacts | null;
}

/** From best to worst. */
const ORDER: readonly HealthStatus[] = ["ok", "stale", "degraded", "unavailable"];

/** Parts that tell about a service around the appliance, not about the appliance: they never change its status. */
const ASIDE = new Set(["telemetry", "update"]);

/** The report while the store answers. */
export function healthReport(input: HealthInput): HealthReport {
  const parts = [
    component("store", "store", "ok", null),
    ...input.sensors.map((sensor) => sensorComponent(sensor, input.now)),
    pipelineComponent(input),
    ...roomComponents(input.room),
    ...intelligenceComponents(input.intelligence),
    TELEMETRY,
  ];
  const status = worst(parts);
  const received = input.sensors.flatMap((sensor) => sensor.lastEventAt ?? []);
  const newest = received.length === 0 ? null : Math.max(...received);
  return {
    status,
    watermark: newest === null ? null : formatMillis(newest),
    components: [{ ...appliance(status), ...seenAt(newest, input.now) }, ...parts],
    ingest: {
      events_last_5m: input.ingest.events,
      unparsed_last_5m: input.ingest.unparsed,
      rejected_last_5m: input.ingest.rejected,
      oldest_buffered_at: input.ingest.oldestBuffered === null
        ? null
        : formatMillis(input.ingest.oldestBuffered),
    },
    capture: captureView(input.capture),
    telemetry: { ...TELEMETRY, last_payload: null },
  };
}

function captureView(capture?: CaptureLoss): HealthReport["capture"] {
  const { lossPercent = null, sampledAt = null } = capture ?? {};
  return { loss_percent: lossPercent, sampled_at: sampledAt === null ? null : formatMillis(sampledAt) };
}

/** The report while the store does not answer: but for its disk, which may be the reason, nothing else can be known. */
export function storeDownReport(room?: RoomFacts): HealthReport {
  const store = component("store", "store", "unavailable", "the database does not answer");
  return {
    status: "unavailable",
    watermark: null,
    components: [appliance("unavailable"), store, ...roomComponents(room), TELEMETRY],
    ingest: { events_last_5m: 0, unparsed_last_5m: 0, rejected_last_5m: 0, oldest_buffered_at: null },
    capture: { loss_percent: null, sampled_at: null },
    telemetry: { ...TELEMETRY, last_payload: null },
  };
}

/**
 * Host-local detail, and why something fails, is for administrators; everybody sees the same shape. That a service is
 * switched off is neither.
 */
export function redactReport(report: HealthReport): HealthReport {
  const hide = <C extends HealthComponent>(part: C): C =>
    part.message === DISABLED ? part : { ...part, message: null };
  return { ...report, components: report.components.map(hide), telemetry: hide(report.telemetry) };
}

const DISABLED = "disabled";
/** No heartbeat is sent by this version. */
const TELEMETRY = component("telemetry", "telemetry", "unavailable", DISABLED);

function component(id: string, kind: string, status: HealthStatus, message: string | null): HealthComponent {
  return { id, kind, status, last_event_at: null, lag_seconds: 0, message };
}

/** The overall status, under the id that events and metrics use for it. */
function appliance(status: HealthStatus): HealthComponent {
  return component("appliance", "appliance", status, null);
}

/** A newest event and how long ago it came; nothing is claimed where there is none. */
function seenAt(at: number | null, now: number): Partial<HealthComponent> {
  return at === null ? {} : { last_event_at: formatMillis(at), lag_seconds: secondsSince(at, now) };
}

function secondsSince(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / SECOND));
}

function sensorComponent(
  { sensorId, lastEventAt }: HealthInput["sensors"][number],
  now: number,
): HealthComponent {
  if (lastEventAt === null) {
    return component(`sensor:${sensorId}`, "sensor", "stale", "no record has arrived from this sensor yet");
  }
  const lag = secondsSince(lastEventAt, now);
  const silent = lag > STALE_AFTER_SECONDS;
  return {
    ...component(
      `sensor:${sensorId}`,
      "sensor",
      silent ? "stale" : "ok",
      silent ? `silent for ${lag} s` : null,
    ),
    ...seenAt(lastEventAt, now),
  };
}

function pipelineComponent({ now, ingest }: HealthInput): HealthComponent {
  const lag = ingest.oldestBuffered === null ? 0 : secondsSince(ingest.oldestBuffered, now);
  const behind = lag > PIPELINE_LAG_SECONDS;
  return {
    ...component("pipeline", "pipeline", behind ? "degraded" : "ok", behind ? `records wait ${lag} s` : null),
    lag_seconds: lag,
  };
}

function roomComponents({ disk, space }: RoomFacts = { disk: null, space: null }): HealthComponent[] {
  return [
    ...disk === null ? [] : [roomComponent("disk", diskVerdict(disk))],
    ...space === null ? [] : [roomComponent("retention", spaceVerdict(space))],
  ];
}

function roomComponent(id: string, { status, message }: Verdict): HealthComponent {
  return component(id, id, status, message);
}

/** One for each list, and for each file that cannot be read; nothing where there is nothing to say. */
function intelligenceComponents(facts?: IntelligenceFacts): HealthComponent[] {
  if (facts === undefined) return [];
  const { lists, unreadable, failure, databases } = facts;
  const fileVerdicts = new Map(unreadable.map((fault) => [fileName(fault.file), fileVerdict(fault)]));
  const verdicts = new Map<string, Verdict>();
  for (const list of lists) verdicts.set(list.name, listVerdict(list));
  // A list that ends in the middle of a read is among both.
  for (const [name, verdict] of fileVerdicts) verdicts.set(name, verdict);
  return [
    ...failure === null ? [] : [component("intelligence", "intelligence", "degraded", failure)],
    ...[...verdicts].map(([name, { status, message }]) =>
      component(`intelligence:${name}`, "intelligence", status, message)
    ),
    ...databases.map((fault) => {
      const { status, message } = fileVerdict(fault);
      return component(`geoip:${fileName(fault.file)}`, "geoip", status, message);
    }),
  ];
}

function worst(components: readonly HealthComponent[]): HealthStatus {
  const counted = components.filter((part) => !ASIDE.has(part.kind));
  return ORDER[Math.max(0, ...counted.map((part) => ORDER.indexOf(part.status)))]!;
}
