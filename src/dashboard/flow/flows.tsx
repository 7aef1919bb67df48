import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { canonicalIp } from "../../kit/net/ip.ts";
import { EmptyWindow } from "../ui/empty-window.tsx";
import { DeviceFilter, FilterBar, FilterChip, SelectFilter, TextFilter } from "../ui/filters.tsx";
import { isFiltered, ListPage, loadedRows } from "../ui/list-page.tsx";
import { FlowRow } from "./flow-row.tsx";
import { RangeControl, useRange } from "../ui/time/range-control.tsx";
import { FLOW_SOURCES } from "./flow-sources.ts";
import { type FlowFilter, flowList } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";

const route = getRouteApi("/flows");

const SOURCE_NAMES = { zeek: "Zeek", suricata: "Suricata", netflow: "NetFlow", unbound: "Unbound" };

export function Flows(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { device_id, peer_ip, proto, service, source, incident_id } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: FlowFilter = { device_id, peer_ip, proto, service, source, incident_id };
  const filtered = isFiltered(filter);
  const set = (change: FlowFilter) =>
    void navigate({ search: (old) => ({ ...old, ...change } as typeof old), replace: true });
  const clear = () =>
    set({
      device_id: undefined,
      peer_ip: undefined,
      proto: undefined,
      service: undefined,
      source: undefined,
      incident_id: undefined,
    });
  const query = useInfiniteQuery(flowList(tenant, filter, range));
  const rows = loadedRows(query.data);
  return (
    <ListPage
      title="Flows"
      note="Newest first; a dash means that no sensor measured it"
      tools={<RangeControl />}
      filters={
        <FilterBar active={filtered} clear={clear}>
          <TextFilter
            label="Address of either end"
            value={peer_ip}
            normal={canonicalIp}
            set={(value) => set({ peer_ip: value })}
            wide
            first
          />
          <TextFilter label="Protocol" value={proto} set={(value) => set({ proto: value })} />
          <TextFilter label="Service" value={service} set={(value) => set({ service: value })} />
          <SelectFilter
            label="Source"
            value={source}
            options={FLOW_SOURCES.map((one) => [one, SOURCE_NAMES[one]] as const)}
            set={(value) => set({ source: value })}
          />
          <DeviceFilter value={device_id} set={(value) => set({ device_id: value })} />
          {incident_id !== undefined && (
            <FilterChip
              label="Incident"
              value={incident_id}
              clear={() => set({ incident_id: undefined })}
            />
          )}
        </FilterBar>
      }
      query={query}
      head={
        <>
          <th scope="col">Start</th>
          <th scope="col">Source</th>
          <th scope="col" className="wide-only">Destination</th>
          <th scope="col" className="wide-only">Service</th>
          <th scope="col" className="number wide-only">Sent</th>
          <th scope="col" className="number wide-only">Received</th>
          <th scope="col" className="number wide-only">Duration</th>
          <th scope="col" className="wide-only">Sensors</th>
        </>
      }
      rows={rows}
      row={(flow) => <FlowRow key={flow.flow_id} flow={flow} />}
      empty={<EmptyWindow what="flows" filtered={filtered} clear={clear} />}
    />
  );
}
