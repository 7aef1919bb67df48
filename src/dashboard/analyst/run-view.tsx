import { useEffect, useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AnalystRun } from "../../contract/analyst/analyst-run.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { IncidentStatus } from "../../contract/record/kinds.ts";
import { ApiFailure, call } from "../base/api.ts";
import { newKey } from "../base/idempotency.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { dollars } from "../entity/analyst/money.ts";
import { SentParts, SentTexts } from "../entity/analyst/sent-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { formatExact, formatSpan } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { runDetail, runsFor } from "./analyst-queries.ts";
import { AnswerView } from "./answer-view.tsx";
import { RunFeedback } from "./run-feedback.tsx";
import { ERROR_TEXTS, isActive, STATE_NAMES } from "./run-labels.ts";

export interface RunViewProps {
  incident: IncidentDetail;
  showRecord: (id: string) => void;
  changeStatus: ((status: IncidentStatus) => void) | null;
}

/** One run in its present state. */
export function RunView({ run, ...page }: RunViewProps & { run: AnalystRun }) {
  return (
    <div className="analyst-run">
      <RunLine run={run} />
      {isActive(run) && <Waiting run={run} />}
      {run.error !== null && <Failure error={run.error} />}
      {!isActive(run) && <Ended run={run} {...page} />}
    </div>
  );
}

function RunLine(
  { run: { state, requested_by, requested_at, model, incident_revision } }: { run: AnalystRun },
) {
  const nameOf = usePersonName();
  return (
    <p className="muted small wrap">
      <span className={`tag analyst-state analyst-${state}`} role="status">
        <span className="tag-dot" />
        {STATE_NAMES[state]}
      </span>
      , <Foreign text={model.model} />, asked by <Foreign text={nameOf(requested_by)} />{" "}
      <Time at={requested_at} />, about revision {incident_revision}
    </p>
  );
}

const SECOND = 1000;

/** The time since a run was requested or sent, each second. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  return formatSpan(Math.max(0, Math.floor((now - Date.parse(since)) / SECOND)) * SECOND);
}

function Waiting({ run }: { run: AnalystRun }) {
  const { tenant, session, roles } = useSignedIn();
  const client = useQueryClient();
  const { run_id, incident_id, revision, state, requested_at, started_at, cost } = run;
  const cancelAt = (seen: number) =>
    call("cancelAnalystRun", {
      params: { run_id },
      body: {},
      csrf: session.csrf_token,
      key: newKey(),
      revision: seen,
    });
  const cancel = useMutation({
    mutationFn: async () => {
      try {
        return await cancelAt(revision);
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 412)) throw error;
        // It was sent meanwhile; cancelling is meant for whatever it does now.
        const now = await call("getAnalystRun", { params: { run_id } });
        return isActive(now) ? await cancelAt(now.revision) : now;
      }
    },
    // A run that ended meanwhile is refused, and the list has its result.
    onSettled: () => client.invalidateQueries({ queryKey: runsFor(tenant, incident_id).queryKey }),
  });
  return (
    <>
      <p aria-busy="true">
        {state === "queued"
          ? (
            <>
              Waits to be sent: <Elapsed since={requested_at} />
            </>
          )
          : (
            <>
              Waits for the answer: <Elapsed since={started_at ?? requested_at} />
            </>
          )}
        {cost.reserved_microusd > 0 && (
          <span className="muted small">, {dollars(cost.reserved_microusd)} reserved</span>
        )}
      </p>
      {cancel.error && (
        <p className="notice notice-error" role="alert">Not cancelled: {cancel.error.message}</p>
      )}
      {roles.includes("analyst") && (
        <p>
          <button
            type="button"
            className="button button-small"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            Cancel the run
          </button>
        </p>
      )}
    </>
  );
}

function Failure({ error: { code, message } }: { error: NonNullable<AnalystRun["error"]> }) {
  const { title, next } = ERROR_TEXTS[code];
  return (
    <div className="notice notice-warning">
      <Icon name="warning" />
      <div>
        <p className="strong">{title}</p>
        <p className="wrap">
          <Foreign text={message} />
        </p>
        <p>{next}</p>
        <p className="muted small">
          <code>{code}</code>
        </p>
      </div>
    </div>
  );
}

function Ended({ run, incident, showRecord, changeStatus }: RunViewProps & { run: AnalystRun }) {
  const { tenant } = useSignedIn();
  const { data, error, isPending, refetch } = useQuery(runDetail(tenant, run.run_id, run.revision));
  if (isPending) return <SkeletonBlock />;
  if (error) return <ErrorState what="The run" error={error} retry={() => void refetch()} />;
  return (
    <>
      {data.answer !== null && (
        <>
          <AnswerView
            incident={incident}
            answer={data.answer}
            showRecord={showRecord}
            changeStatus={changeStatus}
          />
          <RunFeedback run={run} />
        </>
      )}
      <CostLine run={run} />
      <details>
        <summary>Exact text of the request</summary>
        <SentParts parts={data.sent_parts} />
        <SentTexts sent={data.sent} what="Incident" />
      </details>
    </>
  );
}

function CostLine({ run: { cost, started_at, finished_at } }: { run: AnalystRun }) {
  const { input_tokens, output_tokens, reserved_microusd, spent_microusd } = cost;
  const parts = [
    spent_microusd !== null
      ? `Cost ${dollars(spent_microusd)}`
      : reserved_microusd > 0
      ? `Cost unknown: ${dollars(reserved_microusd)} stays reserved until 00:00 UTC`
      : "No cost",
    ...input_tokens === null ? [] : [`${formatExact(input_tokens)} tokens in`],
    ...output_tokens === null ? [] : [`${formatExact(output_tokens)} tokens out`],
    ...started_at === null || finished_at === null
      ? []
      : [formatSpan(Date.parse(finished_at) - Date.parse(started_at))],
  ];
  return <p className="muted small">{parts.join(", ")}.</p>;
}
