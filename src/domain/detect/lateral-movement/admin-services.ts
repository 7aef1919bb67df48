// Services for administering a host from another one.

export type Protocol = "smb" | "rpc" | "rdp" | "winrm" | "ssh" | "vnc" | "telnet";

interface AdminService {
  name: string;
  /** MITRE ATT&CK technique of its misuse for lateral movement. */
  technique: string;
  /** Gives control of the host. The others also carry files and calls of ordinary programs. */
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

/** Stored as bits in this order: append only. */
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

/** Null for any other port. */
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

/** Bits of the protocols that give control of the host. */
export const CONTROL_BITS = PROTOCOLS.reduce(
  (bits, protocol) => SERVICES[protocol].remoteControl ? bits | bitOf(protocol) : bits,
  0,
);

export function protocolsOf(bits: number): AdminService[] {
  return PROTOCOLS.filter((protocol) => (bits & bitOf(protocol)) !== 0).map(adminService);
}
