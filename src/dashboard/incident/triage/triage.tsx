/// <reference lib="dom" />
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Incident, IncidentOrder, IncidentSort } from "../../../contract/incident/incident.ts";
import type { Summary } from "../../../contract/summary.ts";
import { useSummary } from "../../base/feed.ts";
import { to } from "../../base/links.ts";
import { usePersonName } from "../../base/people.ts";
import { useSignedIn } from "../../base/session.ts";
import { FacetSelect } from "../../search/facet-select.tsx";
import { canFollow, ListRanking, UnappliedFilter } from "../../search/filtered-list.tsx";
import { setsTime } from "../../base/filter-text.ts";
import { InView } from "../../search/in-view/in-view.tsx";
import { QueryBar } from "../../search/query-bar.tsx";
import { useFilter } from "../../search/use-filter.ts";
import { formatLabel } from "../../ui/format.ts";
import { DataGrid } from "../../ui/grid/data-grid.tsx";
import { downFirst, type GridColumn, upFirst } from "../../ui/grid/grid-column.ts";
import { useGridMemory } from "../../ui/grid/grid-memory.ts";
import { useList } from "../../ui/grid/list-state.ts";
import { NewRows } from "../../ui/grid/new-rows.tsx";
import { SortRefused } from "../../ui/grid/sort-refused.tsx";
import { useStableRows } from "../../ui/grid/stable-rows.ts";
import { useSort } from "../../ui/grid/use-sort.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { offerModel } from "../../entity/analyst/model-offer.tsx";
import { DetectorChips, DeviceChips } from "../../entity/incident/incident-chips.tsx";
import { EntityScope, useFilterScope } from "../../entity/entity-scope.ts";
import { PivotWindow } from "../../entity/pivot-window.tsx";
import { Card, PageHeader } from "../../ui/page.tsx";
import { SEVERITY_ORDER } from "../../ui/severity.ts";
import { Empty } from "../../ui/states.tsx";
import { Score, SeverityTag } from "../../ui/tags.tsx";
import { StatusTag } from "../../entity/incident/status-tag.tsx";
import { TabCount } from "../../ui/tab-count.tsx";
import { Time } from "../../ui/time/time.tsx";
import { IncidentPeek } from "./incident-peek.tsx";
import { rememberQueue } from "./queue.ts";
import { windowAround } from "../../entity/incident/incident-window.ts";
import { triageList } from "./triage-query.ts";
import { EVER } from "../../base/time/range.ts";
import { combinedFilter, TRIAGE_VIEWS, type TriageViewName, VIEW_NAMES, viewOf } from "./triage-views.ts";
import { type IncidentAction, useIncidentActions } from "../change/use-actions.tsx";
import { visibleText } from "../../ui/json-text.ts";

const GRID = "triage";
/** Only orders that the server has. */
const up = upFirst<IncidentOrder>;
const down = downFirst<IncidentOrder>;
const SEVERITY = { field: "severity", op: "matches" } as const;

function columnsFor(nameOf: (subject: string) => string): GridColumn<Incident>[] {
  return [
    {
      id: "severity",
      header: "Severity",
      width: 96,
      sort: down("severity"),
      cell: ({ severity }) => <SeverityTag severity={severity} />,
    },
    {
      id: "score",
      header: "Score",
      width: 72,
      sort: down("score"),
      align: "end",
      cell: ({ score, severity }) => <Score score={score} severity={severity} />,
    },
    {
      id: "title",
      header: "Incident",
      width: 320,
      sort: up("title"),
      grow: 1,
      text: ({ title }) => title,
      cell: ({ id, title }) => (
        <Link {...to.incident(id)} className="row-link">
          <Foreign text={title} />
        </Link>
      ),
    },
    {
      id: "devices",
      header: "Devices",
      width: 168,
      sort: up("device"),
      cell: (incident) => (
        <PivotWindow window={windowAround(incident)}>
          <DeviceChips ids={incident.device_ids} most={1} />
        </PivotWindow>
      ),
    },
    {
      id: "detectors",
      header: "Detectors",
      width: 160,
      sort: up("detector"),
      hidden: true,
      text: ({ model_ids }) => model_ids.join(", "),
      cell: ({ model_ids }) => <DetectorChips ids={model_ids} />,
    },
    {
      id: "status",
      header: "Status",
      width: 116,
      sort: up("status"),
      cell: ({ status, suppressed }) =>
        suppressed
          ? <span className="muted" title={visibleText(suppressed.reason)}>Suppressed</span>
          : <StatusTag status={status} />,
    },
    {
      id: "assignee",
      header: "Assignee",
      width: 104,
      sort: up("assignee"),
      cell: ({ assignee }) =>
        assignee === null
          ? <span className="muted">Unassigned</span>
          : <Foreign text={nameOf(assignee)} className="clip" />,
    },
    {
      id: "first_seen",
      header: "First seen",
      width: 108,
      sort: down("first_seen"),
      hidden: true,
      cell: ({ first_seen }) => <Time at={first_seen} short />,
    },
    {
      id: "last_seen",
      header: "Last seen",
      width: 108,
      sort: down("last_seen"),
      cell: ({ last_seen }) => <Time at={last_seen} short />,
    },
  ];
}

/** How many incidents a view has: null until the change feed reports it, undefined if it does not count them. */
function countOf(summary: Summary | null, view: TriageViewName): number | null | undefined {
  switch (view) {
    case "open":
      return summary?.open_incidents ?? null;
    case "mine":
      return summary?.mine ?? null;
    case "unassigned":
      return summary?.unassigned_incidents ?? null;
    case "high":
      return summary?.high_incidents ?? null;
    default:
      return undefined;
  }
}

function Views({ current }: { current: TriageViewName }) {
  const summary = useSummary();
  const counts = new Map(VIEW_NAMES.map((name) => [name, countOf(summary, name)]));
  return (
    <nav className="tabs" aria-label="Views of triage">
      {VIEW_NAMES.map((name) => (
        <Link
          key={name}
          {...to.triage({ view: name === "open" ? undefined : name })}
          className="tab"
          aria-current={name === current ? "page" : undefined}
          activeOptions={{ exact: true }}
        >
          {TRIAGE_VIEWS[name].label}
          <TabCount count={counts.get(name)} />
        </Link>
      ))}
    </nav>
  );
}

const BULK: readonly (readonly [label: string, action: IncidentAction])[] = [
  ["Assign…", { kind: "assign" }],
  ["Resolve…", { kind: "status", status: "resolved" }],
  ["False positive…", { kind: "status", status: "false_positive" }],
];

/**
 * The grid's current cell takes the focus on return by Back, and after its row has left the list. The page's `main`
 * has it meanwhile: it gets the focus of every page.
 */
function useKeptFocus(rows: string, returns: boolean): void {
  const before = useRef("");
  useEffect(() => {
    if (before.current === rows) return;
    const first = before.current === "";
    before.current = rows;
    if (first && !returns) return;
    // After the shell has given the focus to the page.
    const timer = setTimeout(() => {
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement?.id !== "main") return;
      document.querySelector<HTMLElement>("main [role=grid] [data-cell][tabindex='0']")?.focus();
    });
    return () => clearTimeout(timer);
  }, [rows, returns]);
}

/** The queue: all open work, worst first, whatever its age. */
export function Triage(): ReactNode {
  const { tenant } = useSignedIn();
  const navigate = useNavigate();
  const { view: asked }: { view?: string } = useSearch({ strict: false });
  const view = viewOf(asked);
  const { label, empty, sort: usual } = TRIAGE_VIEWS[view];
  const filter = useFilter("incidents");
  const nameOf = usePersonName();
  const columns = useMemo(() => columnsFor(nameOf), [nameOf]);
  const [sort, setSort] = useSort<IncidentSort, Incident>(columns, usual);
  const query = useInfiniteQuery({
    ...triageList(tenant, { view, text: filter.text, sort }),
    enabled: canFollow(filter),
  });
  const { rows: fresh, list } = useList(query);
  const question = [view, filter.text, sort, query.isPlaceholderData].join(" ");
  const { rows, waiting, showAll } = useStableRows(question, fresh, ({ id }) => id);

  // Back returns to the row that was left.
  const [memory] = useGridMemory(GRID);
  const [active, setActive] = useState<string | null>(memory?.active ?? null);
  const [peeking, setPeeking] = useState(false);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ id }) => selection.has(id));
  const activeRow = rows.find(({ id }) => id === active) ?? null;
  const actions = useIncidentActions({
    targets: () => selected.length > 0 ? selected : activeRow === null ? [] : [activeRow],
    onChanged: (targets) => {
      setSelection(new Set());
      // The next row becomes active before the changed one may leave the list.
      if (targets.some(({ id }) => id === active)) {
        const gone = new Set(targets.map(({ id }) => id));
        const at = rows.findIndex(({ id }) => id === active);
        const next = [...rows.slice(at + 1), ...rows.slice(0, at).toReversed()]
          .find(({ id }) => !gone.has(id));
        if (view !== "suppressed") setActive(next?.id ?? null);
      }
    },
  });
  const ids = rows.map(({ id }) => id);
  const key = ids.join(" ");
  useEffect(() => rememberQueue({ tenant, label, ids }));
  useKeptFocus(key, memory !== undefined);
  const clear = () => void navigate(to.triage({ view: asked }));
  const scope = useFilterScope(filter);
  const exported = combinedFilter(view, filter.text);
  const { suppressed } = TRIAGE_VIEWS[view];
  const exportParams = setsTime(filter.text) ? { suppressed } : { from: EVER, suppressed };
  return (
    <div className="page page-list">
      <PageHeader title="Triage" note="All ages: the time range does not apply here" />
      <Views current={view} />
      <QueryBar
        filter={filter}
        clear={clear}
        exported={exported}
        exportParams={exportParams}
        offer={offerModel}
      >
        <FacetSelect
          label="Severity"
          filter={filter}
          facet={SEVERITY}
          options={SEVERITY_ORDER.map((one) => [one, formatLabel(one)] as const)}
        />
      </QueryBar>
      {!filter.refused && <ListRanking filter={filter} />}
      <EntityScope value={scope}>
        {canFollow(filter)
          ? (
            <Card title="List of incidents" className="card-plain" flush>
              {sort !== usual && (
                <SortRefused
                  list={list}
                  usual="Show the usual order"
                  reset={() => setSort(usual)}
                />
              )}
              <DataGrid
                label="Incidents"
                rows={rows}
                columns={columns}
                rowId={({ id }) => id}
                rowLabel={({ title }) => title}
                sort={sort}
                onSort={setSort}
                list={list}
                active={active}
                onActive={(id) => {
                  setActive(id);
                  setPeeking(true);
                }}
                onOpen={({ id }) => void navigate(to.incident(id))}
                selection={actions.allowed ? selection : undefined}
                onSelection={setSelection}
                bulk={actions.allowed
                  ? (chosen) =>
                    BULK.map(([text, action]) => (
                      <button
                        key={text}
                        type="button"
                        className="button button-small"
                        onClick={() => actions.run(action, chosen)}
                      >
                        {text}
                      </button>
                    ))
                  : undefined}
                storageKey={GRID}
                tools={<NewRows waiting={waiting} showAll={showAll} />}
                empty={
                  <Empty title={filter.text === "" ? empty : "No incident matches the filter"}>
                    {filter.text !== "" && (
                      <>
                        <button type="button" className="button" onClick={clear}>Clear the filter</button>
                        <InView kind="incidents" text={filter.text} use={filter.search} />
                      </>
                    )}
                  </Empty>
                }
              />
            </Card>
          )
          : <UnappliedFilter filter={filter} label="List of incidents" clear={clear} />}
      </EntityScope>
      <IncidentPeek
        incident={peeking ? activeRow : null}
        actions={actions}
        close={() => setPeeking(false)}
      />
      {actions.dialogs}
    </div>
  );
}
