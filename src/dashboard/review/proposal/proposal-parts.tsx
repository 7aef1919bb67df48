import { Link } from "@tanstack/react-router";
import type { Proposal } from "../../../contract/review/proposal.ts";
import { to } from "../../base/links.ts";
import { EntityChip } from "../../entity/entity-chip.tsx";
import { formatLabel } from "../../ui/format.ts";
import { useDeviceName } from "../../base/devices.ts";

/** What a proposal is about; leads to it. */
export function ProposalTarget({ proposal: { kind, target_id } }: { proposal: Proposal }) {
  const nameOf = useDeviceName();
  switch (kind) {
    case "classification":
      return <EntityChip kind="device" value={target_id} label={nameOf(target_id)} />;
    case "model":
      return <EntityChip kind="detector" value={target_id} />;
    case "triage":
      return <Link {...to.incident(target_id)} className="link">Incident</Link>;
  }
}

export function ProposalTag({ proposal: { status } }: { proposal: Proposal }) {
  return (
    <span className={`tag proposal-${status}`}>
      <span className="tag-dot" aria-hidden="true" />
      {formatLabel(status)}
    </span>
  );
}
