// Texts of programs run over SMB.
import type { DetectorResult } from "../kernel/result.ts";
import { list, within } from "../../../kit/text.ts";
import type { LateralContext } from "./context.ts";
import { TRAITS } from "./smb-names.ts";
import type { Execution } from "./smb-state.ts";
import { titleLine } from "../../../kit/title-line.ts";

type Texts = Pick<DetectorResult, "subject" | "title" | "summary" | "explanation" | "phrase">;

export function describeExecution(
  use: Execution,
  { deviceName, peerName, peerIp }: LateralContext,
  { name, installs, opened }: { name: string | null; installs: boolean; opened: string },
): Texts {
  const services = (use.traits & TRAITS.services) !== 0;
  const [does, doing] = name !== null
    ? [`runs ${name} on`, `running ${name} on`]
    : installs
    ? ["installs and starts a program on", "installing and starting a program on"]
    : services
    ? ["controls services of", "controlling services of"]
    : ["schedules tasks on", "scheduling tasks on"];
  const peer = peerName === peerIp ? peerIp : `${peerName} (${peerIp})`;
  const shown = [
    opened === "" ? "" : `the ${opened}`,
    (use.traits & TRAITS.adminShare) !== 0 ? "an administrative share" : "",
    (use.traits & TRAITS.program) !== 0 ? "a program file" : "",
    name === null ? "" : `a file or pipe named as ${name} names it`,
    (use.traits & TRAITS.console) !== 0 ? "pipes for a program's input and output" : "",
    (use.traits & TRAITS.registry) !== 0 ? "the remote registry (winreg)" : "",
  ].filter((text) => text !== "");
  return {
    subject: `${deviceName} running programs on ${peerName}`,
    title: titleLine`${deviceName} ${does} ${peerName} over SMB`,
    phrase: `${doing} ${peerName} over SMB`,
    summary: `${deviceName} opened on ${peer} ${within(use.since, use.last)}: ${list(shown)}.` +
      ((use.traits & TRAITS.alert) !== 0 ? " A sensor's rule reports the same." : ""),
    explanation:
      "Intruders copy a program to another host and start it there as a service or a scheduled task. The names in " +
      "the SMB records do not occur in ordinary work with files. Administrators and software distribution use the " +
      `same tools, usually from a few known devices. Check who was logged on to ${deviceName}, which services, tasks ` +
      `and program files were created on ${peerName} at that time, and which account created them.`,
  };
}
