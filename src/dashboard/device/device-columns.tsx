import { Link } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import type { DeviceSort } from "../../contract/device/query.ts";
import { to } from "../base/links.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { ABSENT, formatExact } from "../ui/format.ts";
import type { GridColumn } from "../ui/grid/grid-column.ts";
import { Score } from "../ui/tags.tsx";
import { Ago, Time } from "../ui/time/time.tsx";
import { DeviceTypeIcon, typeName, TypeSource } from "../entity/device/device-type.tsx";

/** The server's orders, the list's own first. */
export const DEVICE_SORTS = [
  "-score",
  "score",
  "-last_seen",
  "-first_seen",
  "first_seen",
  "display_name",
  "-display_name",
] as const satisfies DeviceSort[];

export const DEVICE_COLUMNS: readonly GridColumn<Device>[] = [
  {
    id: "score",
    header: "Risk",
    width: 84,
    align: "end",
    sort: ["-score", "score"],
    cell: ({ score }) => <Score score={score} />,
  },
  {
    id: "name",
    header: "Device",
    width: 200,
    grow: 3,
    sort: ["display_name", "-display_name"],
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
    width: 90,
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
    hidden: true,
    sort: ["-first_seen", "first_seen"],
    cell: ({ first_seen }) => <Time at={first_seen} short />,
  },
  {
    id: "last_seen",
    header: "Last seen",
    width: 120,
    sort: "-last_seen",
    cell: ({ last_seen }) => <Ago at={last_seen} />,
  },
];
