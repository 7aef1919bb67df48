import type { EvidenceItem } from "../../../contract/flow/flow.ts";

/** What the pictures select of the evidence; every part narrows it further. */
export interface EvidenceSelection {
  /** Brushed in the timeline, half-open. */
  window: { from: string; to: string } | null;
  /** A link of the graph or one result. */
  group: { key: string; label: string; ids: ReadonlySet<string> } | null;
}

export const ALL_EVIDENCE: EvidenceSelection = { window: null, group: null };

export function selectEvidence(
  items: readonly EvidenceItem[],
  { window, group }: EvidenceSelection,
): EvidenceItem[] {
  const from = window === null ? -Infinity : Date.parse(window.from);
  const to = window === null ? Infinity : Date.parse(window.to);
  return items.filter(({ evidence_id, observed_at }) => {
    const at = Date.parse(observed_at);
    return at >= from && at < to && (group === null || group.ids.has(evidence_id));
  });
}

export function isSelective({ window, group }: EvidenceSelection): boolean {
  return window !== null || group !== null;
}
