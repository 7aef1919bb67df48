// What a detector is. It is fed sightings in the order of arrival, keeps what it must remember in memories that the
// pipeline stores with the cursor, and says something only when it has something to say. So the same records, in
// whatever batches and after whatever crash, lead to the same results.
import type { DetectorInfo, DetectorResult, EvidenceRef } from "./result.ts";
import type { Facts } from "../../record/facts.ts";
import type { PartyHit } from "../../intel/hits.ts";
import type { Count, Endpoint, Micros, Observation } from "../../record/observation.ts";

/**
 * What a detector may listen to: `connection` is a flow at the moment it first has counters, `growth` any later
 * observation with counters of the same flow, `device` a device that was never seen before, `intel` an indicator that
 * was met; the others are observations by what they say.
 */
export type Feed = "connection" | "growth" | "device" | "intel" | Facts["type"];

/** One end of an observation. */
export interface Party extends Endpoint {
  /** The device this address shows as; null where it is none. */
  deviceId: string | null;
  internal: boolean;
}

/** A flow as it stands with the observation, in the direction and with the counters of its preferred observation. */
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
  /** Bytes from the originator that no earlier observation of the flow has told; capped at 2^52. */
  newBytesOut: number;
  /** One direction as an exporter saw it: its source need not be the originator. */
  exporterDirection: boolean;
  /** True at the flow's first counters. */
  first: boolean;
}

/** What is known beyond the records: names, networks, and what people have said about devices. */
export interface DetectorSite {
  nameOf(deviceId: string): string;
  isInternal(ip: string): boolean;
  /** True where nobody configured the internal networks and private ranges are only taken to be inside. */
  readonly networksAssumed: boolean;
  /** What a person or the inventory says the device is; null where nobody did. */
  confirmedType(deviceId: string): string | null;
}

/** One observation as detectors see it, as things stood at that moment. */
export interface Sighting {
  observation: Observation;
  evidence: EvidenceRef;
  src: Party;
  dst: Party;
  connection: Connection | null;
  /** Devices that this observation shows for the first time ever. */
  newDevices: readonly { deviceId: string; ip: string; inInventory: boolean }[];
  hits: readonly PartyHit[];
  /** Devices of the tenant so far. */
  deviceCount: number;
  /** Earliest start of any flow of the tenant so far. */
  historySince: Micros;
  /** Whether the tenant has been watched long enough to know what is usual; true only when it is time to judge. */
  learned: boolean;
  site: DetectorSite;
}

/** The end at which the connection's destination is: its flow may have been turned against the observation. */
export function peerOf({ connection, src, dst }: Sighting): Party {
  return connection!.dst.ip === dst.ip ? dst : src;
}

/** How one sort of state is kept. */
export interface StateType<S> {
  /** Stored; never reused for another sort. */
  readonly id: number;
  readonly name: string;
  /** Days without a change after which a state is forgotten. */
  readonly keepDays: number;
  /** Others than detectors read it where it is stored, so it always stands there as it is. */
  readonly readElsewhere?: true;
  empty(): S;
  /** At most about 4 kB, whatever was seen. */
  encode(state: S): Uint8Array;
  /** Throws a RangeError for bytes of another version. */
  decode(bytes: Uint8Array): S;
  /** Estimated bytes that the state takes as an object. */
  size(state: S): number;
}

/** One state of a memory. There is one slot for a key, whoever asks, so a change is seen by everybody after it. */
export interface StateEntry<S> {
  readonly state: S;
  /** The state from now on; also where it was changed in place. What nobody keeps is not stored. */
  save(state: S): void;
}

/** The slot of a key, to be read and changed in the judgement, not before. */
export type StateLookup = <S>(memory: StateType<S>, key: string) => StateEntry<S>;

/** Takes a sighting up; called in the order of arrival, with the states as all before have left them. */
export type Evaluate = () => DetectorResult | null;

export interface Detector {
  readonly info: DetectorInfo;
  /** Types of state that it looks up, besides LEARNING and PREVALENCE, which all detectors share. */
  readonly states: readonly StateType<unknown>[];
  readonly feeds: readonly Feed[];
  /** Null where the sighting is none of its business, which should be found out cheaply; else what to do about it. */
  match(sighting: Sighting, need: StateLookup): Evaluate | null;
}

const MAX_COUNT = 2 ** 52;

/** A counter for statistics: one beyond 2^52 is a wild one, and they lose nothing by the cut. 0 where it is unknown. */
export function countOf(count: Count | null): number {
  return count === null ? 0 : Math.min(Number(count), MAX_COUNT);
}
