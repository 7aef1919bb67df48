import type { CounterSemantics, EvidenceKind, EvidenceSource, RecordKind } from "../../contract/kinds.ts";
import type { JsonValue } from "../../kit/json.ts";

/** Whole microseconds since the Unix epoch, UTC; a safe integer until the year 2255. */
export type Micros = number;

/** A non-negative integer counter: `bigint` only where it exceeds 2^53 - 1. */
export type Count = number | bigint;

export interface Endpoint {
  /** Canonical address text. */
  ip: string;
  /** `null` where the protocol has none or the record does not say. ICMP uses `icmp` instead. */
  port: number | null;
}

/** What one direction carried. A counter that the record lacks is `null`, never zero. */
export interface DirectionCounters {
  bytes: Count | null;
  packets: Count | null;
}

export interface Counters {
  srcToDst: DirectionCounters;
  dstToSrc: DirectionCounters;
  semantics: CounterSemantics;
}

export interface DnsFacts {
  type: "dns";
  query: string | null;
  qtype: string | null;
  rcode: string | null;
  /** Answer data as text, at most 32 kept. */
  answers: string[];
  /** False for a query seen without its answer. */
  answered: boolean;
}

export interface AlertFacts {
  type: "alert";
  /** `gid:sid:rev` parts; `null` where the record lacks them. */
  gid: number | null;
  signatureId: number | null;
  revision: number | null;
  signature: string;
  category: string | null;
  /** The sensor's own priority, 1 (worst) to 4. */
  priority: number | null;
  action: string | null;
  /** Rule metadata as the ruleset wrote it, lists of strings by key. */
  metadata: Record<string, string[]>;
}

export type Facts = DnsFacts | AlertFacts;

/** One record, understood: what a sensor saw of one flow. Pure data, no identity and no tenant. */
export interface Observation {
  kind: RecordKind;
  evidenceKind: EvidenceKind;
  source: EvidenceSource;
  observedAt: Micros;
  /** The time this observation covers, `start <= end`; equal for a moment. */
  start: Micros;
  end: Micros;
  /** Originator and responder; for an exporter's record, source and destination as exported. */
  src: Endpoint;
  dst: Endpoint;
  /** Lower-case IANA keyword (`tcp`, `udp`, `icmp`, `ipv6-icmp`, `sctp`, …) or the number as text. */
  proto: string;
  /** ICMP type and code as the record gives them. */
  icmp: { type: number; code: number | null } | null;
  /** `null` for a record that carries no counters of its own (a DNS transaction, an alert). */
  counters: Counters | null;
  service: string | null;
  /** The sensor's own flow identifier (Zeek uid, Suricata flow_id as text). */
  nativeId: string | null;
  vlan: number | null;
  /** Version 1, seed 0, computed here; `null` where the tuple does not suffice. */
  communityId: string | null;
  /** Canonical address of the exporter, flow exporters only. */
  exporter: string | null;
  facts: Facts | null;
  /** Short texts about doubtful input (`community_id does not match the tuple`, …). */
  warnings: string[];
}

export type Normalised = { observation: Observation } | { unparsed: string };

/** What a normaliser knows beside the payload. */
export interface RecordContext {
  observedAt: Micros;
  /** Canonical sampler addresses the sensor may report; `null` accepts any. */
  expectedExporters: ReadonlySet<string> | null;
}

export type Normalise = (payload: Record<string, JsonValue>, context: RecordContext) => Normalised;
