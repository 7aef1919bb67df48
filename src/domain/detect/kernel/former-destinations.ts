// A few noteworthy servers of one device, in bounded room: where, how often, since when, with the evidence.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { Endpoint, Micros } from "../../record/observation.ts";
import type { ByteReader, ByteWriter } from "./state/bytes.ts";
import type { Party, Sighting } from "./detector.ts";
import { onlyAssumedInside } from "./peer.ts";
import { type EvidenceRef, STRETCH_GAP } from "./result.ts";
import type { SubScore } from "./result.ts";
import { percent, shortened } from "./wording.ts";
import { extra } from "./score.ts";

/** Evidence kept of each server: the first, and the newest. */
const MAX_PLACE_REFS = 5;
/** Characters kept of a text that a stranger chose. */
const MAX_PLACE_TEXT = 64;

export interface DestinationUsage {
  ip: string;
  port: number;
  firstSeen: Micros;
  lastSeen: Micros;
  count: number;
  /** `count` when it was judged last, and the highest score that was told. */
  evaluatedCount: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface Outbound {
  deviceId: string;
  device: Party;
  peer: Endpoint;
  port: number;
}

/**
 * Who of ours speaks to which server outside, by the observation's own direction. An internal peer that is only
 * assumed to be inside counts as outside. Null for anything else.
 */
export function outbound({ src, dst, site }: Sighting): Outbound | null {
  if (src.deviceId === null || dst.port === null || dst.port === 0) return null;
  if (dst.internal && !onlyAssumedInside(site.networksAssumed, src.ip, dst.ip)) return null;
  if (!isOneHost(dst.ip)) return null;
  return { deviceId: src.deviceId, device: src, peer: dst, port: dst.port };
}

export function newDestination(ip: string, port: number): DestinationUsage {
  return { ip, port, firstSeen: 0, lastSeen: 0, count: 0, evaluatedCount: 0, reportedScore: 0, refs: [] };
}

/** The place itself, not a copy; null where it is not known, or nothing was heard of it for longer than a stretch. */
export function findDestination<T extends DestinationUsage>(
  places: readonly T[],
  ip: string,
  port: number,
  at: Micros,
): T | null {
  const place = places.find((one) => one.port === port && one.ip === ip);
  return place === undefined || Math.abs(at - place.lastSeen) > STRETCH_GAP ? null : place;
}

/**
 * Takes a new place in, in exchange for an old one of the same server. Where there are too many, one of another day
 * goes, else the one seen least, of those the oldest: what is met again and again outlasts what is met once.
 */
export function addDestination<T extends DestinationUsage>(
  places: T[],
  place: T,
  max: number,
  at: Micros,
): T {
  const old = places.findIndex((one) => one.port === place.port && one.ip === place.ip);
  if (old >= 0) places.splice(old, 1);
  else if (places.length >= max) places.splice(leastSeen(places, at), 1);
  places.push(place);
  return place;
}

function leastSeen(places: readonly DestinationUsage[], at: Micros): number {
  const worth = ({ count, lastSeen }: DestinationUsage) => Math.abs(at - lastSeen) > STRETCH_GAP ? 0 : count;
  let least = 0;
  for (let one = 1; one < places.length; one++) {
    if (worth(places[one]!) < worth(places[least]!)) least = one;
  }
  return least;
}

/** A stranger's text as it is kept: bounded, and the same after it was stored. An empty one is none. */
export function boundedText(text: string | null, limit = MAX_PLACE_TEXT): string | null {
  return text === null ? null : shortened(text.replace(/^\uFEFF+/, ""), limit).toWellFormed() || null;
}

export function recordUse(place: DestinationUsage, at: Micros, ref: EvidenceRef): void {
  place.firstSeen = place.count === 0 ? at : Math.min(place.firstSeen, at);
  place.lastSeen = place.count === 0 ? at : Math.max(place.lastSeen, at);
  place.count++;
  place.refs.push(ref);
  if (place.refs.length > MAX_PLACE_REFS) place.refs.splice(1, 1);
}

export function writeDestination(out: ByteWriter, place: DestinationUsage): void {
  out.text(place.ip);
  out.varint(place.port);
  out.float(place.firstSeen);
  out.float(place.lastSeen);
  out.varint(place.count);
  out.varint(place.evaluatedCount);
  out.varint(Math.round(place.reportedScore * 10));
  writeRefs(out, place.refs);
}

export function readDestination(from: ByteReader): DestinationUsage {
  return {
    ip: from.text(),
    port: from.varint(),
    firstSeen: from.float(),
    lastSeen: from.float(),
    count: from.varint(),
    evaluatedCount: from.varint(),
    reportedScore: from.varint() / 10,
    refs: readRefs(from),
  };
}

export function writeRefs(out: ByteWriter, refs: readonly EvidenceRef[]): void {
  out.varint(refs.length);
  for (const { evidenceId, observedAt, flowId } of refs) {
    out.uuid(evidenceId);
    out.float(observedAt);
    out.uuid(flowId);
  }
}

export function readRefs(from: ByteReader): EvidenceRef[] {
  const refs: EvidenceRef[] = [];
  for (let left = from.varint(); left > 0; left--) {
    refs.push({ evidenceId: from.uuid(), observedAt: from.float(), flowId: from.uuid() });
  }
  return refs;
}

export const destinationSize = ({ refs }: DestinationUsage): number => 300 + 220 * refs.length;

/** A server that many devices use is everybody's software. */
const COMMON_USERS = 3;
const COMMON_SHARE = 0.1;
const COMMON_POINTS = -15;
/** One that nobody else uses, in a network large enough for that to mean something. */
const RARE_DEVICES = 10;
const RARE_POINTS = 4;

/** What the number of users of a server says; null where it says nothing. */
export function usageModifier(users: number, devices: number): SubScore | null {
  if (users >= COMMON_USERS && users / devices >= COMMON_SHARE) {
    const detail = `${users} of ${devices} devices (${percent(users / devices)}) use this server`;
    return extra("common_server", COMMON_POINTS, detail);
  }
  if (users > 1 || devices < RARE_DEVICES) return null;
  return extra("rare_server", RARE_POINTS, `no other of ${devices} devices uses this server`);
}

/** The same as a sentence. */
export function usageSentence(users: number, devices: number): string {
  if (devices <= 1) return "No other device is known here to compare with.";
  if (users <= 1) return `No other of the ${devices} devices here contacts this server.`;
  return `${users} of the ${devices} devices here contact this server.`;
}
