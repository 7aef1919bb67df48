import { type ReactNode, useState } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import type { DeviceSort } from "../../contract/device/query.ts";
import { useShortcut } from "../base/keys.ts";
import { to } from "../base/links.ts";
import { deviceDirectory } from "../base/devices.ts";
import { deviceList } from "./device-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { FacetSelect } from "../search/facet-select.tsx";
import { canFollow, ListRanking, UnappliedFilter } from "../search/filtered-list.tsx";
import { InView } from "../search/in-view/in-view.tsx";
import { QueryBar } from "../search/query-bar.tsx";
import { type ListFilter, useFilter } from "../search/use-filter.ts";
import { offerModel } from "../entity/analyst/model-offer.tsx";
import { EntityScope, useFilterScope } from "../entity/entity-scope.ts";
import { DataGrid } from "../ui/grid/data-grid.tsx";
import { useList } from "../ui/grid/list-state.ts";
import { NewRows } from "../ui/grid/new-rows.tsx";
import { useStableRows } from "../ui/grid/stable-rows.ts";
import { useSort } from "../ui/grid/use-sort.ts";
import { Card, PageHeader } from "../ui/page.tsx";
import { LEAST_SCORE, SEVERITY_ORDER } from "../ui/severity.ts";
import { Empty } from "../ui/states.tsx";
import { DEVICE_COLUMNS } from "./device-columns.tsx";
import { DevicePeek } from "./device-peek.tsx";
import { typeName } from "../entity/device/device-type.tsx";

/** Filters by the least score of a severity; `info` would match all devices. */
const RISKS = SEVERITY_ORDER.filter((severity) => severity !== "info").reverse().map((severity) =>
  [String(LEAST_SCORE[severity]), severity === "critical" ? severity : `${severity} or more`] as const
);
const TYPE = { field: "device.type", op: "matches" } as const;
const VLAN = { field: "device.vlan", op: "matches" } as const;
const RISK = { field: "device.score", op: ">=" } as const;

/** Everything seen on the site's own networks. */
export function Devices(): ReactNode {
  const { tenant } = useSignedIn();
  const navigate = useNavigate();
  const filter = useFilter("devices");
  const { text } = filter;
  const clear = () => filter.search("");
  const [sort, setSort] = useSort<DeviceSort, Device>(DEVICE_COLUMNS, "-score");
  const directory = useQuery(deviceDirectory(tenant));
  const known = [...directory.data?.devices.values() ?? []];
  const types = [...new Set(known.map((device) => device.device_type))].sort();
  const vlans = [...new Set(known.flatMap(({ vlan_ids }) => vlan_ids))].sort((a, b) => a - b);
  const query = useInfiniteQuery({
    ...deviceList(tenant, { filter: text || undefined, sort }),
    enabled: canFollow(filter),
  });
  const { rows: fresh, list } = useList(query);
  const question = [text, sort, query.isPlaceholderData].join(" ");
  const { rows, waiting, showAll } = useStableRows(question, fresh, ({ device_id }) => device_id);
  const [active, setActive] = useState<Device | null>(null);
  const [peeking, setPeeking] = useState(false);
  const toggle = () => setPeeking(!peeking);
  useShortcut({ keys: "o", label: "Show the row in the panel", group: "List", run: toggle });
  return (
    <EntityScope value={useFilterScope(filter)}>
      <div className="page page-list">
        <PageHeader title="Devices" note="Everything seen on your own networks, at any time" />
        <QueryBar filter={filter} clear={clear} offer={offerModel}>
          <FacetSelect
            label="Type"
            filter={filter}
            facet={TYPE}
            options={types.map((type) => [type, typeName(type)] as const)}
          />
          <FacetSelect
            label="VLAN"
            filter={filter}
            facet={VLAN}
            options={vlans.map((vlan) => [String(vlan), `VLAN ${vlan}`] as const)}
          />
          <FacetSelect label="Risk" filter={filter} facet={RISK} options={RISKS} />
        </QueryBar>
        {!filter.refused && <ListRanking filter={filter} />}
        {canFollow(filter)
          ? (
            <Card title="List of devices" className="card-plain" flush>
              <DataGrid
                label="Devices"
                rows={rows}
                columns={DEVICE_COLUMNS}
                rowId={({ device_id }) => device_id}
                rowLabel={({ display_name }) => display_name}
                sort={sort}
                onSort={setSort}
                list={list}
                total={text === "" && directory.data?.complete ? known.length : undefined}
                onActive={(_, device) => setActive(device)}
                onOpen={({ device_id }) => void navigate(to.device(device_id))}
                storageKey="devices"
                tools={
                  <>
                    <NewRows waiting={waiting} showAll={showAll} />
                    <button
                      type="button"
                      className="button button-small"
                      aria-pressed={peeking}
                      title="Show the current row in the panel (o)"
                      onClick={toggle}
                    >
                      Panel
                    </button>
                  </>
                }
                empty={<NoDevices filter={filter} clear={clear} />}
              />
            </Card>
          )
          : <UnappliedFilter filter={filter} label="List of devices" clear={clear} />}
        <DevicePeek device={peeking ? active ?? rows[0] ?? null : null} close={() => setPeeking(false)} />
      </div>
    </EntityScope>
  );
}

function NoDevices({ filter: { text, search }, clear }: { filter: ListFilter; clear: () => void }) {
  const filtered = text !== "";
  return (
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
      {filtered && <InView kind="devices" text={text} use={search} />}
    </Empty>
  );
}
