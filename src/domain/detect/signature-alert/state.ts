// Alerts of one device and one signature family, in bounded space.
import type { AlertFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { MAX_IP_TEXT } from "../kernel/destination-usage.ts";
import type { EvidenceRef } from "../kernel/result.ts";
import { refs } from "../kernel/state/refs.ts";
import {
  defineState,
  type Field,
  float,
  list,
  mapped,
  oneOf,
  optional,
  record,
  text,
  varint,
} from "../kernel/state/schema.ts";

export const MAX_SIGNATURES = 16;
export const MAX_PEERS = 32;
export const MAX_ALERT_REFS = 32;
/** Characters kept of the worst alert's texts; the evidence holds the full texts. */
export const MAX_TEXT = 200;
/** Characters kept of other signatures and of metadata values. */
export const MAX_OTHER_TEXT = 60;
/** Rule metadata that the evaluation uses. The list may only grow at its end. */
export const KEPT_METADATA = [
  "signature_severity",
  "confidence",
  "malware_family",
  "mitre_technique_id",
] as const;

export interface SeenSignature {
  /** `gid:sid`, or the start of the text if the record has no id. */
  id: string;
  signature: string;
  count: number;
}

export interface SeenPeer {
  ip: string;
  /** The service port, if all alerts with this peer agree on it; else null from then on. */
  port: number | null;
}

/** The alert with the most points, the first of equals. */
export interface WorstAlert {
  facts: AlertFacts;
  points: number;
  outbound: boolean;
  /** Devices on which its signature has fired. */
  users: number;
}

export interface AlertGroupState {
  firstSeen: Micros;
  lastSeen: Micros;
  count: number;
  outboundCount: number;
  /** The first MAX_SIGNATURES distinct ones, in order of arrival. */
  signatures: SeenSignature[];
  /** The first MAX_PEERS distinct addresses, in order of arrival. */
  peers: SeenPeer[];
  worst: WorstAlert | null;
  /** The newest MAX_ALERT_REFS by source time. */
  refs: EvidenceRef[];
  /** Values at the last evaluation. */
  evaluated: { count: number; signatures: number; points: number; lastSeen: Micros };
}

/** Null is stored as 0, other values as themselves plus 1. */
const varintOrNull: Field<number | null> = mapped(
  varint,
  (value) => value === null ? 0 : value + 1,
  (stored) => stored === 0 ? null : stored - 1,
);

/** The signature's text is left out if it equals the id. */
const signature: Field<SeenSignature> = mapped(
  record<SeenSignature>({ id: text(MAX_OTHER_TEXT), signature: text(MAX_OTHER_TEXT), count: varint }),
  (seen) => seen.signature === seen.id ? { ...seen, signature: "" } : seen,
  (stored) => stored.signature === "" ? { ...stored, signature: stored.id } : stored,
);

type MetadataKey = (typeof KEPT_METADATA)[number];
type StoredMetadata = { key: MetadataKey; value: string }[];

/** The first value of each kept key. */
const metadata: Field<AlertFacts["metadata"]> = mapped(
  list(
    record<StoredMetadata[number]>({
      key: oneOf<MetadataKey>(KEPT_METADATA, "rule metadata"),
      value: text(MAX_OTHER_TEXT),
    }),
    KEPT_METADATA.length,
  ),
  (values) =>
    KEPT_METADATA.flatMap((key) => {
      const value = values[key]?.[0];
      return value === undefined ? [] : [{ key, value }];
    }),
  (stored) => Object.fromEntries(stored.map(({ key, value }) => [key, [value]])),
);

/** Bits of `StoredAlert.flags`. */
const OUTBOUND = 1;
const BLOCKED = 2;

interface StoredAlert {
  points: number;
  flags: number;
  users: number;
  gid: number | null;
  signatureId: number | null;
  revision: number | null;
  priority: number | null;
  signature: string;
  category: string | null;
  metadata: AlertFacts["metadata"];
}

const worstAlert: Field<WorstAlert> = mapped(
  record<StoredAlert>({
    points: float,
    flags: varint,
    users: varint,
    gid: varintOrNull,
    signatureId: varintOrNull,
    revision: varintOrNull,
    priority: varintOrNull,
    signature: text(MAX_TEXT),
    category: optional(text(MAX_TEXT)),
    metadata,
  }),
  ({ facts, points, outbound, users }) => ({
    points,
    flags: (outbound ? OUTBOUND : 0) + (facts.action === "blocked" ? BLOCKED : 0),
    users,
    gid: facts.gid,
    signatureId: facts.signatureId,
    revision: facts.revision,
    priority: facts.priority,
    signature: facts.signature,
    category: facts.category,
    metadata: facts.metadata,
  }),
  ({ points, flags, users, ...rest }) => ({
    facts: { type: "alert", ...rest, action: (flags & BLOCKED) === 0 ? null : "blocked" },
    points,
    outbound: (flags & OUTBOUND) !== 0,
    users,
  }),
);

/** Keys: `<device, or the target's address if neither end is a device>\n<family>`. Typically 300 bytes. */
export const ALERT_GROUPS = defineState<AlertGroupState>({
  id: 35,
  name: "alert groups",
  keepDays: 30,
  version: 3,
  empty: emptyAlertGroup,
  fields: record<AlertGroupState>({
    firstSeen: float,
    lastSeen: float,
    count: varint,
    outboundCount: varint,
    signatures: list(signature, MAX_SIGNATURES),
    peers: list(record<SeenPeer>({ ip: text(MAX_IP_TEXT), port: varintOrNull }), MAX_PEERS),
    worst: optional(worstAlert),
    evaluated: record<AlertGroupState["evaluated"]>({
      count: varint,
      signatures: varint,
      points: float,
      lastSeen: float,
    }),
    refs: refs(MAX_ALERT_REFS),
  }),
});

export function emptyAlertGroup(): AlertGroupState {
  return {
    firstSeen: 0,
    lastSeen: 0,
    count: 0,
    outboundCount: 0,
    signatures: [],
    peers: [],
    worst: null,
    refs: [],
    evaluated: { count: 0, signatures: 0, points: 0, lastSeen: 0 },
  };
}
