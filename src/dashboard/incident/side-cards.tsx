import { type RefObject } from "react";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { useSignedIn } from "../base/session.ts";
import { plural } from "../ui/format.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Card } from "../ui/page.tsx";
import { Time } from "../ui/time/time.tsx";
import { CommentForm } from "./change/comment-form.tsx";
import { History } from "../entity/history.tsx";
import { ScoreTable } from "./score-parts.tsx";
import { formatPoints } from "./score-sum.ts";
import { peakAbove } from "./why-card.tsx";
import { leadingResult } from "../entity/incident/incident-results.ts";

/** How the incident's score adds up, and how it came about. */
export function ScoreCard({ incident }: { incident: IncidentDetail }) {
  const { score, score_parts, score_history } = incident;
  const peak = peakAbove(incident);
  return (
    <Card title="Score" note={`${formatPoints(score)} of 100 points`}>
      {score_parts.length > 0 && (
        <ScoreTable
          label="Score of the incident"
          shares={[]}
          modifiers={score_parts}
          score={score}
          total="Total"
          narrow
        />
      )}
      {peak !== null && (
        <p className="muted small">
          A score never falls by itself: it keeps the best scoring, {formatPoints(peak)}{" "}
          points; the latest one has {formatPoints(leadingResult(incident)?.score ?? 0)}.
        </p>
      )}
      <details className="model-numbers">
        <summary>History of the score</summary>
        <ol className="history">
          {[...score_history].reverse().map(({ at, score, reason }, index) => (
            <li key={`${at} ${index}`} className="score-step">
              <span className="strong">{formatPoints(score)}</span>
              <span className="wrap">
                <LinkedText text={reason} />
                <span className="muted small">
                  <Time at={at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
        <p className="muted small">Steps of less than one point are left out unless the severity changes.</p>
      </details>
    </Card>
  );
}

interface ActivityProps {
  incident: IncidentDetail;
  comment: RefObject<HTMLTextAreaElement | null>;
}

/** Comments and changes by people, newest first. */
export function ActivityCard({ incident, comment }: ActivityProps) {
  const { roles } = useSignedIn();
  return (
    <Card title="Activity" note={plural(incident.workflow_history.length, "entry", "entries")}>
      {roles.includes("analyst") && <CommentForm incidentId={incident.id} input={comment} />}
      {incident.held_back && (
        <p className="muted small">
          While this is a false positive, the same detector, device and destination open no incident unless
          they score clearly higher: {plural(incident.held_back.results, "result")} held back so far.
        </p>
      )}
      <History entries={incident.workflow_history} empty="No activity yet." />
    </Card>
  );
}
