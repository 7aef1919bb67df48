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
 * A domain name in the one form in which names are compared: lower case, without the root's dot. The record
 * keeps the case that was on the wire.
 */
export function domainName(value: JsonValue | undefined): string | null {
  const name = text(value, MAX_NAME_LENGTH);
  if (name === null) return null;
  const lower = bounded(name.toLowerCase(), MAX_NAME_LENGTH);
  return lower !== null && lower.length > 1 && lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

/** The response code by name; of a record that has the number only, its IANA name or `RCODE12`. */
export function rcode(name: JsonValue | undefined, number?: JsonValue): string | null {
  const given = text(name, 32);
  if (given !== null) return given.toUpperCase();
  const code = small(number, 0xffff);
  return code === null ? null : RCODES.get(code) ?? `RCODE${code}`;
}

/** The query type by name; of a record that has the number only, `TYPE65` as RFC 3597 writes it. */
export function queryType(name: JsonValue | undefined, number?: JsonValue): string | null {
  const given = text(name, 32);
  if (given !== null) return given;
  const type = small(number, 0xffff);
  return type === null ? null : `TYPE${type}`;
}
