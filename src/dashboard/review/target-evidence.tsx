import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { EvidenceItem } from "../../contract/flow/flow.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { to } from "../base/links.ts";
import { useSignedIn } from "../base/session.ts";
import { windowAround } from "../entity/incident/incident-window.ts";
import { EvidenceList } from "../entity/record/evidence-list.tsx";
import { plural } from "../ui/format.ts";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { type ResponseTarget, targetFlowsFilter } from "./response-labels.ts";
import { incidentFlowsOf } from "./review-queries.ts";

const NEWEST = 5;

/** The newest evidence of an incident that has the target of an action at either end. */
export function TargetEvidence({ incident, target }: { incident: IncidentDetail; target: ResponseTarget }) {
  const { tenant } = useSignedIn();
  const filter = targetFlowsFilter(incident.id, target);
  const { data, error, refetch } = useQuery(incidentFlowsOf(tenant, incident, filter));
  if (error) return <ErrorState what="The evidence" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <SkeletonBlock tall />;
  const flows = new Set(data.map(({ flow_id }) => flow_id));
  const items = incident.evidence.filter(({ flow_id }) => flows.has(flow_id));
  if (items.length > 0) {
    return (
      <>
        <NewestEvidence incident={incident} title="Newest evidence of the target" items={items} />
        <Link {...to.explore({ filter, scope: windowAround(incident) })} className="link small">
          Show the target's flows of this incident
        </Link>
      </>
    );
  }
  return (
    <>
      <p className="soft">
        None of the newest {plural(incident.evidence.length, "record")}{" "}
        of the incident has the target at an end.
      </p>
      <NewestEvidence incident={incident} title="Newest evidence of the incident" items={incident.evidence} />
    </>
  );
}

interface NewestProps {
  incident: IncidentDetail;
  title: string;
  /** Oldest first, as the API sorts them. */
  items: readonly EvidenceItem[];
}

/** The last records of some evidence, newest first. */
export function NewestEvidence({ incident, title, items }: NewestProps) {
  const newest = items.slice(-NEWEST).toReversed();
  const rest = incident.evidence.length - newest.length;
  return (
    <>
      <h3>{title}</h3>
      {newest.length === 0
        ? <p className="muted">No evidence is retained.</p>
        : <EvidenceList items={newest} />}
      {rest > 0 && (
        <Link {...to.incident(incident.id)} className="link small">
          {plural(rest, "more record")} on the incident's page
        </Link>
      )}
    </>
  );
}
