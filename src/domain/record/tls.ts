import type { JsonValue } from "../../kit/json/json.ts";
import { bounded, orWarn, text, warn } from "./fields.ts";
import type { Micros } from "./observation.ts";
import type { Time } from "./times.ts";

// Shared by the TLS records of all sensors. Normalises each sensor's spelling so that the facts of two
// sensors about one handshake are equal.

const MAX_TLS_NAME = 512;
const MAX_VERSION = 32;

const VERSION = /^(D?TLS|SSL)\s?v?(\d)(?:\.?(\d))?(?:[ -]draft-?(\d{1,3}))?$/i;

/**
 * The version in the RFCs' spelling: `TLSv12` and `TLS 1.2` give `TLS 1.2`, `TLSv1` gives `TLS 1.0`, `SSLv3`
 * gives `SSL 3.0`, `DTLSv12` gives `DTLS 1.2`, `TLSv13-draft28` gives `TLS 1.3 draft-28`. Null if the sensor
 * could not determine it (`UNDETERMINED`); other texts stay unchanged.
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
 * A fingerprint as lower-case hex without colons: MD5 (JA3, HASSH) has 32 digits, SHA-1 has 40, SHA-256 has
 * 64. Null for any other text.
 */
export function hexFingerprint(value: JsonValue | undefined): string | null {
  const hex = hexDigits(value, 128);
  return hex !== null && (hex.length === 32 || hex.length === 40 || hex.length === 64) ? hex : null;
}

/**
 * A certificate's serial number as lower-case hex without colons and leading zero octets, which encode the
 * sign and which only some sensors write.
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

/** `hexFingerprint` of a member; a warning if it has a value of another form. */
export function fingerprintOf(
  value: JsonValue | undefined,
  name: string,
  warnings: string[],
): string | null {
  return orWarn(hexFingerprint(value), value, `${name}: expected a fingerprint`, warnings);
}

/** `ja4Fingerprint` of a member; a warning if it has a value of another form. */
export function ja4Of(value: JsonValue | undefined, name: string, warnings: string[]): string | null {
  return orWarn(ja4Fingerprint(value), value, `${name}: expected a JA4 fingerprint`, warnings);
}

/**
 * A JA4 or JA4S fingerprint: `t13d1516h2_8daaf6152771_e5627efa2ab1`, `t130200_1301_234ea6891581`. The first
 * letter is the transport: `t` TCP, `q` QUIC, `d` DTLS. Null for any other text.
 */
export function ja4Fingerprint(value: JsonValue | undefined): string | null {
  const given = text(value, 64)?.toLowerCase() ?? "";
  return /^[tqd][a-z0-9]{6,9}_[0-9a-f]{4,12}_[0-9a-f]{12}$/.test(given) ? given : null;
}

/** Separator between attributes of a name in encoding order. */
const ATTRIBUTES = /, (?=[A-Za-z][A-Za-z0-9.-]{0,63}=|\d{1,9}(?:\.\d{1,9}){1,20}=)/;

/**
 * A distinguished name in RFC 4514 form, most specific attribute first: `CN=a.example,O=Example\, Inc.,C=US`.
 * Reverses names in encoding order, which have a space after each comma and no escapes (`C=US, O=Example,
 * Inc., CN=a.example`).
 */
export function distinguishedName(value: JsonValue | undefined): string | null {
  // Read more than is kept, because the most specific attribute may come last.
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
 * A bound of a certificate's validity, parsed by the sensor's time reader. Without a zone it is UTC, as in
 * certificates. Null with a warning if out of range: before 1970, or the year 9999 of a certificate that
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
