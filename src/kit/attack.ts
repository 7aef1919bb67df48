// Names and tactics of MITRE ATT&CK (Enterprise) for the techniques that detectors report.

/** The version of ATT&CK that the table below follows. */
export const ATTACK_VERSION = "17";

export const TACTICS = [
  { id: "reconnaissance", name: "Reconnaissance" },
  { id: "initial-access", name: "Initial access" },
  { id: "execution", name: "Execution" },
  { id: "persistence", name: "Persistence" },
  { id: "credential-access", name: "Credential access" },
  { id: "discovery", name: "Discovery" },
  { id: "lateral-movement", name: "Lateral movement" },
  { id: "collection", name: "Collection" },
  { id: "command-and-control", name: "Command and control" },
  { id: "exfiltration", name: "Exfiltration" },
  { id: "impact", name: "Impact" },
] as const;
export type Tactic = (typeof TACTICS)[number]["id"];

interface Technique {
  name: string;
  tactics: readonly Tactic[];
}

const LATERAL = ["lateral-movement"] as const;
const CREDENTIALS = ["credential-access"] as const;
const CONTROL = ["command-and-control"] as const;
const EXFILTRATION = ["exfiltration"] as const;

const TECHNIQUES: Readonly<Record<string, Technique>> = {
  "T1003.006": { name: "DCSync", tactics: CREDENTIALS },
  T1018: { name: "Remote System Discovery", tactics: ["discovery"] },
  T1021: { name: "Remote Services", tactics: LATERAL },
  "T1021.001": { name: "Remote Desktop Protocol", tactics: LATERAL },
  "T1021.002": { name: "SMB/Windows Admin Shares", tactics: LATERAL },
  "T1021.003": { name: "Distributed Component Object Model", tactics: LATERAL },
  "T1021.004": { name: "SSH", tactics: LATERAL },
  "T1021.005": { name: "VNC", tactics: LATERAL },
  "T1021.006": { name: "Windows Remote Management", tactics: LATERAL },
  T1046: { name: "Network Service Discovery", tactics: ["discovery"] },
  T1048: { name: "Exfiltration Over Alternative Protocol", tactics: EXFILTRATION },
  "T1048.003": { name: "Exfiltration Over Unencrypted Non-C2 Protocol", tactics: EXFILTRATION },
  "T1059.001": { name: "PowerShell", tactics: ["execution"] },
  T1071: { name: "Application Layer Protocol", tactics: CONTROL },
  "T1071.001": { name: "Web Protocols", tactics: CONTROL },
  "T1071.003": { name: "Mail Protocols", tactics: CONTROL },
  "T1071.004": { name: "DNS", tactics: CONTROL },
  "T1090.003": { name: "Multi-hop Proxy", tactics: CONTROL },
  T1105: { name: "Ingress Tool Transfer", tactics: CONTROL },
  T1110: { name: "Brute Force", tactics: CREDENTIALS },
  "T1110.001": { name: "Password Guessing", tactics: CREDENTIALS },
  "T1110.003": { name: "Password Spraying", tactics: CREDENTIALS },
  T1133: { name: "External Remote Services", tactics: ["initial-access", "persistence"] },
  T1190: { name: "Exploit Public-Facing Application", tactics: ["initial-access"] },
  T1200: { name: "Hardware Additions", tactics: ["initial-access"] },
  T1210: { name: "Exploitation of Remote Services", tactics: LATERAL },
  "T1498.001": { name: "Direct Network Flood", tactics: ["impact"] },
  "T1499.001": { name: "OS Exhaustion Flood", tactics: ["impact"] },
  T1557: { name: "Adversary-in-the-Middle", tactics: ["credential-access", "collection"] },
  "T1557.003": { name: "DHCP Spoofing", tactics: ["credential-access", "collection"] },
  "T1558.003": { name: "Kerberoasting", tactics: CREDENTIALS },
  "T1558.004": { name: "AS-REP Roasting", tactics: CREDENTIALS },
  "T1568.002": { name: "Domain Generation Algorithms", tactics: CONTROL },
  T1571: { name: "Non-Standard Port", tactics: CONTROL },
  T1572: { name: "Protocol Tunneling", tactics: CONTROL },
  T1573: { name: "Encrypted Channel", tactics: CONTROL },
  "T1573.002": { name: "Asymmetric Cryptography", tactics: CONTROL },
  T1595: { name: "Active Scanning", tactics: ["reconnaissance"] },
};

/** The entry of a technique, or of the technique that a sub-technique belongs to. */
function entryOf(technique: string): Technique | undefined {
  return TECHNIQUES[technique] ?? TECHNIQUES[technique.split(".")[0]!];
}

/** Its name; for an unknown one, the identifier. */
export function techniqueName(technique: string): string {
  return entryOf(technique)?.name ?? technique;
}

/** `T1071.001 Web Protocols`; the identifier alone for an unknown one. */
export function techniqueLabel(technique: string): string {
  const name = techniqueName(technique);
  return name === technique ? technique : `${technique} ${name}`;
}

/** The tactics that it serves, the most typical first; empty for an unknown one. */
export function tacticsOf(technique: string): readonly Tactic[] {
  return entryOf(technique)?.tactics ?? [];
}

/** The name of a tactic, such as `Command and control`. */
export function tacticName(tactic: Tactic): string {
  return TACTICS.find(({ id }) => id === tactic)!.name;
}

/** The page of a technique at attack.mitre.org; null if it is no technique identifier. */
export function techniqueUrl(technique: string): string | null {
  const [, parent, child] = /^(T\d{4})(?:\.(\d{3}))?$/.exec(technique) ?? [];
  if (parent === undefined) return null;
  return `https://attack.mitre.org/techniques/${parent}/${child === undefined ? "" : `${child}/`}`;
}
