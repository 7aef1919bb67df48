import type { Micros } from "../../record/observation.ts";
import { type Activity, areConcurrent, combineActivity, SLOT } from "../activity.ts";
import type { Anchor, AnchorTraits, Clue } from "./anchors.ts";

/**
 * Two devices are one machine if the weights of their common anchors reach `MERGE_WEIGHT`, including a strong
 * anchor, or two different origins one of which is confirming: never a randomized MAC address alone, never
 * names alone. Any contradiction (see `contradiction`) outweighs the sum.
 */
export const MERGE_WEIGHT = 0.8;
const MIN_ORIGINS = 2;
/** More addresses than this do not belong to one machine; also bounds what a page must read. */
export const MAX_MEMBERS = 32;

export type Standing = "observed" | "inventory" | "human_confirmed";

/** A device as created by the pipeline: evidence seen at one address. */
export interface DeviceEvidence {
  deviceId: string;
  addresses: readonly string[];
  displayName: string;
  standing: Standing;
  firstSeen: Micros;
  lastSeen: Micros;
  clues: readonly Clue[];
}

/** Devices considered to be one; the first is the visible one. */
export type Group = readonly [DeviceEvidence, ...DeviceEvidence[]];

/** Context beyond the two devices. */
export interface Surroundings {
  /** Keys of values several machines have at the same time. */
  shared: ReadonlySet<string>;
  activity: ReadonlyMap<string, Activity>;
}

interface Verdict {
  same: boolean;
  /** Evidence shows two machines, rather than just no evidence of one. */
  contradicted: boolean;
  weight: number;
  /** Common anchors, by descending weight, one per family. */
  matches: Clue[];
  reason: string;
}

export function sameDevice(a: Group, b: Group, surroundings: Surroundings): Verdict {
  const matches = matchesOf(a, b, surroundings.shared);
  // Avoid rounding errors of sums of tenths.
  const weight = Math.round(matches.reduce((sum, { traits }) => sum + traits.weight, 0) * 100) / 100;
  const verdict = { same: false, contradicted: false, weight, matches };
  const against = contradiction(a, b, matches, surroundings);
  if (against !== null) return { ...verdict, contradicted: true, reason: against };
  if (a.length + b.length > MAX_MEMBERS) return { ...verdict, reason: "too many addresses for one device" };
  const missing = shortfall(weight, matches);
  if (missing !== null) return { ...verdict, reason: missing };
  if (concurrency(a, b, matches, surroundings) === "unknown") {
    return { ...verdict, reason: "not yet known whether both are active at the same time" };
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
  // An account or an inventory entry overrides both: it separates machines that share an adapter and joins
  // the adapters of one.
  const vouched = matches.some(({ traits }) => traits.family === "account" || traits.family === "inventory");
  if (!vouched) {
    const names = disjoint(a, b, ["dhcp_hostname", "smb_host"], () => true);
    if (names) return `different host names: ${names}`;
    const macs = disjoint(a, b, ["mac"], (traits) => traits.strong);
    if (macs) return `different hardware addresses: ${macs}`;
  }
  return concurrency(a, b, matches, surroundings) === "together"
    ? "both are active at the same time, under different addresses"
    : null;
}

function isMac({ anchor, traits }: Clue): boolean {
  return anchor.class === "mac" && traits.key !== null;
}

/** One value of each side if both have values of these classes but none in common; else null. */
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
 * Whether both were active at the same time at addresses of one IP version. IPv4 and IPv6 side by side are
 * normal for one machine, and so are several adapters of a machine with a strong common anchor.
 */
function concurrency(
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
      return known.length === devices.length ? combineActivity(known) : null;
    });
    if (!leftActivity || !rightActivity || !reaches(leftActivity, rightActivity, left, right)) {
      return "unknown";
    }
    if (areConcurrent(leftActivity, rightActivity)) return "together";
  }
  return "apart";
}

/** True if the known activity of both starts before either was last seen. */
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

/** True if the time spans of some device on each side overlap. */
function overlap(a: readonly DeviceEvidence[], b: readonly DeviceEvidence[]): boolean {
  return a.some((one) =>
    b.some((other) => one.firstSeen <= other.lastSeen && other.firstSeen <= one.lastSeen)
  );
}

/** True if the activity of the two must be compared to decide whether they are one. */
export function mayOverlap(a: DeviceEvidence, b: DeviceEvidence): boolean {
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
