// Which hosts of the site are servers to others: whoever is administered, or read from, by several.
import type { DetectorSite, Party } from "../kernel/detector.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { defineState, flag, record } from "../kernel/state/schema.ts";

/** Clients counted exactly up to this many; more make no difference. */
const EXACT_CLIENTS = 8;
/** A host that so many use is a server of the site. */
const SERVER_CLIENTS = 3;
/** Ports on which only a directory server answers: Kerberos, LDAP. */
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

const SERVER_TYPE = /server|controller|nas|router|firewall|switch|hypervisor|printer/i;

/** Whether others are meant to work on this host or with its files. */
export function isServer({ clients, directory }: ServerState, party: Party, site: DetectorSite): boolean {
  return directory || clients.count >= SERVER_CLIENTS || isServerType(party, site);
}

export function isServerType({ deviceId }: Party, site: DetectorSite): boolean {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return type !== null && SERVER_TYPE.test(type);
}
