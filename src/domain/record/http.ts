import type { JsonValue } from "../../kit/json/json.ts";
import { canonicalIp } from "../../kit/net/ip.ts";
import { domainName } from "./dns.ts";
import { text } from "./fields.ts";

// What HTTP records of all sensors share.

export const MAX_METHOD = 32;
export const MAX_URI = 2048;
/** Of a header's value: user agent, referrer, content type. */
export const MAX_HEADER = 512;

/**
 * The name of a Host header in the form in which names are compared: lower case, without port and root's dot; an
 * address in its canonical text, without brackets. `null` for brackets around anything else.
 */
export function httpHost(value: JsonValue | undefined): string | null {
  const name = domainName(value)?.trim() ?? "";
  if (name.startsWith("[")) {
    const literal = /^\[([^\]]*)\](?::\d{0,5})?$/.exec(name);
    return literal === null ? null : canonicalIp(literal[1]!);
  }
  // An IPv6 address without brackets has more than one colon, and its last group is no port.
  const bare = canonicalIp(name) ?? domainName(name.replace(/^([^:]*):\d{0,5}$/, "$1"));
  return bare === null ? null : canonicalIp(bare) ?? bare;
}

/** `HTTP/1.1` and `1.1` give `1.1`, `HTTP/2.0` gives `2`, as RFC 9110 names it; `null` for another text. */
export function httpVersion(value: JsonValue | undefined): string | null {
  const match = /^(?:HTTP\/)?(\d)(?:\.(\d))?$/i.exec(text(value, 16) ?? "");
  if (match === null) return null;
  const [, major, minor] = match;
  return Number(major) >= 2 ? major! : `${major}.${minor ?? "0"}`;
}
