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

/** Traffic in one direction. A counter missing from the record is null, never zero. */
export interface DirectionCounters {
  bytes: Count | null;
  packets: Count | null;
}

export interface Counters {
  srcToDst: DirectionCounters;
  dstToSrc: DirectionCounters;
  semantics: CounterSemantics;
}

/** One normalised record: what a sensor saw of one flow. Plain data without identity and tenant. */
export interface Observation {
  kind: RecordKind;
  evidenceKind: EvidenceKind;
  source: EvidenceSource;
  observedAt: Micros;
  /** The time the observation covers, `start <= end`; equal for an instant. */
  start: Micros;
  end: Micros;
  /** Originator and responder; for an exporter's record, source and destination as exported. */
  src: Endpoint;
  dst: Endpoint;
  /** Lower-case IANA keyword (`tcp`, `udp`, `icmp`, `ipv6-icmp`, `sctp`, …) or the number as text. */
  proto: string;
  /** ICMP type and code as stated in the record. */
  icmp: { type: number; code: number | null } | null;
  /** Null for a record without counters of its own (a DNS transaction, an alert). */
  counters: Counters | null;
  service: string | null;
  vlan: number | null;
  /**
   * Direction-independent key of the tuple (`normalisedTuple`): equal if the Community IDs are equal, null if
   * there is none.
   */
  tuple: string | null;
  /** Canonical address of the exporter; flow exporters only. */
  exporter: string | null;
  facts: Facts | null;
  /** Short texts about questionable input (`community_id does not match the tuple`, …). */
  warnings: string[];
}

/** A sensor's report on its own capture, over the `interval` before `at`. */
export interface CaptureSample {
  at: Micros;
  /** Whole microseconds; null if the record does not state it. */
  interval: Micros | null;
  /** The sensor process or interface (`worker-1`); null if not named. */
  peer: string | null;
  packets: Count | null;
  dropped: Count | null;
  /** 0 to 100; measured by the sensor, or computed from packets and drops. */
  lossPercent: number | null;
  warnings: string[];
}

/** An observation as read, with the sensor's flow id, which only serves to find the flow. */
export interface ReadObservation extends Observation {
  /** The sensor's own flow identifier (Zeek uid, Suricata flow_id as text). */
  nativeId: string | null;
  /** The counters start at the exporter's previous report of this flow; absent if they state the whole flow. */
  isDelta?: true;
}

export type Normalised = { observation: ReadObservation } | { capture: CaptureSample } | { unparsed: string };

/** Context of normalisation besides the payload. */
export interface RecordContext {
  observedAt: Micros;
  /** Canonical addresses of the exporters the sensor may report; null accepts any. */
  expectedExporters: ReadonlySet<string> | null;
}

export type Normalise = (payload: Record<string, JsonValue>, context: RecordContext) => Normalised;
