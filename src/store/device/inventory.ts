import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { inventoryMatches } from "./inventory-matches.ts";
import { plainArray } from "../engine/literals.ts";
import { type Column, insertRows, nestedArray } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";

/** A device of the inventory file with its addresses. */
export interface InventoryEntry {
  /** Derived from the entry's content. */
  entryId: string;
  name: string;
  type: string | null;
  owner: string | null;
  tags: readonly string[];
  addresses: readonly string[];
  macAddresses: readonly string[];
}

const ENTRY_ID: Column<{ entryId: string }> = { name: "entry_id", type: "uuid", of: (row) => row.entryId };

function entryColumns(readAt: number): Column<InventoryEntry>[] {
  return [
    ENTRY_ID,
    { name: "name", type: "text", of: (entry) => entry.name },
    { name: "device_type", type: "text", of: (entry) => entry.type },
    { name: "owner", type: "text", of: (entry) => entry.owner },
    { name: "tags", type: "text", cast: "text[]", of: (entry) => nestedArray(entry.tags) },
    { name: "read_at", type: "timestamptz", of: () => readAt },
  ];
}

interface Key {
  entryId: string;
  key: string;
}

const IP: Column<Key>[] = [{ name: "ip", type: "inet", of: ({ key }) => key }, ENTRY_ID];
const MAC: Column<Key>[] = [{ name: "mac", type: "text", of: ({ key }) => key }, ENTRY_ID];

export interface InventoryChange {
  added: number;
  removed: number;
}

/**
 * Replaces the tenant's inventory by these entries. Unchanged entries keep the time at which they were first
 * read.
 */
export async function replaceInventory(
  tx: Tx,
  tenantId: string,
  entries: readonly InventoryEntry[],
  readAt: number,
): Promise<InventoryChange> {
  const rows = await tx.rows<{ entry_id: string }>(
    sql`select entry_id from inventory_entry where tenant_id = ${tenantId}`,
  );
  const stored = new Set(rows.map((row) => row.entry_id));
  const wanted = new Set(entries.map((entry) => entry.entryId));
  const gone = [...stored].filter((id) => !wanted.has(id));
  const added = entries.filter((entry) => !stored.has(entry.entryId));
  if (gone.length > 0) await removeEntries(tx, tenantId, gone);
  if (added.length > 0) await addEntries(tx, tenantId, added, readAt);
  return { added: added.length, removed: gone.length };
}

async function removeEntries(tx: Tx, tenantId: string, gone: readonly string[]): Promise<void> {
  const ids = plainArray(gone);
  await tx.run(
    sql`delete from inventory_address where tenant_id = ${tenantId} and entry_id = any(${ids}::uuid[])`,
  );
  await tx.run(
    sql`delete from inventory_mac where tenant_id = ${tenantId} and entry_id = any(${ids}::uuid[])`,
  );
  await tx.run(
    sql`delete from inventory_entry where tenant_id = ${tenantId} and entry_id = any(${ids}::uuid[])`,
  );
}

/** Adds entries. Another core may add identical ones concurrently. */
async function addEntries(
  tx: Tx,
  tenantId: string,
  added: readonly InventoryEntry[],
  readAt: number,
): Promise<void> {
  const keysOf = (list: "addresses" | "macAddresses"): Key[] =>
    added.flatMap((entry) => entry[list].map((key) => ({ entryId: entry.entryId, key })));
  const [ips, macs] = [keysOf("addresses"), keysOf("macAddresses")];
  await tx.run(
    sql`${insertRows("inventory_entry", tenantId, entryColumns(readAt), added)} on conflict do nothing`,
  );
  if (ips.length > 0) {
    await tx.run(sql`
      ${insertRows("inventory_address", tenantId, IP, ips)}
      on conflict (tenant_id, ip) do update set entry_id = excluded.entry_id`);
  }
  if (macs.length > 0) {
    await tx.run(sql`
      ${insertRows("inventory_mac", tenantId, MAC, macs)}
      on conflict (tenant_id, mac) do update set entry_id = excluded.entry_id`);
  }
}

/** The inventory's names of these addresses, by address. */
export async function inventoryNames(
  tx: Tx,
  tenantId: string,
  ips: readonly string[],
): Promise<Map<string, string>> {
  if (ips.length === 0) return new Map();
  const rows = await tx.rows<{ ip: string; name: string }>(sql`
    select k.ip, e.name
    from inventory_address k join inventory_entry e on e.tenant_id = k.tenant_id and e.entry_id = k.entry_id
    where k.tenant_id = ${tenantId} and k.ip = any(${plainArray(ips)}::inet[])`);
  return new Map(rows.map((row) => [fromInet(row.ip), row.name]));
}

/** An inventory entry as evidence about a device. */
export interface InventoryEvidence {
  entry_id: string;
  name: string;
  device_type: string | null;
  owner: string | null;
  tags: string[];
  read_at: number;
  matched_by: "address" | "mac_address";
  matched_value: string;
}

/**
 * The inventory entries of merged devices, given with the survivor first: entries with one of their
 * addresses, or with the MAC address that one was last leased to. The first one applies.
 */
export async function inventoryOfDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<InventoryEvidence[]> {
  const rows = await tx.rows<InventoryEvidence>(sql`
    select e.entry_id, e.name, e.device_type, e.owner, e.tags, e.read_at,
      case when held.mac is null then 'address' else 'mac_address' end as matched_by,
      coalesce(held.mac, host(held.ip)) as matched_value
    from ${inventoryMatches(tenantId)} held
    join inventory_entry e on e.tenant_id = ${tenantId} and e.entry_id = held.entry_id
    where held.device_id = any(${plainArray(deviceIds)}::uuid[])
    order by held.mac is not null, held.device_id <> ${deviceIds[0]}::uuid, held.ip`);
  return rows.map((row) =>
    row.matched_by === "address" ? { ...row, matched_value: fromInet(row.matched_value) } : row
  );
}
