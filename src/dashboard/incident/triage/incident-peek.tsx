import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Incident, IncidentDetail } from "../../../contract/incident/incident.ts";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { incidentDetail } from "../../base/incidents.ts";
import { useSignedIn } from "../../base/session.ts";
import { plural } from "../../ui/format.ts";
import { LinkedText } from "../../entity/linked-text.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { DetectorChips, DeviceChips } from "../../entity/incident/incident-chips.tsx";
import { PivotWindow } from "../../entity/pivot-window.tsx";
import { Peek } from "../../ui/peek/peek.tsx";
import { ErrorState, SkeletonBlock } from "../../ui/states.tsx";
import { SeverityTag } from "../../ui/tags.tsx";
import { StatusTag } from "../../entity/incident/status-tag.tsx";
import { Time } from "../../ui/time/time.tsx";
import { ActionBar } from "../change/action-bar.tsx";
import { EvidenceList } from "../../entity/record/evidence-list.tsx";
import { History } from "../../entity/history.tsx";
import { formatPoints } from "../score-sum.ts";
import type { IncidentActions } from "../change/use-actions.tsx";
import { leadingResult } from "../../entity/incident/incident-results.ts";
import { windowAround } from "../../entity/incident/incident-window.ts";
import { Fact } from "../../ui/fact.tsx";

interface IncidentPeekProps {
  /** The active row; null shows no panel. */
  incident: Incident | null;
  actions: IncidentActions;
  close: () => void;
}

/** The essence of the active incident beside the list. */
export function IncidentPeek({ incident, actions, close }: IncidentPeekProps) {
  return (
    <Peek
      label="Incident"
      title={incident && <Foreign text={incident.title} />}
      open={incident !== null}
      onClose={close}
      page={incident === null ? undefined : to.incident(incident.id)}
    >
      {incident && (
        <PivotWindow window={windowAround(incident)}>
          <Essence key={incident.id} incident={incident} actions={actions} />
        </PivotWindow>
      )}
    </Peek>
  );
}

function Essence({ incident, actions }: { incident: Incident; actions: IncidentActions }) {
  const { tenant } = useSignedIn();
  const nameOf = usePersonName();
  const { data, error, refetch } = useQuery(incidentDetail(tenant, incident.id));
  const now = data ?? incident;
  return (
    <div className="peek-incident">
      <div className="meta">
        <SeverityTag severity={now.severity} />
        <span>
          <span className="strong">{formatPoints(now.score)}</span> <span className="muted">points</span>
        </span>
        <StatusTag status={now.status} />
        <span className="soft">
          {now.assignee === null ? "Unassigned" : <Foreign text={nameOf(now.assignee)} />}
        </span>
      </div>
      <ActionBar incident={now} actions={actions} withComment />
      <p className="wrap">
        <LinkedText text={now.summary} />
      </p>
      <dl className="facts">
        <Fact name="Devices">
          <DeviceChips ids={now.device_ids} names={data?.device_names} most={4} />
        </Fact>
        <Fact name="Detectors">
          <DetectorChips ids={now.model_ids} />
        </Fact>
        <Fact name="Activity">
          <Time at={now.first_seen} /> to <Time at={now.last_seen} />
        </Fact>
      </dl>
      {data
        ? <Reasons incident={data} />
        : error
        ? <ErrorState what="The incident" error={error} retry={() => void refetch()} />
        : <SkeletonBlock />}
    </div>
  );
}

const NEWEST = 3;

function Reasons({ incident }: { incident: IncidentDetail }) {
  const leading = leadingResult(incident);
  const newest = incident.evidence.slice(-NEWEST).toReversed();
  const rest = incident.evidence.length - newest.length;
  return (
    <>
      {leading !== null && (
        <p className="soft wrap">
          <LinkedText text={leading.explanation} />
        </p>
      )}
      <h3>Newest evidence</h3>
      {newest.length === 0
        ? <p className="muted">No evidence is retained.</p>
        : <EvidenceList items={newest} />}
      {rest > 0 && (
        <Link {...to.incident(incident.id)} className="link small">
          {plural(rest, "more record")} on the incident's page
        </Link>
      )}
      {incident.workflow_history.length > 0 && (
        <>
          <h3>Activity</h3>
          <History entries={incident.workflow_history.slice(-NEWEST)} empty="" />
        </>
      )}
    </>
  );
}
