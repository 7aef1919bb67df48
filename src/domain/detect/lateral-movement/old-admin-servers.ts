// Which hosts of the site are servers to others: whoever is administered, or read from, by several.
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { DetectorSite, Party, StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";

/** Clients counted exactly up to this many; more make no difference. */
const EXACT_CLIENTS = 8;
/** A host that so many use is a server of the site. */
const SERVER_CLIENTS = 3;
/** Ports on which only a directory server answers: Kerberos, LDAP. */
export const DIRECTORY_PORTS: ReadonlySet<number> = new Set([88, 389, 636, 3268]);

const VERSION = 1;

interface ServerState {
  clients: Distinct;
  directory: boolean;
}

/** Keys: a server's address. */
export const ADMIN_SERVERS: StateType<ServerState> = {
  id: 12,
  name: "admin servers",
  keepDays: 60,
  empty: () => ({ clients: new Distinct(EXACT_CLIENTS), directory: false }),
  encode: ({ clients, directory }) => {
    const out = new ByteWriter(48);
    out.varint(VERSION);
    out.varint(directory ? 1 : 0);
    clients.write(out);
    return out.bytes();
  },
  decode: (bytes) => {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`admin servers: expected version ${VERSION}, got ${version}`);
    }
    const directory = from.varint() === 1;
    const clients = Distinct.read(from, EXACT_CLIENTS);
    from.end();
    return { clients, directory };
  },
  size: ({ clients }) => 48 + clients.weight,
};

const SERVER_TYPE = /server|controller|nas|router|firewall|switch|hypervisor|printer/i;

/** Whether others are meant to work on this host or with its files. */
export function isServer({ clients, directory }: ServerState, party: Party, site: DetectorSite): boolean {
  return directory || clients.count >= SERVER_CLIENTS || isServerType(party, site);
}

export function isServerType({ deviceId }: Party, site: DetectorSite): boolean {
  const type = deviceId === null ? null : site.confirmedType(deviceId);
  return type !== null && SERVER_TYPE.test(type);
}
