import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { AuditChange, AuditEntry, AuditOutcome } from "../../contract/session/audit.ts";
import { operationLabel, OPERATIONS } from "./audit-labels.ts";
import { FilterBar, FilterChip, SelectFilter, TextFilter } from "../ui/filters.tsx";
import { isFiltered, ListPage, loadedRows } from "../ui/list-page.tsx";
import { Foreign, useDeviceName } from "../ui/names.tsx";
import { PageHeader } from "../ui/page.tsx";
import { RangeControl, rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { formatLabel } from "../ui/format.ts";
import { type AuditFilter, auditList } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";

const route = getRouteApi("/audit");

// Repeated here, because the dashboard imports only types of the contract.
export const AUDIT_OUTCOMES = ["done", "refused"] as const satisfies AuditOutcome[];

/** The object of an entry: links to its page, or to its other entries if it has none. */
function Target({ entry: { target_type, target_id } }: { entry: AuditEntry }) {
  const nameOf = useDeviceName();
  if (target_id === null || target_type === "tenant") return null;
  switch (target_type) {
    case "device":
      return (
        <Link to="/devices/$deviceId" params={{ deviceId: target_id }} className="link audit-target">
          <Foreign text={nameOf(target_id, "Device")} />
        </Link>
      );
    case "incident":
      return (
        <Link to="/incidents/$incidentId" params={{ incidentId: target_id }} className="link audit-target">
          Incident
        </Link>
      );
    case "suppression":
      return <Link to="/suppressions" className="link audit-target">Suppression</Link>;
    default:
      return (
        <Link
          to="/audit"
          search={(old) => ({ ...old, target_id })}
          className="link audit-target mono"
          title={`${formatLabel(target_type ?? "object")} ${target_id}: all entries`}
        >
          {target_id.slice(-8)}
        </Link>
      );
  }
}

function Changes({ entry: { changes, reason } }: { entry: AuditEntry }) {
  return (
    <>
      {reason !== null && <Foreign text={reason} />}
      {changes.map((change) => <Change key={change.field} {...change} />)}
    </>
  );
}

function Change({ field, from, to }: AuditChange) {
  return (
    <span className="audit-change">
      <span className="muted">{formatLabel(field)}</span> {from !== null && (
        <>
          <Foreign text={from} /> <span className="muted" aria-label="became">→</span>
          {" "}
        </>
      )}
      {to === null ? <span className="muted">none</span> : <Foreign text={to} />}
    </span>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const { at, subject, display_name, operation, outcome, client_address, user_agent, request_id } = entry;
  return (
    <tr className="audit-row">
      <td className="soft nowrap">
        <Time at={at} short />
      </td>
      <td className="wide-only" title={subject ?? undefined}>
        <Foreign text={display_name ?? subject ?? "Unknown"} />
      </td>
      <td className="wrap">
        {operationLabel(operation)} <Target entry={entry} />
        {outcome === "refused" && (
          <>
            {" "}
            <span className="muted">·</span> <span className="audit-refused">refused</span>
          </>
        )}
        <span className="sub-line">
          <Foreign text={display_name ?? subject ?? "Unknown"} />
          {client_address !== null && <span className="mono">{client_address}</span>}
        </span>
      </td>
      <td className="wide-only wrap small">
        <Changes entry={entry} />
      </td>
      <td className="wide-only mono soft nowrap" title={user_agent ?? undefined}>{client_address ?? "–"}</td>
      <td className="widest-only mono muted nowrap" title={request_id ?? undefined}>
        {request_id?.slice(0, 8) ?? "–"}
      </td>
    </tr>
  );
}

function NothingHere({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const [range, setRange] = useRange();
  return (
    <Empty icon={filtered ? "search" : "clock"} title="No entries">
      <p className="soft">
        {filtered ? "Nothing matches these filters in this period: " : "No activity in this period: "}
        {rangePhrase(range)}.
      </p>
      <div className="empty-actions">
        {filtered && <button type="button" className="button" onClick={clear}>Clear filters</button>}
        <button type="button" className="button" onClick={() => setRange({ preset: "30d" })}>
          Show 30 days
        </button>
      </div>
    </Empty>
  );
}

function List(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { subject, operation, target_id, outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: AuditFilter = { subject, operation, target_id, outcome };
  const query = useInfiniteQuery(auditList(tenant, filter, range));
  const set = (change: Partial<{ [K in keyof AuditFilter]: string | undefined }>) =>
    void navigate({
      search: (old) => ({ ...old, ...change as { outcome?: AuditOutcome } }),
      replace: true,
    });
  const clear = () =>
    set({ subject: undefined, operation: undefined, target_id: undefined, outcome: undefined });
  const filtered = isFiltered(filter);
  return (
    <ListPage
      title="Audit"
      note="Changes, refusals, sign-ins and ends of sessions, newest first. Entries cannot be changed."
      tools={<RangeControl />}
      filters={
        <FilterBar active={filtered} clear={clear}>
          <TextFilter label="Subject" value={subject} set={(subject) => set({ subject })} first />
          <SelectFilter
            label="Operation"
            value={operation}
            options={OPERATIONS}
            set={(operation) => set({ operation })}
          />
          <SelectFilter
            label="Outcome"
            value={outcome}
            options={AUDIT_OUTCOMES.map((one) => [one, formatLabel(one)] as const)}
            set={(outcome) => set({ outcome })}
          />
          {target_id !== undefined && (
            <FilterChip
              label="Target"
              value={target_id}
              clear={() => set({ target_id: undefined })}
            />
          )}
        </FilterBar>
      }
      query={query}
      head={
        <>
          <th scope="col">Time</th>
          <th scope="col" className="wide-only">Person</th>
          <th scope="col">Action</th>
          <th scope="col" className="wide-only">Details</th>
          <th scope="col" className="wide-only">Address</th>
          <th scope="col" className="widest-only">Request</th>
        </>
      }
      rows={loadedRows(query.data)}
      row={(entry) => <Row key={entry.audit_id} entry={entry} />}
      empty={<NothingHere filtered={filtered} clear={clear} />}
    />
  );
}

export function Audit(): ReactNode {
  const { roles } = useSignedIn();
  if (roles.includes("admin")) return <List />;
  return (
    <div className="page">
      <PageHeader title="Audit" />
      <Empty icon="lock" title="For administrators">
        <p className="soft">The audit log is open to administrators of this tenant.</p>
      </Empty>
    </div>
  );
}
