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
  WEB_PORTS,
} from "../kernel/callback/score.ts";
import {
  countOf,
  type Detector,
  type Evaluate,
  peerOf,
  type Sighting,
  type StateLookup,
  type StateType,
} from "../kernel/detector.ts";
import { cameToNothing } from "../kernel/attempt.ts";
import { canonicalIp } from "../../../kit/net/ip.ts";
import { registeredDomain } from "../../device/registered-domain.ts";
import type { DnsFacts } from "../../record/facts.ts";
import { addUser, noteAsked, PREVALENCE } from "../kernel/prevalence.ts";

/** Addresses of one answer that are noted: clients use the first, rarely another. */
const ANSWERS_NOTED = 4;

/** Keys: `<device> <peer address> <protocol> <port>`. A day of silence begins a channel anew, so few days are kept. */
export const CHANNELS: StateType<ChannelState> = {
  id: 3,
  name: "channels",
  keepDays: 3,
  empty: emptyChannel,
  encode: encodeChannel,
  decode: decodeChannel,
  size: ({ points, refs, name }) => 400 + points.weight + refs.weight + (name?.length ?? 0),
};

export const BEACON_DETECTOR: Detector = {
  info: BEACON,
  states: [CHANNELS],
  feeds: ["connection", "dns"],
  match(sighting, need) {
    const { facts } = sighting.observation;
    if (facts?.type === "dns") return attendAnswer(sighting, facts, need);
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
    return candidate ? attendChannel(sighting, deviceId, peerInternal, need) : null;
  },
};

/**
 * Which addresses are somebody's answer to a name: a connection there is one to the name, in whatever protocol, also where
 * no TLS or HTTP record repeats it.
 */
function attendAnswer({ observation }: Sighting, facts: DnsFacts, need: StateLookup): Evaluate | null {
  const { query, answers } = facts;
  if (query === null || answers.length === 0) return null;
  const found: string[] = [];
  for (const answer of answers) {
    const ip = canonicalIp(answer);
    if (ip !== null && found.push(ip) === ANSWERS_NOTED) break;
  }
  const domain = found.length === 0 ? null : registeredDomain(query);
  if (domain === null) return null;
  const ofDomain = need(PREVALENCE, `domain ${domain}`);
  const peers = found.map((ip) => need(PREVALENCE, `peer ${ip}`));
  return () => {
    if (noteAsked(ofDomain.state, observation.start)) ofDomain.save(ofDomain.state);
    const { asked, firstSeen } = ofDomain.state;
    const since = firstSeen === null ? asked! : Math.min(asked!, firstSeen);
    for (const peer of peers) if (noteAsked(peer.state, since)) peer.save(peer.state);
    return null;
  };
}

function attendChannel(
  sighting: Sighting,
  deviceId: string,
  peerInternal: boolean,
  need: StateLookup,
): Evaluate {
  const { dst, proto } = sighting.connection!;
  const channel = need(CHANNELS, `${deviceId} ${dst.ip} ${proto} ${dst.port}`);
  const peer = need(PREVALENCE, `peer ${dst.ip}`);
  return () => {
    const { evidence: { evidenceId }, connection, site } = sighting;
    const { start, end, src, dst, proto, bytesOut, flowId, service } = connection!;
    if (addUser(peer.state, deviceId, start)) peer.save(peer.state);
    const sent = bytesOut === null ? null : countOf(bytesOut);
    const fruitless = cameToNothing(connection!);
    const point = { start, end, srcPort: src.port, bytesOut: sent, fruitless, evidenceId, flowId };
    const state = addConnection(channel.state, point);
    if (!isDue(state)) {
      channel.save(state);
      return null;
    }
    channel.save(markEvaluated(state));
    return evaluateBeacon(state, {
      deviceId,
      deviceName: site.nameOf(deviceId),
      peerIp: dst.ip,
      peerPort: dst.port!,
      peerName: state.severalNames ? null : state.name,
      byName: false,
      named: state.name !== null || peer.state.asked !== null,
      exported: connection!.exporterDirection,
      // A sensor that recognises web traffic has records that say to whom it goes, or that nobody said. Sites that have names
      // live on the ports of the web.
      unnamed: state.name === null && !state.toldNameless && isWebService(service) &&
        WEB_PORTS.has(dst.port!),
      proto,
      service,
      peerInternal,
      prevalence: peer.state.users.count,
      deviceCount: sighting.deviceCount,
      firstSeenPeerAt: state.name === null ? peer.state.asked ?? peer.state.firstSeen : state.nameSince,
      historySince: sighting.historySince,
    });
  };
}

const WEB_SERVICES = /\b(http|http2|ssl|tls|quic)\b/;

function isWebService(service: string | null): boolean {
  return service !== null && WEB_SERVICES.test(service);
}

/** The device that opened the connection: its flow may have been turned against the observation. */
function originatorOf({ connection, src, dst }: Sighting): string | null {
  return connection!.src.ip === src.ip ? src.deviceId : dst.deviceId;
}
