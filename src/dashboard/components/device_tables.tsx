import { Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../contract/device.ts";
import { ABSENT, formatExact, formatWord } from "../format.ts";
import { Bytes } from "./flow_parts.tsx";
import { useFirstRows } from "./first_rows.tsx";
import { DeviceLink, Foreign } from "./names.tsx";
import { TableBox } from "./table.tsx";
import { Ago, Time } from "./time.tsx";

type Peer = DeviceDetail["top_peers"][number];

interface PeersProps {
  peers: (Peer & { threat_intelligence?: boolean })[];
  device: string;
  label: string;
}

/** Whom a device talks with; the address leads to the flows between both. */
export function Peers({ peers, device, label }: PeersProps) {
  const { rows, more } = useFirstRows(peers);
  if (peers.length === 0) return <p className="card-text muted">None in this time.</p>;
  return (
    <>
      <TableBox label={label}>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col" className="number">Flows</th>
            <th scope="col" className="number">Out</th>
            <th scope="col" className="number">In</th>
            <th scope="col" className="wide-only">First seen</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((peer) => (
            <tr key={peer.ip}>
              <td className="cell-main">
                <Link to="/flows" search={{ device_id: device, peer_ip: peer.ip }} className="row-link mono">
                  <Foreign text={peer.ip} />
                </Link>
                {peer.threat_intelligence && <span className="chip chip-bad">known threat</span>}
                {peer.device_id !== null && peer.display_name !== null && peer.display_name !== peer.ip && (
                  <>
                    {" "}
                    <DeviceLink id={peer.device_id} name={peer.display_name} />
                  </>
                )}
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
          ))}
        </tbody>
      </TableBox>
      {more}
    </>
  );
}

export function Services({ services }: { services: DeviceDetail["services"] }) {
  const { rows, more } = useFirstRows(services);
  if (services.length === 0) return <p className="card-text muted">None in this time.</p>;
  return (
    <>
      <TableBox label="Services">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Side</th>
            <th scope="col" className="number">Flows</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ proto, port, service, side, flow_count }) => (
            <tr key={`${proto} ${port} ${service} ${side}`}>
              <td>
                {service !== null && <Foreign text={`${service} `} />}
                <span className="mono muted">{port === null ? proto : `${port}/${proto}`}</span>
              </td>
              <td className="soft">{side === "client" ? "used" : "offered"}</td>
              <td className="number">{formatExact(flow_count)}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      {more}
    </>
  );
}

interface CountedRow {
  value: string;
  note?: string;
  count: number;
}

/** Names, fingerprints or user agents with how often each was seen. */
export function Counted({ rows: all }: { rows: CountedRow[] }) {
  const { rows, more } = useFirstRows(all);
  return (
    <>
      <ul className="counted">
        {rows.map(({ value, note, count }) => (
          <li key={`${note} ${value}`}>
            <span className="wrap">
              {note !== undefined && <span className="chip">{note}</span>}
              <Foreign text={value} className="mono" />
            </span>
            <span className="muted">{formatExact(count)}</span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** What the device was recognised by. */
export function Identities({ identities }: { identities: DeviceDetail["identities"] }) {
  return (
    <TableBox label="Identities">
      <thead>
        <tr>
          <th scope="col">Anchor</th>
          <th scope="col">Source</th>
          <th scope="col" className="number">Weight</th>
          <th scope="col" className="number">Days</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {identities.map((anchor) => (
          <tr key={`${anchor.class} ${anchor.value}`}>
            <td className="wrap">
              <span className="soft">{formatWord(anchor.class)}</span>{" "}
              <Foreign text={anchor.value} className="mono" />
              {anchor.randomized && <span className="chip">randomised</span>}
              {anchor.confirming && <span className="chip chip-good">confirming</span>}
            </td>
            <td className="soft">{anchor.source || ABSENT}</td>
            <td className="number">{anchor.weight}</td>
            <td className="number">{anchor.observed_days}</td>
            <td className="soft">
              <Ago at={anchor.last_seen} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
