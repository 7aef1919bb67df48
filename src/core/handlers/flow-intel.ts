import type { FlowName } from "../../contract/flow.ts";
import type { FlowState } from "../../domain/correlate/flow.ts";
import type { ProfiledFlow } from "../../domain/device/profile.ts";
import { FlowMatches } from "../../domain/intel/flow-matches.ts";
import type { Tx } from "../../store/database.ts";
import { type KnownMatch, matchesAtPeers } from "../../store/intel-match.ts";

/** Of all ends of a page of flows, but for addresses, the newest. */
const MAX_MATCHES = 2000;

/** The indicators that these flows met, by flow; one look at the database for all of them. */
export async function intelOfFlows(
  tx: Tx,
  tenantId: string,
  flows: readonly FlowState[],
  names: ReadonlyMap<string, readonly FlowName[]>,
): Promise<Map<string, KnownMatch[]>> {
  const pairs = flows.flatMap(({ src, dst }) => [
    { partyIp: src.ip, peerIp: dst.ip },
    { partyIp: dst.ip, peerIp: src.ip },
  ]);
  const distinct = [...new Map(pairs.map((pair) => [`${pair.partyIp} ${pair.peerIp}`, pair])).values()];
  // What other clients were told does not say where this one wanted to go.
  const namesOf = ({ flowId }: FlowState) =>
    (names.get(flowId) ?? []).filter(({ same_client }) => same_client).map(({ name }) => name);
  const by = { flowIds: flows.map(({ flowId }) => flowId), names: flows.flatMap(namesOf) };
  const matches = new FlowMatches(await matchesAtPeers(tx, tenantId, distinct, MAX_MATCHES, by));
  return new Map(flows.map((flow) => [flow.flowId, matches.of(toMatched(flow, namesOf(flow)))]));
}

/** The indicators among these that a device met where its flows went, by the address outside. */
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
