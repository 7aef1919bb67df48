import { type ReactNode, useMemo } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { AuditChange, AuditEntry, AuditOutcome } from "../../contract/session/audit.ts";
import { operationLabel, OPERATIONS, valueLabel } from "./audit-labels.ts";
import { EmptyPeriod } from "../entity/empty-window.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { ChoiceFilter } from "../ui/field/select-field.tsx";
import { FilterBar, FilterChip } from "../ui/filters.tsx";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { useList } from "../ui/grid/list-state.ts";
import { isFiltered } from "../base/search-params.ts";
import { Foreign } from "../ui/foreign.tsx";
import { useDeviceName } from "../base/devices.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { ABSENT, formatLabel } from "../ui/format.ts";
import { peopleQuery, usePersonName } from "../base/people.ts";
import { type AuditFilter, auditList } from "./audit-query.ts";
import { useSignedIn } from "../base/session.ts";
import { to } from "../base/links.ts";
import { AUDIT_OUTCOMES } from "./audit-search.ts";
import "./audit.css";

const route = getRouteApi("/t/$tenant/system/audit");

/** The object of an entry: links to its page, or to its other entries if it has none. */
function Target({ entry: { target_type, target_id, target_name } }: { entry: AuditEntry }) {
  const nameOf = useDeviceName();
  if (target_id === null || target_type === "tenant") return null;
  switch (target_type) {
    case "device":
      return (
        <Link {...to.device(target_id)} className="link audit-target">
          <Foreign text={target_name ?? nameOf(target_id, "Device")} />
        </Link>
      );
    case "incident":
      return (
        <Link {...to.incident(target_id)} className="link audit-target">
          <Foreign text={target_name ?? "Incident"} />
        </Link>
      );
    case "suppression":
      return (
        <Link {...to.suppressions()} className="link audit-target">
          <Foreign text={target_name ?? "Suppression"} />
        </Link>
      );
    default:
      return (
        <Link
          from={route.id}
          search={(old) => ({ ...old, target_id })}
          className={`link audit-target ${target_name === null ? "mono" : ""}`}
          title={`${formatLabel(target_type ?? "object")} ${target_id}: all entries`}
        >
          <Foreign text={target_name ?? target_id.slice(-8)} />
        </Link>
      );
  }
}

function Changes({ entry: { changes, reason } }: { entry: AuditEntry }) {
  return (
    <>
      {reason !== null && <LinkedText text={reason} />}
      {changes.map((change) => <Change key={change.field} {...change} />)}
    </>
  );
}

function Change({ field, from, to }: AuditChange) {
  return (
    <span className="audit-change">
      <span className="muted">{formatLabel(field)}</span> {from !== null && (
        <>
          <LinkedText text={valueLabel(from)} /> <span className="muted" aria-label="became">→</span>
          {" "}
        </>
      )}
      {to === null ? <span className="muted">none</span> : <LinkedText text={valueLabel(to)} />}
    </span>
  );
}

type NameOf = (subject: string) => string;

function columnsFor(nameOf: NameOf): GridColumn<AuditEntry>[] {
  const personOf = ({ subject, display_name }: AuditEntry) =>
    display_name ?? (subject === null ? "Unknown" : nameOf(subject));
  return [
    { id: "at", header: "Time", width: 150, cell: ({ at }) => <Time at={at} /> },
    {
      id: "person",
      header: "Person",
      width: 140,
      text: (entry) => entry.subject ?? "",
      cell: (entry) => <Foreign text={personOf(entry)} />,
    },
    {
      id: "action",
      header: "Action",
      width: 240,
      grow: 2,
      oneLine: true,
      text: ({ operation }) => operationLabel(operation),
      cell: (entry) => (
        <span>
          {operationLabel(entry.operation)} <Target entry={entry} />
        </span>
      ),
    },
    {
      id: "outcome",
      header: "Outcome",
      width: 92,
      cell: ({ outcome }) =>
        outcome === "refused"
          ? <span className="audit-refused">Refused</span>
          : <span className="soft">Done</span>,
    },
    {
      id: "details",
      header: "Details",
      width: 240,
      grow: 3,
      text: detailsOf,
      cell: (entry) => detailsOf(entry) && <LinkedText text={detailsOf(entry)} />,
    },
    {
      id: "address",
      header: "Address",
      width: 130,
      cell: ({ client_address }) =>
        client_address === null
          ? <span className="muted">{ABSENT}</span>
          : <EntityChip kind="address" value={client_address} />,
    },
    {
      id: "request",
      header: "Request",
      width: 110,
      hidden: true,
      text: ({ request_id }) => request_id ?? "",
      cell: ({ request_id }) => <span className="mono muted">{request_id?.slice(0, 8) ?? ABSENT}</span>,
    },
  ];
}

/** The reason and the changes in one line; the row opens to all of it. */
function detailsOf({ reason, changes }: AuditEntry): string {
  const parts = changes.map(({ field, from, to }) =>
    `${formatLabel(field)}: ${from === null ? "" : `${valueLabel(from)} → `}${
      to === null ? "none" : valueLabel(to)
    }`
  );
  return [...reason === null ? [] : [reason], ...parts].join("; ");
}

/** Everything that is known of an entry. */
function Detail({ entry }: { entry: AuditEntry }) {
  const { at, subject, display_name, roles, status, error_code, client_address, user_agent } = entry;
  const facts: [string, string | null][] = [
    ["Person", [display_name, subject].filter((one) => one !== null).join(", ") || null],
    ["Roles", roles.map(formatLabel).join(", ") || null],
    ["Operation", entry.operation],
    ["Answer", [status, error_code].filter((one) => one !== null).join(" ") || null],
    ["Object", entry.target_id === null ? null : `${entry.target_type ?? ""} ${entry.target_id}`.trim()],
    ["Address", client_address],
    ["Program", user_agent],
    ["Request", entry.request_id],
    ["Session", entry.session_id],
  ];
  return (
    <div className="audit-detail">
      <dl className="facts">
        <div>
          <dt>Time</dt>
          <dd>
            <Time at={at} />
          </dd>
        </div>
        {facts.map(([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="wrap">
                <LinkedText text={value} />
              </dd>
            </div>
          )
        )}
      </dl>
      {(entry.reason !== null || entry.changes.length > 0) && (
        <div className="wrap">
          <Changes entry={entry} />
        </div>
      )}
    </div>
  );
}

function List(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { subject, operation, target_id, outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: AuditFilter = { subject, operation, target_id, outcome };
  const nameOf = usePersonName();
  const columns = useMemo(() => columnsFor(nameOf), [nameOf]);
  const people = useQuery(peopleQuery(tenant)).data;
  const persons = [...people?.values() ?? []].map(({ subject, name }) => [subject, name] as const);
  const offered = subject === undefined || people?.has(subject)
    ? persons
    : [...persons, [subject, subject] as const];
  const { rows, list } = useList(useInfiniteQuery(auditList(tenant, filter, range)));
  const set = (change: Partial<{ [K in keyof AuditFilter]: string | undefined }>) =>
    void navigate({
      search: (old) => ({ ...old, ...change as { outcome?: AuditOutcome } }),
      replace: true,
    });
  const clear = () =>
    set({ subject: undefined, operation: undefined, target_id: undefined, outcome: undefined });
  const filtered = isFiltered(filter);
  return (
    <div className="page page-list">
      <PageHeader
        title="Audit"
        note="Changes, refusals, sign-ins and ends of sessions, newest first. Entries cannot be changed."
      >
        <RangeControl />
      </PageHeader>
      <FilterBar active={filtered} clear={clear}>
        <ChoiceFilter
          label="Person"
          value={subject}
          options={offered}
          set={(subject) => set({ subject })}
        />
        <ChoiceFilter
          label="Operation"
          value={operation}
          options={OPERATIONS}
          set={(operation) => set({ operation })}
        />
        <ChoiceFilter
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
      <Card title="List of audit entries" className="card-plain" flush>
        <DataGrid
          label="Audit entries"
          rows={rows}
          columns={columns}
          rowId={({ audit_id }) => audit_id}
          rowLabel={({ operation }) => operationLabel(operation)}
          list={list}
          detail={(entry) => <Detail entry={entry} />}
          storageKey="audit"
          empty={
            <EmptyPeriod
              title="No entries"
              quiet="No activity in this period"
              icon="clock"
              filtered={filtered}
              clear={clear}
            />
          }
        />
      </Card>
    </div>
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
