import { parseAccept } from "hono/utils/accept";

/**
 * Whether a client takes a body compressed with gzip, and an unencoded one (RFC 9110, section 12.5.3). Gzip is
 * false if the client prefers the unencoded form, or states nothing. An unencoded body is taken unless refused.
 */
export function gzipOrPlain(acceptEncoding: string | undefined): { gzip: boolean; plain: boolean } {
  const weights = new Map(parseAccept(acceptEncoding ?? "").map(({ type, q }) => [type.toLowerCase(), q]));
  const any = weights.get("*");
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? any ?? 0;
  const plain = weights.get("identity") ?? (any === 0 ? 0 : undefined);
  return { gzip: gzip > 0 && gzip >= (plain ?? 0), plain: plain !== 0 };
}
