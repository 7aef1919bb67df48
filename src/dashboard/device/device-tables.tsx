import { Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../contract/device/device.ts";
import type { IntelReference } from "../../contract/intel/intel.ts";
import { formatExact } from "../ui/format.ts";
import { Bytes } from "../ui/counter.tsx";
import { Place } from "../entity/intel/intel.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { ShortTable } from "../ui/short-table.tsx";
import { Time } from "../ui/time/time.tsx";
import { to } from "../base/links.ts";

type Peer = DeviceDetail["top_peers"][number];

interface PeersProps {
  peers: (Peer & { intel?: IntelReference[] })[];
  device: string;
  label: string;
}

/** Peers of a device; the number of flows links to those between both. */
export function Peers({ peers, device, label }: PeersProps) {
  const scope = usePivotWindow();
  if (peers.length === 0) return <p className="card-text muted">None in this period.</p>;
  return (
    <ShortTable
      label={label}
      head={
        <>
          <th scope="col">Address</th>
          <th scope="col" className="number">Flows</th>
          <th scope="col" className="number">Out</th>
          <th scope="col" className="number">In</th>
          <th scope="col" className="wide-only">First seen</th>
        </>
      }
      all={peers}
      row={(peer) => (
        <tr key={peer.ip}>
          <td className="cell-main">
            <EntityChip kind="address" value={peer.ip} deviceId={peer.device_id} intel={peer.intel} />
            {peer.device_id !== null && peer.display_name !== null && peer.display_name !== peer.ip && (
              <>
                {" "}
                <EntityChip kind="device" value={peer.device_id} label={peer.display_name} />
              </>
            )}
            <span className="small below">
              <Place end={peer} />
            </span>
          </td>
          <td className="number">
            <Link
              {...to.explore({ filter: `device.id:${device} ip:${peer.ip}`, scope })}
              className="link"
              title="Flows between both"
            >
              {formatExact(peer.flow_count)}
            </Link>
          </td>
          <td className="number">
            <Bytes value={peer.bytes_out} />
          </td>
          <td className="number">
            <Bytes value={peer.bytes_in} />
          </td>
          <td className="soft wide-only">
            <Time at={peer.first_seen} short />
          </td>
        </tr>
      )}
    />
  );
}

export function Services({ services }: { services: DeviceDetail["services"] }) {
  if (services.length === 0) return <p className="card-text muted">None in this period.</p>;
  return (
    <ShortTable
      label="Services"
      head={
        <>
          <th scope="col">Service</th>
          <th scope="col">Side</th>
          <th scope="col" className="number">Flows</th>
        </>
      }
      all={services}
      row={({ proto, port, service, side, flow_count }) => (
        <tr key={`${proto} ${port} ${service} ${side}`}>
          <td>
            {service !== null && <EntityChip kind="service" value={service} />} {port === null
              ? <span className="mono muted">{proto}</span>
              : <EntityChip kind="port" value={port} label={`${port}/${proto}`} />}
          </td>
          <td className="soft">{side === "client" ? "used" : "offered"}</td>
          <td className="number">{formatExact(flow_count)}</td>
        </tr>
      )}
    />
  );
}
