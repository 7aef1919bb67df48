import type { Count } from "../record/observation.ts";
import { Counts } from "./counts.ts";
import type { End, EndTotals } from "./ends.ts";
import type { Node } from "./graph.ts";
import type { GraphInput, GraphPlace } from "./input.ts";
import type { Traffic } from "./traffic.ts";

export function networkLabel(members: readonly Pick<End, "place">[]): string {
  const asn = members[0]!.place?.asn ?? null;
  if (asn === null) return "Unknown network";
  // Files of several publishers may name one network differently.
  let first: string | null = null;
  for (const { place } of members) {
    const name = place?.asOrganisation ?? null;
    if (name !== null && (first === null || name < first)) first = name;
  }
  return first ?? `AS${asn}`;
}

/** What several ends have together. */
export interface Together {
  bytes: Count;
  flows: number;
  /** The rank of the worst open incident; -1 without any. */
  rank: number;
  intel: boolean;
  firstSeen: number;
  lastSeen: number;
}

export function together(members: readonly End[], totals: EndTotals): Together {
  const bytes = new Counts(1);
  const sum = { flows: 0, rank: -1, intel: false, firstSeen: Infinity, lastSeen: -Infinity };
  for (const { no } of members) {
    bytes.addFrom(0, totals.bytes, no);
    sum.flows += totals.flows[no]!;
    sum.rank = Math.max(sum.rank, totals.severity[no]!);
    sum.intel ||= totals.intel[no] === 1;
    sum.firstSeen = Math.min(sum.firstSeen, totals.firstSeen[no]!);
    sum.lastSeen = Math.max(sum.lastSeen, totals.lastSeen[no]!);
  }
  return { bytes: bytes.get(0), ...sum };
}

/** A flow may begin before the window that its first observation lies in, and end after it. */
export function timesOf(
  { window: { from, to } }: Pick<GraphInput, "window">,
  { firstSeen, lastSeen }: Pick<Traffic, "firstSeen" | "lastSeen">,
): Pick<Node, "firstSeen" | "lastSeen"> {
  const within = (at: number) => Math.min(to, Math.max(from, at));
  return { firstSeen: within(firstSeen), lastSeen: within(lastSeen) };
}

export function coordinatesOf(place: GraphPlace | null): Node["coordinates"] {
  if (place === null || place.latitude === null || place.longitude === null) return null;
  return { latitude: place.latitude, longitude: place.longitude };
}
