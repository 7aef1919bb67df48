import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FailedRecord } from "../../contract/record/failed-record.ts";
import { failedRecords } from "./failed-records-query.ts";
import { useSignedIn } from "../base/session.ts";
import { FLOW_SOURCES, SOURCE_NAMES } from "../entity/record/record-sources.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { EmptyPeriod } from "../entity/empty-window.tsx";
import { ChoiceFilter } from "../ui/field/select-field.tsx";
import { FilterBar, FilterChip, TextFilter } from "../ui/filters.tsx";
import { formatExact, formatLabel } from "../ui/format.ts";
import { RecordViewer } from "../entity/record/record-viewer.tsx";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { useList } from "../ui/grid/list-state.ts";
import { isFiltered } from "../base/search-params.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card, PageHeader } from "../ui/page.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { to } from "../base/links.ts";
import { FAILED_STATUSES, type RecordsSearch } from "./failed-records-search.ts";

const route = getRouteApi("/t/$tenant/system/records");

const COLUMNS: GridColumn<FailedRecord>[] = [
  { id: "received_at", header: "Received", width: 150, cell: ({ received_at }) => <Time at={received_at} /> },
  { id: "sensor", header: "Sensor", width: 140, cell: ({ sensor_id }) => <Foreign text={sensor_id} /> },
  {
    id: "kind",
    header: "Kind",
    width: 140,
    cell: ({ kind }) =>
      kind === null ? <span className="muted">none read</span> : <span className="mono">{kind}</span>,
  },
  { id: "status", header: "Status", width: 100, cell: ({ status }) => formatLabel(status) },
  {
    id: "reason",
    header: "Reason",
    width: 260,
    grow: 1,
    text: ({ reason }) => reason,
    cell: ({ reason }) => <Foreign text={reason} />,
  },
];

function RawText({ record }: { record: FailedRecord }) {
  const { record_id, status, raw, raw_bytes: bytes, truncated, observed_at: observed } = record;
  if (raw === null) return <p className="notice">The text of this record is past its retention.</p>;
  return (
    <div className="raw">
      <dl className="facts facts-inline">
        {observed !== null && (
          <div>
            <dt>Observed</dt>
            <dd>
              <Time at={observed} />
            </dd>
          </div>
        )}
        <div>
          <dt>Size</dt>
          <dd>{formatExact(bytes)} bytes</dd>
        </div>
        <div className="facts-wide">
          <dt>{status === "unparsed" ? "Event id" : "SHA-256 of the line"}</dt>
          <dd className="mono wrap">{record_id}</dd>
        </div>
      </dl>
      {truncated && (
        <p className="notice">The text has {formatExact(bytes)} bytes; only its beginning is shown.</p>
      )}
      {status === "unparsed" ? <RecordViewer json={raw} /> : <Line text={raw} />}
    </div>
  );
}

/** A line that may be anything. */
function Line({ text }: { text: string }) {
  return (
    <div className="json">
      <div className="json-tools">
        <span className="soft">The line as it was received</span>
        <CopyButton text={text} label="Copy line" />
      </div>
      <pre className="json-text" tabIndex={0} role="region" aria-label="Line">
        <Foreign text={text} />
      </pre>
    </div>
  );
}

function List(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { status, sensor_id, source, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: RecordsSearch = { status, sensor_id, source, kind };
  const { rows, list } = useList(useInfiniteQuery(failedRecords(tenant, filter, range)));
  const set = (change: RecordsSearch) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const clear = () => set({ status: undefined, sensor_id: undefined, source: undefined, kind: undefined });
  const filtered = isFiltered(filter);
  return (
    <div className="page page-list">
      <PageHeader
        title="Failed records"
        note="Unparsed and rejected, newest first by receipt. They are kept as evidence; no flow and no incident comes from them."
      >
        <Link {...to.health()} className="button">Health</Link>
        <RangeControl />
      </PageHeader>
      <FilterBar active={filtered} clear={clear}>
        <TextFilter label="Sensor" value={sensor_id} set={(value) => set({ sensor_id: value })} first />
        <ChoiceFilter
          label="Status"
          value={status}
          options={FAILED_STATUSES.map((one) => [one, formatLabel(one)] as const)}
          set={(value) => set({ status: value })}
        />
        <ChoiceFilter
          label="Source"
          value={source}
          options={FLOW_SOURCES.map((one) => [one, SOURCE_NAMES[one]] as const)}
          set={(value) => set({ source: value })}
        />
        {kind !== undefined && (
          <FilterChip
            label="Kind"
            value={kind}
            clear={() => set({ kind: undefined })}
          />
        )}
      </FilterBar>
      <Card title="List of records" className="card-plain" flush>
        <DataGrid
          label="Unparsed and rejected records"
          rows={rows}
          columns={COLUMNS}
          rowId={(record) => `${record.status} ${record.record_id} ${record.sensor_id}`}
          rowLabel={({ status, reason }) => `${formatLabel(status)}: ${reason}`}
          list={list}
          detail={(record) => <RawText record={record} />}
          storageKey="failed-records"
          empty={
            <EmptyPeriod
              title="No such records"
              quiet="Every record of this period could be used"
              icon="check"
              filtered={filtered}
              clear={clear}
            />
          }
        />
      </Card>
    </div>
  );
}

export function FailedRecords(): ReactNode {
  const { roles } = useSignedIn();
  if (roles.includes("admin")) return <List />;
  return (
    <div className="page">
      <PageHeader title="Failed records" />
      <Empty icon="lock" title="For administrators">
        <p className="soft">Raw records that could not be used are open to administrators of this tenant.</p>
      </Empty>
    </div>
  );
}
