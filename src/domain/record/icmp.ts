/** ICMP request types, each with its reply type. */
const PAIRS_V4 = [[8, 0], [10, 9], [13, 14], [15, 16], [17, 18]] as const;
const PAIRS_V6 = [[128, 129], [130, 131], [133, 134], [135, 136], [139, 140], [144, 145]] as const;

const COUNTERPARTS_V4 = counterparts(PAIRS_V4);
const COUNTERPARTS_V6 = counterparts(PAIRS_V6);

/** The values the Community ID uses as ports of an ICMP message. */
interface IcmpPorts {
  src: number;
  /** The counterpart type; for a one-way type the code, null if unknown. */
  dst: number | null;
  /** The type has no counterpart, so the two directions are two flows. */
  oneWay: boolean;
}

export function icmpPorts(v6: boolean, type: number, code: number | null): IcmpPorts {
  const answer = (v6 ? COUNTERPARTS_V6 : COUNTERPARTS_V4).get(type);
  if (answer === undefined) return { src: type, dst: code, oneWay: true };
  return { src: type, dst: answer, oneWay: false };
}

function counterparts(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, number> {
  return new Map(pairs.flatMap(([ask, answer]) => [[ask, answer], [answer, ask]]));
}
