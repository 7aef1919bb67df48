// The patterns of password guessing and their thresholds.
import type { Logon } from "./logon.ts";

export type GuessPattern = keyof typeof PATTERNS;

/**
 * `hour`, `day`: distinct failures, accounts, servers or tickets that are reported. `full`: times `hour` for
 * full growth.
 */
export const PATTERNS = {
  /** People mistype passwords, but not twenty times. */
  guessing: { hour: 20, day: 60, base: 30, growth: 30, full: 50, technique: "T1110.001" },
  /** A service or a phone with an old password fails all day. */
  kerberos: { hour: 30, day: 200, base: 22, growth: 26, full: 50, technique: "T1110.001" },
  /** Every service that is reachable from the Internet sees this daily: never more than `low`. */
  fromOutside: { hour: 20, day: 60, base: 20, growth: 15, full: 100, technique: "T1110.001" },
  accounts: { hour: 10, day: 20, base: 36, growth: 30, full: 20, technique: "T1110.003" },
  servers: { hour: 8, day: 15, base: 36, growth: 30, full: 20, technique: "T1110.003" },
  /** Sessions with foreign SSH servers, none of which is known to have succeeded. */
  strangers: { hour: 15, day: 30, base: 30, growth: 28, full: 15, technique: "T1110" },
  tickets: { hour: 15, day: 40, base: 26, growth: 26, full: 10, technique: "T1558.003" },
  /** Flows of the size of a failed logon; a script that logs on successfully looks the same. */
  blind: { hour: 100, day: 600, base: 20, growth: 18, full: 30, technique: "T1110" },
} as const;

export interface BruteContext {
  pattern: GuessPattern;
  logon: Logon;
  /** The device the result is about: the source if it is a device, otherwise the server. */
  deviceId: string | null;
  deviceIds: string[];
  sourceName: string;
  sourceIp: string;
  serverIp: string;
  serverName: string;
  port: number | null;
  /** The source is not a device of the site. */
  outside: boolean;
}
