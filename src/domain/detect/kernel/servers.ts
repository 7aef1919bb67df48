// The few hosts that serve the whole site (DHCP, DNS) and how long each has done so.
import type { StateType } from "./detector.ts";
import type { Micros } from "../../record/observation.ts";
import type { EvidenceRef } from "./result.ts";
import { Distinct, distinct, hash32 } from "./state/distinct.ts";
import { addRef, refs } from "./state/refs.ts";
import { defineState, flag, float, list, record, tenths, varint } from "./state/schema.ts";

/** While this many servers are tracked, further ones are ignored, so a flood of forged servers stays bounded. */
const MAX_SERVERS = 24;
/** New servers tracked at a time; further ones are ignored until these are known or forgotten. */
const MAX_NEW = 6;
/** A new server that is still active after this time counts as known. */
const NEW_FOR: Micros = 7 * 86_400_000_000;
/** A server that was not seen for this long may be evicted. */
const GONE_AFTER: Micros = 60 * 86_400_000_000;
/** Clients are counted exactly up to this number. */
export const EXACT_CLIENTS = 16;
const MAX_SERVER_REFS = 6;
/** Hash of an unknown text. */
const UNKNOWN = 0;

const HOUR: Micros = 3_600_000_000;

export interface Server {
  /** Hash of its address. */
  key: number;
  first: Micros;
  /** Last seen, within an hour. */
  last: Micros;
  /** Present during the learning phase, or long enough since. */
  known: boolean;
  clients: Distinct;
  /** Hashes of the network it last served and of the options it sent there; 0 if unknown. */
  network: number;
  options: number;
  reportedScore: number;
  refs: EvidenceRef[];
}

export interface ServerList {
  servers: Server[];
}

interface ServiceUse {
  serverIp: string;
  client: string;
  at: Micros;
  learned: boolean;
  network?: string;
  options?: string;
  ref: () => EvidenceRef;
}

/** Records one use of a service. Returns the server, or null if nothing changed or the server is not tracked. */
export function recordService(state: ServerList, use: ServiceUse): Server | null {
  const { serverIp, client, at, learned, ref } = use;
  const key = hash32(serverIp);
  let server = state.servers.find((one) => one.key === key);
  // The common case, decided cheaply: a known server with many clients.
  if (server?.known && use.options === undefined && at <= server.last + HOUR && !server.clients.exact) {
    return null;
  }
  const isNew = server === undefined;
  if (!server) {
    const added = addServer(state, key, at, learned);
    if (added === null) return null;
    server = added;
  }
  const network = use.network === undefined ? UNKNOWN : hash32(use.network);
  const options = use.options === undefined ? UNKNOWN : hash32(use.options);
  const hasNewOptions = options !== UNKNOWN && (network !== server.network || options !== server.options);
  const isLater = at > server.last + HOUR;
  const isNewClient = server.clients.add(client);
  if (!isNew && !hasNewOptions && !isLater && !isNewClient) return null;
  server.last = Math.max(server.last, at);
  if (hasNewOptions) [server.network, server.options] = [network, options];
  if (Math.abs(at - server.first) > NEW_FOR) server.known = true;
  // Known servers are never reported and need no evidence.
  if (server.known) server.refs = [];
  else if (isNew || isNewClient || hasNewOptions) addRef(server.refs, ref(), MAX_SERVER_REFS);
  return server;
}

/** Whether a known server sends other options to clients of the same network. */
export function hasConflictingOptions(
  { servers }: ServerList,
  { key, network, options }: Server,
): boolean {
  return options !== UNKNOWN &&
    servers.some((other) =>
      other.key !== key && other.known && other.network === network && other.options !== UNKNOWN &&
      other.options !== options
    );
}

function addServer(state: ServerList, key: number, at: Micros, learned: boolean): Server | null {
  if (learned && state.servers.filter(({ known }) => !known).length >= MAX_NEW) {
    state.servers = state.servers.filter(({ known, last }) => known || Math.abs(at - last) <= NEW_FOR);
    if (state.servers.filter(({ known }) => !known).length >= MAX_NEW) return null;
  }
  if (state.servers.length >= MAX_SERVERS) {
    const gone = state.servers.findIndex(({ last }) => Math.abs(at - last) > GONE_AFTER);
    if (gone < 0) return null;
    state.servers.splice(gone, 1);
  }
  const server: Server = {
    key,
    first: at,
    last: at,
    known: !learned,
    clients: new Distinct(EXACT_CLIENTS),
    network: UNKNOWN,
    options: UNKNOWN,
    reportedScore: 0,
    refs: [],
  };
  state.servers.push(server);
  return server;
}

/** A state with one server list for the whole tenant; usually less than 400 bytes. */
export function serverListState(id: number, name: string): StateType<ServerList> {
  return defineState<ServerList>({
    id,
    name,
    // After a month without a lease or a lookup the baseline is outdated.
    keepDays: 35,
    version: 1,
    empty: () => ({ servers: [] }),
    fields: record({
      servers: list(
        record<Server>({
          key: varint,
          first: float,
          last: float,
          known: flag,
          clients: distinct(EXACT_CLIENTS),
          network: varint,
          options: varint,
          reportedScore: tenths,
          refs: refs(MAX_SERVER_REFS),
        }),
        MAX_SERVERS,
      ),
    }),
  });
}
