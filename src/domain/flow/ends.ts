import { compareIp, parseIp } from "../../kit/net/ip.ts";
import type { Endpoint } from "../record/observation.ts";

/**
 * True when `src` is the lower of the two ends (by address, then port). Kept with each observation, so that the
 * direction its own sensor gave can be told whatever direction the flow takes later.
 */
export function srcIsLow(src: Endpoint, dst: Endpoint): boolean {
  const a = parseIp(src.ip);
  const b = parseIp(dst.ip);
  const order = a && b ? compareIp(a, b) : 0;
  return order !== 0 ? order < 0 : (src.port ?? 0) <= (dst.port ?? 0);
}

/** The ends in the direction an observation named them. */
export function orient<E extends Endpoint>(src: E, dst: E, wantSrcLow: boolean): { src: E; dst: E } {
  return srcIsLow(src, dst) === wantSrcLow ? { src, dst } : { src: dst, dst: src };
}
