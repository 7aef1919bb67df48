/// <reference lib="dom" />
import { type ReactNode, useId, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Flow } from "../../contract/flow.ts";
import { canonicalIp } from "../../kit/ip.ts";
import { EmptyWindow } from "../components/empty_window.tsx";
import { DeviceFilter, FilterBar, FilterChip, SelectFilter, TextFilter } from "../components/filters.tsx";
import { Bytes, Endpoint, SourceChips } from "../components/flow_parts.tsx";
import { Icon } from "../components/icons.tsx";
import { Foreign } from "../components/names.tsx";
import { Observations } from "../components/observations.tsx";
import { Card, PageHeader } from "../components/page.tsx";
import { RangeControl, useRange } from "../components/range_control.tsx";
import { ErrorState, SkeletonRows, StaleNotice } from "../components/states.tsx";
import { LoadMore, TableBox } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { FLOW_SOURCES } from "../flow_sources.ts";
import { formatSpan, plural } from "../format.ts";
import { type FlowFilter, flowList } from "../queries.ts";
import { useSignedIn } from "../session.tsx";

const route = getRouteApi("/flows");
const COLUMN_COUNT = 8;

const SOURCE_NAMES = { zeek: "Zeek", suricata: "Suricata", netflow: "NetFlow", unbound: "Unbound" };

function Service({ flow }: { flow: Flow }) {
  return (
    <span>
      {flow.service !== null && <Foreign text={`${flow.service} `} />}
      <span className="muted">{flow.proto}</span>
    </span>
  );
}

function Row({ flow }: { flow: Flow }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const toggle = () => setOpen(!open);
  return (
    <>
      <tr className={open ? "row-open" : undefined}>
        <td>
          <button
            type="button"
            className="row-toggle"
            data-row
            aria-expanded={open}
            aria-controls={panel}
            aria-label={`Observations of the flow from ${flow.src.ip} to ${flow.dst.ip}`}
            onClick={toggle}
            onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
          >
            <Icon name="chevron" className="turn" />
          </button>
          <Time at={flow.start} />
        </td>
        <td>
          <Endpoint end={flow.src} />
          <span className="sub-line">
            <Icon name="right" />
            <Endpoint end={flow.dst} />
            <Service flow={flow} />
            <span>
              <Bytes value={flow.counters.src_to_dst.bytes} /> sent,{" "}
              <Bytes value={flow.counters.dst_to_src.bytes} /> received
            </span>
          </span>
        </td>
        <td className="wide-only">
          <Endpoint end={flow.dst} />
        </td>
        <td className="wide-only">
          <Service flow={flow} />
        </td>
        <td className="number wide-only">
          <Bytes value={flow.counters.src_to_dst.bytes} />
        </td>
        <td className="number wide-only">
          <Bytes value={flow.counters.dst_to_src.bytes} />
        </td>
        <td className="number soft wide-only">{formatSpan(Date.parse(flow.end) - Date.parse(flow.start))}</td>
        <td className="wide-only">
          <SourceChips sources={flow.sources} />
        </td>
      </tr>
      {open && (
        <tr className="row-detail">
          <td colSpan={COLUMN_COUNT} id={panel}>
            <div className="row-detail-body">
              <div className="row-detail-head">
                <span className="soft">
                  {plural(flow.observation_count, "observation")}
                  {flow.community_id !== null && (
                    <>
                      {" "}· Community ID <code className="wrap">{flow.community_id}</code>
                    </>
                  )}
                  {flow.vlan_id !== null && ` · VLAN ${flow.vlan_id}`}
                </span>
                <Link to="/flows/$flowId" params={{ flowId: flow.flow_id }} className="link small">
                  Open as a page
                </Link>
              </div>
              <Observations flow={flow.flow_id} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

export function Flows(): ReactNode {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { device_id, peer_ip, proto, service, source, incident_id } = route.useSearch();
  const navigate = route.useNavigate();
  const filter: FlowFilter = { device_id, peer_ip, proto, service, source, incident_id };
  const filtered = Object.values(filter).some((value) => value !== undefined);
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
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="page">
      <PageHeader title="Flows" note="Newest first; a dash is a counter that no sensor measured">
        <RangeControl />
      </PageHeader>
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
      {query.data && !query.isFetchNextPageError && (
        <StaleNotice
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      <Card title="Flow list" className="card-plain" flush>
        {query.isPending
          ? <SkeletonRows rows={10} />
          : !query.data
          ? <ErrorState what="The flows" error={query.error} retry={() => void query.refetch()} />
          : rows.length === 0
          ? <EmptyWindow what="flows" filtered={filtered} clear={clear} />
          : (
            <>
              <TableBox label="Flows">
                <thead>
                  <tr>
                    <th scope="col">Start</th>
                    <th scope="col">Source</th>
                    <th scope="col" className="wide-only">Destination</th>
                    <th scope="col" className="wide-only">Service</th>
                    <th scope="col" className="number wide-only">Sent</th>
                    <th scope="col" className="number wide-only">Received</th>
                    <th scope="col" className="number wide-only">Lasted</th>
                    <th scope="col" className="wide-only">Seen by</th>
                  </tr>
                </thead>
                <tbody>{rows.map((flow) => <Row key={flow.flow_id} flow={flow} />)}</tbody>
              </TableBox>
              <LoadMore
                count={rows.length}
                hasMore={query.hasNextPage}
                loading={query.isFetchingNextPage}
                error={query.isFetchNextPageError ? query.error : null}
                more={() => void query.fetchNextPage()}
                restart={() => void query.refetch()}
              />
            </>
          )}
      </Card>
    </div>
  );
}
