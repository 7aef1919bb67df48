import { Link } from "@tanstack/react-router";
import type { DeviceDetail, InventoryEvidence } from "../../contract/device/device.ts";
import { ABSENT, formatShare } from "../ui/format.ts";
import { MacAddress, VLAN_SOURCES } from "./device-glance.tsx";
import { Identities, Merges } from "./device-merges.tsx";
import { DeviceTypeIcon, Meter, typeName } from "../entity/device/device-type.tsx";
import { useFirstRows } from "../ui/first-rows.tsx";
import { History } from "../entity/history.tsx";
import { EntityChip } from "../entity/entity-chip.tsx";
import { visibleText } from "../ui/json-text.ts";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ShortTable } from "../ui/short-table.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import { to } from "../base/links.ts";

const OVERRULED = { inventory: "The inventory", human_confirmed: "A person" };

/** Classification by behaviour, shown even if a person or the inventory decided otherwise. */
function Behaviour({ device }: { device: DeviceDetail }) {
  const { observed_classification: observed, classification_source: source, device_type } = device;
  if (observed === null) {
    return <p className="muted">Not evaluated yet; this takes about a minute.</p>;
  }
  const { reasons, confidence, classified_at } = observed;
  return (
    <div className="behaviour">
      <p className="type">
        <DeviceTypeIcon type={observed.device_type} />
        <span className="strong">{typeName(observed.device_type)}</span>
        <span className="type-source small soft">
          <Meter share={confidence} />
          {formatShare(confidence)}
        </span>
      </p>
      {reasons.length === 0
        ? <p className="soft">Its behaviour indicates no type.</p>
        : (
          <ul className="reasons">
            {reasons.map((reason) => (
              <li key={reason} className="wrap">
                <LinkedText text={reason} />
              </li>
            ))}
          </ul>
        )}
      {source !== "observed" && observed.device_type !== device_type && (
        <p className="notice">
          <span>
            {OVERRULED[source]} indicates{" "}
            <Foreign text={typeName(device_type)} className="strong" />, the effective type.
          </span>
        </p>
      )}
      <p className="muted small">
        evaluated <Ago at={classified_at} />
      </p>
    </div>
  );
}

const MATCHED = { address: "address", mac_address: "MAC address" };

function Entry({ entry }: { entry: InventoryEvidence }) {
  const { name, device_type, owner, tags, matched_by, matched_value, observed_at } = entry;
  return (
    <li className="row">
      {device_type !== null && <DeviceTypeIcon type={device_type} />}
      <span className="row-main">
        <Foreign text={name} className="strong" />
        <span className="row-note">
          {device_type !== null && <Foreign text={typeName(device_type)} />}
          {owner !== null && <Foreign text={`owner ${owner}`} />}
          <span>
            by {MATCHED[matched_by]} {matched_by === "address"
              ? <EntityChip kind="address" value={matched_value} />
              : <span className="mono">{matched_value}</span>}
          </span>
          <span>
            unchanged since <Time at={observed_at} short />
          </span>
        </span>
        {tags.length > 0 && (
          <span className="chips">
            {tags.map((tag) => <Foreign key={tag} text={tag} className="chip" />)}
          </span>
        )}
      </span>
    </li>
  );
}

const HOST_NAME_SOURCES = { dhcp: "DHCP", kerberos: "Kerberos", smb: "SMB" };

function HostNames({ names }: { names: DeviceDetail["host_names"] }) {
  const { rows, more } = useFirstRows(names);
  if (names.length === 0) return <p className="card-text muted">It has not announced a name.</p>;
  return (
    <>
      <ul className="sightings">
        {rows.map(({ name, source, last_seen, flow_id }) => (
          <li key={`${source} ${name}`}>
            <span className="sighting-value">
              <EntityChip kind="domain" value={name} />
            </span>
            <span className="soft">{HOST_NAME_SOURCES[source]}</span>
            <span className="number muted">
              <Link {...to.flow(flow_id)} className="link" data-row>
                <Ago at={last_seen} />
                <span className="hidden">, newest flow with {visibleText(name)}</span>
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Leases({ leases }: { leases: DeviceDetail["leases"] }) {
  return (
    <ShortTable
      label="DHCP leases"
      head={
        <>
          <th scope="col">Address</th>
          <th scope="col">MAC</th>
          <th scope="col">Host name</th>
          <th scope="col" className="wide-only">Vendor class</th>
          <th scope="col">Granted</th>
          <th scope="col">Expires</th>
          <th scope="col" className="wide-only">Server</th>
        </>
      }
      all={leases}
      row={(lease) => (
        <tr key={`${lease.ip} ${lease.mac_address}`}>
          <td className="nowrap">
            <EntityChip kind="address" value={lease.ip} />
          </td>
          <td>
            <MacAddress mac={lease.mac_address} randomized={lease.mac_randomized} />
          </td>
          <td className="wrap">
            {lease.host_name === null ? ABSENT : <Foreign text={lease.host_name} />}
          </td>
          <td className="wrap soft wide-only">
            {lease.vendor_class === null ? ABSENT : <Foreign text={lease.vendor_class} />}
          </td>
          <td className="soft">
            <Link
              {...to.flow(lease.flow_id)}
              className="link"
              aria-label={`Flow of the lease of ${lease.ip}`}
              data-row
            >
              <Time at={lease.granted_at} short />
            </Link>
          </td>
          <td className="soft">
            {lease.expires_at === null ? "not known" : <Time at={lease.expires_at} short />}
          </td>
          <td className="soft wide-only">
            {lease.server_ip === null ? ABSENT : <EntityChip kind="address" value={lease.server_ip} />}
          </td>
        </tr>
      )}
    />
  );
}

function Vlans({ vlans }: { vlans: DeviceDetail["vlans"] }) {
  return (
    <ul className="rows">
      {vlans.map(({ vlan_id, name, source }) => (
        <li key={vlan_id} className="row">
          <span className="row-main">
            <span>
              <EntityChip kind="vlan" value={vlan_id} /> {name !== null && <Foreign text={name} />}
            </span>
          </span>
          <span className="muted small">{VLAN_SOURCES[source]}</span>
        </li>
      ))}
    </ul>
  );
}

/** A device's identity, the sources for it, and conclusions. */
export function DeviceIdentity({ device }: { device: DeviceDetail }) {
  const { inventory, leases, vlans, identities, merge_events, host_names } = device;
  return (
    <>
      <div className="pairs">
        <Card title="Behaviour">
          <Behaviour device={device} />
        </Card>
        <Card title="Inventory" flush>
          {inventory.length === 0
            ? <p className="card-text muted">No inventory entry matches this device.</p>
            : (
              <ul className="rows">
                {inventory.map((entry) => <Entry key={entry.evidence_id} entry={entry} />)}
              </ul>
            )}
        </Card>
        <Card title="Names it announces" flush>
          <HostNames names={host_names} />
        </Card>
        {vlans.length > 0 && (
          <Card title="VLANs" flush>
            <Vlans vlans={vlans} />
          </Card>
        )}
        <Card title="History" note="changes by people">
          <History entries={device.workflow_history} empty="No changes yet." />
        </Card>
      </div>
      {leases.length > 0 && (
        <Card title="DHCP leases" flush>
          <Leases leases={leases} />
        </Card>
      )}
      {identities.length > 0 && (
        <Card title="Identities" note="identifies the device at any address" flush>
          <Identities identities={identities} />
        </Card>
      )}
      {merge_events.length > 0 && (
        <Card title="Merges" note="merged devices" flush>
          <Merges merges={merge_events} device={device.device_id} />
        </Card>
      )}
    </>
  );
}
