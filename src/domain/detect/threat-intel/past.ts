// What is told of indicators that a list named only after they were met: all that is known then is who met what how
// often, and the flow of the newest time.
import type { FlowState } from "../../flow/flow.ts";
import type { IntelVia } from "../../intel/hits.ts";
import type { Sightings } from "../../intel/sightings.ts";
import { countOf } from "../kernel/detector.ts";
import type { DetectorResult, EvidenceRef } from "../kernel/result.ts";
import { adminPort, sessionWay, type Way } from "./contact.ts";
import { evaluateMet, evaluateVisits, type Party } from "./evaluate.ts";
import { certainty } from "./score.ts";
import { addMeeting, type Contact, MET_INDICATORS } from "./state.ts";
import { addVisit, VISITS } from "./visits.ts";

/** Ways to meet an indicator that are more than words about it. */
const CONTACT_VIAS: ReadonlySet<IntelVia> = new Set([
  "peer",
  "tls_server_name",
  "http_host",
  "url",
  "certificate",
]);
const DNS_PORT = 53;

/** Null where there is nothing to report. `flow` is that of the newest time, null where it is gone. */
export function evaluatePast(
  { match, vias, count, firstSeen, lastSeen, partyIp }: Sightings,
  flow: FlowState | null,
  ref: EvidenceRef,
  party: Party,
): DetectorResult | null {
  const way = pastWay(partyIp, vias, flow);
  if (way.way === "in") {
    if (!way.answered || flow === null) return null;
    const { list, description } = match;
    const visit = {
      at: lastSeen,
      first: true,
      bytesOut: way.bytesOut,
      certainty: certainty(match),
      adminPort: adminPort(way.port),
      ip: flow.src.ip,
      list,
      description: description ?? "",
      ref,
    };
    return evaluateVisits({ ...addVisit(VISITS.empty(), visit), firstSeen, count }, party);
  }
  const { contact, bytesOut, peer } = way;
  const meeting = {
    at: lastSeen,
    contact,
    vias,
    first: true,
    bytesOut,
    peerIp: peer.ip,
    peerPort: peer.port,
    ref,
  };
  return evaluateMet({ ...addMeeting(MET_INDICATORS.empty(), meeting), firstSeen, count }, match, party);
}

function pastWay(partyIp: string, vias: readonly IntelVia[], flow: FlowState | null): Way {
  const nobody = { ip: "", port: null };
  if (!vias.some((via) => CONTACT_VIAS.has(via))) {
    const contact: Contact = vias.includes("dns_query")
      ? "query"
      : vias.includes("dns_answer")
      ? "answer"
      : "fingerprint";
    return { way: "out", contact, bytesOut: 0, peer: nobody };
  }
  if (flow === null) return { way: "out", contact: "contact", bytesOut: 0, peer: nobody };
  const { src, dst, proto, counters: { srcToDst, dstToSrc, semantics } } = flow;
  // The newest flow is the question, of a name that was also called; or told in one direction, by whom nobody knows.
  const isQuestion = dst.port === DNS_PORT && !vias.includes("peer");
  if (isQuestion || (semantics === "unidirectional_export" && src.ip === partyIp)) {
    return { way: "out", contact: "contact", bytesOut: 0, peer: isQuestion ? nobody : dst };
  }
  const sides = {
    bytesOut: srcToDst.bytes,
    packetsOut: srcToDst.packets,
    bytesIn: dstToSrc.bytes,
    packetsIn: dstToSrc.packets,
  };
  return sessionWay({ src, dst, proto, ...sides, newBytesOut: countOf(srcToDst.bytes) }, partyIp);
}
