// What single-purpose devices (printers, cameras, desk phones, IoT) do not normally do.
import { type Role, roleOf } from "../../device/classify/roles.ts";

export type Act = "admin" | "serves" | "inside" | "outside";
/** In stored order. */
export const ACTS: readonly Act[] = ["admin", "serves", "inside", "outside"];

/** Reported from this many distinct peers on (`admin`: peers with ports, `serves`: services with clients). */
export const FIRST: Record<Act, number> = { admin: 1, serves: 1, inside: 20, outside: 30 };
/** Points at FIRST, and what FULL times as many peers add. */
export const POINTS: Record<Act, { base: number; growth: number }> = {
  admin: { base: 44, growth: 14 },
  serves: { base: 40, growth: 8 },
  inside: { base: 36, growth: 14 },
  outside: { base: 26, growth: 14 },
};
export const FULL = 10;
/** For every act besides the worst. */
export const FURTHER_POINTS = 8;

/** Services that control another machine. */
const ADMIN: ReadonlyMap<number, string> = new Map([
  [22, "SSH"],
  [23, "Telnet"],
  [135, "Windows RPC"],
  [2323, "Telnet"],
  [3389, "RDP"],
  [5900, "VNC"],
  [5985, "WinRM"],
  [5986, "WinRM"],
]);

const NEVER: readonly Role[] = ["kerberos", "ldap", "dhcp", "database", "remote_control"];
const FOREIGN: ReadonlyMap<string, ReadonlySet<Role>> = new Map([
  ["printer", new Set<Role>([...NEVER, "dns", "stream", "sip", "mqtt"])],
  ["camera", new Set<Role>([...NEVER, "dns", "print", "sip", "smb"])],
  ["voip_phone", new Set<Role>([...NEVER, "dns", "print", "stream", "smb", "mqtt"])],
  ["iot", new Set<Role>(NEVER)],
]);
/** Not IoT: a television contacts servers everywhere. */
const QUIET_OUTSIDE: ReadonlySet<string> = new Set(["printer", "camera", "voip_phone"]);

/** The administration service at a port; null if there is none. */
export function adminService(port: number): string | null {
  return ADMIN.get(port) ?? null;
}

/** Whether devices of this type do not offer this service. */
export function isForeignService(type: string, proto: string, port: number, service: string | null): boolean {
  const role = roleOf({ proto, port, service });
  return role !== null && FOREIGN.get(type)!.has(role);
}

/** Whether devices of this type contact few outside servers. */
export function isQuietOutside(type: string): boolean {
  return QUIET_OUTSIDE.has(type);
}
