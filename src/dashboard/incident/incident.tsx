import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { ScoreLine } from "../ui/charts.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { History } from "./history.tsx";
import { ModelResultView, Modifiers } from "./model-result.tsx";
import { DeviceNames, Foreign } from "../ui/names.tsx";
import { Card, useTitle } from "../ui/page.tsx";
import { ResponseCard } from "../review/response-card.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import { StatusForm } from "./status-form.tsx";
import { SuppressCard } from "../review/suppress-card.tsx";
import { SeverityTag, StatusTag } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";
import { formatScore, formatSpan, plural } from "../ui/format.ts";
import { incidentDetail } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { isMissing, Missing } from "../app/failure.tsx";

const route = getRouteApi("/incidents/$incidentId");

function Head({ incident }: { incident: IncidentDetail }) {
  const lasted = Date.parse(incident.last_seen) - Date.parse(incident.first_seen);
  return (
    <div className="incident-head">
      <div className="incident-title">
        <div className="crumbs">
          <Link to="/incidents" className="link">Incidents</Link>
          <span className="muted mono clip">{incident.id}</span>
        </div>
        <h1>
          <Foreign text={incident.title} />
        </h1>
        <div className="meta">
          <SeverityTag severity={incident.severity} />
          <StatusTag status={incident.status} />
          {incident.suppressed && <span className="muted">Suppressed</span>}
          <DeviceNames ids={incident.device_ids} names={incident.device_names} />
          <span className="soft">
            <Time at={incident.first_seen} /> to <Time at={incident.last_seen} />
            {lasted >= 1000 && ` (${formatSpan(lasted)})`}
          </span>
          {incident.continues && (
            <Link to="/incidents/$incidentId" params={{ incidentId: incident.continues }} className="link">
              Continues an earlier incident
            </Link>
          )}
        </div>
      </div>
      <div className="incident-score">
        <div>
          <p className="big-number">{formatScore(incident.score)}</p>
          <p className="muted small">score of 100</p>
        </div>
        <ScoreLine points={incident.score_history} severity={incident.severity} />
      </div>
    </div>
  );
}

function Evidence({ incident }: { incident: IncidentDetail }) {
  const { evidence, evidence_truncated, unresolved_evidence_ids: unresolved } = incident;
  return (
    <Card
      title="Evidence"
      note={plural(evidence.length, "item") + (evidence_truncated ? " shown, more available" : "")}
      flush
      action={
        <Link to="/flows" search={{ incident_id: incident.id, ...around(incident) }} className="link small">
          Flows of this incident
        </Link>
      }
    >
      {evidence.length === 0
        ? <p className="card-text muted">No evidence is retained.</p>
        : <EvidenceList items={evidence} />}
      {unresolved.length > 0 && (
        <div className="card-text">
          <p className="notice">
            {plural(unresolved.length, "piece")}{" "}
            of evidence can no longer be shown: the source record is not retained.
          </p>
          <ul className="unresolved mono muted small">
            {unresolved.map((id) => <li key={id}>{id}</li>)}
          </ul>
        </div>
      )}
    </Card>
  );
}

const MARGIN_MILLISECONDS = 60_000;
const LONGEST_MILLISECONDS = 31 * 86_400_000;

/** The incident's own time range for its flows; the flow list accepts at most 31 days. */
function around({ first_seen, last_seen }: IncidentDetail): { from: string; to: string; range: undefined } {
  const to = Date.parse(last_seen) + MARGIN_MILLISECONDS;
  const from = Math.max(Date.parse(first_seen) - MARGIN_MILLISECONDS, to - LONGEST_MILLISECONDS);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), range: undefined };
}

function Detail({ incident }: { incident: IncidentDetail }) {
  useTitle(incident.title);
  const evidence = new Map(incident.evidence.map((item) => [item.evidence_id, item]));
  // In the order of the title: strongest first, otherwise in order of arrival.
  const results = incident.model_results.toSorted((a, b) => b.score - a.score);
  return (
    <div className="columns">
      <div className="column-main">
        <Card title="Why" note={plural(results.length, "model result")} flush>
          {incident.summary !== "" && (
            <p className="card-text summary wrap">
              <Foreign text={incident.summary} />
            </p>
          )}
          {results.map((result, index) => (
            <ModelResultView
              key={result.analysis_id}
              result={result}
              evidence={evidence}
              severity={incident.severity}
              alone={results.length === 1}
              open={index === 0 || results.length <= 2}
            />
          ))}
        </Card>
        <Evidence incident={incident} />
      </div>
      <div className="column-side">
        <Card title="Status">
          <StatusForm incident={incident} />
          {incident.held_back && (
            <p className="muted small">
              While this is a false positive, the same detector, device and destination open no incident
              unless they score clearly higher: {plural(incident.held_back.results, "result")}{" "}
              held back so far.
            </p>
          )}
        </Card>
        <ResponseCard incident={incident} />
        <SuppressCard incident={incident} />
        {incident.score_parts.length > 1 && (
          <Card title="Score" note={`${formatScore(incident.score)} at its last increase`}>
            <Modifiers parts={incident.score_parts} />
          </Card>
        )}
        <Card title="Score history">
          <ol className="history">
            {[...incident.score_history].reverse().map(({ at, score, reason }, index) => (
              <li key={`${at} ${index}`} className="score-step">
                <span className="strong">{formatScore(score)}</span>
                <span className="wrap">
                  <Foreign text={reason} />
                  <span className="muted small">
                    <Time at={at} />
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </Card>
        <Card title="Workflow">
          <History entries={incident.workflow_history} empty="No activity yet." />
        </Card>
      </div>
    </div>
  );
}

export function IncidentPage(): ReactNode {
  const { tenant } = useSignedIn();
  const { incidentId } = route.useParams();
  const { data, error, isPending, refetch } = useQuery(incidentDetail(tenant, incidentId));
  if (isMissing(error)) return <Missing what="incident" to="/incidents" />;
  return (
    <div className="page">
      {data
        ? (
          <>
            <Head incident={data} />
            <StaleNotice error={error} retry={() => void refetch()} />
            <Detail key={data.id} incident={data} />
          </>
        )
        : (
          <>
            <h1 className="hidden">Incident</h1>
            {isPending
              ? <SkeletonBlock tall />
              : <ErrorState what="The incident" error={error} retry={() => void refetch()} />}
          </>
        )}
    </div>
  );
}
