// Which incident a result belongs to.
import { createHash } from "node:crypto";
import type { IncidentStatus } from "../../contract/record/kinds.ts";
import { registeredDomain } from "../device/registered-domain.ts";
import { type DetectorResult, REPORT_SCORE, STRETCH_GAP } from "../detect/kernel/result.ts";
import type { Micros } from "../record/observation.ts";
import { storable } from "./phrase.ts";
import { CLOSED_STATUSES } from "./status.ts";

/** Results join an incident whose time span is at most this far from theirs, before or after. */
export const JOIN_WINDOW: Micros = STRETCH_GAP;
const DAY: Micros = 86_400_000_000;
/**
 * How long after its opening an incident takes up results, by source time: what tells the same thing again, and
 * whatever else. A later one opens a new incident, which names the one that it continues.
 */
const LENGTH: Readonly<Record<"same" | "other", Micros>> = { same: 30 * DAY, other: 7 * DAY };
/**
 * Up to so many devices an incident is the story of each of them. One about more is about what they have in common, a
 * destination that is not rare at all: what else happens to such a device is another story.
 */
export const MAX_STORY_DEVICES = 8;
/** Devices that an incident is about, at most; the next one that meets the same destination opens another. */
export const MAX_DEVICES = 64;
/**
 * Types of devices that act for others: what is seen of them may be anybody's. Known only where a person or the
 * inventory says so; what these do belongs together only where it has the same destination.
 */
const PROXY_TYPES: ReadonlySet<string> = new Set([
  "router",
  "gateway",
  "firewall",
  "proxy",
  "dns_server",
  "access_point",
]);
/** What an incident is found by: at most so many marks beside its devices. What is further is found by the others. */
export const MAX_MARKS = 256;
/** Marks are short; a longer one stands as its hash. */
const MAX_MARK_LENGTH = 200;

/** What a result is found by, and what it leaves on its incident. */
export interface Marks {
  /** The device that it is about. */
  device: string | null;
  /** Whether that device acts for others. */
  proxy: boolean;
  /** Model and group: what has it tells the same thing. */
  group: string;
  /** The main destination in every form, and the campaign. */
  targets: string[];
  /** Those of them that devices have in common only where they have the same enemy. */
  campaign: string[];
}

/** What must be known of the site. */
export interface SiteFacts {
  isInternal(ip: string): boolean;
  /** What a person or the inventory says the device is; null where nobody did. */
  confirmedType(deviceId: string): string | null;
}

export function marksOf(result: DetectorResult, site: SiteFacts): Marks {
  const { ip = null, name = null } = result.destinations[0] ?? {};
  const domain = name === null ? null : registeredDomain(plainName(name));
  const address = ip === null ? [] : [mark("address", ip)];
  const named = name === null ? [] : [mark("name", domain ?? plainName(name))];
  const same = result.campaign === undefined ? [] : [mark("campaign", result.campaign)];
  // Behind one address there may be many names, of which each has nothing to do with the others.
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

/** Every mark that an incident can be found by for a result with these. */
export function allMarks({ device, group, targets }: Marks): string[] {
  return [...(device === null ? [] : [deviceMark(device)]), group, ...targets];
}

function mark(kind: "device" | "group" | "address" | "name" | "campaign", text: string): string {
  const plain = storable(`${kind} ${text}`);
  if (plain.length <= MAX_MARK_LENGTH) return plain;
  return `${kind} #${createHash("sha256").update(plain).digest("hex")}`;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** What of an incident decides. */
export interface Joinable {
  status: IncidentStatus;
  firstSeen: Micros;
  lastSeen: Micros;
  /** Source time of the result that opened it. */
  openedAt: Micros;
  /** Devices that results were about. */
  mainDevices: readonly string[];
  marks: ReadonlySet<string>;
}

type Told = Pick<DetectorResult, "at" | "firstSeen" | "lastSeen" | "score">;

/** How near an incident is to a result, the nearest first. */
const NEARNESS = ["same thing", "same device and destination", "same device", "same campaign"] as const;
export type Nearness = typeof NEARNESS[number];

/**
 * How a result belongs to an incident; null where it does not. A person's `false_positive` is the end of an incident;
 * one that was resolved takes up only what tells the same thing again.
 */
export function nearness(incident: Joinable, result: Told, marks: Marks): Nearness | null {
  if (incident.status === "false_positive" || timeBetween(incident, result) > JOIN_WINDOW) return null;
  const age = Math.abs(result.at - incident.openedAt);
  if (incident.marks.has(marks.group)) return age <= LENGTH.same ? "same thing" : null;
  if (age > LENGTH.other || CLOSED_STATUSES.has(incident.status)) return null;
  const { device, proxy, targets, campaign } = marks;
  if (device !== null && incident.mainDevices.includes(device)) {
    if (targets.some((target) => incident.marks.has(target))) return "same device and destination";
    return !proxy && incident.mainDevices.length <= MAX_STORY_DEVICES ? "same device" : null;
  }
  // A remark that would open nothing joins nobody else's story.
  if (device === null || result.score < REPORT_SCORE) return null;
  if (incident.mainDevices.length === 0 || incident.mainDevices.length >= MAX_DEVICES) return null;
  return campaign.some((one) => incident.marks.has(one)) ? "same campaign" : null;
}

/**
 * The incident that a result joins: the nearest; of equally near ones one that is worked on before a resolved one, then
 * the closest in time, then the one that goes on longest, then the last one given. Null where it belongs to none.
 */
export function incidentToJoin<I extends { state: Joinable }>(
  incidents: Iterable<I>,
  result: Told,
  marks: Marks,
): { incident: I; nearness: Nearness } | null {
  let best: { incident: I; nearness: Nearness; order: number[] } | null = null;
  for (const incident of incidents) {
    const how = nearness(incident.state, result, marks);
    if (how === null) continue;
    const order = [
      NEARNESS.indexOf(how),
      CLOSED_STATUSES.has(incident.state.status) ? 1 : 0,
      timeBetween(incident.state, result),
      -incident.state.lastSeen,
    ];
    if (best === null || compare(order, best.order) <= 0) best = { incident, nearness: how, order };
  }
  return best === null ? null : { incident: best.incident, nearness: best.nearness };
}

/**
 * The incident that a new one continues: the newest that told the same thing and takes up nothing more, because it is
 * long enough. A verdict or a pause is no continuation.
 */
export function continued<I extends { state: Joinable }>(
  incidents: Iterable<I>,
  result: Told,
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

/** Time that passes between the two; 0 where they overlap. */
function timeBetween(a: Span, b: Span): Micros {
  return Math.max(0, b.firstSeen - a.lastSeen, a.firstSeen - b.lastSeen);
}
