// What the names of files, pipes and shares in SMB records say about running programs on another host.
import type { SmbFacts } from "../../record/facts.ts";

/** Stored as bits: append only. */
export const TRAITS = {
  /** The service control manager's interface: installs and starts services. */
  services: 1,
  /** The task scheduler's interface. */
  tasks: 2,
  /** The remote registry's interface. */
  registry: 4,
  /** A share that only administrators may open. */
  adminShare: 8,
  /** A program file on a share of this host. */
  program: 16,
  /** Standard input and output of a remote program. */
  console: 32,
  /** A file or pipe with the fixed name of a known tool. */
  tool: 64,
  /** A sensor's alert about such a tool or a created service. */
  alert: 128,
  /** A request to replicate the directory. */
  replication: 256,
} as const;

/** What one record shows: bits of TRAITS, and the tool's position in TOOLS if a name identifies it. */
export interface SmbTraits {
  bits: number;
  tool: number | null;
}

const INTERFACES: ReadonlyMap<string, number> = new Map([
  ["svcctl", TRAITS.services],
  ["atsvc", TRAITS.tasks],
  ["winreg", TRAITS.registry],
]);

/** `ADMIN$` and the root of a drive. */
const ADMIN_SHARE = /^(?:admin|[a-z])\$$/;
const PROGRAM = /\.(?:exe|dll|sys|scr|com|bat|cmd|ps1|vbs|hta)$/;
const CONSOLE = /[-_]std(?:in|out|err)/;

/** Names are matched in lower case, without folders. Stored by position: append only. */
const TOOLS: readonly { name: string; pattern: RegExp }[] = [
  { name: "PsExec", pattern: /^psexe(?:svc|c)(?:[-_].*|\.exe|\.key)?$|^psexec-.*\.key$/ },
  { name: "PAExec", pattern: /^paexec(?:[-_].*)?(?:\.exe)?$/ },
  { name: "winexe", pattern: /^winexesvc(?:\.exe)?$|^ahexec/ },
  { name: "CSExec", pattern: /^csexecsvc(?:\.exe)?$/ },
  // The misspelling is the tool's own; Impacket's psexec.py and Metasploit use its service.
  { name: "RemCom", pattern: /^remcom(?:svc\.exe|_communicat(?:i)?on|_std(?:in|out|err).*)$/ },
  // wmiexec.py names its output by the time; smbexec.py uses a fixed name.
  { name: "Impacket", pattern: /^__(?:output|\d{10}\.\d{1,7})$/ },
  {
    name: "Cobalt Strike",
    pattern: /^(?:msse-\d{1,5}-server|msagent_[0-9a-f]{2}|postex_(?:ssh_)?[0-9a-f]{4})$/,
  },
];

const ALERT =
  /\b(?:psexec|psexesvc|paexec|remcom|winexe|smbexec|wmiexec|atexec|impacket|svcctl)\b|\bservice (?:was )?(?:created|installed)\b|\b(?:created?|install(?:ed|s)?) (?:a |remote |new )*service\b/i;

/** Requests that failed opened nothing. A sensor that saw one direction states no status. */
const SUCCEEDED: ReadonlySet<string> = new Set(["STATUS_SUCCESS", "STATUS_PENDING", "0x0", "0"]);

export function toolName(index: number): string {
  return TOOLS[index]?.name ?? "a known tool";
}

/** Null if the record names nothing of interest, which is the rule. */
export function smbTraits({ filename, namedPipe, share, status }: SmbFacts): SmbTraits | null {
  if (filename === null && share === null && namedPipe === null) return null;
  if (status !== null && !SUCCEEDED.has(status)) return null;
  let bits = share !== null && ADMIN_SHARE.test(lastPart(share)) ? TRAITS.adminShare : 0;
  let tool: number | null = null;
  for (const stated of [filename, namedPipe]) {
    if (stated === null) continue;
    const name = lastPart(stated);
    bits |= INTERFACES.get(name) ?? 0;
    if (PROGRAM.test(name)) bits |= TRAITS.program;
    const at = TOOLS.findIndex(({ pattern }) => pattern.test(name));
    if (at < 0) continue;
    tool = at;
    bits |= TRAITS.tool;
    if (CONSOLE.test(name)) bits |= TRAITS.console;
  }
  return bits === 0 ? null : { bits, tool };
}

/** Whether a signature is about running programs on another host. */
export function isRemoteExecutionAlert(signature: string): boolean {
  return ALERT.test(signature);
}

/** The name behind the last separator, lower case. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("\\"), path.lastIndexOf("/")) + 1).toLowerCase();
}
