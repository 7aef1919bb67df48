// The values of each type: from text to the one form that the tree holds, and back.

import { canonicalIp, compareIp, formatIp, parseCidr, parseIp } from "../../kit/net/ip.ts";
import { protocolKeyword, protocolNumber } from "../../kit/net/ip-protocol.ts";
import { nearest } from "../../kit/nearest.ts";
import { countries, countryCode } from "./countries.ts";
import { type FieldName, FIELDS } from "./fields.ts";
import type { Field, FieldType, Operator } from "./field.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { canonicalTime, TIME_WORDS } from "./time.ts";
import type { Scalar } from "./tree.ts";
import {
  parseBytes,
  parseDuration,
  parseNumber,
  parseRate,
  plainNumber,
  printBytes,
  printDuration,
  printRate,
} from "./units.ts";

interface ValueFault {
  ok: false;
  message: string;
  expected: string[];
  /** The nearest valid text; null if there is none. */
  suggestion: string | null;
}

type ParsedValue = { ok: true; value: Scalar } | ValueFault;

/** How a value is written: between quotes, `*` is a character like any other. */
interface ValueForm {
  op: Operator;
  quoted: boolean;
}

/** What a value of the type looks like, for messages. */
export const EXPECTED: Readonly<Record<FieldType, string>> = {
  address: "an IP address, a network such as 10.0.0.0/8, or the start of an IPv4 address such as 10.1",
  port: "a port from 0 to 65535",
  name: "a name such as example.com or *.example.com",
  fingerprint: "a fingerprint",
  text: "a text",
  enum: "one of the allowed values",
  country: "a country code such as RO or the English name of a country",
  asn: "the number of an autonomous system, such as AS13335",
  number: "a number",
  bytes: "a size such as 500, 10kB or 1.5GiB",
  rate: "a rate such as 1MB/s or 10Mbit/s",
  duration: "a duration such as 500ms, 90s, 1h30m or 2d",
  time: "a time such as -2h, today, monday, 2026-11-01 or 2026-11-01T14:00",
  vlan: "a VLAN number from 0 to 4094, or a VLAN's name",
  id: "an identifier such as 01a31f60-2c68-7001-8000-000000000001",
  any: "a word",
};

const FORMS: Partial<Record<FieldName, { form: RegExp; expected: string }>> = {
  community_id: {
    form: /^1:[A-Za-z0-9+/]{27}=$/,
    expected: "a Community ID such as 1:wCb3OG7yAFWelaUydu0D+125CLM=",
  },
  certificate: {
    form: /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/,
    expected: "the SHA-1 (40 hexadecimal digits) or SHA-256 (64) of a certificate",
  },
  ja4: {
    form: /^[a-z][0-9a-z]{9}_[0-9a-f]{12}_[0-9a-f]{12}$/,
    expected: "a JA4 fingerprint such as t13d1516h2_8daaf6152771_b186095e22b6",
  },
  ja4s: {
    form: /^[a-z][0-9a-z]{6}_[0-9a-f]{4}_[0-9a-f]{12}$/,
    expected: "a JA4S fingerprint such as t130200_1301_234ea6891581",
  },
};
/** JA3, JA3S and HASSH. */
const MD5 = { form: /^[0-9a-f]{32}$/, expected: "a fingerprint of 32 hexadecimal digits" };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_PORT = 65_535;
const MAX_VLAN = 4094;
const MAX_ASN = 2 ** 32 - 1;
const MAX_NAME = 253;
const IPV4_BYTES = 4;

/** What values of the field look like, for messages. */
export function expectedOf(field: FieldName): string {
  const { type, values } = FIELDS[field] as Field;
  if (values !== undefined) return `one of ${values.join(", ")}`;
  return type === "fingerprint" ? (FORMS[field] ?? MD5).expected : EXPECTED[type];
}

/** The canonical value of a text. */
export function parseValue(field: FieldName, text: string, { op, quoted }: ValueForm): ParsedValue {
  if (text.length > FILTER_LIMITS.valueLength) {
    return fault(`A value has at most ${FILTER_LIMITS.valueLength} characters`, field);
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    return fault("The value has characters that no text has", field);
  }
  if (text === "") return fault("The value is empty", field);
  const value = canonical(field, quoted ? text : text.trim(), { op, quoted });
  return typeof value === "object" ? value : { ok: true, value };
}

/** By its full name, also where an abbreviation of it is nearer. */
function nearestValue({ values = [], valueAliases = {} }: Field, text: string): string | null {
  const found = nearest(text.slice(0, 64), [...values, ...Object.keys(valueAliases)]);
  return found === null ? null : valueAliases[found] ?? found;
}

function canonical(field: FieldName, text: string, form: ValueForm): Scalar | ValueFault {
  const known = FIELDS[field] as Field;
  const wrong = (suggestion: string | null = null) =>
    fault(`\`${text}\` is not ${expectedOf(field)}`, field, suggestion);
  switch (known.type) {
    case "address":
      return canonicalAddress(text) ?? wrong();
    case "port":
      return wholeNumber(text, MAX_PORT) ?? wrong();
    case "name":
      return nameValue(field, text, form);
    case "fingerprint":
      return fingerprint(field, text) ?? wrong();
    case "text":
    case "any":
      return textValue(field, text, form);
    case "enum":
      return enumValue(known, text) ?? wrong(nearestValue(known, text));
    case "country":
      return countryCode(text) ?? wrong(text.length > 3 ? nearestCountry(text) : null);
    case "asn":
      return wholeNumber(text.replace(/^asn?\s*(?=\d)/i, ""), MAX_ASN) ?? wrong();
    case "number":
      return parseNumber(text) ?? wrong();
    case "bytes":
      return parseBytes(text) ?? wrong();
    case "rate":
      return parseRate(text) ?? wrong();
    case "duration":
      return parseDuration(text) ?? wrong();
    case "time":
      return canonicalTime(text) ?? wrong(nearestTime(text));
    case "vlan":
      return /^\d+$/.test(text) ? wholeNumber(text, MAX_VLAN) ?? wrong() : text;
    case "id": {
      const id = text.toLowerCase();
      return UUID.test(id) ? id : wrong();
    }
  }
}

/**
 * An address in canonical text, a network with its host bits cleared, or the network of the first bytes of an IPv4
 * address (`10.1` or `10.1.`). Null for anything else.
 */
export function canonicalAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (!bare.includes("/")) return canonicalIp(bare) ?? startOfAddress(bare);
  const network = parseCidr(bare) ??
    parseCidr(`${startOfAddress(bare.split("/")[0]!)?.split("/")[0]}/${bare.split("/")[1]}`);
  if (network === null) return null;
  const first = formatIp(network.first);
  return network.prefix === network.first.length * 8 ? first : `${first}/${network.prefix}`;
}

function startOfAddress(text: string): string | null {
  // The last part of an IPv6 address may be dotted, too.
  if (text.includes(":")) return null;
  const parts = text.replace(/\.$/, "").split(".");
  if (parts.length > IPV4_BYTES || (parts.length === 1 && !text.endsWith("."))) return null;
  const padded = [...parts, "0", "0", "0"].slice(0, IPV4_BYTES).join(".");
  if (parts.length === IPV4_BYTES) return text.endsWith(".") ? null : canonicalIp(padded);
  return canonicalIp(padded) === null ? null : `${padded}/${parts.length * 8}`;
}

function wholeNumber(text: string, most: number): number | null {
  return /^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

function nameValue(field: FieldName, text: string, { op }: ValueForm): string | ValueFault {
  const network = text.includes("/") ? canonicalAddress(text) : null;
  if (network !== null) return networkName(field, network, op);
  const name = text.toLowerCase().replace(/^\./, "*.").replace(/\*{2,}/g, "*").replace(/(?<=.)\.+$/, "");
  if (name.length > MAX_NAME && field !== "dns.answer") {
    return fault(`A name has at most ${MAX_NAME} characters`, field);
  }
  if (op !== "matches" && name.includes("*")) {
    return fault("`=` and `!=` compare the whole name, so `*` has no meaning; `:` takes a pattern", field);
  }
  return name === "*" ? fault("`*` is no name; `field:*` finds any value", field) : canonicalIp(name) ?? name;
}

/** A network of names: those that begin with its numbers, if it ends between two of them. */
function networkName(field: FieldName, network: string, op: ValueForm["op"]): string | ValueFault {
  const [address = "", prefix] = network.split("/");
  if (prefix === undefined) return address;
  const bits = Number(prefix);
  if (op !== "matches" || address.includes(":") || bits % 8 !== 0 || bits === 0) {
    return fault(
      "A text is compared with one address, or with `:` and an IPv4 network of /8, /16 or /24",
      field,
    );
  }
  return [...address.split(".").slice(0, bits / 8), "*"].join(".");
}

function fingerprint(field: FieldName, text: string): string | null {
  if (field === "community_id") return FORMS.community_id!.form.test(text) ? text : null;
  const hex = text.toLowerCase();
  const plain = FORMS[field]?.form === FORMS.ja4!.form || FORMS[field]?.form === FORMS.ja4s!.form
    ? hex
    : hex.replaceAll(":", "");
  return (FORMS[field] ?? MD5).form.test(plain) ? plain : null;
}

function textValue(field: FieldName, text: string, { op, quoted }: ValueForm): string | ValueFault {
  const { valueAliases } = FIELDS[field] as Field;
  if (field === "proto") {
    const number = protocolNumber(text);
    if (number !== null) return protocolKeyword(number);
  }
  const alias = text.toLowerCase();
  if (valueAliases !== undefined && Object.hasOwn(valueAliases, alias)) return valueAliases[alias]!;
  if (field === "tls.version") return text.replace(/^tls\s*v?(?=\d)/i, "");
  if (quoted || !text.includes("*")) return text;
  // A bare word may be a name with a wildcard; `bare.ts` decides.
  if (FIELDS[field].type === "any" && /[^*]/.test(text)) return text;
  const inner = text.replace(/^\*+|\*+$/g, "");
  if (op === "matches" && inner !== "" && !inner.includes("*")) return inner;
  return fault("`*` has no meaning in a text, which is found anywhere in the field", field, text);
}

function enumValue({ values, valueAliases }: Field, text: string): string | null {
  const lower = text.toLowerCase().replaceAll(/[ -]/g, "_");
  if (values!.includes(lower)) return lower;
  return valueAliases !== undefined && Object.hasOwn(valueAliases, lower) ? valueAliases[lower]! : null;
}

function nearestCountry(text: string): string | null {
  return nearest(text.slice(0, 64), countries().map(({ name }) => name));
}

function nearestTime(text: string): string | null {
  if (/^\d+\s*[a-z]+( ago)?$/i.test(text)) return canonicalTime(`-${text.replace(/\s*ago$/i, "")}`);
  return nearest(text.slice(0, 64), TIME_WORDS.concat("-24h"));
}

function fault(message: string, field: FieldName, suggestion: string | null = null): ValueFault {
  return { ok: false, message, expected: [expectedOf(field)], suggestion };
}

/** The text of a value, without quotes. */
export function printValue(field: FieldName, value: Scalar): string {
  if (typeof value === "string") return value;
  switch (FIELDS[field].type) {
    case "asn":
      return `AS${plainNumber(value)}`;
    case "bytes":
      return printBytes(value);
    case "rate":
      return printRate(value);
    case "duration":
      return printDuration(value);
    default:
      return plainNumber(value);
  }
}

/** Compares two canonical values of a field; null if they have no order, such as addresses of two families. */
export function compareValues(field: FieldName, low: Scalar, high: Scalar): number | null {
  const { type, values } = FIELDS[field] as Field;
  if (typeof low === "number" && typeof high === "number") return low - high;
  if (values !== undefined) return values.indexOf(String(low)) - values.indexOf(String(high));
  if (type !== "address") return null;
  const [first, last] = [parseIp(String(low)), parseIp(String(high))];
  return first === null || last === null || first.length !== last.length ? null : compareIp(first, last);
}
