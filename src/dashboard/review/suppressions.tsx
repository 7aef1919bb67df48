import { type ReactNode, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Suppression, SuppressionStatus } from "../../contract/review/suppression.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FilterBar, SelectFilter } from "../ui/filters.tsx";
import { isFiltered, ListPage, loadedRows } from "../ui/list-page.tsx";
import { DeviceLink, Foreign } from "../ui/names.tsx";
import { RevokeForm } from "./revoke-form.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { formatLabel, plural } from "../ui/format.ts";
import { suppressionList } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";

const route = getRouteApi("/suppressions");

// Repeated here, because the dashboard imports only types of the contract.
export const SUPPRESSION_ORDER = ["active", "expired", "revoked"] as const satisfies SuppressionStatus[];

function Source({ suppression: { pattern, source_name } }: { suppression: Suppression }) {
  const { source } = pattern;
  if (source === null) return <span className="muted">Any device</span>;
  return source_name === null
    ? <span className="mono">{source}</span>
    : <DeviceLink id={source} name={source_name} />;
}

function Destination({ pattern: { destination, port } }: Suppression) {
  return (
    <span>
      {destination === null
        ? <span className="muted">any</span>
        : <Foreign text={destination} className="mono" />}
      {port !== null && <span className="soft nowrap">{` port ${port}`}</span>}
    </span>
  );
}

function Until({ suppression }: { suppression: Suppression }) {
  const { status, expires_at, revoked_at, revoked_by, revoked_reason } = suppression;
  if (revoked_at === null) {
    return (
      <>
        {formatLabel(status)} {status === "active" && "until"} <Time at={expires_at} short />
      </>
    );
  }
  return (
    <span title={revoked_reason ?? undefined}>
      Revoked <Time at={revoked_at} short /> by <Foreign text={revoked_by ?? ""} />
    </span>
  );
}

interface RowProps {
  suppression: Suppression;
  mayRevoke: boolean;
  revoke: () => void;
}

function Row({ suppression, mayRevoke, revoke }: RowProps) {
  const { pattern, reason, created_by, created_at, held_back, status } = suppression;
  return (
    <tr className={status === "active" ? undefined : "row-over"}>
      <td className="cell-main">
        <Source suppression={suppression} /> <span className="muted">to</span>{" "}
        <Destination {...suppression} />
        <span className="sub-line">
          <span className="mono">{pattern.detector ?? "any detector"}</span>
          <span>
            <Until suppression={suppression} />
          </span>
        </span>
      </td>
      <td className="wide-only mono">{pattern.detector ?? <span className="muted">any</span>}</td>
      <td className="wrap">
        <Foreign text={reason} />
        <span className="muted small cell-note">
          <Foreign text={created_by} />, <Time at={created_at} short />
        </span>
      </td>
      <td className="wide-only soft">
        {plural(held_back.results, "result")}, {plural(held_back.incidents, "incident")}
      </td>
      <td className="wide-only soft">
        <Until suppression={suppression} />
      </td>
      <td className="cell-action">
        {status === "active" && (
          <button
            type="button"
            className="button button-small"
            disabled={!mayRevoke}
            title={mayRevoke ? undefined : "Requires the analyst role"}
            onClick={revoke}
          >
            Revoke…
          </button>
        )}
      </td>
    </tr>
  );
}

export function Suppressions(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const [revoking, setRevoking] = useState<string | null>(null);
  const query = useInfiniteQuery(suppressionList(tenant, { status }));
  const rows = loadedRows(query.data);
  const filtered = isFiltered({ status });
  const set = (value: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, status: value } as typeof old), replace: true });
  const close = () => setRevoking(null);
  const chosen = rows.find(({ suppression_id }) => suppression_id === revoking);
  return (
    <>
      <ListPage
        title="Suppressions"
        note="Accepted patterns, newest first"
        filters={
          <FilterBar active={filtered} clear={() => set(undefined)}>
            <SelectFilter
              label="Status"
              value={status}
              options={SUPPRESSION_ORDER.map((one) => [one, formatLabel(one)] as const)}
              set={set}
            />
          </FilterBar>
        }
        query={query}
        head={
          <>
            <th scope="col">Pattern</th>
            <th scope="col" className="wide-only">Detector</th>
            <th scope="col">Reason</th>
            <th scope="col" className="wide-only">Held back</th>
            <th scope="col" className="wide-only">Expires</th>
            <th scope="col">
              <span className="hidden">Action</span>
            </th>
          </>
        }
        rows={rows}
        row={(one) => (
          <Row
            key={one.suppression_id}
            suppression={one}
            mayRevoke={roles.includes("analyst")}
            revoke={() => setRevoking(one.suppression_id)}
          />
        )}
        empty={
          <Empty icon="suppress" title={filtered ? "No suppressions match" : "No suppressions yet"}>
            <p className="soft">
              Suppress known and harmless activity on the page of its incident.
            </p>
          </Empty>
        }
      />
      <Dialog title="Revoke a suppression" open={chosen !== undefined} close={close}>
        {chosen && <RevokeForm suppression={chosen} done={close} />}
      </Dialog>
    </>
  );
}
