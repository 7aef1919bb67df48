// Contacts from before an indicator was listed. All that is known of them is who matched the indicator, how often, and the
// newest flow.
import type { FlowState } from "../../flow/flow.ts";
import type { IntelVia } from "../../intel/hits.ts";
import type { Sightings } from "../../intel/sightings.ts";
import { countOf } from "../kernel/detector.ts";
import type { DetectorResult, EvidenceRef } from "../kernel/result.ts";
import { adminPort, type Direction, sessionDirection } from "./contact.ts";
import { evaluateMatched, evaluateVisits } from "./evaluate.ts";
import type { Party } from "./party.ts";
import { certainty } from "./score.ts";
import { addMatchingRecord, type Contact, MATCHED_INDICATORS } from "./state.ts";
import { addVisit, VISITS } from "./visits.ts";

/** Ways that show a contact with the indicator and not only a mention of it. */
const CONTACT_VIAS: ReadonlySet<IntelVia> = new Set([
  "peer",
  "tls_server_name",
  "http_host",
  "url",
  "certificate",
]);
const DNS_PORT = 53;

/** Null if there is nothing to report. `flow` is the newest one, null if it has expired. */
export function evaluatePast(
  { match, vias, count, firstSeen, lastSeen, partyIp }: Sightings,
  flow: FlowState | null,
  ref: EvidenceRef,
  party: Party,
): DetectorResult | null {
  const direction = pastDirection(partyIp, vias, flow);
  if (direction.direction === "in") {
    if (!direction.answered || flow === null) return null;
    const { list, description } = match;
    const visit = {
      at: lastSeen,
      first: true,
      bytesOut: direction.bytesOut,
      certainty: certainty(match),
      adminPort: adminPort(direction.port),
      ip: flow.src.ip,
      list,
      description: description ?? "",
      ref,
    };
    return evaluateVisits({ ...addVisit(VISITS.empty(), visit), firstSeen, count }, party);
  }
  const { contact, bytesOut, peer } = direction;
  const record = {
    at: lastSeen,
    contact,
    vias,
    first: true,
    bytesOut,
    peerIp: peer.ip,
    peerPort: peer.port,
    ref,
  };
  return evaluateMatched(
    { ...addMatchingRecord(MATCHED_INDICATORS.empty(), record), firstSeen, count },
    match,
    party,
  );
}

function pastDirection(partyIp: string, vias: readonly IntelVia[], flow: FlowState | null): Direction {
  const noPeer = { ip: "", port: null };
  if (!vias.some((via) => CONTACT_VIAS.has(via))) {
    const contact: Contact = vias.includes("dns_query")
      ? "query"
      : vias.includes("dns_answer")
      ? "answer"
      : "fingerprint";
    return { direction: "out", contact, bytesOut: 0, peer: noPeer };
  }
  if (flow === null) return { direction: "out", contact: "contact", bytesOut: 0, peer: noPeer };
  const { src, dst, proto, counters: { srcToDst, dstToSrc, semantics } } = flow;
  // The newest flow may be the lookup of a name that was also contacted, or seen in one direction only, so the
  // originator is unknown.
  const isLookup = dst.port === DNS_PORT && !vias.includes("peer");
  if (isLookup || (semantics === "unidirectional_export" && src.ip === partyIp)) {
    return { direction: "out", contact: "contact", bytesOut: 0, peer: isLookup ? noPeer : dst };
  }
  const sides = {
    bytesOut: srcToDst.bytes,
    packetsOut: srcToDst.packets,
    bytesIn: dstToSrc.bytes,
    packetsIn: dstToSrc.packets,
  };
  return sessionDirection({ src, dst, proto, ...sides, newBytesOut: countOf(srcToDst.bytes) }, partyIp);
}
