import { useQueryClient } from "@tanstack/react-query";
import type { ResponseAction, ResponseDecision } from "../../../contract/review/response.ts";
import { call } from "../../base/api.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { ABSENT } from "../../ui/format.ts";
import { Icon } from "../../ui/icons.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Ago } from "../../ui/time/time.tsx";
import { DecisionForm } from "../decision-form.tsx";
import {
  choicesOf,
  DECISION_VERBS,
  isOwnProposal,
  KIND_NAMES,
  outcomeLabel,
  targetName,
  targetOf,
} from "../response-labels.ts";
import { ResponsePreview } from "./response-preview.tsx";

/** Queries that show actions. */
const QUERIES = ["response-actions", "response-action", "listResponseActions"];

interface ActionDecisionFormProps {
  action: ResponseAction;
  decision: ResponseDecision;
  saved: (action: ResponseAction) => void;
  cancel: () => void;
}

/** A decision on an action. */
export function ActionDecisionForm({ action, decision, saved, cancel }: ActionDecisionFormProps) {
  const { tenant, session } = useSignedIn();
  const client = useQueryClient();
  const nameOf = usePersonName();
  const outcome = ({ outcome }: ResponseAction) => outcome === null ? ABSENT : outcomeLabel(outcome.status);
  const params = { action_id: action.action_id };
  return (
    <DecisionForm<ResponseAction, ResponseDecision>
      noun="action"
      current={action}
      draft={action.action_id}
      read={() => call("getResponseAction", { params })}
      send={(body, options) => call("decideResponseAction", { params, body, ...options })}
      decision={decision}
      submit={`${DECISION_VERBS[decision]} it`}
      versions={(base, theirs) => [
        { label: "Outcome", base: outcome(base), theirs: outcome(theirs), mine: null },
      ]}
      isPossible={(theirs) => choicesOf(theirs).includes(decision)}
      refresh={() =>
        client.invalidateQueries({
          predicate: ({ queryKey: [owner, what] }) => owner === tenant && QUERIES.includes(String(what)),
        })}
      saved={saved}
      cancel={cancel}
    >
      <p className="wrap">
        {KIND_NAMES[action.kind]} <Foreign text={targetName(action) ?? ""} className="strong" />
      </p>
      <p className="soft wrap">
        {action.mode === "automatic" ? "Proposed by the automatic mode of response.yaml" : (
          <>
            Proposed by <Foreign text={nameOf(action.proposed_by)} />
          </>
        )}, <Ago at={action.proposed_at} />: “<Foreign text={action.reason} />”
      </p>
      {decision === "approved" && isOwnProposal(action, session.subject) && (
        <p className="notice notice-warning">
          <Icon name="warning" />
          <span>You proposed this action yourself. The approval is marked as given by its proposer.</span>
        </p>
      )}
      {decision === "approved" && (
        <ResponsePreview incidentId={action.incident_id} target={targetOf(action)} />
      )}
      <p className="soft">The decision is recorded. The appliance does not execute actions.</p>
    </DecisionForm>
  );
}
