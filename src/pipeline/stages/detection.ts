import type {
  Detector,
  DetectorSite,
  Evaluate,
  Feed,
  Party,
  Sighting,
  StateEntry,
  StateLookup,
} from "../../domain/detect/kernel/detector.ts";
import { learnFrom, LEARNING, type Learning } from "../../domain/detect/kernel/learning.ts";
import type { DetectorResult } from "../../domain/detect/kernel/result.ts";
import { noteNetworks, SEEN_NETWORKS, type SeenNetworks } from "../../domain/health/local-networks.ts";
import type { PartyHit } from "../../domain/intel/hits.ts";
import type { Endpoint } from "../../domain/record/observation.ts";
import type { KnownDevice } from "../../store/device/write.ts";
import { type StateChanges, writeStateChanges } from "../../store/detector/journal.ts";
import type { Faults } from "../state/faults.ts";
import type { StateCache } from "../state/state-cache.ts";
import type { Step } from "./correlate.ts";
import type { DeviceRoster, RosterAddress } from "./devices.ts";
import { flows } from "./flows.ts";
import type { Finding } from "./incident-round.ts";
import { intelMatches } from "./intel.ts";
import type { Preparation, Round, Stage } from "./stage.ts";

/** Sightings between two checks of the clock. */
const SLICE_SIGHTINGS = 32;
/** Sightings whose states are read together; what they allocate is garbage before the next group begins. */
const GROUP_SIGHTINGS = 1024;

interface Detection {
  /** Results of the detectors, in the order of arrival. */
  findings: Finding[];
  /** Changed detector states, written with the round's other effects. */
  changes: StateChanges;
}

/** Shows every observation to the detectors that subscribe to it, and writes their states. */
export const detection: Stage<Detection> = {
  prepare: detect,

  *write({ tx }, { changes }, round) {
    yield writeStateChanges(tx, round.basis.tenantId, changes);
  },
};

async function detect(round: Round, preparation: Preparation): Promise<Detection> {
  const { tenantId, before, last } = round.basis;
  const { db, states, slice } = preparation;
  states.begin(before.batchNo);
  const learning = states.lookup(LEARNING, "");
  const networks = states.lookup(SEEN_NETWORKS, "");
  await states.load(db, tenantId);
  const dispatcher = new Dispatcher(round, preparation, { learning, networks });
  const { count } = dispatcher;

  /** Collects the lookups of a group, so that one query loads its states. */
  const matchGroup = async (from: number): Promise<Group> => {
    const to = Math.min(count, from + GROUP_SIGHTINGS);
    const matched = new Matched(from);
    for (let at = from; at < to; at += SLICE_SIGHTINGS) {
      if (slice.over) await slice.yield();
      dispatcher.match(at, Math.min(to, at + SLICE_SIGHTINGS), matched);
    }
    const loaded = states.load(db, tenantId);
    // A failure is reported where the group is awaited.
    loaded.catch(() => {});
    return { from, to, matched, loaded };
  };
  const evaluateGroup = async ({ from, to, matched }: Group): Promise<void> => {
    for (let at = from; at < to; at += SLICE_SIGHTINGS) {
      if (slice.over) await slice.yield();
      dispatcher.evaluate(at, Math.min(to, at + SLICE_SIGHTINGS), matched);
    }
  };

  // While the database loads the states of the next group, this one is evaluated.
  let group = await matchGroup(0);
  for (;;) {
    await group.loaded;
    const following = group.to < count ? await matchGroup(group.to) : null;
    await evaluateGroup(group);
    if (following === null) break;
    group = following;
  }
  return { findings: dispatcher.findings, changes: states.end(last) };
}

/** Sightings whose states are read together. */
interface Group {
  from: number;
  to: number;
  matched: Matched;
  /** Resolves when their states are in memory. */
  loaded: Promise<void>;
}

type StepSighting = Sighting & { learned: boolean };

/**
 * The sightings of steps and the evaluations that detectors want to run, in the order of arrival. Parallel arrays: an
 * object per evaluation would live just long enough for the garbage collector to copy it.
 */
class Matched {
  readonly #sightings: StepSighting[] = [];
  /** Per step, the index after its last evaluation. */
  readonly #ends: number[] = [];
  readonly #detectors: Detector[] = [];
  readonly #evaluations: Evaluate[] = [];

  /** @param from Index of the first step. */
  constructor(private readonly from: number) {}

  add(detector: Detector, evaluate: Evaluate): void {
    this.#detectors.push(detector);
    this.#evaluations.push(evaluate);
  }

  /** Ends the next step: the evaluations added since the previous call belong to it. */
  close(sighting: StepSighting): void {
    this.#sightings.push(sighting);
    this.#ends.push(this.#evaluations.length);
  }

  sightingOf(step: number): StepSighting {
    return this.#sightings[step - this.from]!;
  }

  /** The evaluations of a step: from this index to before `endOf`. */
  firstOf(step: number): number {
    return step === this.from ? 0 : this.#ends[step - this.from - 1]!;
  }

  endOf(step: number): number {
    return this.#ends[step - this.from]!;
  }

  detector(index: number): Detector {
    return this.#detectors[index]!;
  }

  evaluation(index: number): Evaluate {
    return this.#evaluations[index]!;
  }
}

/** States about the tenant as a whole, which every step may change. */
interface TenantStates {
  learning: StateEntry<Learning>;
  networks: StateEntry<SeenNetworks>;
}

/** Shows steps to the detectors that subscribe to them. Work per step is kept out of loops that await. */
class Dispatcher {
  readonly findings: Finding[] = [];
  readonly #steps: readonly Step[];
  readonly #hits: ReadonlyMap<number, readonly PartyHit[]>;
  readonly #byFeed: ReadonlyMap<Feed, readonly Detector[]>;
  readonly #site: DetectorSite;
  readonly #states: StateCache;
  readonly #lookup: StateLookup;

  constructor(
    round: Round,
    { states, detectors }: Preparation,
    private readonly tenant: TenantStates,
  ) {
    const { devices, correlation } = round.of(flows);
    this.#steps = correlation.steps;
    this.#hits = round.of(intelMatches);
    this.#byFeed = detectorsByFeed(detectors);
    this.#site = siteOf(devices, round.basis.settings.networksAssumed);
    this.#states = states;
    this.#lookup = (type, key) => states.lookup(type, key);
  }

  /** Number of steps. */
  get count(): number {
    return this.#steps.length;
  }

  /** Shows the steps from index `from` to before `to`, and adds the evaluations that detectors want. */
  match(from: number, to: number, matched: Matched): void {
    for (let at = from; at < to; at++) {
      this.#match(this.#steps[at]!, this.#hits.get(at) ?? NO_HITS, matched);
    }
  }

  #match(step: Step, hits: readonly PartyHit[], matched: Matched): void {
    const { connection, newDevices, record } = step;
    const { facts } = record.observation;
    const sighting = toSighting(step, hits, this.#site);
    if (newDevices.length > 0) this.#show(sighting, "device", matched);
    if (connection !== null) this.#show(sighting, connection.first ? "connection" : "growth", matched);
    if (facts !== null) this.#show(sighting, facts.type, matched);
    if (hits.length > 0) this.#show(sighting, "intel", matched);
    matched.close(sighting);
  }

  #show(sighting: StepSighting, feed: Feed, matched: Matched): void {
    const detectors = this.#byFeed.get(feed);
    if (detectors === undefined) return;
    for (let index = 0; index < detectors.length; index++) {
      const detector = detectors[index]!;
      const evaluate = tryMatch(detector, sighting, this.#lookup, this.#states.faults);
      if (evaluate !== null) matched.add(detector, evaluate);
    }
  }

  /** Runs the evaluations of the steps from index `from` to before `to`; their states are loaded. */
  evaluate(from: number, to: number, matched: Matched): void {
    for (let at = from; at < to; at++) {
      this.#learn(matched.sightingOf(at));
      this.#evaluate(at, matched);
    }
  }

  #learn(sighting: Sighting): void {
    const { learning, networks } = this.tenant;
    if (learnFrom(learning.state, sighting.observation.start)) learning.save(learning.state);
    if (noteNetworks(networks.state, sighting)) networks.save(networks.state);
  }

  #evaluate(step: number, matched: Matched): void {
    const sighting = matched.sightingOf(step);
    sighting.learned = this.tenant.learning.state.complete;
    const end = matched.endOf(step);
    for (let index = matched.firstOf(step); index < end; index++) {
      const result = tryEvaluate(matched.detector(index), matched.evaluation(index), this.#states.faults);
      if (result === null) continue;
      const { receivedAt } = this.#steps[step]!.record;
      this.findings.push({ trigger: sighting.evidence.evidenceId, receivedAt, result });
    }
  }
}

// A detector that throws yields no result; the fault is noted, and the other detectors are not affected.

function tryMatch(
  detector: Detector,
  sighting: Sighting,
  lookup: StateLookup,
  faults: Faults,
): Evaluate | null {
  try {
    return detector.match(sighting, lookup);
  } catch (error) {
    faults.note(`detector ${detector.info.modelId}`, error);
    return null;
  }
}

function tryEvaluate(detector: Detector, evaluate: Evaluate, faults: Faults): DetectorResult | null {
  try {
    return evaluate();
  } catch (error) {
    faults.note(`detector ${detector.info.modelId}`, error);
    return null;
  }
}

const NO_HITS: readonly PartyHit[] = [];

function detectorsByFeed(detectors: readonly Detector[]): Map<Feed, Detector[]> {
  const byFeed = new Map<Feed, Detector[]>();
  for (const detector of detectors) {
    for (const feed of detector.feeds) {
      const known = byFeed.get(feed);
      if (known) known.push(detector);
      else byFeed.set(feed, [detector]);
    }
  }
  return byFeed;
}

function siteOf(roster: DeviceRoster, networksAssumed: boolean): DetectorSite {
  return {
    nameOf: (deviceId) => roster.nameOf(deviceId),
    isInternal: (ip) => roster.isInternal(ip),
    networksAssumed,
    confirmedType: (deviceId) => roster.confirmedType(deviceId),
  };
}

function toSighting(step: Step, hits: readonly PartyHit[], site: DetectorSite): StepSighting {
  const { record, flowId, connection, newDevices, deviceCount, historySince } = step;
  const { observation, evidenceId } = record;
  return {
    observation,
    evidence: { evidenceId, observedAt: observation.observedAt, flowId },
    src: toParty(observation.src, step.src, step.srcDevice),
    dst: toParty(observation.dst, step.dst, step.dstDevice),
    connection,
    newDevices,
    hits,
    deviceCount,
    historySince,
    learned: false,
    site,
  };
}

/** Detectors see the surviving device of a merge: a machine keeps its identity when its address changes. */
function toParty({ port }: Endpoint, { ip, internal }: RosterAddress, device: KnownDevice | null): Party {
  return { ip, port, deviceId: device?.survivorId ?? null, internal };
}
