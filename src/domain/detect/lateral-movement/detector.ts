// Follows what each device does on the administrative services of others inside.
import { isOneHost } from "../../../kit/net/ip.ts";
import { adminProtocol, type Protocol } from "./admin-services.ts";
import { ADMIN_SERVERS, DIRECTORY_PORTS, isServer, isServerType } from "./admin-servers.ts";
import { endsOf } from "../kernel/attempt.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import {
  evaluateFanOut,
  evaluateFirst,
  evaluateTakeover,
  LATERAL_MOVEMENT,
  type LateralContext,
} from "./score.ts";
import { addUse, ADMINISTRATION } from "./state.ts";
import { type DetectorResult, whileLearning } from "../kernel/result.ts";

/** Less from the server is a refusal or a greeting. */
const MIN_ANSWER_BYTES = 100;
/** An exporter tells one direction: this much from the client is a conversation. */
const MIN_EXPORTED = { packets: 6, bytes: 600 } as const;

export const LATERAL_DETECTOR: Detector = {
  info: LATERAL_MOVEMENT,
  states: [ADMINISTRATION, ADMIN_SERVERS],
  feeds: ["connection", "growth"],
  match(sighting, need) {
    const { dst, proto } = sighting.connection!;
    if (dst.port === null || proto !== "tcp") return null;
    const protocol = adminProtocol(dst.port);
    return protocol === null ? attendDirectory(sighting, need) : attendUse(protocol, sighting, need);
  },
};

/** Remembers who answers as a directory. */
function attendDirectory({ connection, site }: Sighting, need: StateLookup): Evaluate | null {
  const { first, dst } = connection!;
  if (!first || !DIRECTORY_PORTS.has(dst.port!) || !site.isInternal(dst.ip) || !isAnswered(connection!)) {
    return null;
  }
  const server = need(ADMIN_SERVERS, dst.ip);
  return () => {
    if (server.state.directory) return null;
    server.state.directory = true;
    server.save(server.state);
    return null;
  };
}

function attendUse(protocol: Protocol, sighting: Sighting, need: StateLookup): Evaluate | null {
  const connection = sighting.connection!;
  const { src, dst } = connection;
  // What only repeats what is known (a second sensor, the reply's half) is nothing new.
  if (!connection.first && connection.newBytesOut === 0) return null;
  const { site, evidence } = sighting;
  const { client, server } = endsOf(sighting);
  if (client.deviceId === null || !client.internal || !server.internal || src.ip === dst.ip) return null;
  // Where nobody configured the networks, other private ranges are taken in: nobody administers a stranger's hosts.
  if (!isAnswered(connection) || !isOneHost(server.ip)) return null;

  const { deviceId } = client;
  const slot = need(ADMINISTRATION, deviceId);
  const clients = need(ADMIN_SERVERS, server.ip);
  return () => {
    if (clients.state.clients.add(deviceId)) clients.save(clients.state);
    const { state } = slot;
    const use = addUse(state, {
      peerIp: server.ip,
      protocol,
      at: connection.start,
      bytesOut: connection.newBytesOut,
      bytesIn: connection.first ? countOf(connection.bytesIn) : 0,
      ref: { ...evidence, observedAt: sighting.observation.start },
    });
    slot.save(state);
    const context: LateralContext = {
      deviceId,
      deviceName: site.nameOf(deviceId),
      sourceIsServer: isServerType(client, site),
      peerIp: server.ip,
      peerName: server.deviceId === null ? server.ip : site.nameOf(server.deviceId),
      peerDeviceId: server.deviceId,
      peerIsServer: isServer(clients.state, server, site),
      peerPort: dst.port!,
      protocol,
      learned: sighting.learned,
    };
    const ofPeer = better(
      evaluateTakeover(use, context),
      first(use.reported, evaluateFirst(use, state, context), sighting),
    );
    const ofMany = evaluateFanOut(state.fan, state, context);
    const best = better(ofPeer, ofMany);
    if (best === null) return null;
    (best === ofMany ? state.fan : use).reported = best.score;
    return best;
  };
}

/** While learning everything is the first time: that is noted once an hour, and nobody is called. */
function first(
  reported: number,
  result: DetectorResult | null,
  { learned }: Sighting,
): DetectorResult | null {
  if (result === null || (reported > 0 && !learned)) return null;
  return whileLearning(result, learned);
}

function better(a: DetectorResult | null, b: DetectorResult | null): DetectorResult | null {
  return a === null || (b !== null && b.score > a.score) ? b : a;
}

function isAnswered({ bytesIn, bytesOut, packetsOut, exporterDirection, src, dst }: Connection): boolean {
  if (!exporterDirection) return countOf(bytesIn) >= MIN_ANSWER_BYTES;
  return (src.port ?? 0) > (dst.port ?? 0) && countOf(packetsOut) >= MIN_EXPORTED.packets &&
    countOf(bytesOut) >= MIN_EXPORTED.bytes;
}
