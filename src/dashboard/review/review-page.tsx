import { type ReactNode, useMemo, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ResponseAction } from "../../contract/review/response.ts";
import { useSummary } from "../base/feed.ts";
import { to } from "../base/links.ts";
import { usePersonName } from "../base/people.ts";
import { responseList } from "./review-queries.ts";
import type { ReviewView } from "./review-search.ts";
import { useSignedIn } from "../base/session.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { useList } from "../ui/grid/list-state.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card, PageHeader } from "../ui/page.tsx";
import { Peek } from "../ui/peek/peek.tsx";
import { Empty } from "../ui/states.tsx";
import { TabCount } from "../ui/tab-count.tsx";
import { Time } from "../ui/time/time.tsx";
import { ActionHistory, Asked, IncidentBeside, TargetChips } from "./response-detail.tsx";
import { KIND_NAMES, targetName, targetOf } from "./response-labels.ts";
import { ActionTags } from "./response-parts.tsx";
import { useDecide } from "./use-decide.tsx";

const route = getRouteApi("/t/$tenant/review/actions");

const VIEWS = [["pending", "Pending"], ["approved", "Approved"], ["all", "All"]] as const;

function columnsFor(nameOf: (subject: string) => string): GridColumn<ResponseAction>[] {
  return [
    {
      id: "action",
      header: "Action",
      width: 110,
      cell: (action) => (
        <Link {...to.responseAction(action.action_id)} className="row-link">{KIND_NAMES[action.kind]}</Link>
      ),
    },
    {
      id: "target",
      header: "Target",
      width: 200,
      grow: 1,
      text: (action) => targetName(action) ?? "",
      cell: (action) => <TargetChips action={action} />,
    },
    {
      id: "reason",
      header: "Reason",
      width: 170,
      grow: 2,
      text: ({ reason }) => reason,
      cell: ({ reason }) => <LinkedText text={reason} />,
    },
    { id: "status", header: "Status", width: 190, cell: (action) => <ActionTags action={action} /> },
    {
      id: "proposed_by",
      header: "Proposed by",
      width: 120,
      cell: ({ mode, proposed_by }) =>
        mode === "automatic"
          ? <span className="soft">Automatic mode</span>
          : <Foreign text={nameOf(proposed_by)} />,
    },
    {
      id: "proposed_at",
      header: "Proposed",
      width: 128,
      cell: ({ proposed_at }) => <Time at={proposed_at} short />,
    },
    {
      id: "decided_by",
      header: "Decided by",
      width: 140,
      hidden: true,
      cell: ({ decided_by }) => decided_by === null ? null : <Foreign text={nameOf(decided_by)} />,
    },
    {
      id: "incident",
      header: "Incident",
      width: 200,
      grow: 2,
      text: ({ incident_title }) => incident_title ?? "",
      cell: ({ incident_id, incident_title }) => (
        <Link {...to.incident(incident_id)} className="link">
          <Foreign text={incident_title ?? "Incident"} />
        </Link>
      ),
    },
  ];
}

function Views({ current }: { current: ReviewView | undefined }) {
  const pending = useSummary()?.pending_decisions ?? null;
  return (
    <nav className="tabs" aria-label="Views of decisions">
      {VIEWS.map(([view, label]) => (
        <Link
          key={view}
          {...to.review({ view: view === "pending" ? undefined : view })}
          className="tab"
          aria-current={view === (current ?? "pending") ? "page" : undefined}
          activeOptions={{ exact: true }}
        >
          {label}
          <TabCount count={view === "pending" ? pending : undefined} />
        </Link>
      ))}
    </nav>
  );
}

const EMPTY: Record<"pending" | ReviewView, string> = {
  pending: "No decision is pending",
  approved: "No approved action",
  all: "No response action yet",
};

/** Response actions that wait for a decision, and those decided before. */
export function Review(): ReactNode {
  const { tenant } = useSignedIn();
  const navigate = useNavigate();
  const { view } = route.useSearch();
  const nameOf = usePersonName();
  const columns = useMemo(() => columnsFor(nameOf), [nameOf]);
  const status = view === undefined ? "proposed" : view === "approved" ? "approved" : undefined;
  const { rows, list } = useList(useInfiniteQuery(responseList(tenant, { status })));
  const [active, setActive] = useState<string | null>(null);
  const [peeking, setPeeking] = useState(false);
  const action = rows.find(({ action_id }) => action_id === active) ?? null;
  const decide = useDecide({ target: () => action });
  return (
    <div className="page page-list">
      <PageHeader
        title="Review"
        note="Response actions that were proposed for incidents. The decision is recorded; executors carry it out."
      />
      <Views current={view} />
      <Card title="List of response actions" className="card-plain" flush>
        <DataGrid
          label="Response actions"
          rows={rows}
          columns={columns}
          rowId={({ action_id }) => action_id}
          rowLabel={(row) => `${KIND_NAMES[row.kind]} ${targetName(row) ?? ""}`}
          list={list}
          active={active}
          onActive={(id) => {
            setActive(id);
            setPeeking(true);
          }}
          onOpen={({ action_id }) => void navigate(to.responseAction(action_id))}
          storageKey="review"
          empty={
            <Empty icon="decision" title={EMPTY[view ?? "pending"]}>
              <p className="soft">
                Responders propose actions on the page of an incident; automatic mode proposes them by the
                rules of response.yaml.
              </p>
            </Empty>
          }
        />
      </Card>
      <Peek
        label="Response action"
        title={action && (
          <>
            {KIND_NAMES[action.kind]} <Foreign text={targetName(action) ?? ""} />
          </>
        )}
        open={peeking && action !== null}
        onClose={() => setPeeking(false)}
        page={action === null ? undefined : to.responseAction(action.action_id)}
      >
        {action && (
          <div className="peek-incident" key={action.action_id}>
            <Asked action={action} decide={decide} />
            <h3>Incident</h3>
            <IncidentBeside incidentId={action.incident_id} target={targetOf(action)} />
            <h3>History</h3>
            <ActionHistory action={action} />
          </div>
        )}
      </Peek>
      {decide.dialog}
    </div>
  );
}
