import type { ResponseAction } from "../../contract/review/response.ts";
import { formatLabel } from "../ui/format.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Time } from "../ui/time/time.tsx";
import { outcomeLabel } from "./response-labels.ts";

/** The status of an action, and whether its proposer has approved it. */
export function ActionTags({ action: { status, self_approved } }: { action: ResponseAction }) {
  return (
    <span className="response-tags">
      <span className={`tag response-${status}`}>
        <span className="tag-dot" aria-hidden="true" />
        {formatLabel(status)}
      </span>
      {self_approved && (
        <span className="tag response-self" title="Approved by the person who proposed it">
          by its proposer
        </span>
      )}
    </span>
  );
}

/** What an executor has reported. */
export function Outcome({ outcome }: { outcome: NonNullable<ResponseAction["outcome"]> }) {
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
          <LinkedText text={outcome.detail} />
          {"”"}
        </>
      )}
    </p>
  );
}
