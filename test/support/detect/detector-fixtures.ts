// Sightings made by hand, and a pipeline in little that shows them to detectors.
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

/** `variant` keeps the ids of different things apart; one hexadecimal digit. */
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

/** What a test says of a sighting; the rest is usual. */
export interface SightingParts {
  observation?: Partial<Observation>;
  /** Set where the observation has counters. */
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
  /** Sightings attended to together, before any of them is judged. */
  round?: number;
  /** Whether every state is stored and read again between rounds. */
  stored?: boolean;
}

export interface Driven {
  results: DetectorResult[];
  /** Largest stored state, in bytes. */
  largest: number;
  /** Every state that was kept, as it would be stored, by `<memory> <key>`. */
  states: Map<string, Uint8Array>;
}

/** Shows sightings to detectors as the pipeline does. A slot's state cannot be read before its round is judged. */
export function drive(
  detectors: readonly Detector[],
  sightings: readonly Sighting[],
  { round = 1, stored = true }: DriveOptions = {},
): Driven {
  const held = new Map<string, HeldSlot<unknown>>();
  const results: DetectorResult[] = [];
  let largest = 0;
  const declared = new Set([PREVALENCE, ...detectors.flatMap(({ states }) => states)].map(({ id }) => id));
  const need: StateLookup = <S>(memory: StateType<S>, key: string): StateEntry<S> => {
    if (!declared.has(memory.id)) throw new Error(`${memory.name}: no detector declares this type of state`);
    const id = `${memory.id} ${key}`;
    const known = held.get(id);
    if (known) return known as unknown as StateEntry<S>;
    const slot = new HeldSlot(memory);
    held.set(id, slot as unknown as HeldSlot<unknown>);
    return slot;
  };
  for (let from = 0; from < sightings.length; from += round) {
    const judgements: Evaluate[] = [];
    for (const one of sightings.slice(from, from + round)) {
      const feeds = feedsOf(one);
      for (const detector of detectors) {
        for (const feed of detector.feeds) {
          if (!feeds.includes(feed)) continue;
          const judgement = detector.match(one, need);
          if (judgement !== null) judgements.push(judgement);
        }
      }
    }
    for (const slot of held.values()) slot.open();
    for (const judge of judgements) {
      const result = judge();
      if (result !== null) results.push(result);
    }
    for (const slot of held.values()) largest = Math.max(largest, slot.close(stored));
  }
  const states = new Map<string, Uint8Array>();
  for (const [id, slot] of held) if (slot.bytes !== null) states.set(id, slot.bytes);
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

class HeldSlot<S> implements StateEntry<S> {
  #state: { value: S } | null = null;
  #dirty = false;
  #open = false;
  bytes: Uint8Array | null = null;

  constructor(private readonly memory: StateType<S>) {}

  get state(): S {
    if (!this.#open || this.#state === null) throw new Error(`${this.memory.name}: read before it is judged`);
    return this.#state.value;
  }

  save(state: S): void {
    this.#state = { value: state };
    this.#dirty = true;
  }

  open(): void {
    this.#open = true;
    const { memory, bytes } = this;
    this.#state ??= { value: bytes === null ? memory.empty() : memory.decode(bytes) };
  }

  /** Bytes of the state as it is stored. */
  close(stored: boolean): number {
    this.#open = false;
    if (this.#dirty && this.#state !== null) this.bytes = this.memory.encode(this.#state.value);
    this.#dirty = false;
    if (stored) this.#state = null;
    return this.bytes?.length ?? 0;
  }
}
