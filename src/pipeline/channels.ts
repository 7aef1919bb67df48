import {
  addConnection,
  type ChannelState,
  decodeChannel,
  emptyChannel,
  encodeChannel,
  evaluateBeacon,
  isBeaconCandidate,
  isDue,
  markEvaluated,
} from "../domain/detect/beacon.ts";
import type { DetectorResult } from "../domain/detect/result.ts";
import type { Tx } from "../store/database.ts";
import {
  type ChannelKey,
  type PeerPrevalence,
  readChannels,
  readPrevalence,
  type StoredChannel,
  writeChannels,
} from "../store/detector-state.ts";
import type { Channel, ChannelCache } from "./channel-cache.ts";
import type { Connection, Step } from "./correlate.ts";
import type { DeviceRoster } from "./devices.ts";

const MAX_BYTES = 2 ** 52;

/** A channel at the moment it was due to be judged. */
interface Due {
  at: number;
  key: ChannelKey;
  state: ChannelState;
  service: string | null;
}

/** A device's earliest connection to a peer so far, in this round. */
interface FirstUse {
  at: number;
  deviceId: string;
  peerIp: string;
  start: number;
}

/**
 * Follows the channels that this round's connections belong to, and judges those that are due. Results carry the
 * index of the step that brought them.
 */
export async function followChannels(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  roster: DeviceRoster,
  networksAssumed: boolean,
  cache: ChannelCache,
): Promise<{ at: number; result: DetectorResult }[]> {
  const uses = steps.flatMap(({ connection }, at) => {
    const key = connection && channelOf(connection, roster, networksAssumed);
    return key ? [{ at, id: idOf(key), key, connection, evidenceId: steps[at]!.stored.evidenceId }] : [];
  });
  if (uses.length === 0) return [];
  const channels = await loadChannels(tx, tenantId, uses, cache);
  const due: Due[] = [];
  const firstUses: FirstUse[] = [];
  for (const { at, id, key, connection, evidenceId } of uses) {
    let channel = channels.get(id);
    if (!channel) {
      channel = { key, firstSeen: Infinity, state: emptyChannel() };
      channels.set(id, channel);
    }
    if (connection.start < channel.firstSeen) {
      channel.firstSeen = connection.start;
      firstUses.push({ at, deviceId: key.deviceId, peerIp: key.peerIp, start: connection.start });
    }
    channel.state = addConnection(channel.state, {
      start: connection.start,
      end: connection.end,
      srcPort: connection.src.port,
      // A counter beyond 2^53 is a wild one; the rhythm of sizes loses nothing by the cut.
      bytesOut: connection.bytesOut === null ? null : Math.min(Number(connection.bytesOut), MAX_BYTES),
      evidenceId,
      flowId: connection.flowId,
    });
    if (!isDue(channel.state)) continue;
    due.push({ at, key, state: channel.state, service: connection.service });
    channel.state = markEvaluated(channel.state);
  }
  const reading = readPrevalence(tx, tenantId, [...new Set(due.map((one) => one.key.peerIp))]);
  const [prevalence] = await Promise.all([
    reading,
    writeChannels(tx, tenantId, [...channels.values()].map(toStored)),
  ]);
  for (const [id, channel] of channels) cache.put(id, channel);
  return judge(due, firstUses, prevalence, steps, roster);
}

function channelOf(
  connection: Connection,
  roster: DeviceRoster,
  internalAssumed: boolean,
): ChannelKey | null {
  if (connection.srcDeviceId === null) return null;
  const candidate = isBeaconCandidate({
    src: connection.src,
    dst: connection.dst,
    proto: connection.proto,
    srcInternal: true,
    dstInternal: roster.isInternal(connection.dst.ip),
    internalAssumed,
    exporterDirection: connection.exporterDirection,
  });
  if (!candidate) return null;
  return {
    deviceId: roster.survivorOf(connection.srcDeviceId),
    peerIp: connection.dst.ip,
    proto: connection.proto,
    peerPort: connection.dst.port!,
  };
}

function idOf(key: ChannelKey): string {
  return `${key.deviceId} ${key.peerIp} ${key.proto} ${key.peerPort}`;
}

/** The channels of these uses that are known already. */
async function loadChannels(
  tx: Tx,
  tenantId: string,
  uses: readonly { id: string; key: ChannelKey }[],
  cache: ChannelCache,
): Promise<Map<string, Channel>> {
  const channels = new Map<string, Channel>();
  const missing = new Map<string, ChannelKey>();
  for (const { id, key } of uses) {
    const cached = cache.get(id);
    if (cached) channels.set(id, cached);
    else missing.set(id, key);
  }
  for (const row of await readChannels(tx, tenantId, [...missing.values()])) {
    channels.set(idOf(row), { key: row, firstSeen: row.firstSeen, state: decodeChannel(row.state) });
  }
  return channels;
}

function toStored(channel: Channel): StoredChannel {
  const { deviceId, peerIp, proto, peerPort } = channel.key;
  const { firstSeen, state } = channel;
  return {
    deviceId,
    peerIp,
    proto,
    peerPort,
    firstSeen,
    lastSeen: state.lastSeen,
    state: encodeChannel(state),
  };
}

/** Judges in the order of steps, each time with the peers' users as they were known then. */
function judge(
  due: readonly Due[],
  firstUses: readonly FirstUse[],
  prevalence: Map<string, PeerPrevalence>,
  steps: readonly Step[],
  roster: DeviceRoster,
): { at: number; result: DetectorResult }[] {
  const results: { at: number; result: DetectorResult }[] = [];
  let next = 0;
  for (const { at, key, state, service } of due) {
    for (; next < firstUses.length && firstUses[next]!.at <= at; next++) {
      addUse(prevalence, firstUses[next]!);
    }
    const peer = prevalence.get(key.peerIp);
    const step = steps[at]!;
    const result = evaluateBeacon(state, {
      deviceId: key.deviceId,
      deviceName: roster.nameOf(key.deviceId),
      peerIp: key.peerIp,
      peerPort: key.peerPort,
      proto: key.proto,
      service,
      peerInternal: roster.isInternal(key.peerIp),
      prevalence: peer?.devices.size ?? 1,
      deviceCount: step.deviceCount,
      firstSeenPeerAt: peer?.firstSeen ?? null,
      historySince: step.historySince,
    });
    if (result) results.push({ at, result });
  }
  return results;
}

function addUse(prevalence: Map<string, PeerPrevalence>, use: FirstUse): void {
  const peer = prevalence.get(use.peerIp);
  if (!peer) {
    prevalence.set(use.peerIp, { devices: new Set([use.deviceId]), firstSeen: use.start });
    return;
  }
  peer.devices.add(use.deviceId);
  peer.firstSeen = Math.min(peer.firstSeen, use.start);
}
