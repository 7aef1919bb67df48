// Clues from the services a device uses and from texts it sends about itself.
import { list, plural } from "../../../kit/text.ts";
import type { DeviceBehaviour } from "./behaviour.ts";
import {
  DEVICE_CLOUDS,
  HOST_NAMES,
  type NameRule,
  SSH_SOFTWARE,
  SYSTEMS,
  USER_AGENTS,
  VENDOR_CLASSES,
} from "./names.ts";
import type { Role, RoleUse } from "./roles.ts";
import { isPopular } from "./servers.ts";
import type { Clue } from "./clue.ts";

type Roles = ReadonlyMap<Role, RoleUse>;

/** Authenticates to a domain and uses its directory or files. */
const DOMAIN_MEMBER = 0.45;
const SMB_CLIENT = 0.2;
const NETBIOS = 0.2;
/** This many web servers indicate a person browsing. */
const WEB_HOSTS = { count: 25, weight: 0.35 } as const;
const MQTT_CLIENT = 0.4;
/** A desk phone has one exchange, possibly a second. */
const SIP_CLIENT = { servers: 2, weight: 0.4 } as const;
/** Contacts its manufacturer's cloud. */
const DEVICE_CLOUD = 0.4;
/** Contacts hardly anything but one destination, for a day or more, in many flows. */
const ONE_DESTINATION = {
  days: 1,
  flows: 50,
  webHosts: 3,
  domains: 2,
  weight: 0.35,
} as const;
/** This many operating systems behind one address are several machines. */
const SYSTEMS_BEHIND = { count: 3, weight: 0.7 } as const;

const DAY = 86_400_000_000;
const MAX_QUOTE = 80;

export function clientClues(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): Clue[] {
  return [
    ...domainMember(behaviour, uses),
    ...webUser(uses),
    ...iotDevice(behaviour, serves, uses),
  ];
}

/** A domain member that serves many clients is a server; it authenticates to the domain all the same. */
function domainMember({ serves }: DeviceBehaviour, uses: Roles): Clue[] {
  const clues: Clue[] = [];
  const type = serves.some(isPopular) ? "server" : "workstation";
  if (uses.has("kerberos") && (uses.has("ldap") || uses.has("smb"))) {
    clues.push({ type, weight: DOMAIN_MEMBER, reason: "authenticates to a domain" });
  } else if (uses.has("smb")) clues.push({ type, weight: SMB_CLIENT, reason: "uses shared files" });
  if (uses.has("netbios")) {
    clues.push({ type, weight: NETBIOS, reason: "announces itself over NetBIOS, like Windows" });
  }
  return clues;
}

/** Number of external web servers: the highest count of HTTP, TLS and QUIC, which share many of them. */
function webHosts(uses: Roles): number {
  return uses.get("web")?.outsideCount ?? 0;
}

function webUser(uses: Roles): Clue[] {
  const hosts = webHosts(uses);
  if (hosts < WEB_HOSTS.count) return [];
  return [{ type: "workstation", weight: WEB_HOSTS.weight, reason: `visits ${plural(hosts, "web server")}` }];
}

function iotDevice(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): Clue[] {
  const clues: Clue[] = [];
  if (uses.has("mqtt")) clues.push({ type: "iot", weight: MQTT_CLIENT, reason: "publishes over MQTT" });
  const sip = uses.get("sip");
  if (sip && sip.peerCount <= SIP_CLIENT.servers) {
    clues.push({
      type: "voip_phone",
      weight: SIP_CLIENT.weight,
      reason: `places calls through ${list(sip.places)}`,
    });
  }
  const cloud = behaviour.domains.find((domain) => DEVICE_CLOUDS.has(domain));
  if (cloud !== undefined) {
    clues.push({
      type: "iot",
      weight: DEVICE_CLOUD,
      reason: `contacts ${cloud}, a device manufacturer's cloud`,
    });
  }
  if (hasSinglePurpose(behaviour, serves, uses)) {
    clues.push({
      type: "iot",
      weight: ONE_DESTINATION.weight,
      reason: `contacts ${plural(webHosts(uses), "web server")} and hardly anything else`,
    });
  }
  return clues;
}

function hasSinglePurpose(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): boolean {
  const { days, flows, webHosts: most, domains } = ONE_DESTINATION;
  if (behaviour.to - behaviour.from < days * DAY || serves.size > 1) return false;
  const hosts = webHosts(uses);
  if (hosts === 0 || hosts > most || behaviour.domains.length > domains) return false;
  if (behaviour.userAgents.some((agent) => agent.startsWith("Mozilla/"))) return false;
  return behaviour.uses.reduce((sum, use) => sum + use.flowCount, 0) >= flows;
}

/** Clues from the device's own texts: one per rule, however many texts match. */
export function nameClues(behaviour: DeviceBehaviour): Clue[] {
  const { userAgents, hostNames, vendorClasses, sshSoftware } = behaviour;
  const systems = SYSTEMS.filter(({ pattern }) => userAgents.some((agent) => pattern.test(agent)));
  const ownNames = [
    ...matches(hostNames, HOST_NAMES, "a host name"),
    ...matches(vendorClasses, VENDOR_CLASSES, "a DHCP vendor class of"),
    ...matches(sshSoftware, SSH_SOFTWARE, "SSH software"),
  ];
  if (systems.length < SYSTEMS_BEHIND.count) {
    return [...matches(userAgents, USER_AGENTS, "a user agent of"), ...ownNames];
  }
  const reason = `user agents of ${
    list(systems.map(({ name }) => name))
  }: several machines behind one address`;
  return [{ type: "router", weight: SYSTEMS_BEHIND.weight, reason }, ...ownNames];
}

/** Each text counts for the first rule it matches. */
function matches(texts: readonly string[], rules: readonly NameRule[], what: string): Clue[] {
  const found = new Map<NameRule, string>();
  for (const text of texts) {
    const rule = rules.find(({ pattern }) => pattern.test(text));
    if (rule && !found.has(rule)) found.set(rule, text);
  }
  return [...found].map(([{ type, weight, label }, text]) => ({
    type,
    weight,
    reason: `${what} ${label}: ${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}`,
  }));
}
