import { Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../contract/device/device.ts";
import type { IntelReference } from "../../contract/intel/intel.ts";
import { formatExact } from "../ui/format.ts";
import { Bytes } from "../flow/flow-parts.tsx";
import { IntelMark, Place } from "../intel/intel.tsx";
import { DeviceLink, Foreign } from "../ui/names.tsx";
import { ShortTable } from "../ui/short-table.tsx";
import { Time } from "../ui/time/time.tsx";

type Peer = DeviceDetail["top_peers"][number];

interface PeersProps {
  peers: (Peer & { intel?: IntelReference[] })[];
  device: string;
  label: string;
}

/** Peers of a device; the address links to the flows between both. */
export function Peers({ peers, device, label }: PeersProps) {
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
            <Link to="/flows" search={{ device_id: device, peer_ip: peer.ip }} className="row-link mono">
              <Foreign text={peer.ip} />
            </Link>
            {peer.device_id !== null && peer.display_name !== null && peer.display_name !== peer.ip && (
              <>
                {" "}
                <DeviceLink id={peer.device_id} name={peer.display_name} />
              </>
            )}
            <span className="small below">
              <IntelMark intel={peer.intel ?? []} /> <Place end={peer} />
            </span>
          </td>
          <td className="number">{formatExact(peer.flow_count)}</td>
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
            {service !== null && <Foreign text={`${service} `} />}
            <span className="mono muted">{port === null ? proto : `${port}/${proto}`}</span>
          </td>
          <td className="soft">{side === "client" ? "used" : "offered"}</td>
          <td className="number">{formatExact(flow_count)}</td>
        </tr>
      )}
    />
  );
}
