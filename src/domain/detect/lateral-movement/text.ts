// Texts of lateral movement results.
import type { DetectorResult } from "../kernel/result.ts";
import { atLeast, list, moment, plural, size, within } from "../../../kit/text.ts";
import type { LateralContext } from "./context.ts";
import type { FanOut, PeerUse } from "./state.ts";
import { fixedPart, titleLine } from "../../../kit/title-line.ts";

/** Services named in a title. */
const NAMED = 3;

type Texts = Pick<DetectorResult, "subject" | "title" | "summary" | "explanation" | "phrase">;

export function describeTakeover(
  use: PeerUse,
  { deviceName, peerName, peerIp, peerIsServer, peerIsDirectoryOfClient }: LateralContext,
  services: readonly string[],
  { uploads, controls }: { uploads: boolean; controls: boolean },
): Texts {
  // Without remote control it may be a document sent to a printer.
  const [does, doing] = peerIsServer && !(peerIsDirectoryOfClient && controls)
    ? ["administers", "administering"]
    : controls
    ? ["takes control of", "taking control of"]
    : ["writes to and calls", "writing to and calling"];
  const named = services.length > NAMED
    ? [...services.slice(0, NAMED - 1), `${services.length - NAMED + 1} more`]
    : services;
  const peer = peerName === peerIp ? peerIp : `${peerName} (${peerIp})`;
  return {
    subject: `${deviceName} administering ${peerName}`,
    title: titleLine`${deviceName} ${does} ${peerName} over ${fixedPart(list(named))}`,
    phrase: `${doing} ${peerName} over ${list(named)}`,
    summary: `${deviceName} used ${list(services)} on ${peer}: ${atLeast(use.connections, "connection")} ` +
      `${within(use.since, use.last)}, ${size(use.bytesOut)} sent and ${size(use.bytesIn)} received` +
      `${uploads ? `, ${size(use.smbOut)} of it written over SMB` : ""}.`,
    explanation:
      "Intruders copy a program to the next host and start it there through a second service; this is what that looks " +
      `like. ${peerIsServer ? "The host is a server, on which administrators do the same. " : ""}` +
      "Administrators, software distribution and remote support also work like this, but usually from known devices. " +
      `Check who was logged on to ${deviceName}, what was written to ${peerName}, and which services or processes ` +
      "started there at that time.",
  };
}

export function describeFirstUse(
  use: PeerUse,
  { deviceName, peerName, peerIp, peerPort, peerIsDirectoryOfClient }: LateralContext,
  service: string,
): Texts {
  if (peerIsDirectoryOfClient) {
    const peer = peerName === peerIp ? peerIp : `${peerName} (${peerIp})`;
    return {
      subject: `${deviceName} to ${peerName} over ${service}`,
      title: titleLine`${deviceName} controls directory server ${peerName} over ${fixedPart(service)}`,
      phrase: `controlling directory server ${peerName} over ${service}`,
      summary:
        `${deviceName} opened ${service} to the directory server ${peer}, port ${peerPort}, for the first ` +
        `time: at least ${plural(use.connections, "connection")}, ${size(use.bytesOut)} sent and ` +
        `${size(use.bytesIn)} received until ${moment(use.last)}.`,
      explanation:
        "A directory server (domain controller) holds all accounts of a domain, so intruders aim for it. Workstations " +
        "log on to it and read policies, but do not control it. An administrator who works from a workstation, or a " +
        `management server that nobody confirmed as one, would also explain it. Check who was logged on to ${deviceName}, ` +
        `which account opened ${service}, and what ran on ${peerName} at that time. If the device administers ` +
        "servers, confirm its type.",
    };
  }
  return {
    subject: `${deviceName} to ${peerName} over ${service}`,
    title: titleLine`${deviceName} uses ${service} on ${peerName} for the first time`,
    phrase: `first use of ${service} on ${peerName}`,
    summary: `${deviceName} opened ${service} to ${peerIp}, port ${peerPort}, for the first time: ` +
      `${size(use.bytesOut)} sent and ${size(use.bytesIn)} received until ${moment(use.last)}.`,
    explanation:
      "The hosts that a device administers rarely change; an intruder on it reaches for others. A new employee, a new " +
      `server or a support case would also explain it. Check who was logged on to ${deviceName} and whether that person ` +
      `needs access to ${peerName}.`,
  };
}

export function describeFanOut(fan: FanOut, { deviceName, peerName }: LateralContext, count: number): Texts {
  return {
    subject: `${deviceName} administering many hosts`,
    title: titleLine`${deviceName} logs on to many hosts within an hour`,
    phrase: `logging on to ${plural(count, "host")} within an hour`,
    summary:
      `${deviceName} opened SMB, RPC, RDP, WinRM, SSH, VNC or Telnet to ${atLeast(count, "internal host")} ` +
      `${within(fan.since, fan.last)}, most recently to ${peerName}; all of them answered.`,
    explanation:
      "Worms and intruders spread from one host to all others like this; software distribution, backup, inventory and " +
      `monitoring also work like this. Check whether ${deviceName} has such a task. If not, find the program that does ` +
      "it and the account it uses.",
  };
}
