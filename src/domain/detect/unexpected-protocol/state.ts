// The servers with which one device speaks something unexpected.
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { type Place, placeWeight, readPlace, writePlace } from "../kernel/destination-usage.ts";

export const MAX_UNEXPECTED = 8;
/** Servers with unexpected protocols, counted up to about this many. */
export const MANY_UNEXPECTED = 16;
/** Newest servers to which the device has an FTP control connection: their data comes on any port. */
export const MAX_FTP = 4;
const VERSION = 1;

export interface UnexpectedPlace extends Place {
  /** Of the flows that were judged: as the sensor calls it; null where it recognised nothing. */
  service: string | null;
  serverName: string | null;
  bytesIn: number;
  bytesOut: number;
  /** Of the longest, microseconds. */
  longest: number;
}

export interface Unexpected {
  places: UnexpectedPlace[];
  servers: Distinct;
  /** Hashes of addresses. */
  ftp: number[];
}

/** Keys: device. At most about 3 kB; nothing is stored of a device that does nothing of the kind. */
export const UNEXPECTED: StateType<Unexpected> = {
  id: 44,
  name: "unexpected protocols",
  keepDays: 7,
  empty: () => ({ places: [], servers: new Distinct(MANY_UNEXPECTED), ftp: [] }),
  encode({ places, servers, ftp }) {
    const out = new ByteWriter(128 + 350 * places.length);
    out.varint(VERSION);
    out.varint(places.length);
    for (const place of places) {
      writePlace(out, place);
      out.text(place.service ?? "");
      out.text(place.serverName ?? "");
      out.float(place.bytesIn);
      out.float(place.bytesOut);
      out.float(place.longest);
    }
    servers.write(out);
    out.varint(ftp.length);
    for (const hash of ftp) out.varint(hash);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`unexpected protocols: expected version ${VERSION}, got ${version}`);
    }
    const places: UnexpectedPlace[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readPlace(from);
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
    return { places, servers, ftp };
  },
  size: ({ places, servers }) =>
    200 + servers.weight + places.reduce((sum, place) => sum + 250 + placeWeight(place), 0),
};
