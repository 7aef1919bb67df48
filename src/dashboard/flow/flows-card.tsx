import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { to } from "../base/links.ts";
import { flowList } from "./flow-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { EmptyWindow } from "../entity/empty-window.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import { useList } from "../ui/grid/list-state.ts";
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
  const { rows, list } = useList(useInfiniteQuery(flowList(tenant, { filter: text }, range)));
  return (
    <Card
      title="Flows"
      note="newest first"
      className="flows-card"
      flush
      action={<Link {...to.explore({ filter: text, scope })} className="link small">Open in Explore</Link>}
    >
      <DataGrid
        label="Flows"
        rows={rows}
        columns={FLOW_COLUMNS.flows}
        rowId={(flow) => flow.flow_id}
        rowLabel={flowLabel}
        sort="-start"
        detail={(flow) => <FlowDetail flow={flow} />}
        list={list}
        total={total}
        storageKey={storageKey}
        empty={<EmptyWindow what="flows" filtered={false} />}
      />
    </Card>
  );
}
