import { canonicalIp, parseIp } from "./ip.ts";

/** What an address in a text is replaced by. */
const MASKED_ADDRESS = "[address]";

/** Dotted quads, also with leading zeros. */
const IPV4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g;
/** The characters of an IPv6 address. */
const IPV6_RUN = /[0-9a-f:.]+/gi;
/** Longest IPv6 address as text, with an embedded IPv4 address. */
const MAX_IPV6_LENGTH = 45;
/** Shorter ones, such as `::1` and the `d::` of `std::vector`, identify no host. */
const MIN_IPV6_DIGITS = 3;

/** Replaces every IPv4 and IPv6 address in a text, in any spelling, except `kept`, which stays as it is written. */
export function maskAddresses(text: string, kept: string | null): string {
  const shown = kept === null ? null : canonicalIp(kept);
  return replaceAddresses(
    text,
    (address) => shown !== null && canonicalIp(address) === shown ? address : MASKED_ADDRESS,
  );
}

/** Replaces every IPv4 and IPv6 address in a text, in any spelling; a replacement must hold no address. */
export function replaceAddresses(text: string, replace: (address: string) => string): string {
  return text.replace(IPV6_RUN, (run) => maskRun(run, replace)).replace(IPV4, (address) => replace(address));
}

/** Masks the longest addresses of a run from left to right; one without two colons has none. */
function maskRun(run: string, mask: (address: string) => string): string {
  if (run.indexOf(":") === run.lastIndexOf(":")) return run;
  let masked = "";
  for (let at = 0; at < run.length;) {
    const length = addressAt(run, at);
    masked += length === 0 ? run[at] : mask(run.slice(at, at + length));
    at += Math.max(1, length);
  }
  return masked;
}

/** Length of the longest IPv6 address that starts at a position; 0 if none does. */
function addressAt(run: string, at: number): number {
  // Neither a part of a longer group nor of a time such as 07:14:00.
  if (at > 0 && /[0-9a-f]/i.test(run[at - 1]!) && /[0-9a-f]/i.test(run[at]!)) return 0;
  for (let length = Math.min(MAX_IPV6_LENGTH, run.length - at); length > MIN_IPV6_DIGITS; length--) {
    const candidate = run.slice(at, at + length);
    if (!candidate.includes(":") || parseIp(candidate) === null) continue;
    return candidate.replaceAll(/[:.]/g, "").length >= MIN_IPV6_DIGITS ? length : 0;
  }
  return 0;
}
