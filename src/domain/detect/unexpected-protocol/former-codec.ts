// The servers with which one device speaks something unexpected.
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import {
  destinationSize,
  type DestinationUsage,
  readDestination,
  writeDestination,
} from "../kernel/former-destinations.ts";

export const MAX_UNEXPECTED = 8;
/** Servers with unexpected protocols, counted up to about this many. */
export const MANY_UNEXPECTED = 16;
/** Newest servers to which the device has an FTP control connection: their data comes on any port. */
export const MAX_FTP_SERVERS = 4;
const VERSION = 1;

export interface UnexpectedDestination extends DestinationUsage {
  /** Of the flows that were judged: as the sensor calls it; null where it recognised nothing. */
  service: string | null;
  serverName: string | null;
  bytesIn: number;
  bytesOut: number;
  /** Of the longest, microseconds. */
  longest: number;
}

export interface UnexpectedProtocols {
  destinations: UnexpectedDestination[];
  servers: Distinct;
  /** Hashes of addresses. */
  ftpServers: number[];
}

/** Keys: device. At most about 3 kB; nothing is stored of a device that does nothing of the kind. */
export const UNEXPECTED: StateType<UnexpectedProtocols> = {
  id: 44,
  name: "unexpected protocols",
  keepDays: 7,
  empty: () => ({ destinations: [], servers: new Distinct(MANY_UNEXPECTED), ftpServers: [] }),
  encode({ destinations, servers, ftpServers }) {
    const out = new ByteWriter(128 + 350 * destinations.length);
    out.varint(VERSION);
    out.varint(destinations.length);
    for (const place of destinations) {
      writeDestination(out, place);
      out.text(place.service ?? "");
      out.text(place.serverName ?? "");
      out.float(place.bytesIn);
      out.float(place.bytesOut);
      out.float(place.longest);
    }
    servers.write(out);
    out.varint(ftpServers.length);
    for (const hash of ftpServers) out.varint(hash);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`unexpected protocols: expected version ${VERSION}, got ${version}`);
    }
    const places: UnexpectedDestination[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readDestination(from);
      const [service, serverName] = [from.text(), from.text()];
      const [bytesIn, bytesOut, longest] = [from.float(), from.float(), from.float()];
      places.push({
        ...place,
        service: service || null,
        serverName: serverName || null,
        bytesIn,
        bytesOut,
        longest,
      });
    }
    const servers = Distinct.read(from, MANY_UNEXPECTED);
    const ftp: number[] = [];
    for (let left = from.varint(); left > 0; left--) ftp.push(from.varint());
    from.end();
    return { destinations: places, servers, ftpServers: ftp };
  },
  size: ({ destinations, servers }) =>
    200 + servers.weight + destinations.reduce((sum, place) => sum + 250 + destinationSize(place), 0),
};
