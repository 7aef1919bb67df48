import { useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import type { FlowSort } from "../../contract/flow/flow.ts";
import { flowList, NEWEST_FIRST } from "./flow-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { EmptyWindow } from "../entity/empty-window.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import { orderInWords } from "../ui/grid/grid-column.ts";
import { useList } from "../ui/grid/list-state.ts";
import { SortRefused } from "../ui/grid/sort-refused.tsx";
import { Card } from "../ui/page.tsx";
import { useRange } from "../ui/time/range-control.tsx";
import { FLOW_COLUMNS } from "./flow-columns.tsx";
import { FlowDetail } from "./flow-detail.tsx";
import { flowLabel } from "./flow-parts.tsx";

interface FlowsCardProps {
  /** A filter in the text form. */
  text: string;
  /** Name of the grid in the browser's storage. */
  storageKey: string;
  /** How many there are, if the page knows it. */
  total?: number;
}

/** The flows of an object in the page's time. */
export function FlowsCard({ text, storageKey, total }: FlowsCardProps) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const scope = usePivotWindow();
  const [sort, setSort] = useState<FlowSort>(NEWEST_FIRST);
  const newestFirst = sort === NEWEST_FIRST;
  // Without an order it is the query that the page itself may have asked.
  const asked = { filter: text, sort: newestFirst ? undefined : sort };
  const { rows, list } = useList(useInfiniteQuery(flowList(tenant, asked, range)));
  return (
    <Card
      title="Flows"
      note={newestFirst ? "newest first" : orderInWords(FLOW_COLUMNS.flows, sort)}
      className="flows-card"
      flush
      action={<Link {...to.explore({ filter: text, scope })} className="link small">Open in Explore</Link>}
    >
      {!newestFirst && (
        <SortRefused
          list={list}
          usual="Show the newest first"
          reset={() => setSort(NEWEST_FIRST)}
        />
      )}
      <DataGrid
        label="Flows"
        rows={rows}
        columns={FLOW_COLUMNS.flows}
        rowId={(flow) => flow.flow_id}
        rowLabel={flowLabel}
        sort={sort}
        // The columns' orders are the server's.
        onSort={(next) => setSort(next as FlowSort)}
        detail={(flow) => <FlowDetail flow={flow} />}
        list={list}
        total={total}
        storageKey={storageKey}
        empty={<EmptyWindow what="flows" filtered={false} />}
      />
    </Card>
  );
}
