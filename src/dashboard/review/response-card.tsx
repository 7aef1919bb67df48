import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { ResponseAction } from "../../contract/review/response.ts";
import { to } from "../base/links.ts";
import { usePersonName } from "../base/people.ts";
import { responseActions } from "./review-queries.ts";
import { TargetChips } from "./response-detail.tsx";
import { KIND_NAMES, targetName } from "./response-labels.ts";
import { ActionTags, Outcome } from "./response-parts.tsx";
import { type Decide, DecisionButtons, useDecide } from "./use-decide.tsx";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { History } from "../entity/history.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ProposeForm } from "./response/propose-form.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";

function Title({ action }: { action: ResponseAction }) {
  const name = targetName(action);
  return (
    <>
      {KIND_NAMES[action.kind]} {name !== null && <TargetChips action={action} />}
    </>
  );
}

function Action({ action, decide }: { action: ResponseAction; decide: Decide }) {
  const nameOf = usePersonName();
  const { mode, reason, proposed_by, proposed_at, outcome, workflow_history } = action;
  return (
    <li className="response-action">
      <p className="response-title">
        <span className="wrap">
          <Title action={action} />
        </span>
        <ActionTags action={action} />
      </p>
      <p className="soft wrap">
        <LinkedText text={reason} />
      </p>
      <p className="muted small">
        {mode === "automatic" ? "Automatic mode" : <Foreign text={nameOf(proposed_by)} />},{" "}
        <Time at={proposed_at} />
      </p>
      {outcome && <Outcome outcome={outcome} />}
      <DecisionButtons action={action} decide={decide} />
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
  const decide = useDecide();
  const allowed = roles.includes("responder");
  return (
    <Card
      title="Response"
      action={<Link {...to.review()} className="link small">All decisions</Link>}
    >
      {data === undefined
        ? isPending
          ? <SkeletonBlock />
          : <ErrorState what="The response actions" error={error} retry={() => void refetch()} />
        : data.length === 0
        ? <p className="soft">No actions proposed.</p>
        : (
          <ol className="response-list">
            {data.map((action) => <Action key={action.action_id} action={action} decide={decide} />)}
          </ol>
        )}
      {allowed && (
        <p className="response-offer">
          <button type="button" className="button" onClick={() => setProposing(true)}>
            Propose an action…
          </button>
        </p>
      )}
      <Dialog title="Propose an action" open={proposing} close={() => setProposing(false)}>
        <ProposeForm
          incident={incident}
          saved={() => setProposing(false)}
          cancel={() => setProposing(false)}
        />
      </Dialog>
      {decide.dialog}
    </Card>
  );
}
