import type { Micros } from "../../record/observation.ts";
import { type Activity, areTogether, SLOT, unite } from "../activity.ts";
import type { Anchor, AnchorTraits, Clue } from "./anchors.ts";

/**
 * Two devices are one machine when the weights of what they share come to `MERGE_WEIGHT`, with something strong among
 * it or with two different origins of which one confirms: never by a randomized hardware address alone, never by names
 * alone. Whatever contradicts it (see `contradiction`) outweighs any sum.
 */
export const MERGE_WEIGHT = 0.8;
const MIN_ORIGINS = 2;
/** A machine of more addresses than that is not one machine's work; it also bounds what a page must read. */
export const MAX_MEMBERS = 32;

export type Standing = "observed" | "inventory" | "human_confirmed";

/** A device as the pipeline made it: what was seen at one address. */
export interface DeviceEvidence {
  deviceId: string;
  addresses: readonly string[];
  displayName: string;
  standing: Standing;
  firstSeen: Micros;
  lastSeen: Micros;
  clues: readonly Clue[];
}

/** Devices that are taken to be one; the first is the one that shows. */
export type Group = readonly [DeviceEvidence, ...DeviceEvidence[]];

/** What is known beyond the two devices. */
export interface Surroundings {
  /** Keys of values that several machines have at the same time. */
  shared: ReadonlySet<string>;
  activity: ReadonlyMap<string, Activity>;
}

interface Verdict {
  same: boolean;
  /** Something says that they are two, not only that nothing says they are one. */
  contradicted: boolean;
  weight: number;
  /** What both have, heaviest first, one for each family. */
  matches: Clue[];
  reason: string;
}

export function sameDevice(a: Group, b: Group, surroundings: Surroundings): Verdict {
  const matches = matchesOf(a, b, surroundings.shared);
  // Sums of tenths.
  const weight = Math.round(matches.reduce((sum, { traits }) => sum + traits.weight, 0) * 100) / 100;
  const verdict = { same: false, contradicted: false, weight, matches };
  const against = contradiction(a, b, matches, surroundings);
  if (against !== null) return { ...verdict, contradicted: true, reason: against };
  if (a.length + b.length > MAX_MEMBERS) return { ...verdict, reason: "too many addresses for one device" };
  const missing = shortfall(weight, matches);
  if (missing !== null) return { ...verdict, reason: missing };
  if (togetherness(a, b, matches, surroundings) === "unknown") {
    return { ...verdict, reason: "it is not known yet whether both are active at the same time" };
  }
  return { ...verdict, same: true, reason: `same ${matches.map(describe).join(", ")}` };
}

function shortfall(weight: number, matches: readonly Clue[]): string | null {
  if (matches.length === 0) return "nothing in common";
  const common = matches.map(describe).join(", ");
  if (weight < MERGE_WEIGHT) return `too little in common: ${common}`;
  if (matches.some(({ traits }) => traits.strong)) return null;
  const confirming = matches.filter(({ traits }) => traits.confirming);
  const origins = matches.filter(({ traits }) => traits.confirming || traits.randomized);
  if (confirming.length >= 1 && origins.length >= MIN_ORIGINS) return null;
  return `not enough independent evidence: ${common}`;
}

/** Why they cannot be one machine, or null. */
function contradiction(
  a: Group,
  b: Group,
  matches: readonly Clue[],
  surroundings: Surroundings,
): string | null {
  if (a[0].standing === "human_confirmed" && b[0].standing === "human_confirmed") {
    return `a person confirmed ${a[0].displayName} and ${b[0].displayName} as two devices`;
  }
  const entries = disjoint(a, b, ["inventory"], () => true);
  if (entries) return `the inventory has two entries: ${entries}`;
  for (const device of [...a, ...b]) {
    const macs = [...new Set(device.clues.filter(isMac).map(({ anchor }) => anchor.value))];
    if (macs.length > 1) {
      return `${device.addresses.join(", ")} was used by several hardware addresses: ${
        macs.slice(0, 3).join(", ")
      }`;
    }
  }
  // An account or an inventory entry tells machines apart that share an adapter, and joins the adapters of one.
  const vouched = matches.some(({ traits }) => traits.family === "account" || traits.family === "inventory");
  if (!vouched) {
    const names = disjoint(a, b, ["dhcp_hostname", "smb_host"], () => true);
    if (names) return `different host names: ${names}`;
    const macs = disjoint(a, b, ["mac"], (traits) => traits.strong);
    if (macs) return `different hardware addresses: ${macs}`;
  }
  return togetherness(a, b, matches, surroundings) === "together"
    ? "both are active at the same time, under different addresses"
    : null;
}

function isMac({ anchor, traits }: Clue): boolean {
  return anchor.class === "mac" && traits.key !== null;
}

/** Two values of these classes, where both sides have some and none in common. */
function disjoint(
  a: Group,
  b: Group,
  classes: readonly Anchor["class"][],
  counts: (traits: AnchorTraits) => boolean,
): string | null {
  const [left, right] = [a, b].map((group) => {
    const values = new Map<string, string>();
    for (const { anchor, traits } of group.flatMap(({ clues }) => clues)) {
      if (!classes.includes(anchor.class)) continue;
      if (traits.key !== null && counts(traits)) values.set(traits.key, anchor.value);
    }
    return values;
  }) as [Map<string, string>, Map<string, string>];
  if (left.size === 0 || right.size === 0 || [...left.keys()].some((key) => right.has(key))) return null;
  return `${[...left.values()][0]} and ${[...right.values()][0]}`;
}

/**
 * Whether both were active at once at addresses of one family. IPv4 and IPv6 side by side are one machine's normal
 * state, and so are several adapters of a machine that something strong identifies.
 */
function togetherness(
  a: Group,
  b: Group,
  matches: readonly Clue[],
  { activity }: Surroundings,
): "apart" | "together" | "unknown" {
  if (matches.some(({ traits }) => traits.strong)) return "apart";
  for (const family of FAMILIES) {
    const [left, right] = [a.filter(family), b.filter(family)];
    if (!overlap(left, right)) continue;
    const [leftActivity, rightActivity] = [left, right].map((devices) => {
      const known = devices.flatMap(({ deviceId }) => activity.get(deviceId) ?? []);
      return known.length === devices.length ? unite(known) : null;
    });
    if (!leftActivity || !rightActivity || !reaches(leftActivity, rightActivity, left, right)) {
      return "unknown";
    }
    if (areTogether(leftActivity, rightActivity)) return "together";
  }
  return "apart";
}

/** True where what is known of both begins before one of them was last seen. */
function reaches(
  a: Activity,
  b: Activity,
  left: readonly DeviceEvidence[],
  right: readonly DeviceEvidence[],
): boolean {
  const last = (devices: readonly DeviceEvidence[]) => Math.max(...devices.map(({ lastSeen }) => lastSeen));
  return Math.max(a.since, b.since) * SLOT <= Math.min(last(left), last(right));
}

const FAMILIES = [
  (device: DeviceEvidence) => device.addresses.some((ip) => ip.includes(":")),
  (device: DeviceEvidence) => device.addresses.some((ip) => !ip.includes(":")),
];

/** True where some device of the one side was seen before another of the other side was last seen, and vice versa. */
function overlap(a: readonly DeviceEvidence[], b: readonly DeviceEvidence[]): boolean {
  return a.some((one) =>
    b.some((other) => one.firstSeen <= other.lastSeen && other.firstSeen <= one.lastSeen)
  );
}

/** True where the two must be watched to tell whether they are one. */
export function mayBeTogether(a: DeviceEvidence, b: DeviceEvidence): boolean {
  return FAMILIES.some((family) => family(a) && family(b)) && overlap([a], [b]);
}

function matchesOf(a: Group, b: Group, shared: ReadonlySet<string>): Clue[] {
  const keys = new Set(a.flatMap(({ clues }) => clues).map(({ traits }) => traits.key));
  const best = new Map<string, Clue>();
  for (const { anchor, traits } of b.flatMap(({ clues }) => clues)) {
    if (traits.key === null || !keys.has(traits.key) || shared.has(traits.key)) continue;
    const known = best.get(traits.family);
    if (!known || traits.weight > known.traits.weight) best.set(traits.family, { anchor, traits });
  }
  return [...best.values()].sort((x, y) =>
    y.traits.weight - x.traits.weight || (x.traits.family < y.traits.family ? -1 : 1)
  );
}

const LABELS: Record<Anchor["class"], string> = {
  inventory: "inventory entry",
  mac: "hardware address",
  kerberos_principal: "Kerberos principal",
  dhcp_client_id: "DHCP client id",
  ssh_host_key: "SSH host key",
  dhcp_hostname: "DHCP host name",
  smb_host: "SMB host name",
  tls_certificate: "TLS certificate",
  ip_static: "static address",
  dhcp_vendor_class: "DHCP vendor class",
  tls_client: "TLS client",
  ssh_client: "SSH client",
};

function describe({ anchor, traits }: Clue): string {
  return `${traits.randomized ? "randomized " : ""}${LABELS[anchor.class]} ${anchor.value}`;
}
