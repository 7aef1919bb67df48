// Tracks how each device uses the administrative services of other internal hosts.
import { isOneHost } from "../../../kit/net/ip.ts";
import { adminProtocol, type Protocol } from "./admin-services.ts";
import { ADMIN_SERVERS, DIRECTORY_PORTS, isDirectory, isServer, isServerType } from "./admin-servers.ts";
import { endsOf } from "../kernel/attempt.ts";
import {
  type Connection,
  countOf,
  type Detector,
  type Evaluate,
  type Sighting,
  type StateLookup,
} from "../kernel/detector.ts";
import type { LateralContext } from "./context.ts";
import { evaluateFanOut, evaluateFirstUse, evaluateTakeover, LATERAL_MOVEMENT } from "./score.ts";
import { addUse, ADMINISTRATION } from "./state.ts";
import { matchExecution } from "./execution.ts";
import { matchReplication } from "./replication.ts";
import { REMOTE_EXECUTION } from "./smb-state.ts";
import { type DetectorResult, whileLearning } from "../kernel/result.ts";

/** Fewer bytes from the server are a refusal or a greeting. */
const MIN_ANSWER_BYTES = 100;
/**
 * A shorter connection with fewer bytes, both directions together or one of an exporter, is a scanner's
 * version probe: a greeting and one request, at most about 700 bytes with frame headers. The handshakes of
 * SSH, RDP and SMB alone take 3 kB or more before anything is controlled. Procedure calls are that small, so
 * RPC is exempt.
 */
const PROBE = { seconds: 2, bytes: 2000, exportedBytes: 1000 } as const;
/** For one direction of an exporter: a client that sends this much is in a conversation. */
const MIN_EXPORTED = { packets: 6, bytes: 600 } as const;

export const LATERAL_DETECTOR: Detector = {
  info: LATERAL_MOVEMENT,
  states: [ADMINISTRATION, ADMIN_SERVERS, REMOTE_EXECUTION],
  feeds: ["connection", "growth", "smb", "alert"],
  match(sighting, states) {
    const { facts } = sighting.observation;
    if (facts?.type === "smb" || facts?.type === "alert") {
      return matchReplication(sighting, facts, states) ?? matchExecution(sighting, states);
    }
    const { dst, proto } = sighting.connection!;
    if (dst.port === null || proto !== "tcp") return null;
    const protocol = adminProtocol(dst.port);
    return protocol === null ? matchDirectory(sighting, states) : matchUse(protocol, sighting, states);
  },
};

/** Records hosts that answer as a directory. */
function matchDirectory({ connection, site }: Sighting, states: StateLookup): Evaluate | null {
  const { first, dst } = connection!;
  if (!first || !DIRECTORY_PORTS.has(dst.port!) || !site.isInternal(dst.ip) || !isAnswered(connection!)) {
    return null;
  }
  const server = states(ADMIN_SERVERS, dst.ip);
  return () => {
    if (server.state.directory) return null;
    server.state.directory = true;
    server.save(server.state);
    return null;
  };
}

function matchUse(protocol: Protocol, sighting: Sighting, states: StateLookup): Evaluate | null {
  const connection = sighting.connection!;
  const { src, dst } = connection;
  // Nothing new: a second sensor, or the reply half.
  if (!connection.first && connection.newBytesOut === 0) return null;
  const { site, evidence } = sighting;
  const { client, server } = endsOf(sighting);
  if (client.deviceId === null || !client.internal || !server.internal || src.ip === dst.ip) return null;
  // Private ranges that are only assumed to be internal count too: foreign hosts are not administered.
  if (!isAnswered(connection) || isProbe(connection, protocol) || !isOneHost(server.ip)) return null;

  const { deviceId } = client;
  const entry = states(ADMINISTRATION, deviceId);
  const clients = states(ADMIN_SERVERS, server.ip);
  const own = states(ADMIN_SERVERS, client.ip);
  return () => {
    if (clients.state.clients.add(deviceId)) clients.save(clients.state);
    const { state } = entry;
    const { use, fan, report } = addUse(state, {
      peerIp: server.ip,
      protocol,
      at: connection.start,
      first: connection.first,
      bytesOut: connection.newBytesOut,
      bytesIn: connection.first ? countOf(connection.bytesIn) : 0,
      ref: { ...evidence, observedAt: sighting.observation.start },
    });
    entry.save(state);
    if (use === null && fan === null) return null;
    const context: LateralContext = {
      deviceId,
      deviceName: site.nameOf(deviceId),
      sourceIsServer: isServerType(client, site),
      peerIp: server.ip,
      peerName: server.deviceId === null ? server.ip : site.nameOf(server.deviceId),
      peerDeviceId: server.deviceId,
      peerIsServer: isServer(clients.state, server, site),
      peerIsDirectoryOfClient: isDirectory(clients.state, server, site) && !isServer(own.state, client, site),
      peerPort: dst.port!,
      protocol,
      learned: sighting.learned,
    };
    const ofPeer = use === null ? null : better(
      evaluateTakeover(use, context),
      firstUse(use.reportedScore, evaluateFirstUse(use, state, context), context),
    );
    const ofMany = fan === null ? null : evaluateFanOut(fan, state, context);
    const best = better(ofPeer, ofMany);
    if (best !== null) report(best === ofMany ? "fan" : "use", best.score);
    return best;
  };
}

/**
 * While learning, every use is the first one: it is held below the report score, once per hour. A client that
 * controls a directory server needs no baseline.
 */
function firstUse(
  reportedScore: number,
  result: DetectorResult | null,
  { learned, peerIsDirectoryOfClient }: LateralContext,
): DetectorResult | null {
  if (peerIsDirectoryOfClient) return result;
  if (result === null || (reportedScore > 0 && !learned)) return null;
  return whileLearning(result, learned);
}

function better(a: DetectorResult | null, b: DetectorResult | null): DetectorResult | null {
  return a === null || (b !== null && b.score > a.score) ? b : a;
}

function isProbe(
  { start, end, bytesIn, bytesOut, exporterDirection }: Connection,
  protocol: Protocol,
): boolean {
  if (protocol === "rpc" || end - start >= PROBE.seconds * 1_000_000) return false;
  const bytes = countOf(bytesOut) + countOf(bytesIn);
  return bytes < (exporterDirection ? PROBE.exportedBytes : PROBE.bytes);
}

function isAnswered({ bytesIn, bytesOut, packetsOut, exporterDirection, src, dst }: Connection): boolean {
  if (!exporterDirection) return countOf(bytesIn) >= MIN_ANSWER_BYTES;
  return (src.port ?? 0) > (dst.port ?? 0) && countOf(packetsOut) >= MIN_EXPORTED.packets &&
    countOf(bytesOut) >= MIN_EXPORTED.bytes;
}
