import type { Micros } from "../../record/observation.ts";
import { type Anchor, type AnchorClass } from "./anchors.ts";
import type { DeviceFactKind } from "../fact.ts";

const DAY: Micros = 86_400_000_000;
/** Values kept per device and class, most recently seen first. */
const MAX_VALUES = 32;
/** Days kept per anchor, newest first. */
const MAX_DAYS = 400;
/** An address used this long without a lease is assumed to be static. */
const STATIC_AFTER: Micros = 7 * DAY;

/** A value seen at a device, from first to last. */
export type Sighting = Omit<Anchor, "days"> & { deviceId: string };

export interface LeaseSighting {
  deviceId: string;
  mac: string;
  clientId: string | null;
  hostName: string | null;
  vendorClass: string | null;
  source: string;
  firstSeen: Micros;
  lastSeen: Micros;
}

export function leaseSightings(lease: LeaseSighting): Sighting[] {
  const { deviceId, source, firstSeen, lastSeen } = lease;
  const values: [AnchorClass, string | null][] = [
    ["mac", lease.mac],
    ["dhcp_client_id", lease.clientId],
    ["dhcp_hostname", lease.hostName],
    ["dhcp_vendor_class", lease.vendorClass],
  ];
  return values.flatMap(([kind, value]) =>
    value === null ? [] : [{ deviceId, class: kind, value, source, firstSeen, lastSeen }]
  );
}

/** Fact kinds that serve as anchors. */
export const FACT_ANCHORS = {
  ssh_host_key: "ssh_host_key",
  certificate: "tls_certificate",
  smb_host: "smb_host",
  kerberos_principal: "kerberos_principal",
  ja4: "tls_client",
  hassh: "ssh_client",
} as const satisfies Partial<Record<DeviceFactKind, AnchorClass>>;

export type AnchorFact = Omit<Sighting, "class"> & { kind: keyof typeof FACT_ANCHORS };

export function factSightings({ kind, ...fact }: AnchorFact): Sighting[] {
  // A certificate may be known by its subject only, which many machines share.
  if (kind === "certificate" && !/^[0-9a-f]{32,}$/.test(fact.value)) return [];
  return [{ ...fact, class: FACT_ANCHORS[kind] }];
}

export interface AddressSighting {
  deviceId: string;
  ip: string;
  /** Whether any client has or had it by a lease. */
  leased: boolean;
  firstSeen: Micros;
  lastSeen: Micros;
}

export function addressSightings(address: AddressSighting): Sighting[] {
  const { deviceId, ip, leased, firstSeen, lastSeen } = address;
  if (leased || lastSeen - firstSeen < STATIC_AFTER) return [];
  return [{ deviceId, class: "ip_static", value: ip, source: "observed", firstSeen, lastSeen }];
}

/** An anchor of a device. */
export type DeviceAnchor = Anchor & { deviceId: string };

/** Anchors are kept when no longer seen, except for these classes, which hold only while current. */
const WITHDRAWN: readonly AnchorClass[] = ["inventory", "ip_static"];

/**
 * Merges current sightings into the stored anchors. Each sighting adds its first and last day.
 *
 * @returns all anchors, those that changed, and those to delete
 */
export function updateAnchors(
  stored: readonly DeviceAnchor[],
  sightings: readonly Sighting[],
): { anchors: DeviceAnchor[]; changed: DeviceAnchor[]; forgotten: DeviceAnchor[] } {
  const known = new Map(stored.map((anchor) => [keyOf(anchor), anchor]));
  const changed = new Set<string>();
  const seen = new Set<string>();
  for (const sighting of sightings) {
    const key = keyOf(sighting);
    seen.add(key);
    const before = known.get(key);
    const after = extend(before, sighting);
    if (before && isEqual(before, after)) continue;
    known.set(key, after);
    changed.add(key);
  }
  const forgotten = new Set(
    [...known].filter(([key, anchor]) => WITHDRAWN.includes(anchor.class) && !seen.has(key)).map(([key]) =>
      key
    ),
  );
  for (const key of surplus(known)) forgotten.add(key);
  const all = [...known];
  return {
    anchors: all.flatMap(([key, anchor]) => forgotten.has(key) ? [] : [anchor]),
    changed: all.flatMap(([key, anchor]) => changed.has(key) && !forgotten.has(key) ? [anchor] : []),
    forgotten: stored.filter((anchor) => forgotten.has(keyOf(anchor))),
  };
}

function keyOf({ deviceId, class: kind, value }: Pick<DeviceAnchor, "deviceId" | "class" | "value">): string {
  return `${deviceId} ${kind} ${value}`;
}

function dayOf(time: Micros): number {
  return Math.floor(time / DAY);
}

function extend(before: DeviceAnchor | undefined, sighting: Sighting): DeviceAnchor {
  const days = new Set([...before?.days ?? [], dayOf(sighting.firstSeen), dayOf(sighting.lastSeen)]);
  return {
    ...sighting,
    firstSeen: Math.min(before?.firstSeen ?? Infinity, sighting.firstSeen),
    lastSeen: Math.max(before?.lastSeen ?? -Infinity, sighting.lastSeen),
    days: [...days].sort((a, b) => a - b).slice(-MAX_DAYS),
  };
}

function isEqual(a: DeviceAnchor, b: DeviceAnchor): boolean {
  return a.firstSeen === b.firstSeen && a.lastSeen === b.lastSeen && a.source === b.source &&
    a.days.length === b.days.length && a.days.every((day, i) => day === b.days[i]);
}

/** Keys of the anchors above MAX_VALUES per device and class. */
function surplus(known: ReadonlyMap<string, DeviceAnchor>): string[] {
  const lists = new Map<string, DeviceAnchor[]>();
  for (const anchor of known.values()) {
    const of = `${anchor.deviceId} ${anchor.class}`;
    const list = lists.get(of);
    if (list) list.push(anchor);
    else lists.set(of, [anchor]);
  }
  return [...lists.values()].filter((list) => list.length > MAX_VALUES).flatMap((list) =>
    list.sort((a, b) => b.lastSeen - a.lastSeen || (a.value < b.value ? -1 : 1)).slice(MAX_VALUES).map(keyOf)
  );
}
