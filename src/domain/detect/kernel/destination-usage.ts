// How one device uses a few noteworthy servers: address, port, count, times and evidence, in bounded space.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { Endpoint, Micros } from "../../record/observation.ts";
import type { Sighting } from "./detector.ts";
import { onlyAssumedInside } from "./peer.ts";
import { type EvidenceRef, STRETCH_GAP, type SubScore } from "./result.ts";
import { extra } from "./score.ts";
import { idFirstRefs } from "./state/id-first-refs.ts";
import { type Field, float, tenths, text, varint } from "./state/schema.ts";
import { percent, shortened } from "../../../kit/text.ts";

/** Evidence kept per server: the first item and the newest ones. */
const MAX_DESTINATION_REFS = 5;
/** Bound, in characters, of texts from untrusted traffic. */
export const MAX_KEPT_TEXT = 64;
/** The longest textual form of an IP address. */
export const MAX_IP_TEXT = 45;

export interface DestinationUsage {
  ip: string;
  port: number;
  firstSeen: Micros;
  lastSeen: Micros;
  count: number;
  /** `count` at the last evaluation. */
  evaluatedCount: number;
  /** Highest score reported so far. */
  reportedScore: number;
  refs: EvidenceRef[];
}

/** Stored form; states with more fields spread it first. */
export const DESTINATION_FIELDS: {
  readonly [Name in keyof DestinationUsage]: Field<DestinationUsage[Name]>;
} = {
  ip: text(MAX_IP_TEXT),
  port: varint,
  firstSeen: float,
  lastSeen: float,
  count: varint,
  evaluatedCount: varint,
  reportedScore: tenths,
  refs: idFirstRefs(MAX_DESTINATION_REFS),
};

/** A device of the site and the outside server it contacts. */
export interface Outbound {
  deviceId: string;
  peer: Endpoint;
  port: number;
}

/**
 * Device and outside server of an observation, in the observation's own direction. An internal peer that is only assumed
 * to be inside counts as outside. Null for anything else.
 */
export function outbound({ src, dst, site }: Sighting): Outbound | null {
  if (src.deviceId === null || dst.port === null || dst.port === 0) return null;
  if (dst.internal && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) return null;
  if (!isOneHost(dst.ip)) return null;
  return { deviceId: src.deviceId, peer: dst, port: dst.port };
}

export function newDestination(ip: string, port: number): DestinationUsage {
  return { ip, port, firstSeen: 0, lastSeen: 0, count: 0, evaluatedCount: 0, reportedScore: 0, refs: [] };
}

/** The entry itself, not a copy; null if it is unknown or was last seen more than STRETCH_GAP away. */
export function findDestination<T extends DestinationUsage>(
  destinations: readonly T[],
  ip: string,
  port: number,
  at: Micros,
): T | null {
  const found = destinations.find((one) => one.port === port && one.ip === ip);
  return found === undefined || Math.abs(at - found.lastSeen) > STRETCH_GAP ? null : found;
}

/**
 * Adds an entry, replacing an old one of the same server. At `max` entries it evicts one of another stretch if there is
 * any, else the one with the lowest count (the oldest of equals), so that recurring servers outlast one-time ones.
 */
export function addDestination<T extends DestinationUsage>(
  destinations: T[],
  added: T,
  max: number,
  at: Micros,
): T {
  const old = destinations.findIndex((one) => one.port === added.port && one.ip === added.ip);
  if (old >= 0) destinations.splice(old, 1);
  else if (destinations.length >= max) destinations.splice(leastUsed(destinations, at), 1);
  destinations.push(added);
  return added;
}

function leastUsed(destinations: readonly DestinationUsage[], at: Micros): number {
  const worth = ({ count, lastSeen }: DestinationUsage) => Math.abs(at - lastSeen) > STRETCH_GAP ? 0 : count;
  let least = 0;
  for (let index = 1; index < destinations.length; index++) {
    if (worth(destinations[index]!) < worth(destinations[least]!)) least = index;
  }
  return least;
}

/** An untrusted text, bounded and well-formed, so that it survives storage unchanged. Null if nothing is left. */
export function boundedText(text: string | null, limit = MAX_KEPT_TEXT): string | null {
  return text === null ? null : shortened(text.replace(/^\uFEFF+/, ""), limit).toWellFormed() || null;
}

export function recordUse(destination: DestinationUsage, at: Micros, ref: EvidenceRef): void {
  const isFirst = destination.count === 0;
  destination.firstSeen = isFirst ? at : Math.min(destination.firstSeen, at);
  destination.lastSeen = isFirst ? at : Math.max(destination.lastSeen, at);
  destination.count++;
  destination.refs.push(ref);
  if (destination.refs.length > MAX_DESTINATION_REFS) destination.refs.splice(1, 1);
}

/** Records a TLS session, of which each sensor on its way writes a record: they share the flow. */
export function recordSession(destination: DestinationUsage, at: Micros, ref: EvidenceRef): void {
  if (!destination.refs.some(({ flowId }) => flowId === ref.flowId)) recordUse(destination, at, ref);
}

/** A server used by this many devices, and by this share of them, belongs to common software. */
const COMMON_USERS = 3;
const COMMON_SHARE = 0.1;
const COMMON_POINTS = -15;
/** A server with one user is rare in a network of at least this many devices. */
const RARE_DEVICES = 10;
const RARE_POINTS = 4;

/** Modifier for the number of devices that use the server; null if that number is not significant. */
export function usageModifier(users: number, devices: number): SubScore | null {
  if (users >= COMMON_USERS && users / devices >= COMMON_SHARE) {
    const detail = `${users} of ${devices} devices (${percent(users / devices)}) use this server`;
    return extra("common_server", COMMON_POINTS, detail);
  }
  if (users > 1 || devices < RARE_DEVICES) return null;
  return extra("rare_server", RARE_POINTS, `no other device of ${devices} uses this server`);
}

/** The number of users as a sentence. */
export function usageSentence(users: number, devices: number): string {
  if (devices <= 1) return "There is no other device to compare with.";
  if (users <= 1) return `None of the other devices (${devices} in total) contacts this server.`;
  return `${users} of ${devices} devices contact this server.`;
}
