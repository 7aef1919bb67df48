// Which hosts give a service to the whole site (addresses, names), and since when: a short list, as there are few.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "./state/bytes.ts";
import type { StateType } from "./detector.ts";
import { Distinct, hash32 } from "./state/distinct.ts";
import { addRef, readRefs, writeRefs } from "./state/refs.ts";
import type { EvidenceRef } from "./result.ts";

/** Servers remembered. The rest is overlooked while so many are known: a flood of forged ones brings no more. */
const MAX_SERVERS = 24;
/** Servers that are new at a time; more are not looked at until these are known or forgotten. */
const MAX_NEW = 6;
/** A new server that is still there after so long has become a known one. */
const NEW_FOR: Micros = 7 * 86_400_000_000;
/** A server not met for so long gives up its place. */
const GONE_AFTER: Micros = 60 * 86_400_000_000;
/** Clients counted exactly up to this many. */
export const EXACT_CLIENTS = 16;
const MAX_SERVER_REFS = 6;
/** Stands for a text that is not known. */
const NOTHING = 0;

const HOUR: Micros = 3_600_000_000;
const VERSION = 1;

export interface Server {
  /** Hash of its address. */
  key: number;
  first: Micros;
  /** Newest sight of it, kept to the hour. */
  last: Micros;
  /** It was there while the usual was learned, or has been for long. */
  known: boolean;
  clients: Distinct;
  /** Hashes of the network it last served and of what it told clients there; 0 where that is unknown. */
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

/** The server as it stands after giving its service; null where nothing about it is new, and nothing has changed. */
export function recordService(book: ServerList, service: ServiceUse): Server | null {
  const { serverIp, client, at, learned, ref } = service;
  const key = hash32(serverIp);
  let server = book.servers.find((one) => one.key === key);
  // Most of all sights: a server that everybody uses.
  if (server?.known && service.options === undefined && at <= server.last + HOUR && !server.clients.exact) {
    return null;
  }
  const isNew = server === undefined;
  if (!server) {
    const made = place(book, key, at, learned);
    if (made === null) return null;
    server = made;
  }
  const network = service.network === undefined ? NOTHING : hash32(service.network);
  const options = service.options === undefined ? NOTHING : hash32(service.options);
  const tells = options !== NOTHING && (network !== server.network || options !== server.options);
  const isLater = at > server.last + HOUR;
  const more = server.clients.add(client);
  if (!isNew && !tells && !isLater && !more) return null;
  server.last = Math.max(server.last, at);
  if (tells) [server.network, server.options] = [network, options];
  if (Math.abs(at - server.first) > NEW_FOR) server.known = true;
  // Of a known one nobody asks for evidence.
  if (server.known) server.refs = [];
  else if (isNew || more || tells) addRef(server.refs, ref(), MAX_SERVER_REFS);
  return server;
}

/** Whether another known server tells clients of the same network something else. */
export function hasConflictingOptions({ servers }: ServerList, { key, network, options }: Server): boolean {
  return options !== NOTHING &&
    servers.some((other) =>
      other.key !== key && other.known && other.network === network && other.options !== NOTHING &&
      other.options !== options
    );
}

function place(book: ServerList, key: number, at: Micros, learned: boolean): Server | null {
  if (learned && book.servers.filter(({ known }) => !known).length >= MAX_NEW) {
    book.servers = book.servers.filter(({ known, last }) => known || Math.abs(at - last) <= NEW_FOR);
    if (book.servers.filter(({ known }) => !known).length >= MAX_NEW) return null;
  }
  if (book.servers.length >= MAX_SERVERS) {
    const gone = book.servers.findIndex(({ last }) => Math.abs(at - last) > GONE_AFTER);
    if (gone < 0) return null;
    book.servers.splice(gone, 1);
  }
  const server: Server = {
    key,
    first: at,
    last: at,
    known: !learned,
    clients: new Distinct(EXACT_CLIENTS),
    network: NOTHING,
    options: NOTHING,
    reportedScore: 0,
    refs: [],
  };
  book.servers.push(server);
  return server;
}

/** A memory of one book for the whole tenant; typically under 400 bytes, at most about 4 kB. */
export function serverListState(id: number, name: string): StateType<ServerList> {
  return {
    id,
    name,
    // A month without one lease or lookup: what was usual then says nothing any more.
    keepDays: 35,
    empty: () => ({ servers: [] }),
    encode: encodeBook,
    decode: (bytes) => decodeBook(bytes, name),
    size: ({ servers }) =>
      servers.reduce((sum, { clients, refs }) => sum + 200 + clients.weight + 220 * refs.length, 64),
  };
}

function encodeBook({ servers }: ServerList): Uint8Array {
  const out = new ByteWriter(64 + 160 * servers.length);
  out.varint(VERSION);
  out.varint(servers.length);
  for (const server of servers) {
    out.varint(server.key);
    out.float(server.first);
    out.float(server.last);
    out.varint(server.known ? 1 : 0);
    server.clients.write(out);
    out.varint(server.network);
    out.varint(server.options);
    out.varint(Math.round(server.reportedScore * 10));
    writeRefs(out, server.refs);
  }
  return out.bytes();
}

function decodeBook(bytes: Uint8Array, name: string): ServerList {
  const from = new ByteReader(bytes);
  const version = from.varint();
  if (version !== VERSION) throw new RangeError(`${name}: expected version ${VERSION}, got ${version}`);
  const servers: Server[] = [];
  for (let left = from.varint(); left > 0; left--) {
    const key = from.varint();
    const [first, last] = [from.float(), from.float()];
    const known = from.varint() === 1;
    const clients = Distinct.read(from, EXACT_CLIENTS);
    const [network, options, tenths] = [from.varint(), from.varint(), from.varint()];
    servers.push({
      key,
      first,
      last,
      known,
      clients,
      network,
      options,
      reportedScore: tenths / 10,
      refs: readRefs(from),
    });
  }
  from.end();
  return { servers };
}
