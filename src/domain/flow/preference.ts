import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Counters, Observation } from "../record/observation.ts";

/** From this rank on an observation has no counters to give (a DNS transaction, an alert). */
export const RANK_WITHOUT_COUNTERS = 100;

const TRUST_RANK: Record<TrustClass, number> = {
  packet: 0,
  firewall_app: 20,
  exporter: 40,
  inventory: 60,
  derived: 80,
};

/**
 * Which of a flow's observations its counters come from: the lowest rank, the first of equals. What saw the
 * packets goes before what was told about them, both directions before one, Zeek's record of the connection
 * before Suricata's (it is written once, at the end).
 */
export function preference(observation: Observation, trust: TrustClass): number {
  const { counters } = observation;
  if (counters === null) return RANK_WITHOUT_COUNTERS + TRUST_RANK[trust];
  return TRUST_RANK[trust] + missingDirections(counters) * 4 + (observation.source === "zeek" ? 0 : 1);
}

function missingDirections(counters: Counters): number {
  const empty = (direction: Counters["srcToDst"]) => direction.bytes === null && direction.packets === null;
  return Number(empty(counters.srcToDst)) + Number(empty(counters.dstToSrc));
}
