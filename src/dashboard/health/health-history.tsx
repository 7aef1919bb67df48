import { useMemo, useState } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { HealthTransition } from "../../contract/health/health.ts";
import { firstPages } from "../base/api.ts";
import type { TimedHealthReport } from "../entity/health/health-query.ts";
import { useSignedIn } from "../base/session.ts";
import { formatSpan } from "../ui/format.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { HealthTag } from "../entity/health/health-tags.tsx";
import { Time } from "../ui/time/time.tsx";
import { KINDS } from "./health-advice.ts";
import { shortName } from "../entity/health/health-labels.ts";
import { lanesOf } from "./history-lanes.ts";
import { StatusLanes } from "./status-lanes.tsx";

const HOUR = 3_600_000;
const SPANS = [
  { key: "24h", label: "24 hours", length: 24 * HOUR },
  { key: "7d", label: "7 days", length: 7 * 24 * HOUR },
  { key: "30d", label: "30 days", length: 30 * 24 * HOUR },
] as const;
type Span = typeof SPANS[number]["key"];

const PAGE = 500;
/** More transitions than this are a component that changes all the time: the picture says that it is cut. */
const PAGES = 6;
const REFRESH_MILLISECONDS = 15_000;

interface History {
  window: { from: number; to: number };
  transitions: HealthTransition[];
  /** Whether older transitions of the window were not read. */
  cut: boolean;
}

const history = (tenant: string, span: Span) =>
  queryOptions({
    queryKey: [tenant, "health-history", span],
    queryFn: async ({ signal }): Promise<History> => {
      const to = Date.now();
      const from = to - SPANS.find(({ key }) => key === span)!.length;
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: PAGE };
      const { rows, complete } = await firstPages("listHealthTransitions", { query, signal }, PAGES);
      return { window: { from, to }, transitions: rows, cut: !complete };
    },
    refetchInterval: REFRESH_MILLISECONDS,
  });

const nameOf = ({ component_id: id, kind }: HealthTransition) => shortName({ id, kind });

const COLUMNS: GridColumn<HealthTransition>[] = [
  { id: "at", header: "Time", width: 170, cell: ({ at }) => <Time at={at} /> },
  {
    id: "component",
    header: "Component",
    width: 170,
    text: nameOf,
    cell: (row) => (
      <span>
        <Foreign text={nameOf(row)} />
        {row.component_id !== row.kind && <span className="muted">{` ${KINDS[row.kind] ?? row.kind}`}</span>}
      </span>
    ),
  },
  { id: "to", header: "Became", width: 130, cell: ({ to }) => <HealthTag status={to} /> },
  { id: "from", header: "Before", width: 130, cell: ({ from }) => <HealthTag status={from} /> },
  {
    id: "message",
    header: "Message",
    width: 240,
    grow: 1,
    text: ({ message }) => message ?? "",
    cell: ({ message }) => message === null ? null : <Foreign text={message} />,
  },
];

/** The statuses of every component over time, and their changes as a list. */
export function HealthHistory({ report }: { report: TimedHealthReport }) {
  const { tenant } = useSignedIn();
  const [span, setSpan] = useState<Span>("24h");
  const { data, error, isPending, refetch } = useQuery(history(tenant, span));
  const lanes = useMemo(
    () =>
      data && lanesOf([...report.components, report.telemetry, report.update], data.transitions, data.window),
    [data, report],
  );
  const changed = data?.transitions.filter(({ component_id }) => component_id !== "appliance").length ?? 0;
  return (
    <Card
      title="History"
      note={data && `${changed === 0 ? "no change" : changed === 1 ? "1 change" : `${changed} changes`}`}
      action={
        <span className="segments" role="group" aria-label="Period of the history">
          {SPANS.map(({ key, label }) => (
            <button
              key={key}
              type="button"
              className="segment"
              aria-pressed={key === span}
              onClick={() => setSpan(key)}
            >
              {label}
            </button>
          ))}
        </span>
      }
    >
      {data && lanes
        ? (
          <>
            <StatusLanes
              label={`Health over ${formatSpan(data.window.to - data.window.from)}`}
              {...data}
              lanes={lanes}
            />
            {data.cut && (
              <p className="notice">Only the newest {data.transitions.length} changes were read.</p>
            )}
            <DataGrid
              label="Changes of health"
              rows={data.transitions}
              columns={COLUMNS}
              rowId={({ transition_id }) => transition_id}
              storageKey="health-history"
              empty={<p className="muted">No component changed its status in this period.</p>}
            />
          </>
        )
        : isPending
        ? <SkeletonBlock tall />
        : <ErrorState what="The history" error={error} retry={() => void refetch()} />}
    </Card>
  );
}
