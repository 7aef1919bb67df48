// Decides which incident a result joins.
import { sha256Hex } from "../../kit/hash.ts";
import type { IncidentStatus, Severity } from "../../contract/record/kinds.ts";
import { registeredDomain } from "../device/registered-domain.ts";
import { type DetectorResult, REPORT_SCORE, STRETCH_GAP } from "../detect/kernel/result.ts";
import type { Micros } from "../record/observation.ts";
import { storable } from "../../kit/plain-text.ts";
import { CLOSED_STATUSES } from "./status.ts";

/** A result joins an incident only if their time spans are at most this far apart. */
export const JOIN_WINDOW: Micros = STRETCH_GAP;
const DAY: Micros = 86_400_000_000;
/**
 * How long after opening an incident accepts results, in source time: repeats of the same thing, and anything
 * else. A later result opens a new incident that continues the old one.
 */
const MAX_AGE: Readonly<Record<"same" | "other", Micros>> = { same: 30 * DAY, other: 7 * DAY };
/**
 * Above this many devices an incident is about what they have in common (a destination that is not rare at
 * all), so other results about one of its devices no longer join.
 */
export const MAX_DEVICES_TO_JOIN_BY = 8;
/** Maximum devices an incident is about; the next one with the same destination opens another incident. */
export const MAX_DEVICES = 64;
/**
 * Device types that act on behalf of others, so their traffic may originate anywhere. Known only if confirmed
 * by a person or the inventory; their results join only with the same destination.
 */
const PROXY_TYPES: ReadonlySet<string> = new Set([
  "router",
  "gateway",
  "firewall",
  "proxy",
  "dns_server",
  "access_point",
]);
/** Maximum number of marks per incident, besides its devices. */
export const MAX_MARKS = 256;
/** Maximum length of a mark; longer ones are hashed. */
const MAX_MARK_LENGTH = 200;

/** The keys that tie a result to incidents. */
export interface Marks {
  /** The device it is about. */
  device: string | null;
  /** Whether that device acts on behalf of others. */
  proxy: boolean;
  /** Model and group: equal for repeats of the same thing. */
  group: string;
  /** The main destination in every form, and the campaign. */
  targets: string[];
  /** Targets that identify a common adversary across devices. */
  campaign: string[];
}

/** Facts about the site that joining needs. */
export interface SiteFacts {
  isInternal(ip: string): boolean;
  /** The device type confirmed by a person or the inventory; null if unconfirmed. */
  confirmedType(deviceId: string): string | null;
}

export function marksOf(result: DetectorResult, site: SiteFacts): Marks {
  const { ip = null, name = null } = result.destinations[0] ?? {};
  const domain = name === null ? null : registeredDomain(plainName(name));
  const address = ip === null ? [] : [mark("address", ip)];
  const named = name === null ? [] : [mark("name", domain ?? plainName(name))];
  const same = result.campaign === undefined ? [] : [mark("campaign", result.campaign)];
  // One address may serve many unrelated names.
  const common = domain !== null ? named : address;
  const outside = ip === null || !site.isInternal(ip) ? common : [];
  return {
    device: result.deviceId,
    proxy: result.deviceId !== null && PROXY_TYPES.has(site.confirmedType(result.deviceId) ?? ""),
    group: mark("group", `${result.modelId} ${result.groupKey}`),
    targets: [...address, ...named, ...same],
    campaign: [...outside, ...same],
  };
}

export function deviceMark(deviceId: string): string {
  return mark("device", deviceId);
}

/** Every mark by which to look up incidents for a result. */
export function allMarks({ device, group, targets }: Marks): string[] {
  return [...(device === null ? [] : [deviceMark(device)]), group, ...targets];
}

/** The mark of campaign incidents, which take the sources beyond a detector's bound (campaign.ts). */
export function stormMark(modelId: string, severity: Severity): string {
  return mark("storm", `${modelId} ${severity}`);
}

/** Identifies the source of a result within a campaign incident: its device, or else its group. */
export function sourceMark({ deviceId, modelId, groupKey }: DetectorResult): string {
  return mark("source", deviceId ?? `${modelId} ${groupKey}`);
}

type MarkKind = "device" | "group" | "address" | "name" | "campaign" | "storm" | "source";

function mark(kind: MarkKind, text: string): string {
  const plain = storable(`${kind} ${text}`);
  if (plain.length <= MAX_MARK_LENGTH) return plain;
  return `${kind} #${sha256Hex(plain)}`;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** The properties of an incident that decide about joining. */
export interface Joinable {
  status: IncidentStatus;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Source time of the result that opened it. */
  openedAt: Micros;
  /** Devices its results were about. */
  mainDevices: readonly string[];
  marks: ReadonlySet<string>;
}

type ResultSpan = Pick<DetectorResult, "at" | "firstSeen" | "lastSeen" | "score">;

/** How a result relates to an incident, closest first. */
const NEARNESS = ["same thing", "same device and destination", "same device", "same campaign"] as const;
export type Nearness = typeof NEARNESS[number];

/**
 * How a result relates to an incident; null if it does not join. An incident closed as `false_positive`
 * accepts nothing; a resolved one accepts only repeats of the same thing.
 */
export function nearness(incident: Joinable, result: ResultSpan, marks: Marks): Nearness | null {
  if (incident.status === "false_positive" || timeBetween(incident, result) > JOIN_WINDOW) return null;
  const age = Math.abs(result.at - incident.openedAt);
  if (incident.marks.has(marks.group)) return age <= MAX_AGE.same ? "same thing" : null;
  if (age > MAX_AGE.other || CLOSED_STATUSES.has(incident.status)) return null;
  const { device, proxy, targets, campaign } = marks;
  if (device !== null && incident.mainDevices.includes(device)) {
    if (targets.some((target) => incident.marks.has(target))) return "same device and destination";
    return !proxy && incident.mainDevices.length <= MAX_DEVICES_TO_JOIN_BY ? "same device" : null;
  }
  // A result too weak to open an incident does not join another device's incident.
  if (device === null || result.score < REPORT_SCORE) return null;
  if (incident.mainDevices.length === 0 || incident.mainDevices.length >= MAX_DEVICES) return null;
  return campaign.some((one) => incident.marks.has(one)) ? "same campaign" : null;
}

/**
 * Selects the incident a result joins: the nearest, then an open one before a resolved one, then the closest
 * in time, then the one that ends last, then the last in order. Null if it joins none.
 */
export function incidentToJoin<I extends { state: Joinable }>(
  incidents: Iterable<I>,
  result: ResultSpan,
  marks: Marks,
): { incident: I; nearness: Nearness } | null {
  let best: { incident: I; nearness: Nearness; order: number[] } | null = null;
  for (const incident of incidents) {
    const relation = nearness(incident.state, result, marks);
    if (relation === null) continue;
    const order = [
      NEARNESS.indexOf(relation),
      CLOSED_STATUSES.has(incident.state.status) ? 1 : 0,
      timeBetween(incident.state, result),
      -incident.state.lastSeen,
    ];
    if (best === null || compare(order, best.order) <= 0) best = { incident, nearness: relation, order };
  }
  return best === null ? null : { incident: best.incident, nearness: best.nearness };
}

/** The campaign incident with this mark that accepts further sources: the oldest open one; null if none does. */
export function campaignToJoin<I extends { state: Joinable }>(
  incidents: Iterable<I>,
  result: ResultSpan,
  storm: string,
): I | null {
  for (const incident of incidents) {
    const { state } = incident;
    if (!state.marks.has(storm) || CLOSED_STATUSES.has(state.status)) continue;
    if (timeBetween(state, result) > JOIN_WINDOW) continue;
    if (Math.abs(result.at - state.openedAt) <= MAX_AGE.other) return incident;
  }
  return null;
}

/**
 * The incident a new one continues: the newest with the same mark that was too old to accept the result.
 * Closed incidents and incidents beyond the time window are not continued.
 */
export function continuedIncident<I extends { state: Joinable }>(
  incidents: Iterable<I>,
  result: ResultSpan,
  marks: Marks,
): I | null {
  let newest: I | null = null;
  for (const incident of incidents) {
    const { state } = incident;
    if (CLOSED_STATUSES.has(state.status) || !state.marks.has(marks.group)) continue;
    if (timeBetween(state, result) > JOIN_WINDOW || state.openedAt > result.at) continue;
    if (newest === null || state.openedAt >= newest.state.openedAt) newest = incident;
  }
  return newest;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    if (value !== b[at]) return value - b[at]!;
  }
  return 0;
}

type Span = Pick<Joinable, "firstSeen" | "lastSeen">;

/** Gap between the two; 0 if they overlap. */
function timeBetween(a: Span, b: Span): Micros {
  return Math.max(0, b.firstSeen - a.lastSeen, a.firstSeen - b.lastSeen);
}
