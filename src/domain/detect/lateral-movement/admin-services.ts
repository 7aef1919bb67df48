// Services by which one machine is run from another.

export type Protocol = "smb" | "rpc" | "rdp" | "winrm" | "ssh" | "vnc" | "telnet";

interface AdminService {
  name: string;
  /** MITRE ATT&CK technique of its misuse inside. */
  technique: string;
  /** Whoever uses it works on the other machine; the others carry files and calls of ordinary programs, too. */
  remoteControl: boolean;
}

const SERVICES: Readonly<Record<Protocol, AdminService>> = {
  smb: { name: "SMB", technique: "T1021.002", remoteControl: false },
  rpc: { name: "Windows RPC", technique: "T1021.003", remoteControl: false },
  rdp: { name: "RDP", technique: "T1021.001", remoteControl: true },
  winrm: { name: "WinRM", technique: "T1021.006", remoteControl: true },
  ssh: { name: "SSH", technique: "T1021.004", remoteControl: true },
  vnc: { name: "VNC", technique: "T1021.005", remoteControl: true },
  telnet: { name: "Telnet", technique: "T1021", remoteControl: true },
};

/** Stored as bits in this order: only ever added to. */
const PROTOCOLS: readonly Protocol[] = ["smb", "rpc", "rdp", "winrm", "ssh", "vnc", "telnet"];

const BY_PORT: ReadonlyMap<number, Protocol> = new Map([
  [445, "smb"],
  [139, "smb"],
  [135, "rpc"],
  [3389, "rdp"],
  [5985, "winrm"],
  [5986, "winrm"],
  [22, "ssh"],
  [5900, "vnc"],
  [5901, "vnc"],
  [23, "telnet"],
]);

/** Null for a port of anything else. */
export function adminProtocol(port: number | null): Protocol | null {
  return port === null ? null : BY_PORT.get(port) ?? null;
}

export function adminService(protocol: Protocol): AdminService {
  return SERVICES[protocol];
}

const BITS: ReadonlyMap<Protocol, number> = new Map(PROTOCOLS.map((protocol, at) => [protocol, 1 << at]));

export function bitOf(protocol: Protocol): number {
  return BITS.get(protocol)!;
}

export function protocolsOf(bits: number): AdminService[] {
  return PROTOCOLS.filter((protocol) => (bits & bitOf(protocol)) !== 0).map(adminService);
}
