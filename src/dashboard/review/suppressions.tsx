import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Suppression } from "../../contract/review/suppression.ts";
import { useShortcut } from "../base/keys.ts";
import { usePersonName } from "../base/people.ts";
import { suppressionList } from "./review-queries.ts";
import { SUPPRESSION_ORDER } from "./review-search.ts";
import { useSignedIn } from "../base/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { ChoiceFilter } from "../ui/field/select-field.tsx";
import { FilterBar } from "../ui/filters.tsx";
import { formatLabel, plural } from "../ui/format.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { useList } from "../ui/grid/list-state.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card, PageHeader } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";
import { useToast } from "../ui/toast/toast.ts";
import { NewSuppression } from "./new-suppression.tsx";
import { Destination, Source, SuppressionPeek } from "./suppression-peek.tsx";
import { RevokeForm } from "./revoke-form.tsx";

const route = getRouteApi("/t/$tenant/review/suppressions");

type NameOf = (subject: string) => string;

function Until({ suppression, nameOf }: { suppression: Suppression; nameOf: NameOf }) {
  const { status, expires_at, revoked_at, revoked_by } = suppression;
  if (revoked_at === null) {
    return (
      <span>
        {formatLabel(status)} {status === "active" && "until"} <Time at={expires_at} short />
      </span>
    );
  }
  return (
    <span>
      Revoked <Time at={revoked_at} short /> by <Foreign text={nameOf(revoked_by ?? "")} />
    </span>
  );
}

function columnsFor(nameOf: NameOf, revoke: ((id: string) => void) | null): GridColumn<Suppression>[] {
  const columns: GridColumn<Suppression>[] = [
    { id: "source", header: "Device", width: 115, grow: 1, cell: (row) => <Source suppression={row} /> },
    {
      id: "destination",
      header: "Destination",
      width: 115,
      grow: 1,
      text: ({ pattern }) => pattern.destination ?? "",
      cell: (row) => <Destination suppression={row} />,
    },
    {
      id: "port",
      header: "Port",
      width: 72,
      cell: ({ pattern: { port } }) =>
        port === null ? <span className="muted">Any</span> : <EntityChip kind="port" value={port} />,
    },
    {
      id: "detector",
      header: "Detector",
      width: 125,
      cell: ({ pattern: { detector } }) =>
        detector === null
          ? <span className="muted">Any</span>
          : <EntityChip kind="detector" value={detector} />,
    },
    {
      id: "reason",
      header: "Reason",
      width: 105,
      grow: 2,
      text: ({ reason }) => reason,
      cell: ({ reason }) => <LinkedText text={reason} />,
    },
    {
      id: "held_back",
      header: "Held back",
      width: 158,
      cell: ({ held_back: { results, incidents } }) => (
        <span className="soft">{plural(results, "result")}, {plural(incidents, "incident")}</span>
      ),
    },
    {
      id: "until",
      header: "Status",
      width: 192,
      text: ({ revoked_reason }) => revoked_reason ?? "",
      cell: (row) => <Until suppression={row} nameOf={nameOf} />,
    },
    {
      id: "created_by",
      header: "By",
      width: 100,
      cell: ({ created_by }) => <Foreign text={nameOf(created_by)} />,
    },
    {
      id: "created_at",
      header: "Created",
      width: 128,
      hidden: true,
      cell: ({ created_at }) => <Time at={created_at} short />,
    },
  ];
  if (revoke === null) return columns;
  return [...columns, {
    id: "action",
    header: "Action",
    width: 96,
    cell: ({ suppression_id, status }) =>
      status !== "active" ? null : (
        <button
          type="button"
          className="button button-small"
          onClick={(event) => {
            event.stopPropagation();
            revoke(suppression_id);
          }}
        >
          Revoke…
        </button>
      ),
  }];
}

/** Accepted patterns: what they hold back, until when, and who agreed. */
export function Suppressions(): ReactNode {
  const { tenant, roles } = useSignedIn();
  const toast = useToast();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const nameOf = usePersonName();
  const allowed = roles.includes("analyst");
  const [active, setActive] = useState<string | null>(null);
  const [peeking, setPeeking] = useState(false);
  const [revoking, setRevoking] = useState<Suppression | null>(null);
  const [creating, setCreating] = useState(false);
  const { rows, list } = useList(useInfiniteQuery(suppressionList(tenant, { status })));
  const revoke = useCallback((id: string | null) => {
    const found = rows.find(({ suppression_id }) => suppression_id === id);
    if (found === undefined || found.status !== "active") return false;
    setRevoking(found);
  }, [rows]);
  const columns = useMemo(
    () => columnsFor(nameOf, allowed ? (id) => void revoke(id) : null),
    [nameOf, allowed, revoke],
  );
  useShortcut({
    keys: "r",
    label: "Revoke the suppression",
    group: "Decision",
    enabled: allowed,
    run: () => revoke(active),
  });
  const set = (status: typeof SUPPRESSION_ORDER[number] | undefined) =>
    void navigate({ search: (old) => ({ ...old, status }), replace: true });
  const filtered = status !== undefined;
  return (
    <div className="page page-list">
      <PageHeader
        title="Suppressions"
        note="Accepted patterns, newest first. Matching results open no incident."
      >
        {allowed && (
          <button type="button" className="button" onClick={() => setCreating(true)}>
            New suppression…
          </button>
        )}
      </PageHeader>
      <FilterBar active={filtered} clear={() => set(undefined)}>
        <ChoiceFilter
          label="Status"
          value={status}
          options={SUPPRESSION_ORDER.map((one) => [one, formatLabel(one)] as const)}
          set={set}
        />
      </FilterBar>
      <Card title="List of suppressions" className="card-plain" flush>
        <DataGrid
          label="Suppressions"
          rows={rows}
          columns={columns}
          rowId={({ suppression_id }) => suppression_id}
          rowLabel={({ reason }) => reason}
          list={list}
          active={active}
          onActive={setActive}
          // Not already when a row becomes active: the list would move under a click on its button.
          onOpen={() => setPeeking(true)}
          storageKey="suppressions"
          empty={
            <Empty icon="suppress" title={filtered ? "No suppressions match" : "No suppressions yet"}>
              <p className="soft">
                Suppress known and harmless activity on the page of its incident, or from the menu of a value.
              </p>
            </Empty>
          }
        />
      </Card>
      <SuppressionPeek
        suppression={peeking ? rows.find(({ suppression_id }) => suppression_id === active) ?? null : null}
        revoke={allowed ? (id) => void revoke(id) : null}
        close={() => setPeeking(false)}
      />
      <Dialog title="Suppress a pattern" open={creating} close={() => setCreating(false)}>
        <NewSuppression
          saved={() => {
            setCreating(false);
            toast({ text: "Pattern suppressed." });
          }}
          cancel={() => setCreating(false)}
        />
      </Dialog>
      <Dialog title="Revoke a suppression" open={revoking !== null} close={() => setRevoking(null)}>
        {revoking && (
          <RevokeForm
            suppression={revoking}
            saved={() => {
              setRevoking(null);
              toast({ text: "Suppression revoked." });
            }}
            cancel={() => setRevoking(null)}
          />
        )}
      </Dialog>
    </div>
  );
}
