// Texts of long connection results.
import { type Connection, countOf } from "../kernel/detector.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, hostPort, plural, shortened, size, within } from "../../../kit/text.ts";
import { type LongUse, openSteps, STEP } from "./state.ts";
import { titleLine } from "../../../kit/title-line.ts";

interface Subject {
  deviceName: string;
  connection: Connection;
  users: number;
  deviceCount: number;
}

export function describeLong(
  state: LongUse,
  subject: Subject,
): Pick<DetectorResult, "title" | "phrase" | "summary" | "explanation"> {
  const { deviceName, connection } = subject;
  const { dst, proto, service, serverName, bytesOut, bytesIn } = connection;
  const peer = hostPort(dst.ip, dst.port ?? 0);
  const open = duration(openSteps(state) * STEP / 1e6);
  const server = serverName === null ? "" : ` (${shortened(serverName)})`;
  const carried = bytesOut === null && bytesIn === null
    ? ""
    : `; the newest one carried at least ${size(countOf(bytesOut))} out and ${size(countOf(bytesIn))} in`;
  const reopened = state.reopened === 0
    ? ""
    : ` At least ${plural(state.reopened, "connection")} opened within a minute after another ended.`;
  return {
    title: titleLine`Long connection from ${deviceName} to ${peer} for at least ${open}`,
    phrase: `long connection to ${peer}`,
    summary:
      `${deviceName} had at least ${
        plural(state.connections, "long connection")
      } to ${peer}/${proto}${server}, ` +
      `protocol ${service ?? "not recognised"}, ${within(state.firstSeen, state.lastSeen)}: open for ` +
      `at least ${open} of the last day, the longest for at least ${
        duration(state.longest / 1e6)
      }${carried}.${reopened}`,
    explanation:
      `Most connections end within minutes. One that is held for hours, or reopened as soon as it ends, belongs to a ` +
      `program that waits for the other side: remote control, a tunnel, a reverse shell. Mailboxes, push services, ` +
      `messengers, conferences and VPNs do the same; on their known ports they score less. ${
        usage(subject)
      } Check who ` +
      `runs ${dst.ip}, which program on ${deviceName} holds the connection, and whether it continues outside working hours.`,
  };
}

function usage({ users, deviceCount }: Subject): string {
  if (deviceCount <= 1) return "No other device is known here to compare with.";
  if (users <= 1) return `No other of the ${deviceCount} devices here uses this host.`;
  return `${users} of the ${deviceCount} devices here use this host.`;
}
