// Builds sightings, and drives detectors with them as the pipeline does.
import type {
  Connection,
  Detector,
  DetectorSite,
  Evaluate,
  Feed,
  Party,
  Sighting,
  StateEntry,
  StateLookup,
  StateType,
} from "../../../src/domain/detect/kernel/detector.ts";
import { PREVALENCE } from "../../../src/domain/detect/kernel/prevalence.ts";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";
import type { PartyHit } from "../../../src/domain/intel/hits.ts";
import type { Counters, Endpoint, Observation } from "../../../src/domain/record/observation.ts";

export const SECOND = 1_000_000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;
export const T0 = 1_600_000_000 * SECOND;

/** `variant`, one hexadecimal digit, separates ids of different kinds. */
export function uuid(index: number, variant = "8"): string {
  return `00000000-0000-4000-${variant}000-${index.toString(16).padStart(12, "0")}`;
}

/** Networks 10/8, 172.16/12 and 192.168/16; device ids are `device <address>`, and so are the names. */
export const SITE: DetectorSite = {
  nameOf: (deviceId) => deviceId.replace("device ", ""),
  isInternal: (ip) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|fd)/.test(ip),
  networksAssumed: false,
  confirmedType: () => null,
};

function partyOf({ ip, port }: Endpoint, site: DetectorSite = SITE): Party {
  const internal = site.isInternal(ip);
  return { ip, port, deviceId: internal ? `device ${ip}` : null, internal };
}

/** Parts of a sighting that a test sets; the rest has defaults. */
export interface SightingParts {
  observation?: Partial<Observation>;
  /** Set if the observation has counters. */
  connection?: Partial<Connection> | null;
  sighting?: Partial<Omit<Sighting, "observation" | "connection">>;
}

let serial = 0;

/** A sighting at `seconds` after T0. */
export function sighting(seconds: number, src: Endpoint, dst: Endpoint, parts: SightingParts = {}): Sighting {
  const number = ++serial;
  const at = T0 + Math.round(seconds * SECOND);
  const site = parts.sighting?.site ?? SITE;
  const connection = parts.connection === undefined ? null : parts.connection;
  const counters: Counters | null = connection === null ? null : {
    srcToDst: { bytes: connection.bytesOut ?? null, packets: connection.packetsOut ?? null },
    dstToSrc: { bytes: connection.bytesIn ?? null, packets: connection.packetsIn ?? null },
    semantics: connection.exporterDirection ? "unidirectional_export" : "session",
  };
  const observation: Observation = {
    kind: connection?.exporterDirection ? "netflow.flow" : "zeek.conn",
    evidenceKind: "flow_observation",
    source: connection?.exporterDirection ? "netflow" : "zeek",
    observedAt: at,
    start: at,
    end: at,
    src,
    dst,
    proto: "tcp",
    icmp: null,
    counters,
    service: connection?.service ?? null,
    vlan: null,
    tuple: null,
    exporter: null,
    facts: null,
    warnings: [],
    ...parts.observation,
  };
  const flowId = uuid(number, "9");
  return {
    observation,
    evidence: { evidenceId: uuid(number), observedAt: observation.observedAt, flowId },
    src: partyOf(observation.src, site),
    dst: partyOf(observation.dst, site),
    connection: connection === null ? null : {
      flowId,
      start: observation.start,
      end: observation.end,
      proto: observation.proto,
      src: observation.src,
      dst: observation.dst,
      srcDeviceId: partyOf(observation.src, site).deviceId,
      dstDeviceId: partyOf(observation.dst, site).deviceId,
      service: null,
      serverName: null,
      bytesOut: null,
      bytesIn: null,
      packetsOut: null,
      packetsIn: null,
      newBytesOut: Number(connection.bytesOut ?? 0),
      exporterDirection: false,
      first: true,
      ...connection,
    },
    newDevices: [],
    hits: NO_HITS,
    deviceCount: 20,
    historySince: T0 - 30 * DAY,
    learned: true,
    site,
    ...parts.sighting,
  };
}

const NO_HITS: readonly PartyHit[] = [];

export interface DriveOptions {
  /** Sightings that are matched together before any of them is evaluated. */
  round?: number;
  /** Whether every state is encoded and decoded between rounds. */
  stored?: boolean;
}

export interface Driven {
  results: DetectorResult[];
  /** Largest stored state, in bytes. */
  largest: number;
  /** Every saved state as it would be stored, by `<state type id> <key>`. */
  states: Map<string, Uint8Array>;
}

/** Drives detectors as the pipeline does. Throws if a state is read before its round is evaluated. */
export function drive(
  detectors: readonly Detector[],
  sightings: readonly Sighting[],
  { round = 1, stored = true }: DriveOptions = {},
): Driven {
  const entries = new Map<string, HeldEntry<unknown>>();
  const results: DetectorResult[] = [];
  let largest = 0;
  const declared = new Set([PREVALENCE, ...detectors.flatMap(({ states }) => states)].map(({ id }) => id));
  const lookup: StateLookup = <S>(type: StateType<S>, key: string): StateEntry<S> => {
    if (!declared.has(type.id)) throw new Error(`${type.name}: no detector declares this type of state`);
    const id = `${type.id} ${key}`;
    const known = entries.get(id);
    if (known) return known as unknown as StateEntry<S>;
    const entry = new HeldEntry(type);
    entries.set(id, entry as unknown as HeldEntry<unknown>);
    return entry;
  };
  for (let from = 0; from < sightings.length; from += round) {
    const evaluations: Evaluate[] = [];
    for (const one of sightings.slice(from, from + round)) {
      const feeds = feedsOf(one);
      for (const detector of detectors) {
        for (const feed of detector.feeds) {
          if (!feeds.includes(feed)) continue;
          const evaluate = detector.match(one, lookup);
          if (evaluate !== null) evaluations.push(evaluate);
        }
      }
    }
    for (const entry of entries.values()) entry.open();
    for (const evaluate of evaluations) {
      const result = evaluate();
      if (result !== null) results.push(result);
    }
    for (const entry of entries.values()) largest = Math.max(largest, entry.close(stored));
  }
  const states = new Map<string, Uint8Array>();
  for (const [id, { bytes }] of entries) if (bytes !== null) states.set(id, bytes);
  return { results, largest, states };
}

function feedsOf({ newDevices, connection, observation, hits }: Sighting): Feed[] {
  const feeds: Feed[] = [];
  if (newDevices.length > 0) feeds.push("device");
  if (connection !== null) feeds.push(connection.first ? "connection" : "growth");
  if (observation.facts !== null) feeds.push(observation.facts.type);
  if (hits.length > 0) feeds.push("intel");
  return feeds;
}

class HeldEntry<S> implements StateEntry<S> {
  #state: { value: S } | null = null;
  #dirty = false;
  #open = false;
  bytes: Uint8Array | null = null;

  constructor(private readonly type: StateType<S>) {}

  get state(): S {
    if (!this.#open || this.#state === null) throw new Error(`${this.type.name}: read before the evaluation`);
    return this.#state.value;
  }

  save(state: S): void {
    this.#state = { value: state };
    this.#dirty = true;
  }

  open(): void {
    this.#open = true;
    const { type, bytes } = this;
    this.#state ??= { value: bytes === null ? type.empty() : type.decode(bytes) };
  }

  /** Returns the size of the stored state in bytes. */
  close(stored: boolean): number {
    this.#open = false;
    if (this.#dirty && this.#state !== null) this.bytes = this.type.encode(this.#state.value);
    this.#dirty = false;
    if (stored) this.#state = null;
    return this.bytes?.length ?? 0;
  }
}
