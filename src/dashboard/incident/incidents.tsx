import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Incident } from "../../contract/incident/incident.ts";
import { EmptyWindow } from "../ui/empty-window.tsx";
import { DeviceFilter, FilterBar, SelectFilter } from "../ui/filters.tsx";
import { isFiltered, ListPage, loadedRows } from "../ui/list-page.tsx";
import { DeviceNames, Foreign } from "../ui/names.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";
import { SortHeader, sortRows, useSorting } from "../ui/table.tsx";
import { Score, SeverityTag, STATUS_ORDER, StatusTag } from "../ui/tags.tsx";
import { Time } from "../ui/time/time.tsx";
import { formatLabel } from "../ui/format.ts";
import { type IncidentFilter, incidentList } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { SEVERITY_ORDER } from "../ui/severity.ts";

const route = getRouteApi("/incidents");

/** Suppressed incidents are hidden unless requested: alone, or together with all others. */
export const SUPPRESSED_VIEWS = ["only", "shown"] as const;
export type SuppressedView = (typeof SUPPRESSED_VIEWS)[number];
const SUPPRESSED_NAMES = SUPPRESSED_VIEWS.map((one) => [one, `Suppressed: ${one}`] as const);
const SUPPRESSED = { only: "true", shown: undefined };

const COLUMNS = {
  severity: ({ severity }: Incident) => -SEVERITY_ORDER.indexOf(severity),
  score: ({ score }: Incident) => score,
  first_seen: ({ first_seen }: Incident) => first_seen,
  last_seen: ({ last_seen }: Incident) => last_seen,
};

function Standing({ incident: { status, suppressed } }: { incident: Incident }) {
  return (
    <>
      <StatusTag status={status} />{" "}
      {suppressed && <span className="muted small" title={suppressed.reason}>suppressed</span>}
    </>
  );
}

function Row({ incident }: { incident: Incident }) {
  return (
    <tr>
      <td className="cell-severity">
        <SeverityTag severity={incident.severity} />
      </td>
      <td className="number cell-score">
        <Score score={incident.score} severity={incident.severity} />
      </td>
      <td className="cell-main">
        <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} className="row-link" data-row>
          <Foreign text={incident.title} />
        </Link>
        <span className="sub-line">
          <Standing incident={incident} /> <DeviceNames ids={incident.device_ids} />{" "}
          <Time at={incident.last_seen} short />
        </span>
      </td>
      <td className="wide-only">
        <DeviceNames ids={incident.device_ids} most={1} />
      </td>
      <td className="widest-only mono muted nowrap">{incident.model_ids.join(", ")}</td>
      <td className="wide-only">
        <Standing incident={incident} />
      </td>
      <td className="widest-only soft">
        <Time at={incident.first_seen} short />
      </td>
      <td className="wide-only soft">
        <Time at={incident.last_seen} short />
      </td>
    </tr>
  );
}

export function Incidents(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { status, severity, device_id, suppressed } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = { status, severity, device_id, suppressed };
  const filter: IncidentFilter = { ...chosen, suppressed: suppressed ? SUPPRESSED[suppressed] : "false" };
  const filtered = isFiltered(chosen);
  const set = (change: IncidentFilter) =>
    void navigate({ search: (old) => ({ ...old, ...change } as typeof old), replace: true });
  const clear = () =>
    set({ status: undefined, severity: undefined, device_id: undefined, suppressed: undefined });
  const { sorting, toggle } = useSorting<keyof typeof COLUMNS>(null);
  const query = useInfiniteQuery(incidentList(tenant, filter, range));
  const loaded = loadedRows(query.data);
  const rows = sorting ? sortRows(loaded, COLUMNS[sorting.key], sorting.down) : loaded;
  const sort = { sorting, toggle };
  return (
    <ListPage
      title="Incidents"
      note="Newest first"
      tools={<RangeControl />}
      filters={
        <FilterBar active={filtered} clear={clear}>
          <SelectFilter
            label="Status"
            value={status}
            options={STATUS_ORDER.map((one) => [one, formatLabel(one)] as const)}
            set={(value) => set({ status: value })}
          />
          <SelectFilter
            label="Severity"
            value={severity}
            options={SEVERITY_ORDER.map((one) => [one, formatLabel(one)] as const)}
            set={(value) => set({ severity: value })}
          />
          <SelectFilter
            label="Suppressed"
            otherwise="hidden"
            value={suppressed}
            options={SUPPRESSED_NAMES}
            set={(value) => set({ suppressed: value })}
          />
          <DeviceFilter value={device_id} set={(value) => set({ device_id: value })} />
        </FilterBar>
      }
      query={query}
      head={
        <>
          <SortHeader name="severity" down {...sort}>Severity</SortHeader>
          <SortHeader name="score" down {...sort} className="number">Score</SortHeader>
          <th scope="col">Incident</th>
          <th scope="col" className="wide-only">Devices</th>
          <th scope="col" className="widest-only">Models</th>
          <th scope="col" className="wide-only">Status</th>
          <SortHeader name="first_seen" down {...sort} className="widest-only">
            First seen
          </SortHeader>
          <SortHeader name="last_seen" down {...sort} className="wide-only">Last seen</SortHeader>
        </>
      }
      rows={rows}
      row={(incident) => <Row key={incident.id} incident={incident} />}
      empty={<EmptyWindow what="incidents" filtered={filtered} clear={clear} />}
    />
  );
}
