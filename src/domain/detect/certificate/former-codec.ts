// The servers with faulty certificates that one device met.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import {
  destinationSize,
  type DestinationUsage,
  readDestination,
  readRefs,
  writeDestination,
  writeRefs,
} from "../kernel/former-destinations.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/** Servers of one device; beyond these the one seen least goes. */
export const MAX_CERTIFICATES = 8;
/** Servers with made-up names, counted exactly up to this many. */
const MADE_UP_EXACT = 64;
export const MAX_RANDOM_NAME_REFS = 16;
export const MAX_EXAMPLES = 6;
const VERSION = 1;

export interface CertificateDestination extends DestinationUsage {
  /** Bits of certificate-faults.ts, of all that was seen. */
  faults: number;
  /** As in the newest certificate that was shown; bounded. */
  subject: string | null;
  issuer: string | null;
  serverName: string | null;
  expiry: Micros | null;
  /** Devices that contacted the server when the certificate was shown last. */
  users: number;
}

/** Of all servers with made-up names together: they are met once each. */
export interface RandomNames {
  servers: Distinct;
  firstSeen: Micros;
  lastSeen: Micros;
  evaluatedCount: number;
  reportedScore: number;
  refs: EvidenceRef[];
  examples: { ip: string; port: number; name: string }[];
}

export interface Certificates {
  destinations: CertificateDestination[];
  randomNames: RandomNames | null;
}

/** Keys: device. At most about 5 kB of the longest names; nothing is stored of a device that meets none. */
export const CERTIFICATES: StateType<Certificates> = {
  id: 40,
  name: "certificates",
  keepDays: 7,
  empty: () => ({ destinations: [], randomNames: null }),
  encode({ destinations, randomNames }) {
    const out = new ByteWriter(256 + 400 * destinations.length);
    out.varint(VERSION);
    out.varint(destinations.length);
    for (const place of destinations) {
      writeDestination(out, place);
      out.varint(place.faults);
      for (const text of [place.subject, place.issuer, place.serverName]) out.text(text ?? "");
      out.float(place.expiry ?? NaN);
      out.varint(place.users);
    }
    out.varint(randomNames === null ? 0 : 1);
    if (randomNames !== null) writeMadeUp(out, randomNames);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`certificates: expected version ${VERSION}, got ${version}`);
    }
    const places: CertificateDestination[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readDestination(from);
      const faults = from.varint();
      const [subject, issuer, serverName] = [from.text(), from.text(), from.text()];
      const expiry = from.float();
      places.push({
        ...place,
        faults,
        subject: subject || null,
        issuer: issuer || null,
        serverName: serverName || null,
        expiry: Number.isNaN(expiry) ? null : expiry,
        users: from.varint(),
      });
    }
    const madeUp = from.varint() === 1 ? readMadeUp(from) : null;
    from.end();
    return { destinations: places, randomNames: madeUp };
  },
  size: ({ destinations, randomNames }) =>
    100 + destinations.reduce((sum, place) => sum + 300 + destinationSize(place), 0) +
    (randomNames === null ? 0 : 600 + randomNames.servers.weight + 220 * randomNames.refs.length),
};

export function newRandomNames(at: Micros): RandomNames {
  const servers = new Distinct(MADE_UP_EXACT);
  return {
    servers,
    firstSeen: at,
    lastSeen: at,
    evaluatedCount: 0,
    reportedScore: 0,
    refs: [],
    examples: [],
  };
}

function writeMadeUp(out: ByteWriter, madeUp: RandomNames): void {
  madeUp.servers.write(out);
  out.float(madeUp.firstSeen);
  out.float(madeUp.lastSeen);
  out.varint(madeUp.evaluatedCount);
  out.varint(Math.round(madeUp.reportedScore * 10));
  writeRefs(out, madeUp.refs);
  out.varint(madeUp.examples.length);
  for (const { ip, port, name } of madeUp.examples) {
    out.text(ip);
    out.varint(port);
    out.text(name);
  }
}

function readMadeUp(from: ByteReader): RandomNames {
  const servers = Distinct.read(from, MADE_UP_EXACT);
  const [firstSeen, lastSeen] = [from.float(), from.float()];
  const judged = from.varint();
  const told = from.varint() / 10;
  const refs = readRefs(from);
  const examples: RandomNames["examples"] = [];
  for (let left = from.varint(); left > 0; left--) {
    examples.push({ ip: from.text(), port: from.varint(), name: from.text() });
  }
  return { servers, firstSeen, lastSeen, evaluatedCount: judged, reportedScore: told, refs, examples };
}
