import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { ResponseAction } from "../../contract/review/response.ts";
import { isMissing } from "../ui/missing.tsx";
import { to } from "../base/links.ts";
import { usePersonName } from "../base/people.ts";
import { incidentDetail } from "../base/incidents.ts";
import { useSignedIn } from "../base/session.ts";
import { History } from "../entity/history.tsx";
import { DetectorChips, DeviceChips } from "../entity/incident/incident-chips.tsx";
import { windowAround } from "../entity/incident/incident-window.ts";
import { leadingResult } from "../entity/incident/incident-results.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { PivotWindow } from "../entity/pivot-window.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Score, SeverityTag } from "../ui/tags.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import {
  ASKS,
  expiryText,
  IDENTITIES,
  isOwnProposal,
  isTarget,
  type ResponseTarget,
  targetOf,
} from "./response-labels.ts";
import { ResponsePreview } from "./response/response-preview.tsx";
import { ActionTags, Outcome } from "./response-parts.tsx";
import { NewestEvidence, TargetEvidence } from "./target-evidence.tsx";
import { type Decide, DecisionButtons } from "./use-decide.tsx";
import { Fact } from "../ui/fact.tsx";

/** The target of an action, which leads to what is known of it. */
export function TargetChips({ action: { target, kind } }: { action: ResponseAction }) {
  const { device_id, device_name, address } = target;
  if (device_id === null && address === null) return <span className="muted">No target</span>;
  return (
    <span className="device-names">
      {device_id !== null && <EntityChip kind="device" value={device_id} label={device_name ?? device_id} />}
      {address !== null && (
        <EntityChip
          kind="address"
          value={address}
          deviceId={kind === "block_destination" ? null : device_id}
        />
      )}
    </span>
  );
}

interface AskedProps {
  action: ResponseAction;
  decide: Decide;
}

/** What is asked, of whom and why, with the decisions that are possible. */
export function Asked({ action, decide }: AskedProps) {
  const nameOf = usePersonName();
  const { session } = useSignedIn();
  const { kind, mode, identity, reason, proposed_by, proposed_at, decided_by, decided_at, comment, outcome } =
    action;
  return (
    <div className="decision">
      <p className="decision-ask">
        <span className="strong">{ASKS[kind]}</span>
        <ActionTags action={action} />
      </p>
      <dl className="facts">
        <Fact name="Target">
          <TargetChips action={action} />
        </Fact>
        {identity !== null && (
          <div>
            <dt>Identity</dt>
            <dd className={identity === "strong" ? "" : "ink-medium"}>{IDENTITIES[identity]}</dd>
          </div>
        )}
        <Fact name="Reason" wrap>
          <LinkedText text={reason} />
        </Fact>
        <Fact name="Proposed">
          {mode === "automatic" ? "by the automatic mode of response.yaml" : (
            <>
              by <Foreign text={nameOf(proposed_by)} />
              {isOwnProposal(action, session.subject) && " (you)"}
            </>
          )}, <Ago at={proposed_at} />
        </Fact>
        <Fact name="Expiry" wrap>
          {outcome !== null && outcome.lease_expires_at !== null
            ? (
              <>
                <Time at={outcome.lease_expires_at} />, unless the executor extends it
              </>
            )
            : expiryText(action)}
        </Fact>
        {decided_by !== null && decided_at !== null && (
          <Fact name="Decided" wrap>
            by <Foreign text={nameOf(decided_by)} />, <Time at={decided_at} />
            {comment !== null && (
              <>
                {": “"}
                <LinkedText text={comment} />”
              </>
            )}
          </Fact>
        )}
      </dl>
      {outcome && <Outcome outcome={outcome} />}
      {action.status === "proposed" && (
        <ResponsePreview incidentId={action.incident_id} target={targetOf(action)} />
      )}
      <DecisionButtons action={action} decide={decide} keys />
      {!decide.allowed && action.status === "proposed" && (
        <p className="soft">A person with the responder role decides.</p>
      )}
    </div>
  );
}

export function ActionHistory({ action }: { action: ResponseAction }) {
  return <History entries={action.workflow_history} empty="" />;
}

interface BesideProps {
  incidentId: string;
  /** What an action acts on: the evidence shown is of it. */
  target?: ResponseTarget;
}

/** The incident that an action is for: why it is suspicious, and the newest evidence of the target. */
export function IncidentBeside({ incidentId, target }: BesideProps) {
  const { tenant } = useSignedIn();
  const { data, error, refetch } = useQuery(incidentDetail(tenant, incidentId));
  if (data) {
    return (
      <PivotWindow window={windowAround(data)}>
        <Essence incident={data} target={target ?? null} />
      </PivotWindow>
    );
  }
  if (isMissing(error)) return <p className="muted">The incident is past its retention.</p>;
  if (error) return <ErrorState what="The incident" error={error} retry={() => void refetch()} />;
  return <SkeletonBlock tall />;
}

function Essence({ incident, target }: { incident: IncidentDetail; target: ResponseTarget | null }) {
  const leading = leadingResult(incident);
  return (
    <div className="peek-incident">
      <p className="wrap">
        <Link {...to.incident(incident.id)} className="link strong">
          <Foreign text={incident.title} />
        </Link>
      </p>
      <div className="meta">
        <SeverityTag severity={incident.severity} />
        <Score score={incident.score} severity={incident.severity} />
        <StatusTag status={incident.status} />
      </div>
      <p className="wrap">
        <LinkedText text={incident.summary} />
      </p>
      {leading !== null && (
        <p className="soft wrap">
          <LinkedText text={leading.explanation} />
        </p>
      )}
      <dl className="facts">
        <Fact name="Devices">
          <DeviceChips ids={incident.device_ids} names={incident.device_names} most={4} />
        </Fact>
        <Fact name="Detectors">
          <DetectorChips ids={incident.model_ids} />
        </Fact>
      </dl>
      {target !== null && isTarget(target)
        ? <TargetEvidence incident={incident} target={target} />
        : <NewestEvidence incident={incident} title="Newest evidence" items={incident.evidence} />}
    </div>
  );
}
