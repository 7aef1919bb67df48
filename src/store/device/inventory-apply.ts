import type {
  DeviceDescription,
  InventoryEntry,
  ObservedDescription,
} from "../../domain/device/inventory.ts";
import type { Tx } from "../engine/database.ts";
import { inventoryMatches } from "./inventory-matches.ts";
import { plainArray } from "../engine/literals.ts";
import { assignments, type Column, insertRows, relation } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** A device that the inventory has, or had, with its current, inventory and observed descriptions. */
interface InventoryStanding {
  deviceId: string;
  /** The revision that was read, so that a concurrent change by a person is not overwritten. */
  revision: number;
  device: DeviceDescription;
  word: InventoryEntry | null;
  observed: ObservedDescription;
}

interface StandingRow {
  device_id: string;
  revision: number;
  display_name: string;
  display_name_source: DeviceDescription["displayNameSource"];
  address_name: string | null;
  device_type: string;
  classification_source: DeviceDescription["classificationSource"];
  confidence: number;
  owner: string | null;
  owner_source: DeviceDescription["ownerSource"];
  tags: string[];
  tags_source: DeviceDescription["tagsSource"];
  entry_name: string | null;
  entry_type: string | null;
  entry_owner: string | null;
  entry_tags: string[] | null;
  observed_type: string | null;
  observed_confidence: number | null;
}

/**
 * The devices that the inventory has, and those that still carry values from it; limited to `deviceIds`
 * unless null. Of several matching entries the precedence is: by address before by the MAC address of the
 * last DHCP lease; the device's own before those of merged devices; the lower address.
 */
export async function inventoryStandings(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[] | null,
): Promise<InventoryStanding[]> {
  const ids = deviceIds === null ? null : plainArray(deviceIds);
  const among = ids === null ? sql`` : sql`and d.device_id = any(${ids}::uuid[])`;
  const heldAmong = ids === null ? sql`` : sql`
    and shown.device_id = any(${ids}::uuid[])
    -- Redundant, but limits the search.
    and x.device_id = any(array(
      select device_id from device where tenant_id = ${tenantId}
        and (device_id = any(${ids}::uuid[]) or merged_into = any(${ids}::uuid[]))))`;
  const rows = await tx.rows<StandingRow>(sql`
    with held as (
      select distinct on (shown.device_id) shown.device_id, x.entry_id
      from ${inventoryMatches(tenantId)} x
      join device d on d.tenant_id = ${tenantId} and d.device_id = x.device_id
      cross join lateral (values (d.device_id, false), (d.merged_into, true)) as shown (device_id, merged)
      where shown.device_id is not null ${heldAmong}
      order by shown.device_id, x.mac is not null, shown.merged, x.ip
    )
    select d.device_id, d.revision, d.display_name, d.display_name_source, d.address_name, d.device_type,
      d.classification_source, d.confidence, d.owner, d.owner_source, d.tags_source,
      array(select t.tag from device_tag t where t.tenant_id = ${tenantId} and t.device_id = d.device_id) as tags,
      e.name as entry_name, e.device_type as entry_type, e.owner as entry_owner, e.tags as entry_tags,
      c.device_type as observed_type, c.confidence as observed_confidence
    from device d
    left join held h on h.device_id = d.device_id
    left join inventory_entry e on e.tenant_id = d.tenant_id and e.entry_id = h.entry_id
    left join device_classification c on c.tenant_id = d.tenant_id and c.device_id = d.device_id
    where d.tenant_id = ${tenantId} ${among} and (h.device_id is not null or d.display_name_source = 'inventory'
      or d.classification_source = 'inventory' or d.owner_source = 'inventory' or d.tags_source = 'inventory')`);
  return rows.map(toStanding);
}

function toStanding(row: StandingRow): InventoryStanding {
  return {
    deviceId: row.device_id,
    revision: row.revision,
    device: {
      displayName: row.display_name,
      displayNameSource: row.display_name_source,
      deviceType: row.device_type,
      classificationSource: row.classification_source,
      confidence: row.confidence,
      owner: row.owner,
      ownerSource: row.owner_source,
      // Not sorted by the database, whose collation may differ.
      tags: row.tags.sort(),
      tagsSource: row.tags_source,
    },
    word: row.entry_name === null ? null : {
      name: row.entry_name,
      type: row.entry_type,
      owner: row.entry_owner,
      tags: row.entry_tags ?? [],
    },
    observed: {
      displayName: row.address_name ?? row.display_name,
      deviceType: row.observed_type ?? "unknown",
      confidence: row.observed_confidence ?? 0,
    },
  };
}

/** A device's new description. */
interface DescriptionChange {
  deviceId: string;
  revision: number;
  device: DeviceDescription;
}

const KEY: Column<DescriptionChange>[] = [
  { name: "device_id", type: "uuid", of: (change) => change.deviceId },
  { name: "as_of", type: "integer", of: (change) => change.revision },
];
const DESCRIPTION: Column<DescriptionChange>[] = [
  { name: "display_name", type: "text", of: ({ device }) => device.displayName },
  { name: "display_name_source", type: "text", of: ({ device }) => device.displayNameSource },
  { name: "device_type", type: "text", of: ({ device }) => device.deviceType },
  { name: "classification_source", type: "text", of: ({ device }) => device.classificationSource },
  { name: "confidence", type: "double precision", of: ({ device }) => device.confidence },
  { name: "owner", type: "text", of: ({ device }) => device.owner },
  { name: "owner_source", type: "text", of: ({ device }) => device.ownerSource },
  { name: "tags_source", type: "text", of: ({ device }) => device.tagsSource },
];
const TAG: Column<{ deviceId: string; tag: string }>[] = [
  { name: "device_id", type: "uuid", of: (row) => row.deviceId },
  { name: "tag", type: "text", of: (row) => row.tag },
];

/**
 * Writes descriptions, except of devices that a person has changed meanwhile. The revision stays, because it
 * counts changes by people. Returns the number of written devices.
 */
export async function writeDescriptions(
  tx: Tx,
  tenantId: string,
  changes: readonly DescriptionChange[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const ids = plainArray(changes.map((change) => change.deviceId));
  // In the order in which the pipeline and other writers lock devices.
  await tx.run(sql`
    select from device where tenant_id = ${tenantId} and device_id = any(${ids}::uuid[])
    order by device_id for update`);
  const written = await tx.rows<{ device_id: string }>(sql`
    update device set ${assignments(DESCRIPTION)} from ${relation([...KEY, ...DESCRIPTION], changes)}
    where device.tenant_id = ${tenantId} and device.device_id = u.device_id and device.revision = u.as_of
    returning device.device_id`);
  const done = new Set(written.map((row) => row.device_id));
  const tags = changes.filter((change) => done.has(change.deviceId))
    .flatMap(({ deviceId, device }) => device.tags.map((tag) => ({ deviceId, tag })));
  await tx.run(sql`
    delete from device_tag where tenant_id = ${tenantId} and device_id = any(${
    plainArray([...done])
  }::uuid[])`);
  if (tags.length > 0) {
    await tx.run(sql`${insertRows("device_tag", tenantId, TAG, tags)} on conflict do nothing`);
  }
  return done.size;
}
