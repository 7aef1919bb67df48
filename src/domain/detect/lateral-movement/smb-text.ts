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

export function describeReplication(
  use: Execution,
  { deviceName, peerName, peerIp }: LateralContext,
): Texts {
  const peer = peerName === peerIp ? peerIp : `${peerName} (${peerIp})`;
  const source = (use.traits & TRAITS.replication) === 0
    ? "as a sensor's rule reports"
    : "with the procedure call that directory servers use among themselves (DsGetNCChanges)";
  return {
    subject: `${deviceName} replicating the directory of ${peerName}`,
    title: titleLine`${deviceName} replicates the directory of ${peerName} (DCSync)`,
    phrase: `replicating the directory of ${peerName} (DCSync)`,
    summary: `${deviceName} requested the directory's content from ${peer} ${
      within(use.since, use.last)
    }, ${source}. It does not answer as a directory server itself.`,
    explanation:
      "Replication transfers the password hashes of all accounts. Only directory servers (domain controllers) " +
      "replicate with each other; intruders do it with the rights of a stolen administrator account. A new or " +
      "read-only directory server, and a server that synchronises accounts with a cloud service, would also explain " +
      `it. Check whether ${deviceName} has such a task, and which account replicated, in the log of ${peerName} ` +
      "(event 4662). If nobody expects it, treat all passwords of the domain as known to the intruder. If the device " +
      "is a directory server, confirm its type.",
  };
}
