import { type ReactNode, useMemo, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ModelFeedback } from "../../../contract/review/feedback.ts";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { feedbackList } from "../review-queries.ts";
import { useSignedIn } from "../../base/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EntityChip } from "../../entity/entity-chip.tsx";
import { ChoiceFilter } from "../../ui/field/select-field.tsx";
import { FilterBar, FilterChip } from "../../ui/filters.tsx";
import { DataGrid } from "../../ui/grid/data-grid.tsx";
import type { GridColumn } from "../../ui/grid/grid-column.ts";
import { useList } from "../../ui/grid/list-state.ts";
import { LinkedText } from "../../entity/linked-text.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time/time.tsx";
import { useDetectors } from "../detectors.ts";
import { ModelProposalForm } from "../proposal/model-proposal-form.tsx";
import { VERDICTS } from "./feedback-labels.ts";
import { IncidentFeedback, NewFeedback } from "./new-feedback.tsx";
import { VerdictTag } from "./verdict-tag.tsx";

const route = getRouteApi("/t/$tenant/review/feedback");

function columnsFor(nameOf: (subject: string) => string): GridColumn<ModelFeedback>[] {
  return [
    { id: "verdict", header: "Verdict", width: 130, cell: ({ verdict }) => <VerdictTag verdict={verdict} /> },
    {
      id: "detector",
      header: "Detector",
      width: 180,
      grow: 1,
      text: ({ model_id }) => model_id,
      cell: ({ model_id }) => <EntityChip kind="detector" value={model_id} />,
    },
    {
      id: "comment",
      header: "Comment",
      width: 240,
      grow: 3,
      text: ({ comment }) => comment ?? "",
      cell: ({ comment }) =>
        comment === null ? <span className="muted">None</span> : <LinkedText text={comment} />,
    },
    {
      id: "about",
      header: "About",
      width: 150,
      cell: ({ incident_id, analysis_id }) =>
        incident_id === null
          ? <span className="muted">A result</span>
          : (
            <Link {...to.incident(incident_id)} className="link">
              {analysis_id === null ? "Incident" : "Result in an incident"}
            </Link>
          ),
    },
    {
      id: "created_by",
      header: "By",
      width: 140,
      cell: ({ created_by }) => <Foreign text={nameOf(created_by)} />,
    },
    { id: "created_at", header: "At", width: 128, cell: ({ created_at }) => <Time at={created_at} short /> },
  ];
}

/** What people think of the detectors' results. */
export function Feedback(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const { model_id, incident_id } = route.useSearch();
  const [dialog, setDialog] = useState<"feedback" | "proposal" | null>(null);
  const close = () => setDialog(null);
  const navigate = route.useNavigate();
  const nameOf = usePersonName();
  const columns = useMemo(() => columnsFor(nameOf), [nameOf]);
  const detectors = useDetectors();
  const { rows, list } = useList(useInfiniteQuery(feedbackList(tenant, { model_id, incident_id })));
  const set = (change: { model_id?: string; incident_id?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const clear = () => set({ model_id: undefined, incident_id: undefined });
  const filtered = model_id !== undefined || incident_id !== undefined;
  const known = model_id === undefined || detectors.includes(model_id) ? detectors : [...detectors, model_id];
  return (
    <div className="page page-list">
      <PageHeader
        title="Feedback"
        note="Verdicts on the detectors' results, newest first. They are recorded and change no score."
      >
        {roles.includes("analyst") && (
          <>
            <button type="button" className="button" onClick={() => setDialog("feedback")}>
              Give feedback…
            </button>
            <button type="button" className="button" onClick={() => setDialog("proposal")}>
              Propose a change of a detector…
            </button>
          </>
        )}
      </PageHeader>
      <FilterBar active={filtered} clear={clear}>
        <ChoiceFilter
          label="Detector"
          value={model_id}
          options={known.map((one) => [one, one] as const)}
          set={(model_id) => set({ model_id })}
        />
        {incident_id !== undefined && (
          <FilterChip
            label="Incident"
            value={incident_id}
            clear={() => set({ incident_id: undefined })}
          />
        )}
      </FilterBar>
      <Card title="List of feedback" className="card-plain" flush>
        <DataGrid
          label="Feedback"
          rows={rows}
          columns={columns}
          rowId={({ feedback_id }) => feedback_id}
          rowLabel={({ verdict, model_id }) => `${VERDICTS[verdict]}, ${model_id}`}
          list={list}
          onOpen={({ incident_id }) => incident_id !== null && void navigate(to.incident(incident_id))}
          storageKey="feedback"
          empty={
            <Empty icon="feedback" title={filtered ? "No feedback matches" : "No feedback yet"}>
              <p className="soft">
                Analysts give feedback here, or on the page of an incident at the result of a detector.
              </p>
              {filtered && <button type="button" className="button" onClick={clear}>Clear filters</button>}
            </Empty>
          }
        />
      </Card>
      <Dialog title="Give feedback" open={dialog === "feedback"} close={close}>
        {incident_id === undefined
          ? <NewFeedback model={model_id} close={close} />
          : <IncidentFeedback incidentId={incident_id} model={model_id} close={close} />}
      </Dialog>
      <Dialog title="Propose a change of a detector" open={dialog === "proposal"} close={close}>
        <ModelProposalForm model={model_id} close={close} />
      </Dialog>
    </div>
  );
}
