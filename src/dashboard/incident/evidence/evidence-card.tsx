/// <reference lib="dom" />
import { type RefObject } from "react";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { to } from "../../base/links.ts";
import { formatExact, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time/time.tsx";
import { EvidenceList, type Reveal } from "../../entity/record/evidence-list.tsx";
import { ALL_EVIDENCE, type EvidenceSelection, isSelective, selectEvidence } from "./evidence-selection.ts";
import { windowAround } from "../../entity/incident/incident-window.ts";

interface EvidenceCardProps {
  incident: IncidentDetail;
  selection: EvidenceSelection;
  select: (selection: EvidenceSelection) => void;
  heading?: RefObject<HTMLDivElement | null>;
  reveal: Reveal | null;
}

/** The records behind the results, narrowed by what the pictures select. */
export function EvidenceCard({ incident, selection, select, heading, reveal }: EvidenceCardProps) {
  const { evidence, evidence_truncated, unresolved_evidence_ids: unresolved } = incident;
  const shown = selectEvidence(evidence, selection);
  return (
    <div ref={heading} className="evidence-anchor">
      <Card
        title="Evidence"
        note={`${plural(evidence.length, "record")}${evidence_truncated ? ", the newest of more" : ""}`}
        flush
        action={
          <Link
            {...to.explore({ filter: `incident:${incident.id}`, scope: windowAround(incident) })}
            className="link small"
          >
            Flows of this incident
          </Link>
        }
      >
        <p className="card-text muted small">
          Each record that any scoring linked, once. A scoring links a bounded selection, so the text of a
          result may count more.
        </p>
        {isSelective(selection) && (
          <div className="evidence-selection">
            <span className="soft" role="status">
              {formatExact(shown.length)} of {plural(evidence.length, "record")}
            </span>
            <Selected selection={selection} select={select} />
            <button
              type="button"
              className="button button-small button-quiet"
              onClick={() => select(ALL_EVIDENCE)}
            >
              Show all
            </button>
          </div>
        )}
        {evidence.length === 0
          ? <p className="card-text muted">No evidence is retained.</p>
          : shown.length === 0
          ? <p className="card-text muted">No record is within this selection.</p>
          : <EvidenceList items={shown} reveal={reveal} />}
        {unresolved.length > 0 && (
          <div className="card-text">
            <p className="notice">
              {plural(unresolved.length, "record")} can no longer be shown: the source record is not retained.
            </p>
            <ul className="unresolved mono muted small">
              {unresolved.map((id) => <li key={id}>{id}</li>)}
            </ul>
          </div>
        )}
      </Card>
    </div>
  );
}

function Selected({ selection, select }: Pick<EvidenceCardProps, "selection" | "select">) {
  const { window, group } = selection;
  return (
    <>
      {window !== null && (
        <span className="filter-chip">
          <span>
            <Time at={window.from} /> to <Time at={window.to} />
          </span>
          <button
            type="button"
            className="chip-clear"
            aria-label="Remove the selected time"
            onClick={() => select({ ...selection, window: null })}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
      {group !== null && (
        <span className="filter-chip">
          <Foreign text={group.label} className="clip" />
          <button
            type="button"
            className="chip-clear"
            aria-label={`Remove ${group.label}`}
            onClick={() => select({ ...selection, group: null })}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
    </>
  );
}
