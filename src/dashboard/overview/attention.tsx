import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HealthComponent } from "../../contract/health/health.ts";
import type { Incident } from "../../contract/incident/incident.ts";
import type { ResponseAction } from "../../contract/review/response.ts";
import { ACTION_VERBS, pendingDecisions } from "../base/decisions.ts";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { useSignedIn } from "../base/session.ts";
import { shortName, troubles } from "../entity/health/health-labels.ts";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { DeviceChips } from "../entity/incident/incident-chips.tsx";
import { windowAround } from "../entity/incident/incident-window.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { PivotWindow } from "../entity/pivot-window.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../ui/states.tsx";
import { Score, SeverityTag } from "../ui/tags.tsx";
import { HealthTag } from "../entity/health/health-tags.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { Ago } from "../ui/time/time.tsx";
import { FoldedCard } from "./chart-card.tsx";
import { TOP, worstOpen } from "./overview-queries.ts";

/** The worst open incidents with the reason for each, whatever the time range. */
export function WorstIncidents() {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(worstOpen(tenant));
  return (
    <Card
      title="Needs attention"
      note="worst open incidents, of any age"
      className="span-2 overview-attention"
      flush
      action={<Link {...to.triage()} className="link small">All open work</Link>}
    >
      {data
        ? data.data.length > 0
          ? (
            <ul className="rows">
              {data.data.map((incident) => <IncidentRow key={incident.id} incident={incident} />)}
            </ul>
          )
          : <p className="card-text soft">No incident is open. Everything found so far has been reviewed.</p>
        : isPending
        ? <SkeletonRows rows={TOP} />
        : <ErrorState what="The incidents" error={error} retry={() => void refetch()} />}
    </Card>
  );
}

function IncidentRow({ incident }: { incident: Incident }) {
  const { id, title, summary, severity, score, status, device_ids, last_seen } = incident;
  return (
    <li className="row">
      <SeverityTag severity={severity} />
      <span className="row-main">
        <Link {...to.incident(id)} className="row-link" data-row>
          <Foreign text={title} />
        </Link>
        <span className="attention-reason soft small">
          <PivotWindow window={windowAround(incident)}>
            <LinkedText text={firstSentence(summary)} />
          </PivotWindow>
        </span>
        <span className="row-note">
          <PivotWindow window={windowAround(incident)}>
            <DeviceChips ids={device_ids} most={2} />
          </PivotWindow>{" "}
          <Ago at={last_seen} />
          {status === "investigating" && <StatusTag status={status} />}
        </span>
      </span>
      <Score score={score} severity={severity} />
    </li>
  );
}

/** The first sentence: a full stop within a name or an address ends none. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s+[A-Z0-9]|\s*$)/s.exec(text)?.[0] ?? text;
}

const WAITING = "Waiting and silent";

/** Pending decisions and parts of the appliance that need attention. */
export function Waiting() {
  const { tenant } = useSignedIn();
  const health = useQuery(healthReport(tenant));
  const decisions = useQuery(pendingDecisions(tenant));
  const { data, error, isPending, refetch } = health;
  const faults = data ? troubles(data.components) : [];
  if (data && faults.length === 0 && decisions.data?.data.length === 0) {
    return (
      <FoldedCard title={WAITING}>
        No decision is waiting, and every sensor and every part of the appliance is well.
      </FoldedCard>
    );
  }
  return (
    <Card
      title={WAITING}
      className="overview-waiting"
      flush
      action={<Link {...to.health()} className="link small">Health</Link>}
    >
      {isPending || decisions.isPending ? <SkeletonRows rows={4} /> : (
        <>
          {decisions.data
            ? <Decisions actions={decisions.data.data} more={decisions.data.next_cursor !== null} />
            : (
              <ErrorState
                what="The pending decisions"
                error={decisions.error}
                retry={() => void decisions.refetch()}
              />
            )}
          {data
            ? <Faults faults={faults} skew={data.skew} />
            : <ErrorState what="The health report" error={error} retry={() => void refetch()} />}
        </>
      )}
    </Card>
  );
}

const SHOWN = 3;

function Decisions({ actions, more }: { actions: ResponseAction[]; more: boolean }) {
  const rest = actions.length - SHOWN;
  return (
    <ul className="rows">
      {actions.length === 0 && <li className="row soft">No response action is waiting for a decision.</li>}
      {actions.slice(0, SHOWN).map(({ action_id, incident_id, kind, target, proposed_at }) => (
        <li key={action_id} className="row">
          <Icon name="clock" className="soft" />
          <span className="row-main">
            <Link {...to.incident(incident_id)} className="row-link">
              {ACTION_VERBS[kind]} <Foreign text={target.device_name ?? target.address ?? "the incident"} />
            </Link>
            <span className="row-note">
              decision pending, proposed <Ago at={proposed_at} />
            </span>
          </span>
        </li>
      ))}
      {rest > 0 && (
        <li className="row">
          <Link {...to.review()} className="link">
            {plural(rest, "more decision")}
            {more && " or more"}
          </Link>
        </li>
      )}
    </ul>
  );
}

function Faults({ faults, skew }: { faults: HealthComponent[]; skew: number }) {
  const rest = faults.length - SHOWN;
  return (
    <ul className="rows">
      {faults.length === 0 && (
        <li className="row soft">Every sensor and every part of the appliance is well.</li>
      )}
      {faults.slice(0, SHOWN).map((component) => (
        <li key={component.id} className="row">
          <span className="row-main">
            <Link {...to.health()} className="row-link">
              <Foreign text={shortName(component)} />
            </Link>
            <span className="row-note">
              {component.kind === "sensor" ? "sensor, " : ""}
              {component.last_event_at === null
                ? component.kind === "sensor" ? "no record yet" : "see Health"
                : (
                  <span>
                    last heard <Ago at={component.last_event_at} skew={skew} />
                  </span>
                )}
            </span>
          </span>
          <HealthTag status={component.status} />
        </li>
      ))}
      {rest > 0 && (
        <li className="row">
          <Link {...to.health()} className="link">{plural(rest, "more component")}</Link>
        </li>
      )}
    </ul>
  );
}
