import { useQuery } from "@tanstack/react-query";
import { useSignedIn } from "../../base/session.ts";
import { IntelReferences } from "../../entity/intel/intel.tsx";
import { Card } from "../../ui/page.tsx";
import { ErrorState, SkeletonRows } from "../../ui/states.tsx";
import { useRange } from "../../ui/time/range-control.tsx";
import { intelOf } from "./entity-queries.ts";

/** Indicators that the flows of an entity matched. */
export function EntityIntel({ text }: { text: string }) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(intelOf(tenant, text, range));
  return (
    <Card title="Known threats" note="matched in its newest flows" flush>
      <div className="entity-list">
        {isPending
          ? <SkeletonRows rows={2} />
          : error && !data
          ? <ErrorState what="The indicators" error={error} retry={() => void refetch()} />
          : (data ?? []).length > 0
          ? <IntelReferences intel={data!} />
          : <p className="card-text muted">No indicator of a threat list matched in this period.</p>}
      </div>
    </Card>
  );
}
