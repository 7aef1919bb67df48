// Points that the circumstances of a channel add to its score or take from it.
import type { ChannelState } from "./channel.ts";
import type { BeaconContext } from "./text.ts";
import type { SubScore } from "../result.ts";
import { extra } from "../score.ts";
import { clamp01 } from "../stats.ts";
import { duration, moment, percent, plural } from "../../../../kit/text.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** Fewer callbacks than this are not a rhythm. */
export const MIN_CALLBACKS = 10;
/** This many callbacks carry full weight; at MIN_CALLBACKS the loss is full. */
export const FULL_CALLBACKS = 40;
const FEW_CALLBACKS_POINTS = -30;

/** A peer of many devices belongs to common software. Minimum numbers of devices and of users. */
export const PREVALENCE_MIN_DEVICES = 4;
export const COMMON_MIN_USERS = 3;
/** Share of the devices at which a peer starts to be common, and at which it is fully common. */
export const COMMON_SHARE = { from: 0.1, full: 0.5 } as const;
export const COMMON_POINTS = -40;
/** A peer that only this device uses, in a network large enough for that to mean something. */
export const RARE_MIN_DEVICES = 10;
export const RARE_POINTS = 5;

/** New: first contact by any device within this time before the rhythm began. Needs enough history. */
const NEW_PEER_SECONDS = 86_400;
export const HISTORY_DAYS = 7;
export const NEW_POINTS = 5;
/** Known long before the rhythm began. */
const KNOWN_DAYS = 14;
const KNOWN_POINTS = -10;

/** Update checks and web pages name the server in the clear. An implant may do so as well. */
export const NAMED_POINTS = -15;
/** A peer of this network itself: regular traffic inside is mostly administration. */
const INTERNAL_POINTS = -10;
/** UDP services whose clients send keepalives: IKE and NAT-T, OpenVPN, WireGuard, STUN and TURN, SIP. */
export const KEPT_ALIVE_PORTS: ReadonlyMap<number, string> = new Map([
  [500, "VPN"],
  [1194, "VPN"],
  [4500, "VPN"],
  [51_820, "VPN"],
  [3478, "call or conference"],
  [3479, "call or conference"],
  [19_302, "call or conference"],
  [5060, "telephony service"],
  [5061, "telephony service"],
]);
/** Services that programs poll by design: a rhythm there is expected, and worth less. */
const POLLED_POINTS = -20;
const POLLED_PORTS: ReadonlyMap<number, string> = new Map([
  [53, "name resolver"],
  [853, "name resolver"],
  [110, "mailbox"],
  [143, "mailbox"],
  [993, "mailbox"],
  [995, "mailbox"],
  ...KEPT_ALIVE_PORTS,
  [1883, "message queue"],
  [8883, "message queue"],
  [5223, "push notification service"],
  [5228, "push notification service"],
]);

export function points(items: readonly SubScore[]): number {
  return items.reduce((sum, item) => sum + item.value * item.weight, 0);
}

/** The modifiers that apply. */
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
  return extra(
    "few_callbacks",
    FEW_CALLBACKS_POINTS * missing,
    `only ${plural(callbacks, "callback")} so far`,
  );
}

function prevalence({ prevalence: users, deviceCount }: BeaconContext): SubScore | null {
  if (users <= 1) {
    if (deviceCount < RARE_MIN_DEVICES) return null;
    return extra("rare_peer", RARE_POINTS, `only this one of ${deviceCount} devices uses this peer`);
  }
  if (deviceCount < PREVALENCE_MIN_DEVICES || users < COMMON_MIN_USERS) return null;
  const part = users / deviceCount;
  const common = clamp01((part - COMMON_SHARE.from) / (COMMON_SHARE.full - COMMON_SHARE.from));
  return extra(
    "common_peer",
    COMMON_POINTS * common,
    `${users} of ${deviceCount} devices (${percent(part)}) use this peer`,
  );
}

/**
 * Whether no device contacted the peer before the rhythm began; false if the history is too short to tell.
 */
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
    const detail = `the network already knew this peer ${duration(known / SECOND)} before`;
    return extra("known_peer", KNOWN_POINTS, detail);
  }
  if (!isNewPeer(context, state)) return null;
  return extra(
    "new_peer",
    NEW_POINTS,
    `no device here contacted this peer before ${moment(firstSeenPeerAt)}`,
  );
}

/** Not for a channel to a name: the detector of those applies its own modifier. */
function named({ named, byName }: BeaconContext): SubScore | null {
  if (!named || byName) return null;
  return extra("polled_by_name", NAMED_POINTS, "software and web pages also poll servers by name");
}

function polled({ peerPort }: BeaconContext): SubScore | null {
  const what = POLLED_PORTS.get(peerPort);
  if (what === undefined) return null;
  return extra("polled_service", POLLED_POINTS, `port ${peerPort} is a ${what}, polled regularly by design`);
}

function internal({ peerInternal, peerIp }: BeaconContext): SubScore | null {
  if (!peerInternal) return null;
  return extra("internal_peer", INTERNAL_POINTS, `${peerIp} is assumed to be inside the network`);
}
