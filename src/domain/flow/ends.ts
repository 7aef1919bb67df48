import { compareIp, parseIp } from "../../kit/net/ip.ts";
import type { Endpoint } from "../record/observation.ts";

/**
 * True when `src` is the lower of the two ends (by address, then port). Stored with each observation to
 * preserve its sensor's direction when the flow's direction changes later.
 */
export function srcIsLow(src: Endpoint, dst: Endpoint): boolean {
  const a = parseIp(src.ip);
  const b = parseIp(dst.ip);
  const order = a && b ? compareIp(a, b) : 0;
  return order !== 0 ? order < 0 : (src.port ?? 0) <= (dst.port ?? 0);
}

/** Orders the two ends so that `src` is the lower one if `wantSrcLow`, and the higher one otherwise. */
export function orient<E extends Endpoint>(src: E, dst: E, wantSrcLow: boolean): { src: E; dst: E } {
  return srcIsLow(src, dst) === wantSrcLow ? { src, dst } : { src: dst, dst: src };
}
