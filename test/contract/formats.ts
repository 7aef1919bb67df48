import assert from "node:assert/strict";
import { canonicalIp } from "../../src/kit/ip.ts";

/** Sensors' own texts, which are shown as they came. */
const VERBATIM = new Set([
  ...["raw", "last_payload", "message", "summary", "explanation", "comment", "details"],
  "metadata",
]);
const TIMES = new Set(["at", "start", "end", "from", "to", "watermark", "first_seen", "last_seen"]);
const MILLIS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const COUNTERS = new Set(["bytes", "packets", "bytes_in", "bytes_out", "count", "revision", "port"]);

/**
 * Walks an answer, parsed with exact integers, and checks the common value formats of the interface by the names
 * of its members: times, addresses, counters, scores, confidences, identifiers.
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
  if (isTime(name, value)) assert.match(value as string, MILLIS, path);
  if (name === "ip") checkAddress(value, path);
  if (name === "addresses") { for (const address of value as unknown[]) checkAddress(address, path); }
  if (COUNTERS.has(name) || name.endsWith("_count")) {
    assert.ok(typeof value === "bigint" || Number.isInteger(value), `${path}: ${value} is no integer`);
    assert.ok((value as number) >= 0, `${path}: ${value} is negative`);
  }
  if (name === "score" || name.endsWith("_score")) checkRange(value, 100, path);
  if (name === "confidence") checkRange(value, 1, path);
  if (name.endsWith("_id") && name !== "vlan_id") assert.equal(typeof value, "string", path);
  if (name.endsWith("_ids") && name !== "vlan_ids") {
    for (const id of value as unknown[]) assert.equal(typeof id, "string", path);
  }
}

/** `from` and `to` of a history entry are values, not times. */
function isTime(name: string, value: unknown): boolean {
  if (name === "from" || name === "to") return typeof value === "string" && /^\d{4}-/.test(value);
  return TIMES.has(name) || name.endsWith("_at");
}

function checkAddress(value: unknown, path: string): void {
  assert.equal(typeof value, "string", path);
  assert.equal(canonicalIp(value as string), value, `${path}: ${value} is not canonical`);
}

function checkRange(value: unknown, max: number, path: string): void {
  assert.equal(typeof value, "number", path);
  assert.ok((value as number) >= 0 && (value as number) <= max, `${path}: ${value} is outside 0 to ${max}`);
}
