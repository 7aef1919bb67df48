// Servers with faulty certificates that one device contacted.
import type { Micros } from "../../record/observation.ts";
import {
  DESTINATION_FIELDS,
  type DestinationUsage,
  MAX_IP_TEXT,
  MAX_KEPT_TEXT,
} from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { idFirstRefs } from "../kernel/state/id-first-refs.ts";
import {
  defineState,
  float,
  floatOrNull,
  list,
  optional,
  record,
  tenths,
  text,
  textOrNull,
  varint,
} from "../kernel/state/schema.ts";

/** Servers kept per device. */
export const MAX_CERTIFICATES = 8;
/** Servers with random names are counted exactly up to this number. */
const EXACT_RANDOM_NAMES = 64;
export const MAX_RANDOM_NAME_REFS = 16;
export const MAX_EXAMPLES = 6;

export interface CertificateDestination extends DestinationUsage {
  /** Bits of certificate-faults.ts, combined over all sessions. */
  faults: number;
  /** From the newest certificate; bounded. */
  subject: string | null;
  issuer: string | null;
  serverName: string | null;
  expiry: Micros | null;
  /** Devices that had contacted the server when it last presented the certificate. */
  users: number;
}

/** All servers with random names together, because a device contacts each of them only once. */
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

/** Keys: device. Stored only for devices that contact such servers. */
export const CERTIFICATES = defineState<Certificates>({
  id: 40,
  name: "certificates",
  keepDays: 7,
  version: 1,
  empty: () => ({ destinations: [], randomNames: null }),
  fields: record<Certificates>({
    destinations: list(
      record<CertificateDestination>({
        ...DESTINATION_FIELDS,
        faults: varint,
        subject: textOrNull(MAX_KEPT_TEXT),
        issuer: textOrNull(MAX_KEPT_TEXT),
        serverName: textOrNull(MAX_KEPT_TEXT),
        expiry: floatOrNull,
        users: varint,
      }),
      MAX_CERTIFICATES,
    ),
    randomNames: optional(record<RandomNames>({
      servers: distinct(EXACT_RANDOM_NAMES),
      firstSeen: float,
      lastSeen: float,
      evaluatedCount: varint,
      reportedScore: tenths,
      refs: idFirstRefs(MAX_RANDOM_NAME_REFS),
      examples: list(
        record<RandomNames["examples"][number]>({
          ip: text(MAX_IP_TEXT),
          port: varint,
          name: text(MAX_KEPT_TEXT),
        }),
        MAX_EXAMPLES,
      ),
    })),
  }),
});

export function newRandomNames(at: Micros): RandomNames {
  return {
    servers: new Distinct(EXACT_RANDOM_NAMES),
    firstSeen: at,
    lastSeen: at,
    evaluatedCount: 0,
    reportedScore: 0,
    refs: [],
    examples: [],
  };
}
