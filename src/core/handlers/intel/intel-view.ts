import type { Geo } from "../../../contract/intel/geo.ts";
import type { IntelMatch, IntelReference } from "../../../contract/intel/intel.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { KnownMatch } from "../../../store/intel/match.ts";
import type { HandlerDeps } from "../deps.ts";

/** Location and network of an address; null if unknown. */
export type GeoOf = (ip: string) => Geo | null;

export function geoFinder(geoip: HandlerDeps["geoip"]): GeoOf {
  if (geoip === undefined) return () => null;
  return (ip) => {
    const { country, city, asn, asOrganisation: as_organisation } = geoip.lookup(ip);
    if (country === null && city === null && asn === null && as_organisation === null) return null;
    return { country, city, asn, as_organisation };
  };
}

/** Indicators shown per flow or destination. */
const MAX_REFERENCES = 8;

/** The threat marker of a flow or destination and its indicators, currently listed ones first. */
export function intelMarker(
  matches: readonly KnownMatch[],
): { threat_intelligence: boolean; intel: IntelReference[] } {
  if (matches.length === 0) return { threat_intelligence: false, intel: [] };
  const references = new Map<string, IntelReference>();
  for (const known of [...matches].sort((a, b) => Number(b.listed) - Number(a.listed))) {
    references.set(`${known.match.kind} ${known.match.indicator}`, referenceView(known));
  }
  const intel = [...references.values()].slice(0, MAX_REFERENCES);
  return { threat_intelligence: intel.some(({ listed }) => listed), intel };
}

export function intelMatchView(known: KnownMatch): IntelMatch {
  return {
    ...referenceView(known),
    ip: known.partyIp,
    via: known.vias,
    count: known.count,
    first_seen: formatMillis(known.firstSeen),
    last_seen: formatMillis(known.lastSeen),
    evidence_id: known.evidenceId,
    flow_id: known.flowId,
  };
}

function referenceView({ match, listed }: KnownMatch): IntelReference {
  const { list, kind, indicator, description, confidence } = match;
  return { list, kind, indicator, description, confidence, listed };
}
