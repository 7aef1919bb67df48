import { useQuery } from "@tanstack/react-query";
import type { Suppression } from "../../contract/review/suppression.ts";
import { call } from "../base/api.ts";
import { usePersonName } from "../base/people.ts";
import { useSignedIn } from "../base/session.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
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
  /** Revokes a suppression; null for a person who may not. */
  revoke: ((id: string) => void) | null;
  close: () => void;
}

/** The device or address of a pattern. */
export function Source({ suppression: { pattern: { source }, source_name } }: { suppression: Suppression }) {
  if (source === null) return <span className="muted">Any device</span>;
  if (source_name !== null) return <EntityChip kind="device" value={source} label={source_name} />;
  return <EntityChip kind="address" value={source} />;
}

/** The destination of a pattern. */
export function Destination({ suppression: { pattern: { destination } } }: { suppression: Suppression }) {
  if (destination === null) return <span className="muted">Any destination</span>;
  const isAddress = /^[\d.]+(\/\d+)?$|:/.test(destination);
  return <EntityChip kind={isAddress ? "address" : "domain"} value={destination} />;
}

/** The active suppression with its history beside the list. */
export function SuppressionPeek({ suppression, revoke, close }: SuppressionPeekProps) {
  return (
    <Peek label="Suppression" title="Suppression" open={suppression !== null} onClose={close}>
      {suppression && <Essence key={suppression.suppression_id} suppression={suppression} revoke={revoke} />}
    </Peek>
  );
}

const ENDS: Record<Suppression["status"], string> = {
  active: "until",
  expired: "since",
  revoked: "before its end,",
};

function Essence(
  { suppression, revoke }: Pick<SuppressionPeekProps, "revoke"> & { suppression: Suppression },
) {
  const { tenant } = useSignedIn();
  const nameOf = usePersonName();
  const { port, detector } = suppression.pattern;
  const { suppression_id, reason, status, held_back, revision } = suppression;
  const { created_by, created_at, expires_at, revoked_reason } = suppression;
  const { data, error, refetch } = useQuery({
    queryKey: [tenant, "suppression", suppression_id, revision],
    queryFn: ({ signal }) => call("getSuppression", { params: { suppression_id }, signal }),
  });
  return (
    <div className="peek-incident">
      <dl className="facts">
        <Fact name="Device">
          <Source suppression={suppression} />
        </Fact>
        <Fact name="Destination">
          <Destination suppression={suppression} />
        </Fact>
        {port !== null && (
          <Fact name="Port">
            <EntityChip kind="port" value={port} />
          </Fact>
        )}
        {detector !== null && (
          <Fact name="Detector">
            <EntityChip kind="detector" value={detector} />
          </Fact>
        )}
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
      {revoke !== null && status === "active" && (
        <p>
          <button type="button" className="button" onClick={() => revoke(suppression_id)}>Revoke…</button>
        </p>
      )}
      <h3>History</h3>
      {data
        ? <History entries={data.workflow_history} empty="No history." />
        : error
        ? <ErrorState what="The history" error={error} retry={() => void refetch()} />
        : <SkeletonBlock />}
    </div>
  );
}
