// Maps ports and protocol names to the kind of service they stand for.
import type { ServiceUse } from "./behaviour.ts";

export type Role =
  | "kerberos"
  | "ldap"
  | "dns"
  | "dhcp"
  | "smb"
  | "netbios"
  | "nfs"
  | "mail"
  | "database"
  | "print"
  | "stream"
  | "sip"
  | "mqtt"
  | "ssh"
  | "remote_control"
  | "discovery"
  | "web";

interface RoleRule {
  role: Role;
  /** `tcp 88`. Applies if the sensor recognised no protocol, or only one that carries others. */
  ports: string[];
  /** Protocol names of Zeek and Suricata; apply on any port. */
  services: string[];
  /** Protocol names that do not contradict the role on these ports. */
  carriers?: string[];
}

/** Names of an encapsulation or authentication layer rather than the service itself. */
const WRAPPERS = new Set([
  "ssl",
  "tls",
  "quic",
  "gssapi",
  "ntlm",
  "spnego",
  "krb",
  "dce_rpc",
  "dcerpc",
  "failed",
]);

/** The first match applies: HTTP on a printer's port is a printer. */
const ROLES: RoleRule[] = [
  {
    role: "kerberos",
    ports: ["tcp 88", "udp 88", "tcp 464", "udp 464"],
    services: ["krb_tcp", "krb5"],
  },
  {
    role: "ldap",
    ports: ["tcp 389", "udp 389", "tcp 636", "tcp 3268", "tcp 3269"],
    services: ["ldap", "ldap_tcp", "ldap_udp"],
  },
  { role: "dhcp", ports: ["udp 67", "udp 547"], services: [] },
  { role: "netbios", ports: ["udp 137", "udp 138"], services: ["netbios", "nbns"] },
  { role: "dns", ports: ["udp 53", "tcp 53", "tcp 853", "udp 853"], services: [] },
  { role: "smb", ports: ["tcp 445", "tcp 139"], services: ["smb"] },
  { role: "nfs", ports: ["tcp 2049", "udp 2049", "tcp 548"], services: ["nfs"] },
  {
    role: "mail",
    ports: ["tcp 25", "tcp 465", "tcp 587", "tcp 110", "tcp 995", "tcp 143", "tcp 993"],
    services: ["smtp", "imap", "pop3"],
  },
  {
    role: "database",
    ports: ["tcp 1433", "tcp 1521", "tcp 3306", "tcp 5432", "tcp 6379", "tcp 9042", "tcp 27017"],
    services: ["mysql", "pgsql", "postgresql", "redis", "mongodb", "tds"],
  },
  { role: "print", ports: ["tcp 9100", "tcp 515"], services: ["ipp", "lpd"] },
  { role: "print", ports: ["tcp 631"], services: [], carriers: ["http", "http2"] },
  { role: "stream", ports: ["tcp 554", "tcp 8554"], services: ["rtsp"] },
  { role: "sip", ports: ["udp 5060", "tcp 5060", "tcp 5061"], services: ["sip"] },
  { role: "mqtt", ports: ["tcp 1883", "tcp 8883"], services: ["mqtt"] },
  { role: "ssh", ports: ["tcp 22"], services: ["ssh"] },
  {
    role: "remote_control",
    ports: ["tcp 3389", "tcp 5900", "tcp 5985", "tcp 5986"],
    services: ["rdp", "rfb", "vnc"],
    carriers: ["http"],
  },
  // Services every machine offers to its neighbours, and client ends of configuration protocols.
  {
    role: "discovery",
    ports: [
      "udp 68",
      "udp 546",
      "udp 1900",
      "udp 3702",
      "udp 5353",
      "udp 5355",
      "tcp 135",
      "tcp 2869",
      "tcp 5357",
    ],
    services: ["ssdp"],
    carriers: ["http", "dns", "dhcp"],
  },
  {
    role: "web",
    ports: ["tcp 80", "tcp 443", "udp 443", "tcp 8000", "tcp 8080", "tcp 8443"],
    services: ["http", "http2", "websocket"],
  },
];

/** Names that stand for the role only on its ports: sensors report multicast DNS and LLMNR as `dns` too. */
const PORT_BOUND: Partial<Record<Role, string[]>> = {
  dns: ["dns", "doh2"],
  dhcp: ["dhcp"],
  netbios: ["dns"],
};

/** The role of a service; null if it reveals nothing about a device. */
export function roleOf(
  { proto, port, service }: Pick<ServiceUse, "proto" | "port" | "service">,
): Role | null {
  const named = (service ?? "").split(",").filter((name) => name !== "" && !WRAPPERS.has(name));
  for (const { role, ports, services, carriers = [] } of ROLES) {
    if (named.some((name) => services.includes(name))) return role;
    if (!ports.includes(`${proto} ${port}`)) continue;
    const allowed = [...carriers, ...PORT_BOUND[role] ?? []];
    if (named.every((name) => allowed.includes(name))) return role;
  }
  return null;
}

/** Aggregated use of a role. */
export interface RoleUse {
  role: Role;
  flowCount: number;
  /** Highest number of distinct peers of any one service of the role; another port may have others. */
  peerCount: number;
  /** Like `peerCount`, for external peers. */
  outsideCount: number;
  /** `tcp/88`, most used first, at most 4. */
  places: string[];
}

const MAX_PLACES = 4;

export function rolesOf(uses: readonly ServiceUse[]): Map<Role, RoleUse> {
  const roles = new Map<Role, RoleUse>();
  for (const use of uses.toSorted((a, b) => b.flowCount - a.flowCount)) {
    const role = roleOf(use);
    if (role === null) continue;
    const place = `${use.proto}/${use.port}`;
    const { flowCount, peerCount, outsideCount } = use;
    const known = roles.get(role);
    if (!known) {
      roles.set(role, { role, flowCount, peerCount, outsideCount, places: [place] });
      continue;
    }
    known.flowCount += flowCount;
    known.peerCount = Math.max(known.peerCount, peerCount);
    known.outsideCount = Math.max(known.outsideCount, outsideCount);
    if (known.places.length < MAX_PLACES && !known.places.includes(place)) known.places.push(place);
  }
  return roles;
}

/** Every port of some role, to identify the server end of a record without a service name. */
export const SERVER_PORTS: readonly number[] = [
  ...new Set(ROLES.flatMap(({ ports }) => ports.map((place) => Number(place.split(" ")[1])))),
].filter((port) => port !== 68 && port !== 546);
