import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { to } from "../base/links.ts";
import { usePersonName } from "../base/people.ts";
import { ScoreLine } from "../ui/charts.tsx";
import { formatSpan } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { DeviceChips } from "../entity/incident/incident-chips.tsx";
import { SeverityTag } from "../ui/tags.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { Time } from "../ui/time/time.tsx";
import type { Neighbours, Queue } from "./triage/queue.ts";
import { mapOfIncident } from "../entity/incident/incident-map.ts";
import { formatPoints } from "./score-sum.ts";

interface HeadProps {
  incident: IncidentDetail;
  queue: Queue | null;
  neighbours: Neighbours;
}

/** What happened, how serious it is and who works on it. */
export function IncidentHead({ incident, queue, neighbours }: HeadProps) {
  const nameOf = usePersonName();
  const lasted = Date.parse(incident.last_seen) - Date.parse(incident.first_seen);
  return (
    <div className="incident-head">
      <div className="incident-title">
        <div className="incident-place">
          <div className="crumbs">
            <Link {...to.triage()} className="link">Triage</Link>
            <span className="muted mono clip">{incident.id}</span>
          </div>
          <QueueSteps queue={queue} neighbours={neighbours} />
        </div>
        <h1>
          <Foreign text={incident.title} />
        </h1>
        <div className="meta">
          <SeverityTag severity={incident.severity} />
          <StatusTag status={incident.status} />
          {incident.suppressed && <span className="muted">Suppressed</span>}
          <span className="soft" data-assignee>
            {incident.assignee === null ? "Unassigned" : (
              <>
                Assigned to <Foreign text={nameOf(incident.assignee)} className="strong" />
              </>
            )}
          </span>
          <DeviceChips ids={incident.device_ids} names={incident.device_names} />
          <span className="soft">
            <Time at={incident.first_seen} /> to <Time at={incident.last_seen} />
            {lasted >= 1000 && ` (${formatSpan(lasted)})`}
          </span>
          <Link {...mapOfIncident(incident)} className="link">Show on the map</Link>
          {incident.continues && (
            <Link {...to.incident(incident.continues)} className="link">Continues an earlier incident</Link>
          )}
        </div>
      </div>
      <div className="incident-score">
        <div>
          <p className="big-number" data-score>{formatPoints(incident.score)}</p>
          <p className="muted small">score of 100</p>
        </div>
        <ScoreLine points={incident.score_history} severity={incident.severity} />
      </div>
    </div>
  );
}

function QueueSteps(
  { queue, neighbours: { previous, next, position, length } }: Omit<HeadProps, "incident">,
) {
  // Keeps the place of the steps while the queue loads.
  if (queue === null || length === 0) return <div className="queue-steps" />;
  return (
    <nav className="queue-steps" aria-label={`Queue: ${queue.label}`}>
      {previous !== null && (
        <Link {...to.incident(previous)} className="link" title="Previous in the queue (p)">
          <Icon name="chevron" className="turned" />
          Previous
        </Link>
      )}
      <span className="muted nowrap">
        {position === null ? queue.label : `${position} of ${length}, ${queue.label}`}
      </span>
      {next !== null && (
        <Link {...to.incident(next)} className="link" title="Next in the queue (n)">
          Next
          <Icon name="chevron" />
        </Link>
      )}
    </nav>
  );
}
