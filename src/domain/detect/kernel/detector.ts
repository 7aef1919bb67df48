// The detector interface. A detector receives sightings in the order of arrival, keeps everything it needs to
// know later in states that the pipeline stores with its cursor, and returns a result when there is something
// to report. The same records therefore give the same results, whatever the batches and crashes.
import type { DetectorInfo, DetectorResult, EvidenceRef } from "./result.ts";
import type { Facts } from "../../record/facts.ts";
import type { PartyHit } from "../../intel/hits.ts";
import type { Count, Endpoint, Micros, Observation } from "../../record/observation.ts";

/**
 * What a detector can subscribe to: `connection` is a flow when it first has counters, `growth` any later
 * observation with counters of the same flow, `device` a new device, `intel` a matched indicator; the others
 * are observations by the type of their facts.
 */
export type Feed = "connection" | "growth" | "device" | "intel" | Facts["type"];

/** One end of an observation. */
export interface Party extends Endpoint {
  /** The device of this address; null for an external one. */
  deviceId: string | null;
  internal: boolean;
}

/** A flow after the observation, with the direction and the counters of its preferred observation. */
export interface Connection {
  flowId: string;
  start: Micros;
  end: Micros;
  proto: string;
  src: Endpoint;
  dst: Endpoint;
  srcDeviceId: string | null;
  dstDeviceId: string | null;
  service: string | null;
  serverName: string | null;
  bytesOut: Count | null;
  bytesIn: Count | null;
  packetsOut: Count | null;
  packetsIn: Count | null;
  /** Bytes from the originator beyond those of earlier observations of the flow; capped at 2^52. */
  newBytesOut: number;
  /** One direction as an exporter saw it: its source need not be the originator. */
  exporterDirection: boolean;
  /** True at the flow's first counters. */
  first: boolean;
}

/** What is known in addition to the records: names, networks and confirmed device types. */
export interface DetectorSite {
  nameOf(deviceId: string): string;
  isInternal(ip: string): boolean;
  /** True if no internal networks are configured, so that private ranges are assumed to be internal. */
  readonly networksAssumed: boolean;
  /** The type that a person or the inventory states for the device; null if none does. */
  confirmedType(deviceId: string): string | null;
}

/** One observation as detectors see it, with what was known at that moment. */
export interface Sighting {
  observation: Observation;
  evidence: EvidenceRef;
  src: Party;
  dst: Party;
  connection: Connection | null;
  /** Devices that this observation shows for the first time. */
  newDevices: readonly { deviceId: string; ip: string; inInventory: boolean }[];
  hits: readonly PartyHit[];
  /** Devices of the tenant so far. */
  deviceCount: number;
  /** Earliest start of any flow of the tenant so far. */
  historySince: Micros;
  /** Whether the learning phase is over. Set only when the sighting is evaluated, not when it is matched. */
  learned: boolean;
  site: DetectorSite;
}

/** The destination of the connection: its flow may have been turned against the observation. */
export function peerOf({ connection, src, dst }: Sighting): Party {
  return connection!.dst.ip === dst.ip ? dst : src;
}

/** How one type of state is kept. */
export interface StateType<S> {
  /** Stored; never reused for another type. */
  readonly id: number;
  readonly name: string;
  /** Days without a change after which a state is deleted. */
  readonly keepDays: number;
  /** Code outside of the detectors reads the stored state, so every change is written at once. */
  readonly readElsewhere?: true;
  empty(): S;
  /** Most bytes of a stored state: bounded, whatever the traffic. */
  readonly maxBytes: number;
  encode(state: S): Uint8Array;
  /** Throws a RangeError for bytes that `encode` does not write. */
  decode(bytes: Uint8Array): S;
  /** Estimated bytes of the state in memory. */
  size(state: S): number;
}

/** The state of one key, which all detectors share: each sees the changes of the ones before it. */
export interface StateEntry<S> {
  readonly state: S;
  /** Sets the state; required even after a change in place, because only saved states are stored. */
  save(state: S): void;
}

/** Returns the entry of a key, whose state may be used in the evaluation only, not while matching. */
export type StateLookup = <S>(type: StateType<S>, key: string) => StateEntry<S>;

/** Evaluates a matched sighting. Called in the order of arrival, after all earlier evaluations. */
export type Evaluate = () => DetectorResult | null;

export interface Detector {
  readonly info: DetectorInfo;
  /** Types of state that it looks up, besides LEARNING and PREVALENCE, which all detectors share. */
  readonly states: readonly StateType<unknown>[];
  readonly feeds: readonly Feed[];
  /** Returns null for an irrelevant sighting, which must be cheap; else looks up the needed states. */
  match(sighting: Sighting, states: StateLookup): Evaluate | null;
}

const MAX_COUNT = 2 ** 52;

/** A counter as a number for statistics, cut at 2^52, which no real counter reaches; 0 if unknown. */
export function countOf(count: Count | null): number {
  return count === null ? 0 : Math.min(Number(count), MAX_COUNT);
}
