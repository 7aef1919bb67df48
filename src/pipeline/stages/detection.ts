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
import { DETECTORS } from "../../domain/detect/registry.ts";
import type { PartyHit } from "../../domain/intel/hits.ts";
import type { Endpoint } from "../../domain/record/observation.ts";
import type { Database } from "../../store/engine/database.ts";
import type { StateChanges } from "../../store/detector/journal.ts";
import type { Step } from "./correlate.ts";
import type { KnownDevice } from "../../store/device/write.ts";
import type { DeviceRoster, RosterAddress } from "./devices.ts";
import type { Finding } from "./incidents.ts";
import type { Faults } from "./faults.ts";
import type { StateCache } from "../state/state-cache.ts";
import type { Turns } from "../run/turns.ts";

/** Sightings between two looks at the clock. */
const SLICE_SIGHTINGS = 32;
/** Sightings whose memories are read together; what they need besides is garbage before the next ones come. */
const READ_SIGHTINGS = 1024;

interface DetectionInput {
  steps: readonly Step[];
  roster: DeviceRoster;
  networksAssumed: boolean;
  /** Indicators that the steps met, by the step's index. */
  hits: ReadonlyMap<number, readonly PartyHit[]>;
}

export interface Detection {
  /** What the detectors say, in the order of arrival. */
  findings: Finding[];
  /** What they remember from now on, to be written with the round's other effects. */
  remembered: StateChanges;
}

/**
 * Lets every detector see the observations of a round, which follows batch `span.after` and ends with `span.last`. It
 * writes nothing.
 */
export async function detect(
  db: Database,
  tenantId: string,
  input: DetectionInput,
  span: { after: number; last: number },
  memories: StateCache,
  turns: Turns,
  detectors: readonly Detector[] = DETECTORS,
): Promise<Detection> {
  memories.begin(span.after);
  const { steps } = input;
  const learning = memories.need(LEARNING, "");
  await memories.load(db, tenantId);
  const audience = new Dispatcher(input, memories, learning, detectors);

  /** Everybody says what these will need, so that one query brings it. */
  const attendAll = async (from: number): Promise<Group> => {
    const to = Math.min(steps.length, from + READ_SIGHTINGS);
    const attended = new Attended(from);
    for (let at = from; at < to; at += SLICE_SIGHTINGS) {
      if (turns.due) await turns.next();
      audience.attend(at, Math.min(to, at + SLICE_SIGHTINGS), attended);
    }
    const loaded = memories.load(db, tenantId);
    // A failure shows where it is waited for.
    loaded.catch(() => {});
    return { from, to, attended, loaded };
  };
  const judgeAll = async ({ from, to, attended }: Group): Promise<void> => {
    for (let at = from; at < to; at += SLICE_SIGHTINGS) {
      if (turns.due) await turns.next();
      audience.judge(at, Math.min(to, at + SLICE_SIGHTINGS), attended);
    }
  };

  // While the database brings what the next ones need, these are judged.
  let group = await attendAll(0);
  for (;;) {
    await group.loaded;
    const following = group.to < steps.length ? await attendAll(group.to) : null;
    await judgeAll(group);
    if (following === null) break;
    group = following;
  }
  return { findings: audience.findings, remembered: memories.end(span.last) };
}

/** Sightings whose memories are read together. */
interface Group {
  from: number;
  to: number;
  attended: Attended;
  /** Resolves when they are here. */
  loaded: Promise<void>;
}

type Shown = Sighting & { learned: boolean };

/**
 * What steps were shown as, and what detectors want to do about them, in the order of arrival. Lists side by side: an
 * object for each judgement would live just long enough for the collector to copy it.
 */
class Attended {
  readonly #sightings: Shown[] = [];
  /** Of each step, the place behind its last judgement. */
  readonly #ends: number[] = [];
  readonly #detectors: Detector[] = [];
  readonly #judgements: Evaluate[] = [];

  /** @param from The first step's place. */
  constructor(private readonly from: number) {}

  add(detector: Detector, judge: Evaluate): void {
    this.#detectors.push(detector);
    this.#judgements.push(judge);
  }

  /** The next step was shown as this; what was added since the one before is about it. */
  close(sighting: Shown): void {
    this.#sightings.push(sighting);
    this.#ends.push(this.#judgements.length);
  }

  sightingOf(at: number): Shown {
    return this.#sightings[at - this.from]!;
  }

  /** Places of the judgements about a step: from the first to before the second. */
  firstOf(at: number): number {
    return at === this.from ? 0 : this.#ends[at - this.from - 1]!;
  }

  endOf(at: number): number {
    return this.#ends[at - this.from]!;
  }

  detector(place: number): Detector {
    return this.#detectors[place]!;
  }

  judgement(place: number): Evaluate {
    return this.#judgements[place]!;
  }
}

/** The detectors, each step shown to those that listen to it. What is done for each is kept out of loops that wait. */
class Dispatcher {
  readonly findings: Finding[] = [];
  readonly #byFeed: ReadonlyMap<Feed, readonly Detector[]>;
  readonly #site: DetectorSite;
  readonly #need: StateLookup;

  constructor(
    private readonly input: DetectionInput,
    private readonly memories: StateCache,
    private readonly learning: StateEntry<Learning>,
    detectors: readonly Detector[],
  ) {
    this.#byFeed = listeners(detectors);
    this.#site = siteOf(input.roster, input.networksAssumed);
    this.#need = (memory, key) => memories.need(memory, key);
  }

  /** Shows the steps from place `from` to before `to`, and adds what they lead to. */
  attend(from: number, to: number, attended: Attended): void {
    const { steps, hits } = this.input;
    for (let at = from; at < to; at++) this.#attend(steps[at]!, hits.get(at) ?? NO_HITS, attended);
  }

  #attend(step: Step, hits: readonly PartyHit[], attended: Attended): void {
    const { connection, newDevices, record } = step;
    const { facts } = record.observation;
    const sighting = toSighting(step, hits, this.#site);
    if (newDevices.length > 0) this.#show(sighting, "device", attended);
    if (connection !== null) this.#show(sighting, connection.first ? "connection" : "growth", attended);
    if (facts !== null) this.#show(sighting, facts.type, attended);
    if (hits.length > 0) this.#show(sighting, "intel", attended);
    attended.close(sighting);
  }

  #show(sighting: Shown, feed: Feed, attended: Attended): void {
    const detectors = this.#byFeed.get(feed);
    if (detectors === undefined) return;
    for (let index = 0; index < detectors.length; index++) {
      const detector = detectors[index]!;
      const judge = attend(detector, sighting, this.#need, this.memories.faults);
      if (judge !== null) attended.add(detector, judge);
    }
  }

  /** Judges what the steps from place `from` to before `to` led to; the memories for it have been loaded. */
  judge(from: number, to: number, attended: Attended): void {
    const { steps } = this.input;
    for (let at = from; at < to; at++) {
      this.#learn(steps[at]!);
      this.#judge(at, attended);
    }
  }

  #learn({ record }: Step): void {
    const { state } = this.learning;
    if (learnFrom(state, record.observation.start)) this.learning.save(state);
  }

  #judge(at: number, attended: Attended): void {
    const sighting = attended.sightingOf(at);
    sighting.learned = this.learning.state.complete;
    const end = attended.endOf(at);
    for (let place = attended.firstOf(at); place < end; place++) {
      const result = judged(attended.detector(place), attended.judgement(place), this.memories.faults);
      if (result !== null) this.findings.push({ trigger: sighting.evidence.evidenceId, result });
    }
  }
}

// A detector that fails says nothing; that is noted, and harms nobody else.

function attend(detector: Detector, sighting: Sighting, need: StateLookup, faults: Faults): Evaluate | null {
  try {
    return detector.match(sighting, need);
  } catch (error) {
    faults.note(`detector ${detector.info.modelId}`, error);
    return null;
  }
}

function judged(detector: Detector, judge: Evaluate, faults: Faults): DetectorResult | null {
  try {
    return judge();
  } catch (error) {
    faults.note(`detector ${detector.info.modelId}`, error);
    return null;
  }
}

const NO_HITS: readonly PartyHit[] = [];

function listeners(detectors: readonly Detector[]): Map<Feed, Detector[]> {
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

function toSighting(
  step: Step,
  hits: readonly PartyHit[],
  site: DetectorSite,
): Shown {
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

/** Detectors follow the device that shows: a machine stays itself when it changes its address. */
function toParty({ port }: Endpoint, { ip, internal }: RosterAddress, device: KnownDevice | null): Party {
  return { ip, port, deviceId: device?.survivorId ?? null, internal };
}
