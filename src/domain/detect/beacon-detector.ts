// Follows every channel (one device, one service of one peer) and judges it when enough has been added.
import {
  addConnection,
  BEACON,
  type ChannelState,
  decodeChannel,
  emptyChannel,
  encodeChannel,
  evaluateBeacon,
  isBeaconCandidate,
  isDue,
  markEvaluated,
} from "./beacon.ts";
import { countOf, type Detector, type Memory, peerOf, type Sighting } from "./detector.ts";
import { addUser, PREVALENCE } from "./prevalence.ts";

/** Keys: `<device> <peer address> <protocol> <port>`. A day of silence begins a channel anew, so few days are kept. */
export const CHANNELS: Memory<ChannelState> = {
  id: 3,
  name: "channels",
  keepDays: 3,
  empty: emptyChannel,
  encode: encodeChannel,
  decode: decodeChannel,
  weight: ({ points, refs }) => 350 + points.weight + refs.weight,
};

export const BEACON_DETECTOR: Detector = {
  info: BEACON,
  feeds: ["connection"],
  attend(sighting, need) {
    const connection = sighting.connection!;
    const { src, dst, proto } = connection;
    const deviceId = originatorOf(sighting);
    if (deviceId === null) return null;
    const { site } = sighting;
    const peerInternal = peerOf(sighting).internal;
    const candidate = isBeaconCandidate({
      src,
      dst,
      proto,
      srcInternal: true,
      dstInternal: peerInternal,
      internalAssumed: site.networksAssumed,
      exporterDirection: connection.exporterDirection,
    });
    if (!candidate) return null;
    const peerPort = dst.port!;
    const channel = need(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${peerPort}`);
    const peer = need(PREVALENCE, `peer ${dst.ip}`);
    return () => {
      if (addUser(peer.state, deviceId, connection.start)) peer.keep(peer.state);
      const state = addConnection(channel.state, {
        start: connection.start,
        end: connection.end,
        srcPort: src.port,
        bytesOut: connection.bytesOut === null ? null : countOf(connection.bytesOut),
        evidenceId: sighting.evidence.evidenceId,
        flowId: connection.flowId,
      });
      if (!isDue(state)) {
        channel.keep(state);
        return null;
      }
      channel.keep(markEvaluated(state));
      return evaluateBeacon(state, {
        deviceId,
        deviceName: site.nameOf(deviceId),
        peerIp: dst.ip,
        peerPort,
        proto,
        service: connection.service,
        peerInternal,
        prevalence: peer.state.users.count,
        deviceCount: sighting.deviceCount,
        firstSeenPeerAt: peer.state.firstSeen,
        historySince: sighting.historySince,
      });
    };
  },
};

/** The device that opened the connection: its flow may have been turned against the observation. */
function originatorOf({ connection, src, dst }: Sighting): string | null {
  return connection!.src.ip === src.ip ? src.deviceId : dst.deviceId;
}
