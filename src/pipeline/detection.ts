import type {
  Detector,
  DetectorSite,
  Feed,
  Judgement,
  Need,
  Party,
  Sighting,
} from "../domain/detect/detector.ts";
import { learnFrom, LEARNING } from "../domain/detect/learning.ts";
import type { DetectorResult } from "../domain/detect/result.ts";
import { DETECTORS } from "../domain/detect/registry.ts";
import type { PartyHit } from "../domain/intel/hits.ts";
import type { Endpoint } from "../domain/records/observation.ts";
import type { Database } from "../store/database.ts";
import type { MemoryChanges } from "../store/detector-journal.ts";
import type { Step } from "./correlate.ts";
import type { KnownDevice } from "../store/device-write.ts";
import type { DeviceRoster, RosterAddress } from "./devices.ts";
import type { Finding } from "./incidents.ts";
import type { Faults } from "./faults.ts";
import type { Memories } from "./memories.ts";
import type { Turns } from "./turns.ts";

/** Sightings between two looks at the clock. */
const SLICE_SIGHTINGS = 32;
/** Sightings whose memories are read together; what they need besides is garbage before the next ones come. */
const READ_SIGHTINGS = 1024;

export interface DetectionInput {
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
  remembered: MemoryChanges;
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
  memories: Memories,
  turns: Turns,
  detectors: readonly Detector[] = DETECTORS,
): Promise<Detection> {
  memories.begin(span.after);
  const { steps } = input;
  const byFeed = listeners(detectors);
  const site = siteOf(input.roster, input.networksAssumed);
  const learning = memories.need(LEARNING, "");
  await memories.load(db, tenantId);
  const need: Need = (memory, key) => memories.need(memory, key);
  const findings: Finding[] = [];

  /** Everybody says what these will need, so that one query brings it. */
  const attendAll = async (from: number): Promise<Group> => {
    const to = Math.min(steps.length, from + READ_SIGHTINGS);
    const attended: Attended[] = [];
    for (let at = from; at < to; at++) {
      if (at % SLICE_SIGHTINGS === 0 && turns.due) await turns.next();
      const hits = input.hits.get(at) ?? NO_HITS;
      const feeds = feedsOf(steps[at]!, hits);
      const sighting = toSighting(steps[at]!, hits, site);
      for (const feed of feeds) {
        for (const detector of byFeed.get(feed) ?? []) {
          const judge = attend(detector, sighting, need, memories.faults);
          if (judge !== null) attended.push({ at, sighting, detector, judge });
        }
      }
    }
    const loaded = memories.load(db, tenantId);
    // A failure shows where it is waited for.
    loaded.catch(() => {});
    return { from, to, attended, loaded };
  };
  const judgeAll = async ({ from, to, attended }: Group): Promise<void> => {
    let next = 0;
    for (let at = from; at < to; at++) {
      if (at % SLICE_SIGHTINGS === 0 && turns.due) await turns.next();
      if (learnFrom(learning.state, steps[at]!.record.observation.start)) learning.keep(learning.state);
      for (; next < attended.length && attended[next]!.at === at; next++) {
        const { sighting, detector, judge } = attended[next]!;
        sighting.learned = learning.state.complete;
        const result = judged(detector, judge, memories.faults);
        if (result !== null) findings.push({ trigger: sighting.evidence.evidenceId, result });
      }
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
  return { findings, remembered: memories.end(span.last) };
}

/** Sightings whose memories are read together. */
interface Group {
  from: number;
  to: number;
  attended: Attended[];
  /** Resolves when they are here. */
  loaded: Promise<void>;
}

interface Attended {
  at: number;
  sighting: Sighting & { learned: boolean };
  detector: Detector;
  judge: Judgement;
}

// A detector that fails says nothing; that is noted, and harms nobody else.

function attend(detector: Detector, sighting: Sighting, need: Need, faults: Faults): Judgement | null {
  try {
    return detector.attend(sighting, need);
  } catch (error) {
    faults.note(`detector ${detector.info.modelId}`, error);
    return null;
  }
}

function judged(detector: Detector, judge: Judgement, faults: Faults): DetectorResult | null {
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

function feedsOf({ connection, newDevices, record }: Step, hits: readonly PartyHit[]): Feed[] {
  const feeds: Feed[] = [];
  if (newDevices.length > 0) feeds.push("device");
  if (connection !== null) feeds.push(connection.first ? "connection" : "growth");
  const { facts } = record.observation;
  if (facts !== null) feeds.push(facts.type);
  if (hits.length > 0) feeds.push("intel");
  return feeds;
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
): Sighting & { learned: boolean } {
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
