// Logons as records report them: service, account and outcome.
import type { Facts, KerberosFacts, SmbFacts } from "../../record/facts.ts";
import { logonOutcome } from "../../record/logon-outcome.ts";
import type { Count } from "../../record/observation.ts";
import { type Connection, countOf } from "../kernel/detector.ts";

export type LogonService = "SSH" | "Kerberos" | "SMB" | "RDP" | "VNC" | "FTP" | "Telnet";

export interface Logon {
  service: LogonService;
  /** `unknown`: a session without a reported outcome; `blind`: a flow of the size of a failed logon. */
  outcome: "failed" | "succeeded" | "unknown" | "blind";
  /** Passwords tried in this session: 1 to MAX_ATTEMPTS. */
  attempts: number;
  /** Null if the record names no account. */
  user: string | null;
  /**
   * A weakly encrypted ticket, from which a password can be guessed: its account or service, and the
   * technique.
   */
  weakTicket: { of: string; technique: "T1558.003" | "T1558.004" } | null;
}

const MAX_ATTEMPTS = 6;

interface FailedSession {
  service: LogonService;
  /** Bytes and packets each way. */
  from: number;
  to: number;
  packets: number;
}

/**
 * Size of a failed logon each way and its longest duration, for sessions known from flows only. Encrypted
 * services exchange keys before the password. In cleartext, a name and a password take few bytes, but more
 * packets than a connection attempt. A successful SMB client goes on to request a share and a file.
 */
const FAILED_SIZES = {
  encrypted: { from: 300, to: 8000, packets: 0 },
  clear: { from: 30, to: 8000, packets: 5 },
  smb: { from: 300, to: 3000, packets: 0 },
} as const;
const FAILED_SECONDS = 30;

const BLIND_PORTS: ReadonlyMap<number, FailedSession> = new Map([
  [21, { service: "FTP", ...FAILED_SIZES.clear }],
  [22, { service: "SSH", ...FAILED_SIZES.encrypted }],
  [23, { service: "Telnet", ...FAILED_SIZES.clear }],
  [445, { service: "SMB", ...FAILED_SIZES.smb }],
  [3389, { service: "RDP", ...FAILED_SIZES.encrypted }],
  [5900, { service: "VNC", ...FAILED_SIZES.clear }],
]);

export function logonOf(facts: Facts): Logon | null {
  switch (facts.type) {
    case "ssh": {
      const attempts = Math.min(Math.max(facts.authAttempts ?? 1, 1), MAX_ATTEMPTS);
      return logon("SSH", logonOutcome(facts) ?? "unknown", { attempts });
    }
    case "kerberos":
      return ofKerberos(facts);
    case "smb":
      return ofSmb(facts);
    default:
      return null;
  }
}

function ofKerberos(facts: KerberosFacts): Logon | null {
  const { error, client, service, messageType, weakEncryption } = facts;
  if (error !== null) {
    return logonOutcome(facts) === "failed" ? logon("Kerberos", "failed", { user: client }) : null;
  }
  if (weakEncryption !== true) return null;
  const of = messageType === "TGS-REP" ? service : messageType === "AS-REP" ? client : null;
  if (of === null) return null;
  const technique = messageType === "AS-REP" ? "T1558.004" : "T1558.003";
  return logon("Kerberos", "unknown", { weakTicket: { of, technique } });
}

function ofSmb(facts: SmbFacts): Logon | null {
  const outcome = logonOutcome(facts);
  return outcome === null ? null : logon("SMB", outcome, { user: facts.user });
}

/** A short session of the size of a failed logon; null for any other. */
export function blindLogon(
  { dst, src, proto, start, end, bytesOut, bytesIn, packetsOut, packetsIn, exporterDirection, first }:
    Connection,
): Logon | null {
  const failed = dst.port === null ? undefined : BLIND_PORTS.get(dst.port);
  if (failed === undefined || !first || proto !== "tcp" || (src.port ?? 0) < 1024) return null;
  if (end - start > FAILED_SECONDS * 1_000_000 || !isOfSize(failed, bytesOut, packetsOut)) return null;
  if (!exporterDirection && !isOfSize(failed, bytesIn, packetsIn)) return null;
  return logon(failed.service, "blind", {});
}

function isOfSize({ from, to, packets }: FailedSession, bytes: Count | null, sent: Count | null): boolean {
  const size = countOf(bytes);
  return size >= from && size <= to && (sent === null || countOf(sent) >= packets);
}

function logon(service: LogonService, outcome: Logon["outcome"], more: Partial<Logon>): Logon {
  return { service, outcome, attempts: 1, user: null, weakTicket: null, ...more };
}
