import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Proposal, ProposalDecision } from "../../../contract/review/proposal.ts";
import { useSummary } from "../../base/feed.ts";
import { useShortcut } from "../../base/keys.ts";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { proposalList } from "../review-queries.ts";
import { PROPOSAL_KINDS, type ProposalView } from "../review-search.ts";
import { useSignedIn } from "../../base/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceFilter } from "../../ui/field/select-field.tsx";
import { FilterBar, FilterChip } from "../../ui/filters.tsx";
import { DataGrid } from "../../ui/grid/data-grid.tsx";
import type { GridColumn } from "../../ui/grid/grid-column.ts";
import { useList } from "../../ui/grid/list-state.ts";
import { LinkedText } from "../../entity/linked-text.tsx";
import { Foreign } from "../../ui/foreign.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { TabCount } from "../../ui/tab-count.tsx";
import { Time } from "../../ui/time/time.tsx";
import { useToast } from "../../ui/toast/toast.ts";
import { ModelProposalForm } from "./model-proposal-form.tsx";
import { ProposalForm } from "./proposal-form.tsx";
import { PROPOSAL_KIND_NAMES, PROPOSAL_VERBS, proposedChange } from "./proposal-labels.ts";
import { ProposalTag, ProposalTarget } from "./proposal-parts.tsx";
import { ProposalPeek } from "./proposal-peek.tsx";

const route = getRouteApi("/t/$tenant/review/proposals");

const VIEWS = [
  ["pending", "Pending"],
  ["accepted", "Accepted"],
  ["rejected", "Rejected"],
  ["all", "All"],
] as const;

function columnsFor(nameOf: (subject: string) => string): GridColumn<Proposal>[] {
  return [
    { id: "kind", header: "Kind", width: 124, cell: ({ kind }) => PROPOSAL_KIND_NAMES[kind] },
    {
      id: "target",
      header: "About",
      width: 180,
      grow: 1,
      cell: (proposal) => <ProposalTarget proposal={proposal} />,
    },
    {
      id: "change",
      header: "Proposed",
      width: 200,
      grow: 1,
      text: proposedChange,
      cell: (proposal) => <Foreign text={proposedChange(proposal)} />,
    },
    {
      id: "reason",
      header: "Reason",
      width: 220,
      grow: 2,
      text: ({ reason }) => reason,
      cell: ({ reason }) => <LinkedText text={reason} />,
    },
    { id: "status", header: "Status", width: 116, cell: (proposal) => <ProposalTag proposal={proposal} /> },
    {
      id: "created_by",
      header: "By",
      width: 130,
      cell: ({ created_by }) => <Foreign text={nameOf(created_by)} />,
    },
    { id: "created_at", header: "At", width: 128, cell: ({ created_at }) => <Time at={created_at} short /> },
    {
      id: "decided_by",
      header: "Decided by",
      width: 130,
      hidden: true,
      cell: ({ decided_by }) => decided_by === null ? null : <Foreign text={nameOf(decided_by)} />,
    },
  ];
}

function Views({ current }: { current: ProposalView | undefined }) {
  const pending = useSummary()?.pending_proposals ?? null;
  const { kind, target_id } = route.useSearch();
  return (
    <nav className="tabs" aria-label="Views of proposals">
      {VIEWS.map(([view, label]) => (
        <Link
          key={view}
          {...to.proposals({ kind, target_id, view: view === "pending" ? undefined : view })}
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

/** Proposed device types, changes of detectors and incident statuses. */
export function Proposals(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const toast = useToast();
  const { kind, view, target_id, proposal: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const nameOf = usePersonName();
  const columns = useMemo(() => columnsFor(nameOf), [nameOf]);
  const status = view === undefined ? "proposed" : view === "all" ? undefined : view;
  const { rows, list } = useList(useInfiniteQuery(proposalList(tenant, { kind, status, target_id })));
  const [active, setActive] = useState<string | null>(null);
  const [peeking, setPeeking] = useState(false);
  useEffect(() => {
    if (opened === undefined) return;
    setActive(opened);
    setPeeking(true);
  }, [opened]);
  const [deciding, setDeciding] = useState<{ proposal: Proposal; decision: ProposalDecision } | null>(null);
  const [proposing, setProposing] = useState(false);
  const allowed = roles.includes("analyst");
  const proposal = rows.find(({ proposal_id }) => proposal_id === active) ?? null;
  const decide = (decision: ProposalDecision) => {
    if (proposal === null || proposal.status !== "proposed") return false;
    setDeciding({ proposal, decision });
  };
  const key = (keys: string, decision: ProposalDecision) =>
    ({
      keys,
      label: `${PROPOSAL_VERBS[decision]} the proposal`,
      group: "Decision",
      enabled: allowed,
      run: () => decide(decision),
    }) as const;
  useShortcut(key("a", "accepted"));
  useShortcut(key("r", "rejected"));
  const set = (change: { kind?: Proposal["kind"]; target_id?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const clear = () => set({ kind: undefined, target_id: undefined });
  const filtered = kind !== undefined || target_id !== undefined;
  return (
    <div className="page page-list">
      <PageHeader
        title="Proposals"
        note="Suggested device types, changes of detectors and incident statuses, newest first"
      >
        {allowed && (
          <button type="button" className="button" onClick={() => setProposing(true)}>
            Propose a change of a detector…
          </button>
        )}
      </PageHeader>
      <Views current={view} />
      <FilterBar active={filtered} clear={clear}>
        <ChoiceFilter
          label="Kind"
          value={kind}
          options={PROPOSAL_KINDS.map((one) => [one, PROPOSAL_KIND_NAMES[one]] as const)}
          set={(kind) => set({ kind })}
        />
        {target_id !== undefined && (
          <FilterChip
            label="About"
            value={target_id}
            clear={() => set({ target_id: undefined })}
          />
        )}
      </FilterBar>
      <Card title="List of proposals" className="card-plain" flush>
        <DataGrid
          label="Proposals"
          rows={rows}
          columns={columns}
          rowId={({ proposal_id }) => proposal_id}
          rowLabel={(row) => `${PROPOSAL_KIND_NAMES[row.kind]}: ${proposedChange(row)}`}
          list={list}
          active={active}
          onActive={(id) => {
            setActive(id);
            setPeeking(true);
          }}
          onOpen={() => setPeeking(true)}
          storageKey="proposals"
          empty={
            <Empty icon="check" title={view === undefined ? "No proposal is pending" : "No proposals"}>
              <p className="soft">
                Analysts and the analyst integration propose; an analyst decides. Nothing is applied without
                it.
              </p>
              {filtered && <button type="button" className="button" onClick={clear}>Clear filters</button>}
            </Empty>
          }
        />
      </Card>
      <ProposalPeek
        proposal={peeking ? proposal : null}
        decide={allowed ? decide : null}
        close={() => setPeeking(false)}
      />
      <Dialog
        title={deciding === null ? "" : `${PROPOSAL_VERBS[deciding.decision]} a proposal`}
        open={deciding !== null}
        close={() => setDeciding(null)}
      >
        {deciding && (
          <ProposalForm
            {...deciding}
            saved={(decided) => {
              setDeciding(null);
              toast({ text: `${proposedChange(decided)}: ${decided.status}.` });
            }}
            cancel={() => setDeciding(null)}
          />
        )}
      </Dialog>
      <Dialog title="Propose a change of a detector" open={proposing} close={() => setProposing(false)}>
        <ModelProposalForm close={() => setProposing(false)} />
      </Dialog>
    </div>
  );
}
