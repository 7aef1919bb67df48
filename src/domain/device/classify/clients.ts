// Clues in what a device uses, and in what it says of itself.
import { list, plural } from "../../detect/kernel/wording.ts";
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
import type { Clue } from "./classify.ts";

type Roles = ReadonlyMap<Role, RoleUse>;

/** Signs in to a domain and looks things up in it. */
const DOMAIN_MEMBER = 0.45;
const SMB_CLIENT = 0.2;
const NETBIOS = 0.2;
/** So many web servers are what a person visits. */
const WEB_HOSTS = { count: 25, weight: 0.35 } as const;
const MQTT_CLIENT = 0.4;
/** A desk phone has its one exchange, and perhaps a second. */
const SIP_CLIENT = { servers: 2, weight: 0.4 } as const;
/** A device that talks to the cloud of its maker. */
const DEVICE_CLOUD = 0.4;
/** Hardly anything but one destination, in a day or more, by many flows. */
const ONE_DESTINATION = {
  days: 1,
  flows: 50,
  webHosts: 3,
  domains: 2,
  weight: 0.35,
} as const;
/** So many operating systems behind one address are several machines. */
const SYSTEMS_BEHIND = { count: 3, weight: 0.7 } as const;

const DAY = 86_400_000_000;
const MAX_QUOTE = 80;

export function clientClues(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): Clue[] {
  return [
    ...domainMember(behaviour, uses),
    ...webUser(uses),
    ...thing(behaviour, serves, uses),
  ];
}

/** A member that serves many itself is a server; it signs in to the domain all the same. */
function domainMember({ serves }: DeviceBehaviour, uses: Roles): Clue[] {
  const clues: Clue[] = [];
  const type = serves.some(isPopular) ? "server" : "workstation";
  if (uses.has("kerberos") && (uses.has("ldap") || uses.has("smb"))) {
    clues.push({ type, weight: DOMAIN_MEMBER, reason: "signs in to a domain" });
  } else if (uses.has("smb")) clues.push({ type, weight: SMB_CLIENT, reason: "uses shared files" });
  if (uses.has("netbios")) {
    clues.push({ type, weight: NETBIOS, reason: "announces itself by NetBIOS, as Windows does" });
  }
  return clues;
}

/** Servers outside of the site; the most of HTTP, TLS and QUIC, which share many of them. */
function webHosts(uses: Roles): number {
  return uses.get("web")?.outsideCount ?? 0;
}

function webUser(uses: Roles): Clue[] {
  const hosts = webHosts(uses);
  if (hosts < WEB_HOSTS.count) return [];
  return [{ type: "workstation", weight: WEB_HOSTS.weight, reason: `visits ${plural(hosts, "web server")}` }];
}

function thing(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): Clue[] {
  const clues: Clue[] = [];
  if (uses.has("mqtt")) clues.push({ type: "iot", weight: MQTT_CLIENT, reason: "reports by MQTT" });
  const sip = uses.get("sip");
  if (sip && sip.peerCount <= SIP_CLIENT.servers) {
    clues.push({
      type: "voip_phone",
      weight: SIP_CLIENT.weight,
      reason: `makes calls through ${list(sip.places)}`,
    });
  }
  const cloud = behaviour.domains.find((domain) => DEVICE_CLOUDS.has(domain));
  if (cloud !== undefined) {
    clues.push({
      type: "iot",
      weight: DEVICE_CLOUD,
      reason: `talks to ${cloud}, the cloud of a maker of devices`,
    });
  }
  if (isSingleMinded(behaviour, serves, uses)) {
    clues.push({
      type: "iot",
      weight: ONE_DESTINATION.weight,
      reason: `talks to ${plural(webHosts(uses), "web server")} and hardly anything else`,
    });
  }
  return clues;
}

function isSingleMinded(behaviour: DeviceBehaviour, serves: Roles, uses: Roles): boolean {
  const { days, flows, webHosts: most, domains } = ONE_DESTINATION;
  if (behaviour.to - behaviour.from < days * DAY || serves.size > 1) return false;
  const hosts = webHosts(uses);
  if (hosts === 0 || hosts > most || behaviour.domains.length > domains) return false;
  if (behaviour.userAgents.some((agent) => agent.startsWith("Mozilla/"))) return false;
  return behaviour.uses.reduce((sum, use) => sum + use.flowCount, 0) >= flows;
}

/** What its own texts say; one clue for each rule, however many texts fit. */
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

/** Each text counts for the first rule that fits it. */
function matches(texts: readonly string[], rules: readonly NameRule[], what: string): Clue[] {
  const found = new Map<NameRule, string>();
  for (const text of texts) {
    const rule = rules.find(({ pattern }) => pattern.test(text));
    if (rule && !found.has(rule)) found.set(rule, text);
  }
  return [...found].map(([{ type, weight, says }, text]) => ({
    type,
    weight,
    reason: `${what} ${says}: ${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}`,
  }));
}
