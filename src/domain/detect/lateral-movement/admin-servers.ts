// Which internal hosts are servers: those that several devices administer or read from.
import type { DetectorSite, Party } from "../kernel/detector.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { defineState, flag, record } from "../kernel/state/schema.ts";

/** Clients counted exactly; more make no difference. */
const EXACT_CLIENTS = 8;
/** A host with this many clients is a server. */
const SERVER_CLIENTS = 3;
/** Ports on which only directory servers answer: Kerberos, LDAP. */
export const DIRECTORY_PORTS: ReadonlySet<number> = new Set([88, 389, 636, 3268]);

export interface ServerState {
  clients: Distinct;
  directory: boolean;
}

/** Keys: a server's address. */
export const ADMIN_SERVERS = defineState<ServerState>({
  id: 12,
  name: "admin servers",
  keepDays: 60,
  version: 1,
  empty: () => ({ clients: new Distinct(EXACT_CLIENTS), directory: false }),
  fields: record<ServerState>({ directory: flag, clients: distinct(EXACT_CLIENTS) }),
});

/** Confirmed types of hosts whose control is control of all accounts. */
const DIRECTORY_TYPES: ReadonlySet<string> = new Set(["domain_controller"]);
const SERVER_TYPE = /server|controller|nas|router|firewall|switch|hypervisor|printer/i;

/** Whether the host is a server by its clients, as a directory, or by its confirmed type. */
export function isServer({ clients, directory }: ServerState, party: Party, site: DetectorSite): boolean {
  return directory || clients.count >= SERVER_CLIENTS || isServerType(party, site);
}

/** Whether the host answers as a directory, or is confirmed to be a domain controller. */
export function isDirectory({ directory }: ServerState, { deviceId }: Party, site: DetectorSite): boolean {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return directory || (type !== null && DIRECTORY_TYPES.has(type));
}

export function isServerType({ deviceId }: Party, site: DetectorSite): boolean {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return type !== null && SERVER_TYPE.test(type);
}
