// Matches SMB records, and alerts about the same, to what a device runs on other hosts.
import type { Evaluate, Party, Sighting, StateLookup } from "../kernel/detector.ts";
import { isOneHost } from "../../../kit/net/ip.ts";
import { ADMIN_SERVERS, isDirectory, isServer, isServerType, type ServerState } from "./admin-servers.ts";
import type { LateralContext } from "./context.ts";
import { isRemoteExecutionAlert, type SmbTraits, smbTraits, TRAITS } from "./smb-names.ts";
import { evaluateExecution } from "./smb-score.ts";
import { addTraits, REMOTE_EXECUTION } from "./smb-state.ts";

const SMB_PORT = 445;
const SMB_PORTS: ReadonlySet<number | null> = new Set([139, SMB_PORT]);

/** Null for most SMB records, which open ordinary files. */
export function matchExecution(sighting: Sighting, states: StateLookup): Evaluate | null {
  const { facts } = sighting.observation;
  if (facts?.type === "smb") {
    const traits = smbTraits(facts);
    return traits === null ? null : matchTraits(sighting, traits, sighting.src, sighting.dst, states);
  }
  if (facts?.type !== "alert" || !isRemoteExecutionAlert(facts.signature)) return null;
  const { src, dst } = sighting;
  const traits = { bits: TRAITS.alert, tool: null };
  // An alert has the direction of the packet; the server has the port of SMB.
  if (SMB_PORTS.has(dst.port)) return matchTraits(sighting, traits, src, dst, states);
  return SMB_PORTS.has(src.port) ? matchTraits(sighting, traits, dst, src, states) : null;
}

function matchTraits(
  sighting: Sighting,
  traits: SmbTraits,
  client: Party,
  server: Party,
  states: StateLookup,
): Evaluate | null {
  const { deviceId } = client;
  if (deviceId === null || !client.internal || !server.internal || client.ip === server.ip) return null;
  if (!isOneHost(server.ip)) return null;
  const entry = states(REMOTE_EXECUTION, deviceId);
  const clients = states(ADMIN_SERVERS, server.ip);
  return () => {
    const { state } = entry;
    const { observation: { start }, evidence } = sighting;
    const at = { peerIp: server.ip, at: start, ref: { ...evidence, observedAt: start } };
    const use = addTraits(state, traits, at);
    if (use === null) return null;
    const result = evaluateExecution(
      use,
      state,
      smbContext(deviceId, client, server, clients.state, sighting),
    );
    if (result !== null) use.report(result.score);
    entry.save(state);
    return result;
  };
}

export function smbContext(
  deviceId: string,
  client: Party,
  server: Party,
  known: ServerState,
  { site, learned }: Sighting,
): LateralContext {
  return {
    deviceId,
    deviceName: site.nameOf(deviceId),
    sourceIsServer: isServerType(client, site),
    peerIp: server.ip,
    peerName: server.deviceId === null ? server.ip : site.nameOf(server.deviceId),
    peerDeviceId: server.deviceId,
    peerIsServer: isServer(known, server, site),
    peerIsDirectoryOfClient: isDirectory(known, server, site) && !isServerType(client, site),
    peerPort: server.port ?? SMB_PORT,
    protocol: "smb",
    learned,
  };
}
