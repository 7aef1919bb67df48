import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Counters, Observation } from "../record/observation.ts";

/** Ranks from here on are observations without counters (a DNS transaction, an alert). */
export const RANK_WITHOUT_COUNTERS = 100;

const TRUST_RANK: Record<TrustClass, number> = {
  packet: 0,
  firewall_app: 20,
  exporter: 40,
  inventory: 60,
  derived: 80,
};

/**
 * Rank of an observation as the source of its flow's counters: the lowest wins, ties go to the most complete
 * one (`addObservation`). Packet sensors beat derived reports, both directions beat one, and Zeek's connection
 * record beats Suricata's because it is written once, at the end. The total of a connection beats a delta report,
 * which is a part of it.
 */
export function preference(observation: Observation, trust: TrustClass, isDelta: boolean): number {
  const { counters, source } = observation;
  if (counters === null) return RANK_WITHOUT_COUNTERS + TRUST_RANK[trust];
  return TRUST_RANK[trust] + missingDirections(counters) * 4 + (isDelta ? 2 : source === "zeek" ? 0 : 1);
}

function missingDirections(counters: Counters): number {
  const empty = (direction: Counters["srcToDst"]) => direction.bytes === null && direction.packets === null;
  return Number(empty(counters.srcToDst)) + Number(empty(counters.dstToSrc));
}
