// Which pattern of scanning a failed attempt can belong to, and the thresholds of each pattern.
import type { Attempt } from "../kernel/attempt.ts";
import type { TrackKind } from "../kernel/tracks.ts";

export interface Pattern {
  /** Distinct failures that make a scan, per hour and per day. */
  hour: number;
  day: number;
  /** Points for the pattern itself, and the most that number and pace add. */
  base: number;
  growth: number;
  pace: number;
}

export type PatternName = keyof typeof PATTERNS;

/**
 * Thresholds depend on the place. Inside, services are known, and a workstation meets only a few dead hosts
 * per day. Outside, unanswered web servers are a normal part of browsing, and peer-to-peer programs try
 * hundreds of peers on high ports: both stay `low` except in very large numbers.
 */
export const PATTERNS = {
  insidePort: { hour: 15, day: 25, base: 32, growth: 35, pace: 10 },
  /** UDP silence may be a sensor that sees one direction only, and monitoring polls by UDP. */
  insideUdp: { hour: 15, day: 25, base: 24, growth: 35, pace: 10 },
  /**
   * Programs that share updates and files with local peers listed by an outside server; half of these are
   * switched off.
   */
  insidePeers: { hour: 40, day: 100, base: 20, growth: 14, pace: 4 },
  insidePing: { hour: 40, day: 100, base: 20, growth: 25, pace: 5 },
  /** Only a scanner tries that many ports of an internal host: twice the threshold is `medium`. */
  insideTarget: { hour: 20, day: 30, base: 36, growth: 26, pace: 8 },
  insideSweep: { hour: 200, day: 400, base: 42, growth: 25, pace: 8 },
  outsideService: { hour: 20, day: 40, base: 30, growth: 35, pace: 10 },
  outsideWeb: { hour: 200, day: 1000, base: 20, growth: 20, pace: 4 },
  outsideOther: { hour: 100, day: 400, base: 20, growth: 14, pace: 4 },
  outsideTarget: { hour: 25, day: 50, base: 28, growth: 24, pace: 8 },
  /** Outside sources probe every reachable network daily: never more than `low`. */
  fromOutside: { hour: 100, day: 300, base: 20, growth: 14, pace: 4 },
} as const satisfies Record<string, Pattern>;

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/**
 * Ports below 1024 that are not worth scanning for: resolvers, mail servers and clocks fail to reach others
 * on these all day. Every other port below 1024 is.
 */
const OFTEN_UNANSWERED: ReadonlySet<number> = new Set([25, 53, 123, 465, 587, 853]);
/** Ports above 1024 that scanners look for: databases, remote control, botnet targets. */
const SCANNED_PORTS: ReadonlySet<number> = new Set([
  1080,
  1433,
  1434,
  1521,
  2049,
  2222,
  2323,
  2375,
  3128,
  3306,
  3389,
  4899,
  5060,
  5432,
  5555,
  5900,
  5985,
  5986,
  6379,
  7547,
  8291,
  9200,
  11211,
  27017,
  37215,
]);
/** Inside: Windows Delivery Optimization, Dropbox, Syncthing, Steam, Spotify. Not targets of scans. */
const PEERS_INSIDE: ReadonlySet<number> = new Set([7680, 17_500, 22_000, 27_036, 57_621]);
/** Outside, UDP counts on these only: QUIC, games, calls and file sharing look for peers on all others. */
const SCANNED_UDP: ReadonlySet<number> = new Set([17, 19, 69, 111, 161, 389, 623, 1434, 5060, 11211]);
/** UDP that hosts of a network send each other anyway: DHCP, time, name and service discovery. */
const LOCAL_UDP: ReadonlySet<number> = new Set([67, 68, 123, 137, 138, 546, 547, 1900, 3702, 5353, 5355]);
/** Ports above are ephemeral: a closed one is a late answer. */
const MAX_SERVICE_PORT = 32_767;

/** The pattern of attempts on this port of different hosts; null if they are not remarkable. */
export function portPattern({ port, proto }: Attempt, inside: boolean): PatternName | null {
  if (port === null) return inside ? "insidePing" : null;
  if (inside && PEERS_INSIDE.has(port)) return "insidePeers";
  if (port > MAX_SERVICE_PORT) return inside && proto === "tcp" ? "insidePort" : null;
  if (proto === "udp") {
    if (LOCAL_UDP.has(port)) return null;
    if (inside) return port < 1024 || SCANNED_PORTS.has(port) ? "insideUdp" : null;
    return SCANNED_UDP.has(port) ? "outsideService" : null;
  }
  if (inside) return "insidePort";
  if (WEB_PORTS.has(port)) return "outsideWeb";
  if (OFTEN_UNANSWERED.has(port)) return null;
  return port < 1024 || SCANNED_PORTS.has(port) ? "outsideService" : "outsideOther";
}

/** The pattern of attempts on different ports of one host; null if they are not remarkable. */
export function targetPattern({ port, proto }: Attempt, inside: boolean): PatternName | null {
  if (port === null || port > MAX_SERVICE_PORT) return null;
  if (proto === "udp" && (!inside || LOCAL_UDP.has(port))) return null;
  return inside ? "insideTarget" : "outsideTarget";
}

/** What score and text need in addition to the track. */
export interface ScanContext {
  pattern: PatternName;
  kind: TrackKind;
  /** The scanning device; null for an outside source. */
  deviceId: string | null;
  sourceName: string;
  /** The attempt just added. */
  attempt: Attempt;
  targetName: string;
}
