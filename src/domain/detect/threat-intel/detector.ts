// Contacts of devices with indicators of threat intelligence lists. A contact that a device seeks is one result per
// indicator; listed hosts that contact the device count only if it answers, and are one result together.
import type { PartyHit } from "../../intel/hits.ts";
import type { Detector, Sighting, StateLookup } from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { adminPort, type Direction, directionOf } from "./contact.ts";
import { evaluateMatched, evaluateVisits, THREAT_INTEL } from "./evaluate.ts";
import type { Party } from "./party.ts";
import { partyKey } from "./party.ts";
import { certainty } from "./score.ts";
import { addMatchingRecord, isDueMatched, markMatchedEvaluated, MATCHED_INDICATORS } from "./state.ts";
import { addVisit, isDueVisits, markVisitsEvaluated, VISITS } from "./visits.ts";

/** Indicators evaluated per observation: a list may contain a name, its parent and its address at once. */
const MAX_HITS = 4;

/** The evaluation of one hit; null if it is not due. */
type EvaluateHit = () => Evaluation | null;

interface Evaluation {
  result: DetectorResult | null;
  /** Whether the indicator was reported before. */
  wasReported: boolean;
  /** To be called when the result is reported, or if there is none. */
  markEvaluated: () => void;
}

export const THREAT_INTEL_DETECTOR: Detector = {
  info: THREAT_INTEL,
  states: [MATCHED_INDICATORS, VISITS],
  feeds: ["intel"],
  match(sighting, states) {
    const hits: EvaluateHit[] = [];
    for (const hit of sighting.hits) {
      if (hits.length === MAX_HITS) break;
      const evaluateHit = matchHit(sighting, hit, states);
      if (evaluateHit !== null) hits.push(evaluateHit);
    }
    return hits.length === 0 ? null : () => evaluateHits(hits);
  },
};

type Reportable = Pick<Evaluation, "wasReported"> & { result: DetectorResult };

/**
 * An evaluation reports one result: one that was never reported before the others, then the highest score. The others
 * stay due and are reported with their next record.
 */
function evaluateHits(hits: readonly EvaluateHit[]): DetectorResult | null {
  const due = hits.map((evaluateHit) => evaluateHit()).filter((one) => one !== null);
  let first: Reportable | null = null;
  for (const { result, wasReported, markEvaluated } of due) {
    if (result === null) markEvaluated();
    else if (first === null || precedes({ result, wasReported }, first)) first = { result, wasReported };
  }
  for (const { result, markEvaluated } of due) {
    if (result !== null && result === first?.result) markEvaluated();
  }
  return first?.result ?? null;
}

function precedes(a: Reportable, b: Reportable): boolean {
  return a.wasReported === b.wasReported ? a.result.score > b.result.score : b.wasReported;
}

function matchHit(sighting: Sighting, hit: PartyHit, states: StateLookup): EvaluateHit | null {
  const { partyIp, match, vias } = hit;
  const direction = directionOf(sighting, partyIp, vias);
  const own = sighting.src.ip === partyIp ? sighting.src : sighting.dst;
  const key = partyKey({ deviceId: own.deviceId, ip: partyIp, internal: own.internal });
  const party = {
    deviceId: own.deviceId,
    key,
    name: own.deviceId === null ? partyIp : sighting.site.nameOf(own.deviceId),
  };
  if (direction.direction === "in") {
    return direction.answered ? matchVisit(sighting, direction, hit, party, states) : null;
  }
  const matched = states(MATCHED_INDICATORS, `${key} ${match.kind} ${match.indicator}`);
  const users = states(PREVALENCE, `indicator ${match.kind} ${match.indicator}`);
  return () => {
    const { observation, connection, evidence, deviceCount } = sighting;
    if (addUser(users.state, key, observation.start)) users.save(users.state);
    const state = addMatchingRecord(matched.state, {
      at: observation.end,
      contact: direction.contact,
      vias,
      first: connection?.first !== false,
      bytesOut: direction.bytesOut,
      peerIp: direction.peer.ip,
      peerPort: direction.peer.port,
      ref: evidence,
    });
    matched.save(state);
    if (!isDueMatched(state)) return null;
    return {
      result: evaluateMatched(state, match, { ...party, users: users.state.users.count, deviceCount }),
      wasReported: state.evaluated.count > 0,
      markEvaluated: () => markMatchedEvaluated(state),
    };
  };
}

function matchVisit(
  sighting: Sighting,
  visit: Direction & { direction: "in" },
  { partyIp, match }: PartyHit,
  party: Omit<Party, "users" | "deviceCount">,
  states: StateLookup,
): EvaluateHit {
  const visits = states(VISITS, party.key);
  return () => {
    const { observation, connection, evidence, src, dst, deviceCount } = sighting;
    const state = addVisit(visits.state, {
      at: observation.end,
      first: connection?.first !== false,
      // Every update of a flow repeats its totals, so only the first one counts.
      bytesOut: connection === null || connection.first ? visit.bytesOut : 0,
      certainty: certainty(match),
      adminPort: adminPort(visit.port),
      ip: src.ip === partyIp ? dst.ip : src.ip,
      list: match.list,
      description: match.description ?? "",
      ref: evidence,
    });
    visits.save(state);
    if (!isDueVisits(state)) return null;
    return {
      result: evaluateVisits(state, { ...party, users: 0, deviceCount }),
      wasReported: state.evaluated.visitors > 0,
      markEvaluated: () => markVisitsEvaluated(state),
    };
  };
}
