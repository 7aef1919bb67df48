import type {
  CounterSemantics,
  EvidenceKind,
  EvidenceSource,
  RecordKind,
} from "../../contract/record/kinds.ts";
import type { JsonValue } from "../../kit/json/json.ts";
import type { Facts } from "./facts.ts";
import type { Count, Endpoint, Micros } from "./values.ts";

export type { Count, Endpoint, Micros } from "./values.ts";

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
  vlan: number | null;
  /**
   * Key of the tuple without its direction (`normalisedTuple`): equal where the Community IDs are, `null` where the tuple
   * does not suffice for one.
   */
  tuple: string | null;
  /** Canonical address of the exporter, flow exporters only. */
  exporter: string | null;
  facts: Facts | null;
  /** Short texts about doubtful input (`community_id does not match the tuple`, …). */
  warnings: string[];
}

/** What a sensor says about its own capture, over the `interval` before `at`. */
export interface CaptureSample {
  at: Micros;
  /** Whole microseconds; `null` where the record does not say. */
  interval: Micros | null;
  /** The sensor's process or interface that it is about (`worker-1`), `null` where it names none. */
  peer: string | null;
  packets: Count | null;
  dropped: Count | null;
  /** 0 to 100; measured by the sensor, or dropped of packets where it counts both. */
  lossPercent: number | null;
  warnings: string[];
}

/** An observation as it is read, with a name of its flow that only serves to find that. */
export interface ReadObservation extends Observation {
  /** The sensor's own flow identifier (Zeek uid, Suricata flow_id as text). */
  nativeId: string | null;
}

export type Normalised = { observation: ReadObservation } | { capture: CaptureSample } | { unparsed: string };

/** What a normaliser knows beside the payload. */
export interface RecordContext {
  observedAt: Micros;
  /** Canonical sampler addresses the sensor may report; `null` accepts any. */
  expectedExporters: ReadonlySet<string> | null;
}

export type Normalise = (payload: Record<string, JsonValue>, context: RecordContext) => Normalised;
