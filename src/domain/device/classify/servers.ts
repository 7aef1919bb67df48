// Clues from the services a device offers.
import { list, plural } from "../../../kit/text.ts";
import type { DeviceBehaviour, ServiceUse } from "./behaviour.ts";
import { type Role, roleOf, type RoleUse } from "./roles.ts";
import type { Clue } from "./clue.ts";

type Roles = ReadonlyMap<Role, RoleUse>;

/** Weight of a service by its number of distinct clients: one, several, and MANY_CLIENTS or more. */
type Weights = readonly [one: number, some: number, many: number];
const MANY_CLIENTS = 5;

const SERVICE_WEIGHTS = {
  dns: [0.5, 0.6, 0.65],
  dhcp: [0.5, 0.6, 0.65],
  mail: [0.5, 0.6, 0.7],
  database: [0.5, 0.6, 0.7],
  /** Any Windows machine shares files with a neighbour or two. */
  smb: [0, 0, 0.6],
  nfs: [0.4, 0.6, 0.7],
  /** Any device with a configuration page answers one web client. */
  web: [0.4, 0.5, 0.65],
  print: [0.6, 0.7, 0.75],
  stream: [0.6, 0.7, 0.7],
  sip: [0, 0.3, 0.5],
  ssh: [0, 0.3, 0.4],
  mqtt: [0.3, 0.4, 0.5],
} as const satisfies Partial<Record<Role, Weights>>;

/** Kerberos and LDAP alone, and with SMB or DNS in addition. */
const DIRECTORY = { bare: 0.6, full: 0.85 } as const;
/** DNS and DHCP together, as on the gateway of a small network. */
const GATEWAY = 0.72;
/** Two, three or more different services for others. */
const SEVERAL = { two: 0.6, three: 0.76, more: 0.8 } as const;
/** An unknown service with many clients. */
const UNKNOWN_SERVICE = 0.4;
/** Several printing ports (9100, 515, 631) confirm each other. */
const SECOND_PRINT_PORT = 0.5;

const NAMES: Partial<Record<Role, string>> = {
  dns: "DNS",
  dhcp: "DHCP",
  mail: "mail",
  database: "database queries",
  smb: "SMB",
  nfs: "file sharing",
  web: "HTTP or TLS",
  print: "printing",
  stream: "RTSP",
  sip: "SIP",
  ssh: "SSH",
  mqtt: "MQTT",
};

const TYPES = {
  dns: "dns_server",
  dhcp: "dhcp_server",
  mail: "mail_server",
  database: "database_server",
  smb: "file_server",
  nfs: "file_server",
  web: "web_server",
  print: "printer",
  stream: "camera",
  sip: "server",
  ssh: "server",
  mqtt: "server",
} as const;

export function serverClues({ serves }: DeviceBehaviour, roles: Roles): Clue[] {
  return [
    ...directory(roles),
    ...gateway(roles),
    ...several(roles),
    ...single(roles),
    ...secondPrintPort(roles),
    ...unknownServices(serves),
  ];
}

function directory(roles: Roles): Clue[] {
  if (!roles.has("kerberos") || !roles.has("ldap")) return [];
  const more = (["smb", "dns"] as const).filter((role) => roles.has(role));
  const shown = ["Kerberos", "LDAP", ...more.map((role) => role.toUpperCase())];
  return [{
    type: "domain_controller",
    weight: more.length > 0 ? DIRECTORY.full : DIRECTORY.bare,
    reason: `answers ${list(shown)}, like a domain controller`,
  }];
}

function gateway(roles: Roles): Clue[] {
  if (!roles.has("dns") || !roles.has("dhcp")) return [];
  return [{
    type: "router",
    weight: GATEWAY,
    reason: "answers DNS and DHCP, like the gateway of a small network",
  }];
}

/** Web counts only with many clients, and file sharing only with more than one. */
function several(roles: Roles): Clue[] {
  const peers = (role: Role) => roles.get(role)?.peerCount ?? 0;
  const roleNames = (["dns", "dhcp", "mail", "database", "nfs"] as Role[]).filter((role) => peers(role) > 0);
  if (peers("smb") > 1) roleNames.push("smb");
  if (peers("web") >= MANY_CLIENTS) roleNames.push("web");
  const beyondGateway = roleNames.some((role) => role !== "dns" && role !== "dhcp");
  if (roleNames.length < 2 || !beyondGateway) return [];
  const { two, three, more } = SEVERAL;
  const weight = roleNames.length === 2 ? two : roleNames.length === 3 ? three : more;
  return [{
    type: "server",
    weight,
    reason: `answers ${list(roleNames.map((role) => NAMES[role]!))} for other devices`,
  }];
}

function single(roles: Roles): Clue[] {
  return (Object.keys(SERVICE_WEIGHTS) as (keyof typeof SERVICE_WEIGHTS)[]).flatMap((role) => {
    const use = roles.get(role);
    if (!use) return [];
    const [one, some, many] = SERVICE_WEIGHTS[role];
    const weight = use.peerCount >= MANY_CLIENTS ? many : use.peerCount > 1 ? some : one;
    if (weight === 0) return [];
    const places = list(use.places);
    const reason = `answers ${NAMES[role]} for ${plural(use.peerCount, "client")} on ${places}`;
    return [{ type: TYPES[role], weight, reason }];
  });
}

function secondPrintPort(roles: Roles): Clue[] {
  const places = roles.get("print")?.places ?? [];
  if (places.length < 2) return [];
  return [{
    type: "printer",
    weight: SECOND_PRINT_PORT,
    reason: `accepts print jobs on ${places.length} ports`,
  }];
}

/** Start of the dynamic port range, which identifies no service. */
const FIRST_DYNAMIC_PORT = 49_152;

/** A service with enough clients to be what the device is for. */
export function isPopular(use: ServiceUse): boolean {
  const { port, peerCount } = use;
  if (port === null || port >= FIRST_DYNAMIC_PORT || peerCount < MANY_CLIENTS) return false;
  return roleOf(use) !== "discovery" && roleOf(use) !== "netbios";
}

function unknownServices(serves: readonly ServiceUse[]): Clue[] {
  const popular = serves.filter((use) => isPopular(use) && roleOf(use) === null)
    .sort((a, b) => b.peerCount - a.peerCount)[0];
  if (!popular) return [];
  const clients = plural(popular.peerCount, "client");
  return [{
    type: "server",
    weight: UNKNOWN_SERVICE,
    reason: `answers ${clients} on ${popular.proto}/${popular.port}`,
  }];
}
