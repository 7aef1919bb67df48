import { type ReactNode, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Flow, FlowSort } from "../../contract/flow/flow.ts";
import { useShortcut } from "../base/keys.ts";
import { to } from "../base/links.ts";
import { flowList, NEWEST_FIRST, useByteTotal, useFlowTotal } from "./flow-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { setsTime, withoutTime } from "../base/filter-text.ts";
import { canFollow, ListRange, ListRanking, UnappliedFilter } from "../search/filtered-list.tsx";
import { QueryBar } from "../search/query-bar.tsx";
import { GroupBy } from "../search/group-by.tsx";
import { useFilter } from "../search/use-filter.ts";
import { offerModel } from "../entity/analyst/model-offer.tsx";
import { EmptyWindow } from "../entity/empty-window.tsx";
import { EntityScope, useFilterScope } from "../entity/entity-scope.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import { useList } from "../ui/grid/list-state.ts";
import { useSort } from "../ui/grid/use-sort.ts";
import { NewRows } from "../ui/grid/new-rows.tsx";
import { SortRefused } from "../ui/grid/sort-refused.tsx";
import { useStableRows } from "../ui/grid/stable-rows.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import { formatBytes, formatCount, formatExact } from "../ui/format.ts";
import { Peek } from "../ui/peek/peek.tsx";
import { rangeKey, searchOf } from "../base/time/range.ts";
import { useRange } from "../ui/time/range-control.tsx";
import {
  ALERT_GROUPS,
  EXPLORE_VIEWS,
  type ExploreView,
  readView,
  VIEW_FACTS,
  VIEW_NAMES,
  viewFilter,
} from "./explore-views.ts";
import { AlertGroups } from "./alert-groups.tsx";
import { FLOW_COLUMNS } from "./flow-columns.tsx";
import { FlowDetail } from "./flow-detail.tsx";
import { FlowHistogram } from "./flow-histogram.tsx";
import { endText, flowLabel } from "./flow-parts.tsx";
import "./explore.css";

/** Flows over one query bar. */
export function Explore(): ReactNode {
  const filter = useFilter("flows");
  const { view: wanted }: { view?: string } = useSearch({ strict: false });
  const grouped = wanted === ALERT_GROUPS;
  const view = grouped ? "alerts" : readView(wanted);
  const text = viewFilter(filter.text, view);
  const clear = () => filter.search("");
  return (
    <EntityScope.Provider value={useFilterScope(filter)}>
      <div className="page">
        <PageHeader title="Explore" note="Flows over one query bar; a dash means that no sensor measured it">
          <ListRange filter={filter} />
        </PageHeader>
        <QueryBar filter={filter} clear={clear} exported={text ?? undefined} offer={offerModel} />
        <div className="explore-tools">
          <Views view={view} />
          {view === "alerts" && <GroupAlerts grouped={grouped} />}
          <GroupBy filter={filter} />
          {text !== null && canFollow(filter) && <Totals text={text} />}
        </div>
        {text !== null && canFollow(filter)
          ? (
            <>
              <ListRanking filter={filter} />
              {grouped
                ? <AlertGroups text={text} own={filter.text} clear={clear} />
                : <Flows key={view} view={view} text={text} own={filter.text} clear={clear} />}
            </>
          )
          : <UnappliedFilter filter={filter} label="List of flows" clear={clear} />}
      </div>
    </EntityScope.Provider>
  );
}

function Views({ view }: { view: ExploreView }) {
  const navigate = useNavigate();
  const show = (next: ExploreView) =>
    void navigate({ to: ".", search: (old) => ({ ...old, view: next === "flows" ? undefined : next }) });
  return (
    <div className="segments explore-views" role="group" aria-label="View">
      {EXPLORE_VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          className="segment"
          aria-pressed={one === view}
          onClick={() => show(one)}
        >
          {VIEW_NAMES[one]}
        </button>
      ))}
    </div>
  );
}

/** Shows the alerts of one signature and pair as one row. */
function GroupAlerts({ grouped }: { grouped: boolean }) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className="button button-small"
      aria-pressed={grouped}
      title="One row for each signature and pair of addresses"
      onClick={() =>
        void navigate({ to: ".", search: (old) => ({ ...old, view: grouped ? "alerts" : ALERT_GROUPS }) })}
    >
      One row a pair
    </button>
  );
}

/** How many flows the list has, and how many bytes they carried. */
function Totals({ text }: { text: string }) {
  const [range] = useRange();
  const flows = useFlowTotal(text, range);
  // Zero: no sensor measured any.
  const bytes = useByteTotal(text, range) ?? 0;
  if (flows === undefined) return null;
  return (
    <span className="explore-totals soft" role="status">
      <span title={formatExact(flows)}>{formatCount(flows)} {flows === 1 ? "flow" : "flows"}</span>
      {bytes > 0 && <span title={`${formatExact(bytes)} bytes`}>, {formatBytes(bytes)}</span>}
    </span>
  );
}

interface FlowsProps {
  view: ExploreView;
  /** The filter, including that of the view. */
  text: string;
  /** The filter of the query bar. */
  own: string;
  clear: () => void;
}

function Flows({ view, text, own, clear }: FlowsProps) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const navigate = useNavigate();
  const columns = FLOW_COLUMNS[view];
  const [sort, setSort] = useSort<FlowSort, Flow>(columns, NEWEST_FIRST);
  const newestFirst = sort === NEWEST_FIRST;
  const total = useFlowTotal(text, range);
  const query = useInfiniteQuery(
    flowList(tenant, { filter: text || undefined, facts: VIEW_FACTS[view], sort }, range),
  );
  const { rows: fresh, list } = useList(query);
  const question = [text, sort, rangeKey(range), query.isPlaceholderData].join(" ");
  const { rows, waiting, showAll } = useStableRows(question, fresh, ({ flow_id }) => flow_id, newestFirst);
  const [active, setActive] = useState<Flow | null>(null);
  const [peeking, setPeeking] = useState(false);
  const toggle = () => setPeeking(!peeking);
  useShortcut({ keys: "o", label: "Show the row in the panel", group: "List", run: toggle });
  const peeked = peeking ? active ?? rows[0] ?? null : null;
  const name = VIEW_NAMES[view];
  return (
    <>
      <Card title={`${name} over time`} className="card-plain">
        <FlowHistogram
          label={`${name} over time`}
          text={text}
          range={range}
          onBrush={(window) =>
            void navigate({
              to: ".",
              search: (old) => ({
                ...old,
                ...searchOf(window),
                filter: (setsTime(own) ? withoutTime(own) : own) || undefined,
              }),
            })}
        />
      </Card>
      <Card
        title={`List of ${name === "Flows" ? "flows" : `flows with ${name}`}`}
        className="card-plain"
        flush
      >
        {!newestFirst && (
          <SortRefused
            list={list}
            usual="Show the newest first"
            reset={() => setSort(NEWEST_FIRST)}
          />
        )}
        <DataGrid
          label={name}
          rows={rows}
          columns={columns}
          rowId={(flow) => flow.flow_id}
          rowLabel={flowLabel}
          sort={sort}
          onSort={setSort}
          onActive={(_, flow) => setActive(flow)}
          detail={(flow) => <FlowDetail flow={flow} />}
          // The panel shows the row in place of it.
          clickOpens={!peeking}
          list={list}
          total={total}
          storageKey={`explore.${view}`}
          tools={
            <>
              <NewRows waiting={waiting} showAll={showAll} />
              <button
                type="button"
                className="button button-small"
                aria-pressed={peeking}
                title="Show the current row in the panel (o)"
                onClick={toggle}
              >
                Panel
              </button>
            </>
          }
          empty={
            <EmptyWindow
              what={name === "Flows" ? "flows" : `flows with ${name}`}
              filtered={own !== ""}
              ownTime={setsTime(own)}
              clear={clear}
            />
          }
        />
      </Card>
      <Peek
        open={peeked !== null}
        label="Flow"
        title={peeked === null
          ? ""
          : `${endText(peeked, "src")} to ${peeked.names[0]?.name ?? endText(peeked, "dst")}`}
        onClose={() => setPeeking(false)}
        page={peeked === null ? undefined : to.flow(peeked.flow_id)}
      >
        {peeked !== null && <FlowDetail flow={peeked} />}
      </Peek>
    </>
  );
}
