// What the circumstances of a channel add to or take from its score, in points.
import type { ChannelState } from "./channel.ts";
import type { BeaconContext } from "./text.ts";
import type { SubScore } from "../result.ts";
import { clamp01 } from "../stats.ts";
import { duration, moment, percent, plural } from "../wording.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** Fewer callbacks than this are no rhythm at all. */
export const MIN_CALLBACKS = 10;
/** So many carry full weight; at MIN_CALLBACKS the loss is full. */
export const FULL_CALLBACKS = 40;
const FEW_CALLBACKS_POINTS = -30;

/** A peer that many devices use is a service of everybody's software. Judged from these numbers on. */
export const PREVALENCE_MIN_DEVICES = 4;
export const COMMON_MIN_USERS = 3;
/** Share of the devices at which a peer starts to be common, and is common. */
export const COMMON_SHARE = { from: 0.1, full: 0.5 } as const;
export const COMMON_POINTS = -40;
/** A peer only this device uses, in a network large enough for that to mean something. */
export const RARE_MIN_DEVICES = 10;
export const RARE_POINTS = 5;

/** New: first contact of anyone within this time before the rhythm began, in a network watched long enough. */
const NEW_PEER_SECONDS = 86_400;
export const HISTORY_DAYS = 7;
export const NEW_POINTS = 5;
/** Known long before the rhythm began. */
const KNOWN_DAYS = 14;
const KNOWN_POINTS = -10;

/** A name stands in the clear: software that asks its maker for news says one, as do pages. An implant may as well. */
export const NAMED_POINTS = -15;
/** A peer of this network itself: regular traffic inside is mostly administration. */
const INTERNAL_POINTS = -10;
/** Services that programs poll by design: a rhythm there is expected, and worth less. */
const POLLED_POINTS = -20;
const POLLED_PORTS: ReadonlyMap<number, string> = new Map([
  [53, "name resolver"],
  [853, "name resolver"],
  [110, "mailbox"],
  [143, "mailbox"],
  [993, "mailbox"],
  [995, "mailbox"],
  [500, "VPN"],
  [1194, "VPN"],
  [4500, "VPN"],
  [51820, "VPN"],
  [3478, "call or conference"],
  [5060, "telephony service"],
  [5061, "telephony service"],
  [1883, "message queue"],
  [8883, "message queue"],
  [5223, "push notification service"],
  [5228, "push notification service"],
]);

export function points(items: readonly SubScore[]): number {
  return items.reduce((sum, item) => sum + item.value * item.weight, 0);
}

/** Only what applies is listed. */
export function contextModifiers(context: BeaconContext, state: ChannelState, callbacks: number): SubScore[] {
  return [
    few(callbacks),
    prevalence(context),
    firstSeen(context, state),
    named(context),
    polled(context) ?? internal(context),
  ].filter((item) => item !== null && item.value !== 0) as SubScore[];
}

function few(callbacks: number): SubScore | null {
  const missing = clamp01((FULL_CALLBACKS - callbacks) / (FULL_CALLBACKS - MIN_CALLBACKS));
  return modifier(
    "few_callbacks",
    FEW_CALLBACKS_POINTS * missing,
    `only ${plural(callbacks, "callback")} so far`,
  );
}

function prevalence({ prevalence: users, deviceCount }: BeaconContext): SubScore | null {
  if (users <= 1) {
    if (deviceCount < RARE_MIN_DEVICES) return null;
    return modifier("rare_peer", RARE_POINTS, `no other of ${deviceCount} devices uses this peer`);
  }
  if (deviceCount < PREVALENCE_MIN_DEVICES || users < COMMON_MIN_USERS) return null;
  const part = users / deviceCount;
  const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
  return modifier(
    "common_peer",
    COMMON_POINTS * common,
    `${users} of ${deviceCount} devices (${percent(part)}) use this peer`,
  );
}

/** Whether nobody here had contacted the peer before the rhythm began, where that can be known. */
export function isNewPeer({ firstSeenPeerAt, historySince }: BeaconContext, state: ChannelState): boolean {
  if (firstSeenPeerAt === null || historySince === null) return false;
  return firstSeenPeerAt - historySince >= HISTORY_DAYS * DAY &&
    state.firstSeen - firstSeenPeerAt <= NEW_PEER_SECONDS * SECOND;
}

function firstSeen(context: BeaconContext, state: ChannelState): SubScore | null {
  const { firstSeenPeerAt } = context;
  if (firstSeenPeerAt === null || context.historySince === null) return null;
  const known = state.firstSeen - firstSeenPeerAt;
  if (known > KNOWN_DAYS * DAY) {
    const detail = `the network has known this peer for ${duration(known / SECOND)} before`;
    return modifier("known_peer", KNOWN_POINTS, detail);
  }
  if (!isNewPeer(context, state)) return null;
  return modifier(
    "new_peer",
    NEW_POINTS,
    `nobody here contacted this peer before ${moment(firstSeenPeerAt)}`,
  );
}

/** Of a channel to a name its own detector says what that is worth. */
function named({ named, byName }: BeaconContext): SubScore | null {
  if (!named || byName) return null;
  return modifier("polled_by_name", NAMED_POINTS, "software and web pages poll by name, too");
}

function polled({ peerPort }: BeaconContext): SubScore | null {
  const what = POLLED_PORTS.get(peerPort);
  if (what === undefined) return null;
  return modifier(
    "polled_service",
    POLLED_POINTS,
    `port ${peerPort} is a ${what}, asked regularly by design`,
  );
}

function internal({ peerInternal, peerIp }: BeaconContext): SubScore | null {
  if (!peerInternal) return null;
  return modifier("internal_peer", INTERNAL_POINTS, `${peerIp} is taken to be inside the network`);
}

function modifier(name: string, value: number, detail: string): SubScore {
  return { name, value: Math.round(value * 10) / 10, weight: 1, detail };
}
