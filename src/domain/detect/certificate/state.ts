// The servers with faulty certificates that one device met.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "../kernel/state/bytes.ts";
import type { StateType } from "../kernel/detector.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { type Place, placeWeight, readPlace, readRefs, writePlace, writeRefs } from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";

/** Servers of one device; beyond these the one seen least goes. */
export const MAX_CERTIFICATES = 8;
/** Servers with made-up names, counted exactly up to this many. */
const MADE_UP_EXACT = 64;
export const MAX_MADE_UP_REFS = 16;
export const MAX_EXAMPLES = 6;
const VERSION = 1;

export interface CertificatePlace extends Place {
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
export interface MadeUp {
  servers: Distinct;
  firstSeen: Micros;
  lastSeen: Micros;
  judged: number;
  told: number;
  refs: EvidenceRef[];
  examples: { ip: string; port: number; name: string }[];
}

export interface Certificates {
  places: CertificatePlace[];
  madeUp: MadeUp | null;
}

/** Keys: device. At most about 5 kB of the longest names; nothing is stored of a device that meets none. */
export const CERTIFICATES: StateType<Certificates> = {
  id: 40,
  name: "certificates",
  keepDays: 7,
  empty: () => ({ places: [], madeUp: null }),
  encode({ places, madeUp }) {
    const out = new ByteWriter(256 + 400 * places.length);
    out.varint(VERSION);
    out.varint(places.length);
    for (const place of places) {
      writePlace(out, place);
      out.varint(place.faults);
      for (const text of [place.subject, place.issuer, place.serverName]) out.text(text ?? "");
      out.float(place.expiry ?? NaN);
      out.varint(place.users);
    }
    out.varint(madeUp === null ? 0 : 1);
    if (madeUp !== null) writeMadeUp(out, madeUp);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) {
      throw new RangeError(`certificates: expected version ${VERSION}, got ${version}`);
    }
    const places: CertificatePlace[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readPlace(from);
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
    return { places, madeUp };
  },
  size: ({ places, madeUp }) =>
    100 + places.reduce((sum, place) => sum + 300 + placeWeight(place), 0) +
    (madeUp === null ? 0 : 600 + madeUp.servers.weight + 220 * madeUp.refs.length),
};

export function newMadeUp(at: Micros): MadeUp {
  const servers = new Distinct(MADE_UP_EXACT);
  return { servers, firstSeen: at, lastSeen: at, judged: 0, told: 0, refs: [], examples: [] };
}

function writeMadeUp(out: ByteWriter, madeUp: MadeUp): void {
  madeUp.servers.write(out);
  out.float(madeUp.firstSeen);
  out.float(madeUp.lastSeen);
  out.varint(madeUp.judged);
  out.varint(Math.round(madeUp.told * 10));
  writeRefs(out, madeUp.refs);
  out.varint(madeUp.examples.length);
  for (const { ip, port, name } of madeUp.examples) {
    out.text(ip);
    out.varint(port);
    out.text(name);
  }
}

function readMadeUp(from: ByteReader): MadeUp {
  const servers = Distinct.read(from, MADE_UP_EXACT);
  const [firstSeen, lastSeen] = [from.float(), from.float()];
  const judged = from.varint();
  const told = from.varint() / 10;
  const refs = readRefs(from);
  const examples: MadeUp["examples"] = [];
  for (let left = from.varint(); left > 0; left--) {
    examples.push({ ip: from.text(), port: from.varint(), name: from.text() });
  }
  return { servers, firstSeen, lastSeen, judged, told, refs, examples };
}
