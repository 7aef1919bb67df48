// What a device has to do with what threat intelligence lists name. A contact that a device seeks is one thing for each
// indicator; listed hosts that seek the device only count where it answers, and are told together.
import type { PartyHit } from "../../intel/hits.ts";
import type { Detector, Sighting, StateLookup } from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import type { DetectorResult } from "../kernel/result.ts";
import { adminPort, type Way, wayOf } from "./contact.ts";
import { evaluateMet, evaluateVisits, type Party, THREAT_INTEL } from "./evaluate.ts";
import { certainty } from "./score.ts";
import { addMeeting, isDueMet, markMetEvaluated, MET_INDICATORS } from "./state.ts";
import { addVisit, isDueVisits, markVisitsEvaluated, VISITS } from "./visits.ts";

/** Indicators taken up of one observation: a list may name a name, its parent, its address and more, and say nothing new. */
const MAX_HITS = 4;

/** What is to be told of one hit, and what is done once it is told, or there is nothing to tell. */
type Heard = () => { result: DetectorResult | null; told: boolean; markTold: () => void } | null;

export const THREAT_INTEL_DETECTOR: Detector = {
  info: THREAT_INTEL,
  feeds: ["intel"],
  match(sighting, need) {
    const heard: Heard[] = [];
    for (const hit of sighting.hits) {
      if (heard.length === MAX_HITS) break;
      const one = attendHit(sighting, hit, need);
      if (one !== null) heard.push(one);
    }
    return heard.length === 0 ? null : () => tell(heard);
  },
};

/**
 * A judgement tells one thing: what was never told before the rest, then the worst. The others stay due, and are told
 * with their next record.
 */
function tell(heard: readonly Heard[]): DetectorResult | null {
  const due = heard.map((one) => one()).filter((one) => one !== null);
  let first: Told | null = null;
  for (const { result, told, markTold } of due) {
    if (result === null) markTold();
    else if (first === null || isBefore({ result, told }, first)) first = { result, told };
  }
  for (const { result, markTold } of due) if (result !== null && result === first?.result) markTold();
  return first?.result ?? null;
}

type Told = { result: DetectorResult; told: boolean };

function isBefore(a: Told, b: Told): boolean {
  return a.told === b.told ? a.result.score > b.result.score : b.told;
}

function attendHit(sighting: Sighting, hit: PartyHit, need: StateLookup): Heard | null {
  const { partyIp, match, vias } = hit;
  const way = wayOf(sighting, partyIp, vias);
  const own = sighting.src.ip === partyIp ? sighting.src : sighting.dst;
  const key = own.deviceId ?? partyIp;
  const party = {
    deviceId: own.deviceId,
    key,
    name: own.deviceId === null ? partyIp : sighting.site.nameOf(own.deviceId),
  };
  if (way.way === "in") return way.answered ? attendVisit(sighting, way, hit, party, need) : null;
  const met = need(MET_INDICATORS, `${key} ${match.kind} ${match.indicator}`);
  const users = need(PREVALENCE, `indicator ${match.kind} ${match.indicator}`);
  return () => {
    const { observation, connection, evidence, deviceCount } = sighting;
    if (addUser(users.state, key, observation.start)) users.save(users.state);
    const state = addMeeting(met.state, {
      at: observation.end,
      contact: way.contact,
      vias,
      first: connection?.first !== false,
      bytesOut: way.bytesOut,
      peerIp: way.peer.ip,
      peerPort: way.peer.port,
      ref: evidence,
    });
    met.save(state);
    if (!isDueMet(state)) return null;
    const result = evaluateMet(state, match, { ...party, users: users.state.users.count, deviceCount });
    return { result, told: state.evaluated.count > 0, markTold: () => markMetEvaluated(state) };
  };
}

function attendVisit(
  sighting: Sighting,
  way: Way & { way: "in" },
  { partyIp, match }: PartyHit,
  party: Omit<Party, "users" | "deviceCount">,
  need: StateLookup,
): Heard {
  const visits = need(VISITS, party.key);
  return () => {
    const { observation, connection, evidence, src, dst, deviceCount } = sighting;
    const state = addVisit(visits.state, {
      at: observation.end,
      first: connection?.first !== false,
      // The sums of a flow that grows are told again with every record.
      bytesOut: connection === null || connection.first ? way.bytesOut : 0,
      certainty: certainty(match),
      adminPort: adminPort(way.port),
      ip: src.ip === partyIp ? dst.ip : src.ip,
      list: match.list,
      description: match.description ?? "",
      ref: evidence,
    });
    visits.save(state);
    if (!isDueVisits(state)) return null;
    const result = evaluateVisits(state, { ...party, users: 0, deviceCount });
    return { result, told: state.evaluated.visitors > 0, markTold: () => markVisitsEvaluated(state) };
  };
}
