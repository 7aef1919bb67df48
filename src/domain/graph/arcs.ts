import { compareCounts } from "./choice.ts";
import { byText, type End, type EndGraph, severityOfRank } from "./ends.ts";
import type { Arc, Coordinates } from "./graph.ts";
import type { GraphInput } from "./input.ts";
import { coordinatesOf, networkLabel, timesOf, type Together, together } from "./shown.ts";

/**
 * One arc from the site's home to each network and place; none without a home. Addresses without coordinates have none.
 * The most important arcs are kept.
 */
export function buildArcs(
  input: GraphInput,
  { ends, totals }: Pick<EndGraph, "ends" | "totals">,
  most: number,
): { arcs: Arc[]; omitted: number } {
  const home = input.site.home_coordinates;
  if (home === null) return { arcs: [], omitted: 0 };
  const targets = new Map<string, { target: Coordinates; members: End[] }>();
  for (const end of ends) {
    const target = coordinatesOf(end.place);
    if (target === null) continue;
    const id = arcId(end, target);
    const known = targets.get(id);
    if (known === undefined) targets.set(id, { target, members: [end] });
    else known.members.push(end);
  }
  const arcs = [...targets].map(([id, { target, members }]) => {
    const sum = together(members, totals);
    return { rank: sum.rank, arc: toArc(input, home, id, target, members, sum) };
  });
  arcs.sort((a, b) =>
    b.rank - a.rank || Number(b.arc.intel) - Number(a.arc.intel) ||
    compareCounts(b.arc.bytes, a.arc.bytes) || b.arc.flows - a.arc.flows || byText(a.arc.arcId, b.arc.arcId)
  );
  const shown = arcs.slice(0, most).map(({ arc }) => arc).sort((a, b) => byText(a.arcId, b.arcId));
  return { arcs: shown, omitted: arcs.length - shown.length };
}

function arcId({ place }: End, { latitude, longitude }: Coordinates): string {
  return `arc:${place?.asn ?? "none"}:${place?.country ?? "none"}:${latitude},${longitude}`;
}

function toArc(
  input: GraphInput,
  home: Coordinates,
  id: string,
  target: Coordinates,
  members: readonly End[],
  sum: Together,
): Arc {
  const country = members[0]!.place?.country ?? null;
  const network = networkLabel(members);
  return {
    arcId: id,
    source: { latitude: home.latitude, longitude: home.longitude },
    target,
    label: country === null ? network : `${network}, ${country}`,
    country,
    asn: members[0]!.place?.asn ?? null,
    memberCount: members.length,
    bytes: sum.bytes,
    flows: sum.flows,
    severity: severityOfRank(sum.rank),
    intel: sum.intel,
    ...timesOf(input, sum),
  };
}
