// What a device of one purpose does not do: a printer, a camera, a desk phone, a thing.
import { roleOf } from "../../device/classify/roles.ts";
import type { Role } from "../../device/classify/roles.ts";

/** Types of one purpose, as people call them in a sentence. */
export const THINGS: ReadonlyMap<string, string> = new Map([
  ["printer", "a printer"],
  ["camera", "a camera"],
  ["voip_phone", "a desk phone"],
  ["iot", "a thing (IoT)"],
]);

export type Act = "admin" | "serves" | "inside" | "outside";
export const ACTS: readonly Act[] = ["admin", "serves", "inside", "outside"];

/** Different peers (of `admin` peers with ports, of `serves` services with clients) from which on an act is told. */
export const FIRST: Record<Act, number> = { admin: 1, serves: 1, inside: 20, outside: 30 };
/** Points from there on, and what FULL times as many add. */
export const POINTS: Record<Act, { base: number; growth: number }> = {
  admin: { base: 44, growth: 14 },
  serves: { base: 40, growth: 8 },
  inside: { base: 36, growth: 14 },
  outside: { base: 26, growth: 14 },
};
export const FULL = 10;
/** For every other act besides the worst. */
export const FURTHER_POINTS = 8;

/** Services by which one machine is controlled from another. */
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
/** A television talks to half the world. */
const QUIET_OUTSIDE: ReadonlySet<string> = new Set(["printer", "camera", "voip_phone"]);

/** Administration of another machine; null where the port is none for it. */
export function adminService(port: number): string | null {
  return ADMIN.get(port) ?? null;
}

/** Whether a device of this type has no business serving this. */
export function isForeignService(type: string, proto: string, port: number, service: string | null): boolean {
  const role = roleOf({ proto, port, service });
  return role !== null && FOREIGN.get(type)!.has(role);
}

export function isQuietOutside(type: string): boolean {
  return QUIET_OUTSIDE.has(type);
}
