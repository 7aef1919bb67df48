// Guard 2: patterns that must not occur anywhere in the payload, whatever the table allows. It scans the
// whole text, so position does not matter; no legal payload matches.

import type { HeartbeatField } from "../../../contract/telemetry/heartbeat.ts";
import { type JsonObject, keysWithin } from "./json.ts";
import type { Violation } from "./violation.ts";
import { isField } from "./whitelist.ts";

/** Matched against whole keys, ignoring case: `tenant_count` is not forbidden. */
const FORBIDDEN_KEYS = new Set([
  ...[
    "ip",
    "ips",
    "ip_address",
    "address",
    "addresses",
    "src_ip",
    "dst_ip",
    "mac",
    "mac_address",
    "cidr",
    "cidrs",
  ],
  ...[
    "host",
    "hosts",
    "hostname",
    "host_name",
    "fqdn",
    "domain",
    "domains",
    "dns",
    "url",
    "exporter",
    "exporters",
  ],
  ...["user", "users", "username", "user_name", "email", "e_mail", "mail", "subject", "owner", "account"],
  ...["tenant", "tenants", "tenant_id", "tenant_name", "sensor", "sensors", "sensor_id", "site", "site_id"],
  ...[
    "site_name",
    "display_name",
    "coordinates",
    "latitude",
    "longitude",
    "vlan",
    "vlans",
    "vlan_id",
    "vlan_name",
  ],
  ...[
    "device",
    "devices",
    "device_id",
    "device_name",
    "device_names",
    "serial",
    "serial_number",
    "machine_id",
  ],
  ...[
    "flow",
    "flows",
    "incident",
    "incidents",
    "title",
    "summary",
    "evidence",
    "model",
    "model_id",
    "prompt",
  ],
  ...[
    "config",
    "configuration",
    "instance",
    "instances",
    "connector",
    "license",
    "license_key",
    "key",
    "api_key",
  ],
  ...["token", "tokens", "secret", "secrets", "password", "passwords", "credential", "credentials", "cookie"],
]);

/** Dotted quad up to 255 anywhere, not preceded or followed by other digits. */
const DOTTED = /(?<!\d)(?=(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?!\d))/g;
/**
 * No legal payload contains a double colon; without one an address has eight groups, or six and an IPv4
 * address.
 */
const IPV6 = /::|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){6}\d{1,3}\./i;
/**
 * With colons or hyphens, in three dotted groups, or bare. Times and dates have only three groups of digits.
 */
const MAC =
  /(?:[0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}|(?<![0-9a-f])(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}(?![0-9a-f])|(?<![0-9a-z])[0-9a-f]{12}(?![0-9a-z])/i;
const EMAIL = /\S@\S/;

const PATTERNS: readonly { looksLike: string; found: (text: string) => boolean }[] = [
  { looksLike: "an IPv4 address", found: hasDotted },
  { looksLike: "an IPv6 address", found: (text) => IPV6.test(text) },
  { looksLike: "a MAC address", found: (text) => MAC.test(text) },
  { looksLike: "an e-mail address", found: (text) => EMAIL.test(text) },
];

/** `payload` is the object parsed from `text`; it locates the offending field. */
export function patternViolations(text: string, payload: JsonObject): Violation[] {
  const violations: Violation[] = [];
  for (const { looksLike, found } of PATTERNS) {
    if (!found(text)) continue;
    const reason = `contains something that looks like ${looksLike}`;
    violations.push(...inFields(payload, (value) => found(JSON.stringify(value)), reason));
  }
  if (keysWithin(payload).some(isForbidden)) {
    const reason = "a key has a forbidden name";
    violations.push(...inFields(payload, (value) => keysWithin(value).some(isForbidden), reason));
  }
  return violations;
}

/** One violation per matching field; one without a field if none matches by itself. */
function inFields(payload: JsonObject, shows: (value: unknown) => boolean, reason: string): Violation[] {
  const fields: (HeartbeatField | null)[] = Object.keys(payload).filter(isField)
    .filter((field) => shows(payload[field]));
  return (fields.length === 0 ? [null] : fields).map((field) => ({ guard: "patterns", field, reason }));
}

function isForbidden(key: string): boolean {
  return FORBIDDEN_KEYS.has(key.toLowerCase().replaceAll("-", "_"));
}

function hasDotted(text: string): boolean {
  return [...text.matchAll(DOTTED)].some(([, ...parts]) => parts.every((part) => Number(part) <= 255));
}
