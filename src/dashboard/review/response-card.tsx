import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { ResponseAction, ResponseDecision } from "../../contract/review/response.ts";
import { formatLabel } from "../ui/format.ts";
import { responseActions } from "../app/queries.ts";
import { choicesOf, DECISION_VERBS, KIND_NAMES, outcomeLabel, targetName } from "./response-labels.ts";
import { useSignedIn } from "../app/session.ts";
import { DecideForm } from "./decide-form.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { History } from "../incident/history.tsx";
import { Foreign } from "../ui/names.tsx";
import { Card } from "../ui/page.tsx";
import { ProposeForm } from "./propose-form.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";

const NEEDS_ROLE = "Requires the responder role";

function Title({ action }: { action: ResponseAction }) {
  const name = targetName(action);
  return (
    <>
      {KIND_NAMES[action.kind]} {name !== null && <Foreign text={name} className="strong" />}
    </>
  );
}

function Outcome({ outcome }: { outcome: NonNullable<ResponseAction["outcome"]> }) {
  return (
    <p className="wrap">
      <Foreign text={outcome.reported_by} /> reports: {outcomeLabel(outcome.status)}
      {outcome.lease_expires_at !== null && (
        <>
          {" until "}
          <Time at={outcome.lease_expires_at} />
        </>
      )}
      {outcome.detail !== null && (
        <>
          {", “"}
          <Foreign text={outcome.detail} />
          {"”"}
        </>
      )}
    </p>
  );
}

interface ActionProps {
  action: ResponseAction;
  mayDecide: boolean;
  decide: (decision: ResponseDecision) => void;
}

function Action({ action, mayDecide, decide }: ActionProps) {
  const { status, mode, reason, proposed_by, proposed_at, outcome, workflow_history } = action;
  return (
    <li className="response-action">
      <p className="response-title">
        <span className="wrap">
          <Title action={action} />
        </span>
        <span className={`tag response-${status}`}>
          <span className="tag-dot" aria-hidden="true" />
          {formatLabel(status)}
        </span>
      </p>
      <p className="soft wrap">
        <Foreign text={reason} />
      </p>
      <p className="muted small">
        {mode === "automatic" ? "Automatic mode" : <Foreign text={proposed_by} />}, <Time at={proposed_at} />
      </p>
      {outcome && <Outcome outcome={outcome} />}
      {choicesOf(action).length > 0 && (
        <div className="response-choices">
          {choicesOf(action).map((decision) => (
            <button
              key={decision}
              type="button"
              className="button button-small"
              disabled={!mayDecide}
              title={mayDecide ? undefined : NEEDS_ROLE}
              onClick={() => decide(decision)}
            >
              {DECISION_VERBS[decision]}…
            </button>
          ))}
        </div>
      )}
      {workflow_history.length > 1 && (
        <details>
          <summary className="small">History</summary>
          <History entries={workflow_history} empty="" />
        </details>
      )}
    </li>
  );
}

/** Response actions of an incident: propose, decide, and see outcomes. */
export function ResponseCard({ incident }: { incident: IncidentDetail }) {
  const { tenant, roles } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(responseActions(tenant, incident.id));
  const [proposing, setProposing] = useState(false);
  const [deciding, setDeciding] = useState<{ id: string; decision: ResponseDecision } | null>(null);
  const allowed = roles.includes("responder");
  const chosen = data?.find(({ action_id }) => action_id === deciding?.id);
  const close = () => setDeciding(null);
  return (
    <Card title="Response">
      {data === undefined
        ? isPending
          ? <SkeletonBlock />
          : <ErrorState what="The response actions" error={error} retry={() => void refetch()} />
        : data.length === 0
        ? <p className="soft">No actions proposed.</p>
        : (
          <ol className="response-list">
            {data.map((action) => (
              <Action
                key={action.action_id}
                action={action}
                mayDecide={allowed}
                decide={(decision) => setDeciding({ id: action.action_id, decision })}
              />
            ))}
          </ol>
        )}
      <p className="response-offer">
        <button
          type="button"
          className="button"
          disabled={!allowed}
          title={allowed ? undefined : NEEDS_ROLE}
          onClick={() => setProposing(true)}
        >
          Propose an action…
        </button>
      </p>
      <Dialog title="Propose an action" open={proposing} close={() => setProposing(false)}>
        <ProposeForm
          incident={incident}
          saved={() => setProposing(false)}
          cancel={() => setProposing(false)}
        />
      </Dialog>
      <Dialog
        title={deciding ? `${DECISION_VERBS[deciding.decision]} an action` : ""}
        open={chosen !== undefined}
        close={close}
      >
        {chosen && deciding && <DecideForm action={chosen} decision={deciding.decision} done={close} />}
      </Dialog>
    </Card>
  );
}
