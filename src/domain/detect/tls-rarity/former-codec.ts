// TLS of one device to servers that it does not name, and the kinds of TLS client that it has shown of late.
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import {
  destinationSize,
  type DestinationUsage,
  readDestination,
  writeDestination,
} from "../kernel/former-destinations.ts";

export const MAX_TLS_DESTINATIONS = 8;
/** Newest fingerprints of the device: a program that shuffles its hello (as browsers do) never shows one twice. */
const RECENT_PRINTS = 16;
/** Servers without a name, counted up to about this many. */
export const MANY_NAMELESS = 24;
const VERSION = 1;

export interface TlsDestination extends DestinationUsage {
  /** The client's fingerprint, JA4 where there is one. */
  fingerprint: string | null;
  /** The server it asked for; null where it named none. */
  serverName: string | null;
  /** The fingerprint is new here, and nobody else has it. */
  isRare: boolean;
}

export interface TlsClient {
  destinations: TlsDestination[];
  /** Hashes, the newest last. */
  recentFingerprints: number[];
  /** The same of programs that speak HTTP. */
  recentAgents: number[];
  /** Servers that it asked for without a name. */
  unnamedServers: Distinct;
}

/** Keys: device. At most about 3 kB. */
export const TLS_CLIENTS: StateType<TlsClient> = {
  id: 42,
  name: "tls clients",
  keepDays: 14,
  empty: () => ({
    destinations: [],
    recentFingerprints: [],
    recentAgents: [],
    unnamedServers: new Distinct(MANY_NAMELESS),
  }),
  encode({ destinations, recentFingerprints, recentAgents, unnamedServers }) {
    const out = new ByteWriter(256 + 350 * destinations.length);
    out.varint(VERSION);
    out.varint(destinations.length);
    for (const place of destinations) {
      writeDestination(out, place);
      out.text(place.fingerprint ?? "");
      out.text(place.serverName ?? "");
      out.varint(place.isRare ? 1 : 0);
    }
    for (const hashes of [recentFingerprints, recentAgents]) {
      out.varint(hashes.length);
      for (const hash of hashes) out.varint(hash);
    }
    unnamedServers.write(out);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`tls clients: expected version ${VERSION}, got ${version}`);
    const places: TlsDestination[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readDestination(from);
      const [print, serverName] = [from.text(), from.text()];
      places.push({
        ...place,
        fingerprint: print || null,
        serverName: serverName || null,
        isRare: from.varint() === 1,
      });
    }
    const hashes = () => Array.from({ length: from.varint() }, () => from.varint());
    const [prints, agents] = [hashes(), hashes()];
    const nameless = Distinct.read(from, MANY_NAMELESS);
    from.end();
    return {
      destinations: places,
      recentFingerprints: prints,
      recentAgents: agents,
      unnamedServers: nameless,
    };
  },
  size: ({ destinations, recentFingerprints, recentAgents, unnamedServers }) =>
    100 + 8 * (recentFingerprints.length + recentAgents.length) + unnamedServers.weight +
    destinations.reduce((sum, place) => sum + 200 + destinationSize(place), 0),
};

/** Notes a fingerprint; what became of it: seen for the first time of late, or again. */
export function recordFingerprint({ recentFingerprints }: TlsClient, hash: number): "new" | "again" {
  return note(recentFingerprints, hash);
}

/** The same of a program that speaks HTTP. */
export function recordAgent({ recentAgents }: TlsClient, hash: number): "new" | "again" {
  return note(recentAgents, hash);
}

function note(recent: number[], hash: number): "new" | "again" {
  if (recent.includes(hash)) return "again";
  recent.push(hash);
  if (recent.length > RECENT_PRINTS) recent.shift();
  return "new";
}

/** Fingerprints and programs of the tenant; the oldest of those that one device has goes first. */
export const MAX_FINGERPRINTS = 300;
/** Devices remembered of each. */
const PRINT_USERS = 3;

interface Fingerprint {
  users: number[];
  /** Known before the learning was complete. */
  isUsual: boolean;
}

/** One state for the whole tenant: at most about 6 kB, written only when something new was learnt. */
export const FINGERPRINTS: StateType<Map<number, Fingerprint>> = {
  id: 43,
  name: "tls fingerprints",
  keepDays: 400,
  empty: () => new Map(),
  encode(prints) {
    const out = new ByteWriter(16 + 16 * prints.size);
    out.varint(VERSION);
    out.varint(prints.size);
    for (const [hash, { users, isUsual }] of prints) {
      out.varint(hash);
      out.varint(users.length * 2 + (isUsual ? 1 : 0));
      for (const user of users) out.varint(user);
    }
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`tls fingerprints: expected version ${VERSION}, got ${version}`);
    }
    const prints = new Map<number, Fingerprint>();
    for (let left = from.varint(); left > 0; left--) {
      const hash = from.varint();
      const packed = from.varint();
      const users: number[] = [];
      for (let more = packed >> 1; more > 0; more--) users.push(from.varint());
      prints.set(hash, { users, isUsual: (packed & 1) === 1 });
    }
    from.end();
    return prints;
  },
  size: (prints) => 64 + 140 * prints.size,
};

/** Takes up a use of a fingerprint; true where that told anything new. */
export function addFingerprint(
  prints: Map<number, Fingerprint>,
  hash: number,
  user: number,
  learned: boolean,
): boolean {
  const known = prints.get(hash);
  if (known !== undefined) {
    if (known.users.length >= PRINT_USERS || known.users.includes(user)) return false;
    known.users.push(user);
    return true;
  }
  if (prints.size >= MAX_FINGERPRINTS) prints.delete(oldestOfOne(prints));
  prints.set(hash, { users: [user], isUsual: !learned });
  return true;
}

/**
 * New since the learning was complete, and of this device only. Where there are more kinds of client than can be
 * remembered, nothing is rare.
 */
export function isRareFingerprint(
  prints: ReadonlyMap<number, Fingerprint>,
  hash: number,
  user: number,
): boolean {
  const print = prints.get(hash);
  return print !== undefined && !print.isUsual && print.users.length === 1 && print.users[0] === user &&
    prints.size < MAX_FINGERPRINTS;
}

function oldestOfOne(prints: ReadonlyMap<number, Fingerprint>): number {
  let first: number | null = null;
  for (const [hash, { users }] of prints) {
    if (users.length === 1) return hash;
    first ??= hash;
  }
  return first!;
}
