import assert from "node:assert/strict";
import { canonicalIp } from "../../../src/kit/net/ip.ts";

/** Texts of sensors and people, shown as sent, whatever their members are called. */
const VERBATIM = new Set([
  ...["raw", "last_payload", "message", "summary", "explanation", "comment", "details"],
  "metadata",
  // Times of a filter may be relative.
  "filter",
]);
const TIMES = new Set([
  "at",
  "since",
  "start",
  "end",
  "until",
  "watermark",
  "first_seen",
  "last_seen",
  "not_before",
  "not_after",
]);
const MILLIS = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** Members with one address, and members with a list of addresses. */
const ADDRESSES = new Set(["ip", "address", "client_address"]);
const ADDRESS_LISTS = new Set(["addresses", "routers", "dns_servers"]);
const COUNTERS = new Set([
  ...["bytes", "packets", "bytes_in", "bytes_out", "request_bytes", "response_bytes"],
  ...["count", "revision", "port", "asn", "results", "incidents", "days", "needed_days", "observed_days"],
]);

/**
 * Checks an answer, parsed with exact integers, for the interface's common value formats by member name:
 * times, addresses, counters, scores, confidences, identifiers.
 */
export function checkFormats(value: unknown, path = "$"): void {
  assert.notEqual(value, undefined, `${path} is undefined`);
  if (Array.isArray(value)) {
    value.forEach((item, index) => checkFormats(item, `${path}[${index}]`));
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      checkMember(name, member, `${path}.${name}`);
      if (!VERBATIM.has(name)) checkFormats(member, `${path}.${name}`);
    }
  }
}

function checkMember(name: string, value: unknown, path: string): void {
  if (value === null) return;
  if (TIMES.has(name) || name.endsWith("_at")) checkTime(value, path);
  if (name === "hours" && Array.isArray(value)) { for (const hour of value) checkTime(hour, path); }
  if (ADDRESSES.has(name) || name.endsWith("_ip")) checkAddress(value, path);
  if (ADDRESS_LISTS.has(name)) { for (const address of value as unknown[]) checkAddress(address, path); }
  if (COUNTERS.has(name) || name.endsWith("_count") || name.endsWith("_last_5m")) checkCounter(value, path);
  if (name === "score" || name.endsWith("_score")) checkRange(value, 100, path);
  if (name === "window") {
    const { from, to } = value as { from: unknown; to: unknown };
    checkTime(from, `${path}.from`);
    checkTime(to, `${path}.to`);
  }
  if (name === "confidence") checkRange(value, 1, path);
  if (name === "id" || (name.endsWith("_id") && name !== "vlan_id")) checkIdentifier(value, path);
  if (name.endsWith("_ids") && name !== "vlan_ids") {
    for (const id of value as unknown[]) checkIdentifier(id, path);
  }
}

function checkTime(value: unknown, path: string): void {
  assert.equal(typeof value, "string", path);
  assert.match(value as string, MILLIS, path);
  const day = new Date(value as string);
  assert.equal(day.toISOString(), value, `${path}: ${value} is no day of the calendar`);
}

function checkAddress(value: unknown, path: string): void {
  assert.equal(typeof value, "string", path);
  assert.equal(canonicalIp(value as string), value, `${path}: ${value} is not canonical`);
}

/** An exact integer: a number above 2^53 has lost digits already. */
function checkCounter(value: unknown, path: string): void {
  assert.ok(
    typeof value === "bigint" || Number.isSafeInteger(value),
    `${path}: ${value} is no exact integer`,
  );
  assert.ok((value as number) >= 0, `${path}: ${value} is negative`);
}

function checkIdentifier(value: unknown, path: string): void {
  assert.equal(typeof value, "string", `${path}: ${value} is no text`);
}

function checkRange(value: unknown, max: number, path: string): void {
  assert.equal(typeof value, "number", path);
  assert.ok((value as number) >= 0 && (value as number) <= max, `${path}: ${value} is outside 0 to ${max}`);
}
