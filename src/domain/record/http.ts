import type { JsonValue } from "../../kit/json/json.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { domainName } from "./dns.ts";
import { orWarn, small, text } from "./fields.ts";

// Shared by the HTTP records of all sensors.

export const MAX_METHOD = 32;
export const MAX_URI = 2048;
/** Maximum length of a header value: user agent, referrer, content type. */
export const MAX_HEADER = 512;

/**
 * The Host header's name, normalised for comparison: lower case, without port and trailing dot; an address in
 * canonical form without brackets. Null for anything else in brackets.
 */
export function httpHost(value: JsonValue | undefined): string | null {
  const name = domainName(value)?.trim() ?? "";
  if (name.startsWith("[")) {
    const literal = /^\[([^\]]*)\](?::\d{0,5})?$/.exec(name);
    return literal === null ? null : canonicalIp(literal[1]!);
  }
  // An unbracketed IPv6 address has more than one colon, and its last group is not a port.
  const bare = canonicalIp(name) ?? domainName(name.replace(/^([^:]*):\d{0,5}$/, "$1"));
  return bare === null ? null : canonicalIp(bare) ?? bare;
}

/** `HTTP/1.1` and `1.1` give `1.1`, `HTTP/2.0` gives `2`, as named in RFC 9110; null for any other text. */
export function httpVersion(value: JsonValue | undefined): string | null {
  const match = /^(?:HTTP\/)?(\d)(?:\.(\d))?$/i.exec(text(value, 16) ?? "");
  if (match === null) return null;
  const [, major, minor] = match;
  return Number(major) >= 2 ? major! : `${major}.${minor ?? "0"}`;
}

/** A status code; a warning if the member has a value of another form. */
export function httpStatus(
  value: JsonValue | undefined,
  name: string,
  warnings: string[],
): number | null {
  return orWarn(small(value, 999), value, `${name}: expected an HTTP status`, warnings);
}
