import { type Cidr, cidrContains, parseCidr, parseIp } from "../../kit/net/ip.ts";
import type { Match } from "./indicator.ts";

/** A party's indicator match, with the flow of its newest evidence. */
export interface KnownMatch {
  partyIp: string;
  match: Match;
  flowId: string;
}

/** The fields of a flow's row that can show a match. */
interface MatchedFlow {
  flowId: string;
  srcIp: string;
  dstIp: string;
  /** Names of its server. */
  names: readonly string[];
}

/**
 * Selects the known matches that belong to a flow: by the other end's address, by the server's name, or
 * because the evidence is of this flow. Other observations of the flow may have matched more.
 */
export class FlowMatches<M extends KnownMatch> {
  readonly #byParty: Map<string, M[]>;
  readonly #networks = new Map<string, Cidr | null>();

  constructor(matches: readonly M[]) {
    this.#byParty = Map.groupBy(matches, ({ partyIp }) => partyIp);
  }

  of(flow: MatchedFlow): M[] {
    const { srcIp, dstIp } = flow;
    if (this.#byParty.size === 0) return [];
    const found = this.#ofParty(srcIp, dstIp, flow);
    return srcIp === dstIp ? found : [...found, ...this.#ofParty(dstIp, srcIp, flow)];
  }

  #ofParty(partyIp: string, peerIp: string, { flowId, names }: MatchedFlow): M[] {
    return (this.#byParty.get(partyIp) ?? []).filter((known) =>
      known.flowId === flowId || this.#isPeer(known.match, peerIp) || isNamed(known.match, names)
    );
  }

  #isPeer({ kind, indicator }: Match, ip: string): boolean {
    if (kind === "ip") return indicator === ip;
    if (kind !== "cidr") return false;
    let network = this.#networks.get(indicator);
    if (network === undefined) {
      network = parseCidr(indicator);
      this.#networks.set(indicator, network);
    }
    const bytes = network && parseIp(ip);
    return network !== null && bytes !== null && cidrContains(network, bytes);
  }
}

function isNamed({ kind, indicator, exact }: Match, names: readonly string[]): boolean {
  if (kind !== "domain") return false;
  return names.some((name) => name === indicator || (!exact && name.endsWith(`.${indicator}`)));
}
