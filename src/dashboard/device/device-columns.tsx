import { Link } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import type { DeviceOrder } from "../../contract/device/query.ts";
import { to } from "../base/links.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { ABSENT, formatExact } from "../ui/format.ts";
import { downFirst, type GridColumn, upFirst } from "../ui/grid/grid-column.ts";
import { Score } from "../ui/tags.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import { DeviceTypeIcon, typeName, TypeSource } from "../entity/device/device-type.tsx";

/** Only orders that the server has. */
const up = upFirst<DeviceOrder>;
const down = downFirst<DeviceOrder>;

export const DEVICE_COLUMNS: readonly GridColumn<Device>[] = [
  {
    id: "score",
    header: "Risk",
    width: 84,
    sort: down("score"),
    align: "end",
    cell: ({ score }) => <Score score={score} />,
  },
  {
    id: "name",
    header: "Device",
    width: 200,
    sort: up("display_name"),
    grow: 3,
    text: ({ display_name }) => display_name,
    cell: ({ device_id, display_name }) => (
      <EntityChip
        kind="device"
        value={device_id}
        label={display_name}
      />
    ),
  },
  {
    id: "address",
    header: "Address",
    width: 180,
    sort: up("address"),
    grow: 1,
    text: ({ addresses }) => addresses.join(", "),
    cell: ({ device_id, addresses: [first, ...others] }) =>
      first === undefined ? ABSENT : (
        <>
          <EntityChip kind="address" value={first} deviceId={device_id} />
          {others.length > 0 && (
            <span className="muted" title={others.join(", ")}>{` +${others.length}`}</span>
          )}
        </>
      ),
  },
  {
    id: "type",
    header: "Type",
    width: 220,
    sort: up("device_type"),
    grow: 1,
    text: ({ device_type }) => typeName(device_type),
    cell: (device) => (
      <span className="type type-line">
        <DeviceTypeIcon type={device.device_type} />
        <EntityChip
          kind="value"
          field="device.type"
          value={device.device_type}
          label={typeName(device.device_type)}
        />
        <TypeSource device={device} />
      </span>
    ),
  },
  {
    id: "owner",
    header: "Owner",
    width: 132,
    sort: up("owner"),
    grow: 2,
    text: ({ owner }) => owner ?? "",
    cell: ({ owner }) =>
      owner === null
        ? <span className="muted">{ABSENT}</span>
        : <EntityChip kind="value" field="owner" value={owner} />,
  },
  {
    id: "vlan",
    header: "VLAN",
    width: 90,
    sort: up("vlan"),
    text: ({ vlan_ids }) => vlan_ids.join(", "),
    cell: ({ vlan_ids }) =>
      vlan_ids.length === 0
        ? <span className="muted">{ABSENT}</span>
        : vlan_ids.map((vlan) => <EntityChip key={vlan} kind="vlan" field="device.vlan" value={vlan} />),
  },
  {
    id: "tags",
    header: "Tags",
    width: 140,
    sort: up("tags"),
    grow: 1,
    hidden: true,
    text: ({ tags }) => tags.join(", "),
    cell: ({ tags }) => (
      <span className="chips">
        {tags.map((tag) => <EntityChip key={tag} kind="value" field="tag" value={tag} />)}
      </span>
    ),
  },
  {
    id: "incidents",
    header: "Incidents",
    width: 104,
    sort: down("incident_count"),
    align: "end",
    cell: ({ device_id, incident_count }) =>
      incident_count === 0
        ? <span className="muted">0</span>
        : (
          <Link {...to.triage({ filter: `device.id:${device_id}` })} className="link">
            {formatExact(incident_count)}
          </Link>
        ),
  },
  {
    id: "first_seen",
    header: "First seen",
    width: 132,
    sort: down("first_seen"),
    hidden: true,
    cell: ({ first_seen }) => <Time at={first_seen} short />,
  },
  {
    id: "last_seen",
    header: "Last seen",
    width: 120,
    sort: down("last_seen"),
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
];
