import type { FlowName } from "../../../contract/flow/flow.ts";
import type { ProfiledFlow } from "../../../domain/device/classify/profile.ts";
import { FlowMatches } from "../../../domain/intel/flow-matches.ts";
import type { Tx } from "../../../store/engine/database.ts";
import {
  type KnownMatch,
  matchedAddresses,
  matchesAtPeers,
  type PeerPair,
} from "../../../store/intel/match.ts";
import type { ShownFlow } from "../../../store/flow/shown-flows.ts";

/** Matches read per page of flows, the newest; address matches are not limited. */
const MAX_MATCHES = 2000;

/** Returns the addresses among the flows' ends that matched any indicator; most did not. */
export async function matchedEnds(
  tx: Tx,
  tenantId: string,
  flows: readonly ShownFlow[],
): Promise<Set<string>> {
  return await matchedAddresses(tx, tenantId, flows.flatMap(({ src, dst }) => [src.ip, dst.ip]));
}

/**
 * Returns the indicators that flows matched by flow id, with a single query. `matched`: see `matchedEnds`.
 */
export async function intelOfFlows(
  tx: Tx,
  tenantId: string,
  flows: readonly ShownFlow[],
  names: ReadonlyMap<string, readonly FlowName[]>,
  matched: ReadonlySet<string>,
): Promise<Map<string, KnownMatch[]>> {
  const pairs = new Map<string, PeerPair>();
  const add = (partyIp: string, peerIp: string) => {
    if (matched.has(partyIp)) pairs.set(`${partyIp} ${peerIp}`, { partyIp, peerIp });
  };
  for (const { src, dst } of flows) {
    add(src.ip, dst.ip);
    add(dst.ip, src.ip);
  }
  // A DNS answer to another client does not show which name this client used.
  const namesOf = ({ flowId }: ShownFlow) =>
    (names.get(flowId) ?? []).filter(({ same_client }) => same_client).map(({ name }) => name);
  const touched = flows.filter(({ src, dst }) => matched.has(src.ip) || matched.has(dst.ip));
  const by = { flowIds: touched.map(({ flowId }) => flowId), names: touched.flatMap(namesOf) };
  const matches = new FlowMatches(await matchesAtPeers(tx, tenantId, [...pairs.values()], MAX_MATCHES, by));
  return new Map(touched.map((flow) => [flow.flowId, matches.of(toMatched(flow, namesOf(flow)))]));
}

/** Returns which of the `known` indicators a device's outbound flows matched, by destination address. */
export function intelOfDestinations(
  deviceId: string,
  flows: readonly ProfiledFlow[],
  known: readonly KnownMatch[],
): (ip: string) => KnownMatch[] {
  const found = new Map<string, Set<KnownMatch>>();
  if (known.length > 0) {
    const matches = new FlowMatches(known);
    for (const flow of flows) {
      if (flow.srcDeviceId !== deviceId) continue;
      const names = flow.serverName === null ? [] : [flow.serverName.name];
      for (const match of matches.of(toMatched(flow, names))) {
        const same = found.get(flow.dst.ip);
        if (same) same.add(match);
        else found.set(flow.dst.ip, new Set([match]));
      }
    }
  }
  return (ip) => [...found.get(ip) ?? []];
}

function toMatched(
  { flowId, src, dst }: { flowId: string; src: { ip: string }; dst: { ip: string } },
  names: readonly string[],
) {
  return { flowId, srcIp: src.ip, dstIp: dst.ip, names };
}
