// TLS and HTTP clients: what one device uses, and how common each client is in the tenant.
import { DESTINATION_FIELDS, type DestinationUsage, MAX_KEPT_TEXT } from "../kernel/destination-usage.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { defineState, type Field, flag, list, record, textOrNull, varint } from "../kernel/state/schema.ts";

/** With fewer devices, a client that only one of them uses is not rare. */
export const MIN_DEVICES = 5;
export const MAX_TLS_DESTINATIONS = 8;
/**
 * Newest clients of a device. A client is counted for the tenant only when it appears again while still in this list:
 * programs that shuffle their ClientHello, such as browsers, never show a fingerprint twice.
 */
const MAX_RECENT = 16;
/** Servers contacted without a server name are counted exactly up to about this number. */
export const MANY_UNNAMED = 24;

export interface TlsDestination extends DestinationUsage {
  /** JA4 if known, else JA3; for HTTP the user agent. */
  fingerprint: string | null;
  /** The requested server name; null if there was none. */
  serverName: string | null;
  /** The client is new in the tenant and used by this device only. */
  isRare: boolean;
}

export interface TlsClient {
  destinations: TlsDestination[];
  /** Hashes of TLS fingerprints, the newest last. */
  recentFingerprints: number[];
  /** Hashes of HTTP user agents, the newest last. */
  recentAgents: number[];
  /** Servers contacted without a server name. */
  unnamedServers: Distinct;
}

/** Keys: device. */
export const TLS_CLIENTS = defineState<TlsClient>({
  id: 42,
  name: "tls clients",
  keepDays: 14,
  version: 1,
  empty: () => ({
    destinations: [],
    recentFingerprints: [],
    recentAgents: [],
    unnamedServers: new Distinct(MANY_UNNAMED),
  }),
  fields: record<TlsClient>({
    destinations: list(
      record<TlsDestination>({
        ...DESTINATION_FIELDS,
        fingerprint: textOrNull(MAX_KEPT_TEXT),
        serverName: textOrNull(MAX_KEPT_TEXT),
        isRare: flag,
      }),
      MAX_TLS_DESTINATIONS,
    ),
    recentFingerprints: list(varint, MAX_RECENT),
    recentAgents: list(varint, MAX_RECENT),
    unnamedServers: distinct(MANY_UNNAMED),
  }),
});

/** Adds a TLS fingerprint to the device's recent ones; "again" if it already was one. */
export function recordFingerprint({ recentFingerprints }: TlsClient, hash: number): "new" | "again" {
  return addRecent(recentFingerprints, hash);
}

/** The same for an HTTP user agent. */
export function recordAgent({ recentAgents }: TlsClient, hash: number): "new" | "again" {
  return addRecent(recentAgents, hash);
}

function addRecent(recent: number[], hash: number): "new" | "again" {
  if (recent.includes(hash)) return "again";
  recent.push(hash);
  if (recent.length > MAX_RECENT) recent.shift();
  return "new";
}

/** Clients tracked per tenant; the oldest one with a single user is evicted first. */
export const MAX_FINGERPRINTS = 300;
/** Users tracked per client. */
const MAX_FINGERPRINT_USERS = 3;

interface Fingerprint {
  /** Hashes of device ids. */
  users: number[];
  /** Seen during the learning phase. */
  isUsual: boolean;
}

/** By hash, in order of first appearance. Each entry: the hash, `2 * users + isUsual`, the users. */
const fingerprints: Field<Map<number, Fingerprint>> = {
  write: (out, all) => {
    out.varint(all.size);
    for (const [hash, { users, isUsual }] of all) {
      out.varint(hash);
      out.varint(users.length * 2 + (isUsual ? 1 : 0));
      for (const user of users) out.varint(user);
    }
  },
  read: (from) => {
    const all = new Map<number, Fingerprint>();
    for (let left = from.varint(); left > 0; left--) {
      const hash = from.varint();
      const packed = from.varint();
      const users: number[] = [];
      for (let more = packed >> 1; more > 0; more--) users.push(from.varint());
      all.set(hash, { users, isUsual: (packed & 1) === 1 });
    }
    return all;
  },
  size: (all) => 24 + 140 * all.size,
  // 32-bit hashes take at most five bytes each.
  maxBytes: 2 + MAX_FINGERPRINTS * (5 + 1 + 5 * MAX_FINGERPRINT_USERS),
};

/** One state per tenant, saved only when it changes. */
export const FINGERPRINTS = defineState<Map<number, Fingerprint>>({
  id: 43,
  name: "tls fingerprints",
  keepDays: 400,
  version: 1,
  empty: () => new Map(),
  fields: fingerprints,
});

/** Adds a use of a client; true if the state changed. */
export function addFingerprint(
  all: Map<number, Fingerprint>,
  hash: number,
  user: number,
  learned: boolean,
): boolean {
  const known = all.get(hash);
  if (known !== undefined) {
    if (known.users.length >= MAX_FINGERPRINT_USERS || known.users.includes(user)) return false;
    known.users.push(user);
    return true;
  }
  if (all.size >= MAX_FINGERPRINTS) all.delete(oldestWithOneUser(all));
  all.set(hash, { users: [user], isUsual: !learned });
  return true;
}

/**
 * Whether a client appeared after the learning phase and only this device uses it. If the tenant has more clients than
 * can be tracked, none is rare.
 */
export function isRareFingerprint(
  all: ReadonlyMap<number, Fingerprint>,
  hash: number,
  user: number,
): boolean {
  const known = all.get(hash);
  return known !== undefined && !known.isUsual && known.users.length === 1 && known.users[0] === user &&
    all.size < MAX_FINGERPRINTS;
}

function oldestWithOneUser(all: ReadonlyMap<number, Fingerprint>): number {
  let first: number | null = null;
  for (const [hash, { users }] of all) {
    if (users.length === 1) return hash;
    first ??= hash;
  }
  return first!;
}
