import type { JsonValue } from "../../kit/json/json.ts";
import { bounded, small, text } from "./fields.ts";

export const MAX_ANSWERS = 32;
export const MAX_ANSWER_LENGTH = 512;
const MAX_NAME_LENGTH = 1024;

/** IANA DNS RCODE names, 0 to 11 and 16. */
const RCODES: ReadonlyMap<number, string> = new Map([
  [0, "NOERROR"],
  [1, "FORMERR"],
  [2, "SERVFAIL"],
  [3, "NXDOMAIN"],
  [4, "NOTIMP"],
  [5, "REFUSED"],
  [6, "YXDOMAIN"],
  [7, "YXRRSET"],
  [8, "NXRRSET"],
  [9, "NOTAUTH"],
  [10, "NOTZONE"],
  [11, "DSOTYPENI"],
  [16, "BADVERS"],
]);

/**
 * A domain name normalised for comparison: lower case, without the trailing dot. The record keeps the case
 * seen on the wire.
 */
export function domainName(value: JsonValue | undefined): string | null {
  const name = text(value, MAX_NAME_LENGTH);
  if (name === null) return null;
  const lower = bounded(name.toLowerCase(), MAX_NAME_LENGTH);
  return lower !== null && lower.length > 1 && lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

/** The response code by name; from a number alone its IANA name or `RCODE12`. */
export function rcode(name: JsonValue | undefined, number?: JsonValue): string | null {
  const given = text(name, 32);
  if (given !== null) return given.toUpperCase();
  const code = small(number, 0xffff);
  return code === null ? null : RCODES.get(code) ?? `RCODE${code}`;
}

/** The query type by name; from a number alone `TYPE65`, as in RFC 3597. */
export function queryType(name: JsonValue | undefined, number?: JsonValue): string | null {
  const given = text(name, 32);
  if (given !== null) return given;
  const type = small(number, 0xffff);
  return type === null ? null : `TYPE${type}`;
}
