import { useQuery } from "@tanstack/react-query";
import type { Suppression } from "../../contract/review/suppression.ts";
import { call } from "../base/api.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { History } from "../entity/history.tsx";
import { formatLabel, plural } from "../ui/format.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Peek } from "../ui/peek/peek.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { Fact } from "../ui/fact.tsx";

interface SuppressionPeekProps {
  /** The active row; null shows no panel. */
  suppression: Suppression | null;
  close: () => void;
}

/** The active suppression with its history beside the list. */
export function SuppressionPeek({ suppression, close }: SuppressionPeekProps) {
  return (
    <Peek label="Suppression" title="Suppression" open={suppression !== null} onClose={close}>
      {suppression && <Essence key={suppression.suppression_id} suppression={suppression} />}
    </Peek>
  );
}

const ENDS: Record<Suppression["status"], string> = {
  active: "until",
  expired: "since",
  revoked: "before its end,",
};

function Essence({ suppression }: { suppression: Suppression }) {
  const { tenant } = useSignedIn();
  const nameOf = usePersonName();
  const { suppression_id, reason, status, held_back, revision } = suppression;
  const { created_by, created_at, expires_at, revoked_reason } = suppression;
  const { data, error, refetch } = useQuery({
    queryKey: [tenant, "suppression", suppression_id, revision],
    queryFn: ({ signal }) => call("getSuppression", { params: { suppression_id }, signal }),
  });
  return (
    <div className="peek-incident">
      <dl className="facts">
        <Fact name="Reason" wrap>
          <Foreign text={reason} />
        </Fact>
        <Fact name="Status">
          {formatLabel(status)} {ENDS[status]} <Time at={expires_at} />
        </Fact>
        <Fact name="Held back">
          {plural(held_back.results, "result")}, {plural(held_back.incidents, "incident")}
        </Fact>
        <Fact name="Created">
          by <Foreign text={nameOf(created_by)} />, <Time at={created_at} />
        </Fact>
        {revoked_reason !== null && (
          <Fact name="Reason of the revocation" wrap>
            <Foreign text={revoked_reason} />
          </Fact>
        )}
      </dl>
      <h3>History</h3>
      {data
        ? <History entries={data.workflow_history} empty="No history." />
        : error
        ? <ErrorState what="The history" error={error} retry={() => void refetch()} />
        : <SkeletonBlock />}
    </div>
  );
}
