import type { EvidenceSource } from "../../contract/record/kinds.ts";
import type { Tx } from "../engine/database.ts";
import { fromInet } from "../flow/flows.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { type Column, insertRows } from "../engine/rows.ts";
import { sql } from "../engine/sql.ts";
import { sourceSet, sourcesOf } from "../record/vocabulary.ts";

/** DHCP state of one client and one address. Times in microseconds. */
export interface StoredLease {
  ip: string;
  /** `aa:bb:cc:dd:ee:ff`. */
  mac: string;
  firstSeen: number;
  lastSeen: number;
  receivedAt: number;
  /** The newest acknowledgement; null if the address was only requested, so there is no lease. */
  grantedAt: number | null;
  leaseSeconds: number | null;
  serverIp: string | null;
  /** The client's description of itself in the message received last. */
  clientId: string | null;
  hostName: string | null;
  vendorClass: string | null;
  sources: EvidenceSource[];
  /** The message received last. */
  evidenceId: string;
  flowId: string;
}

const LEASE: Column<StoredLease>[] = [
  { name: "ip", type: "inet", of: (lease) => lease.ip },
  { name: "mac", type: "text", of: (lease) => lease.mac },
  { name: "first_seen", type: "timestamptz", of: (lease) => lease.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (lease) => lease.lastSeen },
  { name: "received_at", type: "timestamptz", of: (lease) => lease.receivedAt },
  { name: "granted_at", type: "timestamptz", of: (lease) => lease.grantedAt },
  { name: "lease_seconds", type: "bigint", of: (lease) => lease.leaseSeconds },
  { name: "server_ip", type: "inet", of: (lease) => lease.serverIp },
  { name: "client_id", type: "text", of: (lease) => lease.clientId },
  { name: "host_name", type: "text", of: (lease) => lease.hostName },
  { name: "vendor_class", type: "text", of: (lease) => lease.vendorClass },
  { name: "source_set", type: "smallint", of: (lease) => sourceSet(lease.sources) },
  { name: "evidence_id", type: "uuid", of: (lease) => lease.evidenceId },
  { name: "flow_id", type: "uuid", of: (lease) => lease.flowId },
];

/** Merges the state of these addresses and clients, each pair at most once. */
export async function recordLeases(tx: Tx, tenantId: string, leases: readonly StoredLease[]): Promise<void> {
  if (leases.length === 0) return;
  await tx.run(sql`
    ${insertRows("dhcp_lease", tenantId, LEASE, leases)}
    on conflict (tenant_id, ip, mac) do update set
      first_seen = least(dhcp_lease.first_seen, excluded.first_seen),
      last_seen = greatest(dhcp_lease.last_seen, excluded.last_seen),
      received_at = greatest(dhcp_lease.received_at, excluded.received_at),
      granted_at = greatest(dhcp_lease.granted_at, excluded.granted_at),
      lease_seconds = coalesce(excluded.lease_seconds, dhcp_lease.lease_seconds),
      server_ip = coalesce(excluded.server_ip, dhcp_lease.server_ip),
      client_id = coalesce(excluded.client_id, dhcp_lease.client_id),
      host_name = coalesce(excluded.host_name, dhcp_lease.host_name),
      vendor_class = coalesce(excluded.vendor_class, dhcp_lease.vendor_class),
      source_set = dhcp_lease.source_set | excluded.source_set,
      evidence_id = excluded.evidence_id,
      flow_id = excluded.flow_id`);
}

interface LeaseRow {
  ip: string;
  mac: string;
  first_seen: number;
  last_seen: number;
  received_at: number;
  granted_at: number;
  lease_seconds: number | null;
  server_ip: string | null;
  client_id: string | null;
  host_name: string | null;
  vendor_class: string | null;
  source_set: number;
  evidence_id: string;
  flow_id: string;
}

/** An acknowledged lease, not just a request. */
export type GrantedLease = StoredLease & { grantedAt: number };

/** The leases of the addresses of these devices, newest grant first, at most `limit`. */
export async function leasesOfDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  limit: number,
): Promise<GrantedLease[]> {
  const rows = await tx.rows<LeaseRow>(sql`
    select l.* from device_address a join dhcp_lease l on l.tenant_id = ${tenantId} and l.ip = a.ip
    where a.tenant_id = ${tenantId} and a.device_id = any(${
    plainArray(deviceIds)
  }::uuid[]) and l.granted_at is not null
    order by l.granted_at desc, l.ip, l.mac limit ${limit}`);
  return rows.map((row) => ({
    ip: fromInet(row.ip),
    mac: row.mac,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    receivedAt: row.received_at,
    grantedAt: row.granted_at,
    leaseSeconds: row.lease_seconds,
    serverIp: row.server_ip === null ? null : fromInet(row.server_ip),
    clientId: row.client_id,
    hostName: row.host_name,
    vendorClass: row.vendor_class,
    sources: sourcesOf(row.source_set),
    evidenceId: row.evidence_id,
    flowId: row.flow_id,
  }));
}

export async function expireLeases(tx: Tx, tenantId: string, cutoff: number): Promise<void> {
  await tx.run(sql`
    delete from dhcp_lease
    where tenant_id = ${tenantId} and received_at < ${timestampLiteral(cutoff)}::timestamptz`);
}
