import type { JsonValue } from "../../kit/json/json.ts";
import { bounded, text, warn } from "./fields.ts";
import type { Micros } from "./observation.ts";
import type { Time } from "./times.ts";

// What TLS records of all sensors share. Each sensor has its own spelling of the same value; here they get one,
// so that the facts of two sensors about one handshake are equal.

const MAX_TLS_NAME = 512;
const MAX_VERSION = 32;

const VERSION = /^(D?TLS|SSL)\s?v?(\d)(?:\.?(\d))?(?:[ -]draft-?(\d{1,3}))?$/i;

/**
 * The version as the RFCs write it: `TLSv12` and `TLS 1.2` give `TLS 1.2`, `TLSv1` gives `TLS 1.0`, `SSLv3` gives
 * `SSL 3.0`, `DTLSv12` gives `DTLS 1.2`, `TLSv13-draft28` gives `TLS 1.3 draft-28`. A version that the sensor
 * could not tell (`UNDETERMINED`) is `null`; any other text stays as it is.
 */
export function tlsVersion(value: JsonValue | undefined): string | null {
  const given = text(value, MAX_VERSION)?.trim() ?? "";
  if (given === "" || /^(undetermined|unknown)$/i.test(given)) return null;
  const match = VERSION.exec(given);
  if (match === null) return given;
  const [, protocol, major, minor, draft] = match;
  const version = `${protocol!.toUpperCase()} ${major}.${minor ?? "0"}`;
  return draft === undefined ? version : `${version} draft-${draft}`;
}

/**
 * A fingerprint as lower-case hex without colons: MD5 (JA3, HASSH) has 32 digits, SHA-1 has 40, SHA-256 has 64.
 * `null` for any other text.
 */
export function hexFingerprint(value: JsonValue | undefined): string | null {
  const hex = hexDigits(value, 128);
  return hex !== null && (hex.length === 32 || hex.length === 40 || hex.length === 64) ? hex : null;
}

/**
 * A certificate's serial number as lower-case hex without colons and without the zero octets in front, which are
 * the sign of its encoding and which only some sensors write.
 */
export function serialNumber(value: JsonValue | undefined): string | null {
  const hex = hexDigits(value, 128);
  return hex === null ? null : hex.replace(/^(00)+(?=.)/, "");
}

function hexDigits(value: JsonValue | undefined, limit: number): string | null {
  const given = text(value, limit);
  if (given === null || !/^[0-9a-f]+(:[0-9a-f]{2})*$/i.test(given)) return null;
  return given.replaceAll(":", "").toLowerCase();
}

/**
 * A JA4 or JA4S fingerprint: `t13d1516h2_8daaf6152771_e5627efa2ab1`, `t130200_1301_234ea6891581`. The first letter
 * is the transport: `t` TCP, `q` QUIC, `d` DTLS. `null` for another text.
 */
export function ja4Fingerprint(value: JsonValue | undefined): string | null {
  const given = text(value, 64)?.toLowerCase() ?? "";
  return /^[tqd][a-z0-9]{6,9}_[0-9a-f]{4,12}_[0-9a-f]{12}$/.test(given) ? given : null;
}

/** Between two attributes of a name that is written in the order of its encoding. */
const ATTRIBUTES = /, (?=[A-Za-z][A-Za-z0-9.-]{0,63}=|\d{1,9}(?:\.\d{1,9}){1,20}=)/;

/**
 * A distinguished name as RFC 4514 writes it, most specific attribute first: `CN=a.example,O=Example\, Inc.,C=US`.
 * Sensors that write the order of the encoding, with a space after each comma and without escapes (`C=US,
 * O=Example, Inc., CN=a.example`), are turned round.
 */
export function distinguishedName(value: JsonValue | undefined): string | null {
  // Longer than what is kept, since the attribute that tells most may stand last.
  const given = text(value, MAX_TLS_NAME * 4);
  if (given === null) return null;
  const attributes = given.split(ATTRIBUTES);
  if (attributes.length === 1 || given.includes("\\,")) return bounded(given, MAX_TLS_NAME);
  return bounded(attributes.reverse().map(escaped).join(","), MAX_TLS_NAME);
}

function escaped(attribute: string): string {
  const at = attribute.indexOf("=") + 1;
  return attribute.slice(0, at) + attribute.slice(at).replace(/[,+"\\<>;]/g, "\\$&");
}

/**
 * An end of a certificate's validity, by the reader for the sensor's times. Where it has no zone it is UTC, as
 * certificates are. `null` with a warning where it is out of reach: before 1970, or the year 9999 of a certificate that
 * never expires.
 */
export function certificateTime(
  value: JsonValue | undefined,
  read: (value: JsonValue) => Time | null,
  name: string,
  warnings: string[],
): Micros | null {
  if (value === undefined || value === null) return null;
  const time = read(value);
  if (time === null) warn(warnings, `${name}: expected a time from 1970 to 2255`);
  return time?.micros ?? null;
}
