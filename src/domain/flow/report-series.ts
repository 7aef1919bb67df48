import { hash64Halves } from "../../kit/hash64.ts";
import type { Endpoint, Observation } from "../record/observation.ts";

/** Numbers the series of delta reports of one exporter; never 0. */
export type SeriesHasher = (
  observation: Pick<Observation, "start" | "src" | "dst">,
  nativeHash: bigint | null,
) => number;

/**
 * Delta reports belong together, so that their counters add up, if one exporter made them about one connection:
 * of its own identifier, or else of the same start and direction. Only compared within a flow, for which 32 bits
 * suffice.
 */
export function seriesHasher(sensorId: string, exporter: string | null): SeriesHasher {
  const halves = new Int32Array(2);
  hash64Halves(`${sensorId}\n${exporter ?? ""}`, halves);
  const origin = halves[0]!;
  return ({ start, src, dst }, nativeHash) => {
    if (nativeHash !== null) return mixed(origin, Number(BigInt.asIntN(32, nativeHash)), 0);
    return mixed(origin, start % 2 ** 32, Math.floor(start / 2 ** 32) * 2 + Number(isForward(src, dst)));
  };
}

/** Distinguishes the two directions; which of them is forward does not matter. */
function isForward(src: Endpoint, dst: Endpoint): boolean {
  return src.ip !== dst.ip ? src.ip < dst.ip : (src.port ?? 0) < (dst.port ?? 0);
}

function mixed(origin: number, a: number, b: number): number {
  let hash = Math.imul(origin ^ a, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ b, 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) || 1;
}
