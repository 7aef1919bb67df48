// The lateral movement detector's sentences.
import type { FanOut, PeerUse } from "./state.ts";
import type { LateralContext } from "./score.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { moment, plural, size, within } from "../kernel/wording.ts";

type Texts = Pick<DetectorResult, "subject" | "title" | "summary" | "explanation" | "phrase">;

export function describeTakeover(
  use: PeerUse,
  { deviceName, peerName, peerIp, peerIsServer }: LateralContext,
  names: string,
  { uploads, controls }: { uploads: boolean; controls: boolean },
): Texts {
  // Without remote control it may as well be a document that goes to a printer.
  const [does, doing] = peerIsServer
    ? ["administers", "administering"]
    : controls
    ? ["takes control of", "taking control of"]
    : ["writes to and calls", "writing to and calling"];
  const there = peerName === peerIp ? peerIp : `${peerName} (${peerIp})`;
  return {
    subject: `${deviceName} administering ${peerName}`,
    title: `${deviceName} ${does} ${peerName} by ${names}`,
    phrase: `${doing} ${peerName} by ${names}`,
    summary: `${deviceName} used ${names} on ${there}: ${plural(use.connections, "connection")} ` +
      `${within(use.since, use.last)}, ${size(use.bytesOut)} sent and ${size(use.bytesIn)} received` +
      `${uploads ? `, ${size(use.smbOut)} of it written over SMB` : ""}.`,
    explanation:
      "Intruders copy a program to the next machine and start it there by a second way: this is what it " +
      `looks like. ${peerIsServer ? "The host is a server, on which administrators do the same. " : ""}` +
      "Administrators, software distribution and remote support also work like this, though rather from known machines. " +
      `Check who was logged on at ${deviceName}, what was written to ${peerName} and which services or processes ` +
      "began there at that time.",
  };
}

export function describeFirstUse(
  use: PeerUse,
  { deviceName, peerName, peerIp, peerPort }: LateralContext,
  service: string,
): Texts {
  return {
    subject: `${deviceName} to ${peerName} by ${service}`,
    title: `${deviceName} uses ${service} on ${peerName} for the first time`,
    phrase: `first use of ${service} on ${peerName}`,
    summary: `${deviceName} opened ${service} to ${peerIp}, port ${peerPort}, which it never did before: ` +
      `${size(use.bytesOut)} sent and ${size(use.bytesIn)} received until ${moment(use.last)}.`,
    explanation:
      "Whom a machine administers hardly changes; an intruder on it reaches for others. A new colleague, a new " +
      `server or a support case explain it as well. Check who was logged on at ${deviceName} and whether that person ` +
      `has business on ${peerName}.`,
  };
}

export function describeFanOut(fan: FanOut, { deviceName, peerName }: LateralContext, count: number): Texts {
  return {
    subject: `${deviceName} administering many`,
    title: `${deviceName} logs on to many hosts at once`,
    phrase: `logging on to ${plural(count, "host")} within an hour`,
    summary:
      `${deviceName} opened SMB, RPC, RDP, WinRM, SSH or VNC to ${
        plural(count, "host")
      } of its own network ` +
      `${within(fan.since, fan.last)}, the last of them ${peerName}; all of them answered.`,
    explanation:
      "Worms and intruders go from one machine to all others like this; so do software distribution, backup, " +
      `inventories and monitoring. Check whether ${deviceName} has such a task; if not, which program does it and ` +
      "with whose account.",
  };
}
