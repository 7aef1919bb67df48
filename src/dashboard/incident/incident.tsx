/// <reference lib="dom" />
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import { isMissing, Missing } from "../ui/missing.tsx";
import { useShortcut } from "../base/keys.ts";
import { to } from "../base/links.ts";
import { incidentDetail } from "../base/incidents.ts";
import { useSignedIn } from "../base/session.ts";
import { usePart } from "../entity/parts.tsx";
import { useTitle } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import { ActionBar } from "./change/action-bar.tsx";
import { CaseMenu } from "./case-menu.tsx";
import { EvidenceCard } from "./evidence/evidence-card.tsx";
import { ALL_EVIDENCE } from "./evidence/evidence-selection.ts";
import { IncidentHead } from "./incident-head.tsx";
import { Pictures } from "./evidence/pictures-card.tsx";
import { neighboursOf, type Queue, rememberedQueue } from "./triage/queue.ts";
import { ActivityCard, ScoreCard } from "./side-cards.tsx";
import { EntityScope } from "../entity/entity-scope.ts";
import { PhasesCard } from "./phases-card.tsx";
import { RelatedCard } from "./related-card.tsx";
import type { Reveal } from "../entity/record/evidence-list.tsx";
import { windowAround } from "../entity/incident/incident-window.ts";
import { triageList } from "./triage/triage-query.ts";
import { DEFAULT_VIEW, TRIAGE_VIEWS } from "./triage/triage-views.ts";
import { useIncidentActions } from "./change/use-actions.tsx";
import { LeadSentence, WhyCard } from "./why-card.tsx";

/** The queue as triage showed it last; otherwise the worst open work. */
function useQueue(): Queue | null {
  const { tenant } = useSignedIn();
  const remembered = rememberedQueue(tenant);
  const view = DEFAULT_VIEW;
  const { label, sort } = TRIAGE_VIEWS[view];
  const { data } = useInfiniteQuery({
    ...triageList(tenant, { view, text: "", sort }),
    enabled: remembered === null,
  });
  // Keep the first answer: the order must not change while the reader steps through the queue.
  const first = useRef<Queue | null>(null);
  if (first.current === null && data !== undefined) {
    first.current = { tenant, label, ids: data.pages.flatMap((page) => page.data.map(({ id }) => id)) };
  }
  return remembered ?? first.current;
}

function Detail({ incident }: { incident: IncidentDetail }) {
  useTitle(incident.title);
  const AnalystCard = usePart("AnalystCard");
  const ResponseCard = usePart("ResponseCard");
  const SuppressCard = usePart("SuppressCard");
  const StatusProposals = usePart("StatusProposals");
  const navigate = useNavigate();
  const queue = useQueue();
  const neighbours = neighboursOf(queue?.ids ?? [], incident.id);
  const comment = useRef<HTMLTextAreaElement>(null);
  const evidence = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState(ALL_EVIDENCE);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const showRecord = (evidenceId: string) => {
    setSelection(ALL_EVIDENCE);
    setReveal({ evidenceId });
  };
  const focusComment = () => {
    comment.current?.scrollIntoView({ block: "center" });
    comment.current?.focus();
  };
  const actions = useIncidentActions({ targets: () => [incident], comment: focusComment });
  const scope = useMemo(() => ({ incident, window: windowAround(incident) }), [incident]);
  const step = (id: string | null) => id === null ? false : void navigate(to.incident(id));
  const { previous, next } = neighbours;
  useShortcut({
    keys: "n",
    label: "Next incident in the queue",
    group: "Incident",
    enabled: next !== null,
    run: () => step(next),
  });
  useShortcut({
    keys: "p",
    label: "Previous incident in the queue",
    group: "Incident",
    enabled: previous !== null,
    run: () => step(previous),
  });
  return (
    <EntityScope value={scope}>
      <IncidentHead incident={incident} queue={queue} neighbours={neighbours} />
      <div className="incident-actions">
        <ActionBar incident={incident} actions={actions} />
        <CaseMenu incident={incident} />
      </div>
      <LeadSentence incident={incident} />
      <PhasesCard incident={incident} />
      <Pictures incident={incident} selection={selection} select={setSelection} />
      <div className="columns incident-columns">
        <div className="column-main">
          <EvidenceCard
            incident={incident}
            selection={selection}
            select={setSelection}
            heading={evidence}
            reveal={reveal}
          />
          <WhyCard
            incident={incident}
            showEvidence={({ analysis_id, title, evidence_ids }) => {
              setSelection({
                window: null,
                group: { key: analysis_id, label: title, ids: new Set(evidence_ids) },
              });
              evidence.current?.scrollIntoView({ block: "start" });
            }}
          />
        </div>
        <div className="column-side">
          <ActivityCard incident={incident} comment={comment} />
          <AnalystCard
            incident={incident}
            showRecord={showRecord}
            changeStatus={actions.allowed ? (status) => actions.run({ kind: "status", status }) : null}
          />
          <ScoreCard incident={incident} />
          <RelatedCard incident={incident} />
          <ResponseCard incident={incident} />
          <SuppressCard incident={incident} />
          <StatusProposals incidentId={incident.id} />
        </div>
      </div>
      {actions.dialogs}
    </EntityScope>
  );
}

export function IncidentPage(): ReactNode {
  const { tenant } = useSignedIn();
  const { incidentId = "" } = useParams({ strict: false });
  const { data, error, isPending, refetch } = useQuery(incidentDetail(tenant, incidentId));
  useEffect(() => {
    // It returns a promise in newer browsers.
    void scrollTo(0, 0);
  }, [incidentId]);
  if (isMissing(error)) return <Missing what="incident" list={to.triage()} />;
  return (
    <div className="page">
      {data
        ? (
          <>
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
