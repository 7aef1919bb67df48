import { hash64 } from "../kit/hash64.ts";
import { binaryArray } from "./binary-array.ts";
import type { Tx } from "./database.ts";
import { fromInet } from "./flows.ts";
import { jsonText, plainArray } from "./literals.ts";
import { type Column, insertRows, relation } from "./rows.ts";
import { sql } from "./sql.ts";

/** One device's use of one service of one peer. `peerPort` is -1 where the protocol has no ports. */
export interface ChannelKey {
  deviceId: string;
  peerIp: string;
  proto: string;
  peerPort: number;
}

export interface StoredChannel extends ChannelKey {
  firstSeen: number;
  lastSeen: number;
  /** As src/domain/detect encodes it. */
  state: Uint8Array;
}

function channelHash(key: ChannelKey): bigint {
  return hash64(`${key.deviceId} ${key.peerIp} ${key.proto} ${key.peerPort}`);
}

export async function readChannels(
  tx: Tx,
  tenantId: string,
  keys: readonly ChannelKey[],
): Promise<StoredChannel[]> {
  if (keys.length === 0) return [];
  const rows = await tx.rows<{
    device_id: string;
    peer_ip: string;
    proto: string;
    peer_port: number;
    first_seen: number;
    last_seen: number;
    state: Uint8Array;
  }>(sql`
    select c.* from unnest(${binaryArray("bigint", keys.map(channelHash))}::bigint[]) as u (channel_hash)
    join channel c on c.tenant_id = ${tenantId} and c.channel_hash = u.channel_hash`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    peerIp: fromInet(row.peer_ip),
    proto: row.proto,
    peerPort: row.peer_port,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    state: row.state,
  }));
}

const CHANNEL: Column<StoredChannel>[] = [
  { name: "channel_hash", type: "bigint", of: channelHash },
  { name: "device_id", type: "uuid", of: (key) => key.deviceId },
  { name: "peer_ip", type: "inet", of: (key) => key.peerIp },
  { name: "proto", type: "text", of: (key) => key.proto },
  { name: "peer_port", type: "integer", of: (key) => key.peerPort },
  { name: "first_seen", type: "timestamptz", of: (channel) => channel.firstSeen },
  { name: "last_seen", type: "timestamptz", of: (channel) => channel.lastSeen },
  { name: "state", type: "bytea", of: (channel) => channel.state },
];

export async function writeChannels(
  tx: Tx,
  tenantId: string,
  channels: readonly StoredChannel[],
): Promise<void> {
  if (channels.length === 0) return;
  await tx.run(sql`
    ${insertRows("channel", tenantId, CHANNEL, channels)}
    on conflict (tenant_id, channel_hash) do update
      set first_seen = excluded.first_seen, last_seen = excluded.last_seen, updated_at = now(),
          state = excluded.state`);
}

export interface PeerPrevalence {
  /** Devices with a channel to the peer. */
  devices: Set<string>;
  firstSeen: number;
}

/** Who talks to these peers, as committed before this transaction. */
export async function readPrevalence(
  tx: Tx,
  tenantId: string,
  peers: readonly string[],
): Promise<Map<string, PeerPrevalence>> {
  if (peers.length === 0) return new Map();
  const rows = await tx.rows<{ peer_ip: string; devices: string[]; first_seen: number }>(sql`
    select peer_ip, array_agg(distinct device_id)::text[] as devices, min(first_seen) as first_seen
    from channel where tenant_id = ${tenantId} and peer_ip = any(${plainArray(peers)}::inet[])
    group by peer_ip`);
  return new Map(
    rows.map((row) => [fromInet(row.peer_ip), { devices: new Set(row.devices), firstSeen: row.first_seen }]),
  );
}

export interface AlertGroupKey {
  /** Device id, or an address where no end is a device. */
  subject: string;
  family: string;
}

export interface StoredAlertGroup extends AlertGroupKey {
  lastSeen: number;
  state: unknown;
}

const GROUP_KEY: Column<AlertGroupKey>[] = [
  { name: "subject", type: "text", of: (group) => group.subject },
  { name: "family", type: "text", of: (group) => group.family },
];

export async function readAlertGroups(
  tx: Tx,
  tenantId: string,
  keys: readonly AlertGroupKey[],
): Promise<StoredAlertGroup[]> {
  if (keys.length === 0) return [];
  const rows = await tx.rows<{ subject: string; family: string; last_seen: number; state: unknown }>(sql`
    select g.subject, g.family, g.last_seen, g.state from ${relation(GROUP_KEY, keys)}
    join alert_group g on g.tenant_id = ${tenantId} and g.subject = u.subject and g.family = u.family`);
  return rows.map((row) => ({ ...row, lastSeen: row.last_seen }));
}

const GROUP: Column<StoredAlertGroup>[] = [
  ...GROUP_KEY,
  { name: "last_seen", type: "timestamptz", of: (group) => group.lastSeen },
  { name: "state", type: "text", cast: "jsonb", of: (group) => jsonText(group.state) },
];

export async function writeAlertGroups(
  tx: Tx,
  tenantId: string,
  groups: readonly StoredAlertGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  await tx.run(sql`
    ${insertRows("alert_group", tenantId, GROUP, groups)}
    on conflict (tenant_id, subject, family) do update set last_seen = excluded.last_seen, updated_at = now(),
          state = excluded.state`);
}
