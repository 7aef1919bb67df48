import type { ReactNode } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import { DeviceTypeIcon, typeName, TypeSource } from "./device-type.tsx";
import { FilterBar, SelectFilter, TextFilter } from "../ui/filters.tsx";
import { isFiltered, ListPage, loadedRows } from "../ui/list-page.tsx";
import { Foreign } from "../ui/names.tsx";
import { Empty } from "../ui/states.tsx";
import { SortHeader, sortRows, useSorting } from "../ui/table.tsx";
import { Score } from "../ui/tags.tsx";
import { Ago } from "../ui/time/time.tsx";
import { deviceDirectory, type DeviceFilter, deviceList } from "../app/queries.ts";
import { useSignedIn } from "../app/session.ts";
import { LEAST_SCORE, SEVERITY_ORDER } from "../ui/severity.ts";

const route = getRouteApi("/devices");

const COLUMNS = {
  display_name: ({ display_name }: Device) => display_name,
  device_type: ({ device_type }: Device) => device_type,
  address: ({ addresses }: Device) => addresses[0] ?? "",
  incident_count: ({ incident_count }: Device) => incident_count,
  last_seen: ({ last_seen }: Device) => last_seen,
  score: ({ score }: Device) => score,
};

/** Filters by the least score of a severity; `info` would match all devices. */
const RISKS = SEVERITY_ORDER.filter((severity) => severity !== "info").reverse().map((severity) =>
  [String(LEAST_SCORE[severity]), severity === "critical" ? severity : `${severity} or more`] as const
);

function Addresses({ addresses }: { addresses: string[] }) {
  return (
    <span className="mono" title={addresses.join(", ")}>
      {addresses[0] ?? ""}
      {addresses.length > 1 && <span className="muted">{` +${addresses.length - 1}`}</span>}
    </span>
  );
}

function Row({ device }: { device: Device }) {
  return (
    <tr>
      <td className="number cell-score">
        <Score score={device.score} />
      </td>
      <td className="cell-main">
        <Link to="/devices/$deviceId" params={{ deviceId: device.device_id }} className="row-link" data-row>
          <Foreign text={device.display_name} />
        </Link>
        <span className="sub-line">
          <Addresses addresses={device.addresses} /> <Foreign text={typeName(device.device_type)} />{" "}
          <Ago at={device.last_seen} />
        </span>
      </td>
      <td className="wide-only">
        <Addresses addresses={device.addresses} />
      </td>
      <td className="wide-only">
        <span className="type">
          <DeviceTypeIcon type={device.device_type} />
          <Foreign text={typeName(device.device_type)} />
          <TypeSource device={device} />
        </span>
      </td>
      <td className="widest-only soft">{device.vlan_ids.join(", ")}</td>
      <td className="widest-only">
        <span className="chips">
          {device.tags.map((tag) => <Foreign key={tag} text={tag} className="chip" />)}
        </span>
      </td>
      <td className="number wide-only">{device.incident_count || <span className="muted">0</span>}</td>
      <td className="wide-only soft">
        <Ago at={device.last_seen} />
      </td>
    </tr>
  );
}

export function Devices(): ReactNode {
  const { tenant } = useSignedIn();
  const { query: text, device_type, vlan_id, risk_min } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: DeviceFilter = { query: text, device_type, vlan_id, risk_min };
  const filtered = isFiltered(filter);
  const set = (change: DeviceFilter) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const clear = () =>
    set({ query: undefined, device_type: undefined, vlan_id: undefined, risk_min: undefined });
  const { sorting, toggle } = useSorting<keyof typeof COLUMNS>({ key: "score", down: true });
  const directory = useQuery(deviceDirectory(tenant));
  const known = [...directory.data?.devices.values() ?? []];
  const types = [...new Set(known.map((device) => device.device_type))].sort();
  const vlans = [...new Set(known.flatMap(({ vlan_ids }) => vlan_ids))].sort((a, b) => a - b);
  const query = useInfiniteQuery(deviceList(tenant, filter));
  const loaded = loadedRows(query.data);
  const rows = sorting ? sortRows(loaded, COLUMNS[sorting.key], sorting.down) : loaded;
  const sort = { sorting, toggle };
  return (
    <ListPage
      title="Devices"
      note="Everything seen on your own networks"
      filters={
        <FilterBar active={filtered} clear={clear}>
          <TextFilter
            label="Name, address, owner or tag"
            value={text}
            set={(value) => set({ query: value })}
            wide
            first
          />
          <SelectFilter
            label="Type"
            value={device_type}
            options={types.map((type) => [type, typeName(type)] as const)}
            set={(value) => set({ device_type: value })}
          />
          {vlans.length > 0 && (
            <SelectFilter
              label="VLAN"
              value={vlan_id}
              options={vlans.map((vlan) => [String(vlan), `VLAN ${vlan}`] as const)}
              set={(value) => set({ vlan_id: value })}
            />
          )}
          <SelectFilter
            label="Risk"
            value={risk_min}
            options={RISKS}
            set={(value) => set({ risk_min: value })}
          />
        </FilterBar>
      }
      query={query}
      head={
        <>
          <SortHeader name="score" down {...sort} className="number">Score</SortHeader>
          <SortHeader name="display_name" {...sort}>Device</SortHeader>
          <SortHeader name="address" {...sort} className="wide-only">Address</SortHeader>
          <SortHeader name="device_type" {...sort} className="wide-only">Type</SortHeader>
          <th scope="col" className="widest-only">VLAN</th>
          <th scope="col" className="widest-only">Tags</th>
          <SortHeader name="incident_count" down {...sort} className="number wide-only">
            Incidents
          </SortHeader>
          <SortHeader name="last_seen" down {...sort} className="wide-only">Last seen</SortHeader>
        </>
      }
      rows={rows}
      row={(device) => <Row key={device.device_id} device={device} />}
      empty={
        <Empty
          icon={filtered ? "search" : "devices"}
          title={filtered ? "No device matches" : "No devices yet"}
        >
          <p className="soft">
            {filtered
              ? "No device matches these filters."
              : "Devices appear as soon as a sensor reports traffic of your own networks."}
          </p>
          {filtered && <button type="button" className="button" onClick={clear}>Clear filters</button>}
        </Empty>
      }
    />
  );
}
