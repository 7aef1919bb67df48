// Servers with which one device speaks unexpected protocols.
import type { Micros } from "../../record/observation.ts";
import { DESTINATION_FIELDS, type DestinationUsage, MAX_KEPT_TEXT } from "../kernel/destination-usage.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { type EvidenceRef, STRETCH_GAP } from "../kernel/result.ts";
import { idFirstRefs } from "../kernel/state/id-first-refs.ts";
import {
  defineVersionedState,
  type Field,
  float,
  list,
  record,
  textOrNull,
  varint,
} from "../kernel/state/schema.ts";

export const MAX_UNEXPECTED = 8;
/** Servers with unexpected protocols are counted exactly up to about this number. */
export const MANY_UNEXPECTED = 16;
/** Newest servers with an FTP control connection: FTP data uses arbitrary ports. */
export const MAX_FTP_SERVERS = 4;
const MAX_DOWNLOADS = 4;

export interface UnexpectedDestination extends DestinationUsage {
  /** As the sensor names it; null if it recognized none. */
  service: string | null;
  serverName: string | null;
  bytesIn: number;
  bytesOut: number;
  /** Duration of the longest connection. */
  longest: Micros;
}

/** HTTP without a content type from a server that was addressed by IP, or whose request was not seen. */
export interface UntypedDownload {
  /** Hash of the address. */
  server: number;
  port: number;
  firstSeen: Micros;
  lastSeen: Micros;
  /** The newest one. */
  refs: EvidenceRef[];
}

export interface UnexpectedProtocols {
  destinations: UnexpectedDestination[];
  /** The newest MAX_DOWNLOADS servers, in the order of arrival. */
  downloads: UntypedDownload[];
  servers: Distinct;
  /** Hashes of addresses. */
  ftpServers: number[];
}

const destinations = list(
  record<UnexpectedDestination>({
    ...DESTINATION_FIELDS,
    service: textOrNull(MAX_KEPT_TEXT),
    serverName: textOrNull(MAX_KEPT_TEXT),
    bytesIn: float,
    bytesOut: float,
    longest: float,
  }),
  MAX_UNEXPECTED,
);
const servers = distinct(MANY_UNEXPECTED);
const ftpServers = list(varint, MAX_FTP_SERVERS);
const downloads: Field<UntypedDownload[]> = list(
  record<UntypedDownload>({
    server: varint,
    port: varint,
    firstSeen: float,
    lastSeen: float,
    refs: idFirstRefs(1),
  }),
  MAX_DOWNLOADS,
);

/** Most devices have no such download and save its byte. */
const none: Field<UntypedDownload[]> = { write: () => {}, read: () => [], size: () => 16, maxBytes: 0 };

/** Keys: device. Stored only for devices with unexpected protocols or untyped downloads. */
export const UNEXPECTED = defineVersionedState<UnexpectedProtocols>({
  id: 44,
  name: "unexpected protocols",
  keepDays: 7,
  empty: () => ({ destinations: [], downloads: [], servers: new Distinct(MANY_UNEXPECTED), ftpServers: [] }),
  versions: [
    {
      version: 1,
      matches: (state) => state.downloads.length === 0,
      fields: record<UnexpectedProtocols>({ destinations, servers, ftpServers, downloads: none }),
    },
    { version: 2, fields: record<UnexpectedProtocols>({ destinations, servers, ftpServers, downloads }) },
  ],
});

/** Records an untyped download, in place. */
export function addDownload(
  { downloads }: UnexpectedProtocols,
  server: number,
  port: number,
  at: Micros,
  ref: EvidenceRef,
): UntypedDownload {
  const index = downloads.findIndex((one) => one.server === server && one.port === port);
  const known = index < 0 ? null : downloads.splice(index, 1)[0]!;
  const isSame = known !== null && Math.abs(at - known.lastSeen) <= STRETCH_GAP;
  const download = {
    server,
    port,
    firstSeen: isSame ? Math.min(known.firstSeen, at) : at,
    lastSeen: isSame ? Math.max(known.lastSeen, at) : at,
    refs: [ref],
  };
  if (downloads.push(download) > MAX_DOWNLOADS) downloads.shift();
  return download;
}
