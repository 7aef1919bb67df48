// The sentences about long connections.
import { type Connection, countOf } from "../kernel/detector.ts";
import { type LongUse, openSteps, STEP } from "./state.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { duration, hostPort, plural, shortened, size, within } from "../kernel/wording.ts";

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
  const again = state.reopened === 0
    ? ""
    : ` ${plural(state.reopened, "time")} one was opened within a minute after another had ended.`;
  const carried = bytesOut === null && bytesIn === null
    ? ""
    : `; the newest carried ${size(countOf(bytesOut))} out and ${size(countOf(bytesIn))} in`;
  return {
    title: `Long connection from ${deviceName} to ${peer}, open for ${open}`,
    phrase: `long connection to ${peer}`,
    summary: `${deviceName} had ${plural(state.connections, "long connection")} to ${peer}/${proto}` +
      `${serverName === null ? "" : ` (${shortened(serverName)})`}, protocol ${
        service ?? "not recognised"
      }, ` +
      `${within(state.firstSeen, state.lastSeen)}: together open for ${open} of the last day, the ` +
      `longest for ${duration(state.longest / 1e6)}${carried}.${again}`,
    explanation:
      `Most connections end within minutes. One that is held for hours, or taken up again as soon as it ` +
      `ends, is a program waiting for what the other side says: remote control, a tunnel, a reverse shell. So do ` +
      `mailboxes, push services, messengers, conferences and VPNs; those on known ports weigh less. ${
        usage(subject)
      } Check who runs ${dst.ip}, which program on ${deviceName} holds the connection, and whether it lives on ` +
      `outside of working hours.`,
  };
}

function usage({ users, deviceCount }: Subject): string {
  if (deviceCount <= 1) return "No other device is known here to compare with.";
  if (users <= 1) return `No other of the ${deviceCount} devices here uses this host.`;
  return `${users} of the ${deviceCount} devices here use this host.`;
}
