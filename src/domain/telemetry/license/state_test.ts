import assert from "node:assert/strict";
import { LICENSE_STATES, type LicenseState } from "../../../contract/health/metrics.ts";
import type { LicenseChoice } from "./choice.ts";
import { DAY, HOUR, license, NOW } from "../../../../test/support/domain/license-fixtures.ts";
import { GRACE, graceUntil, LICENSE_RULES, licenseState, planFacts } from "./state.ts";

const EXPIRES = NOW + 10 * DAY;
const LICENSED: LicenseChoice = { license: license({ expiresAt: EXPIRES }), source: "file", fault: null };
const RENEWED: LicenseChoice = {
  license: license({ expiresAt: EXPIRES + 365 * DAY }),
  source: "renewed",
  fault: null,
};
const OFF: LicenseChoice = { license: null, source: null, fault: null };
const UNUSABLE: LicenseChoice = { license: null, source: null, fault: "is not a signed token" };

Deno.test("licence states: `off` (licensing switched off), valid, `grace` (72-hour window), expired, invalid", () => {
  const cases: [string, LicenseChoice, number, LicenseState][] = [
    ["no file", OFF, NOW, "off"],
    ["an unusable file", UNUSABLE, NOW, "invalid"],
    ["immediately after issue", LICENSED, LICENSED.license!.issuedAt, "valid"],
    ["one microsecond before expiry", LICENSED, EXPIRES - 1, "valid"],
    ["the expiry", LICENSED, EXPIRES, "grace"],
    ["one microsecond before the grace period ends", LICENSED, EXPIRES + 72 * HOUR - 1, "grace"],
    ["72 hours later", LICENSED, EXPIRES + 72 * HOUR, "expired"],
    ["years later", LICENSED, EXPIRES + 4000 * DAY, "expired"],
    ["a renewal during the grace period", RENEWED, EXPIRES + HOUR, "valid"],
    ["a renewal after the grace period", RENEWED, EXPIRES + 100 * DAY, "valid"],
    ["and the expiry of that renewal", RENEWED, EXPIRES + 366 * DAY, "grace"],
    ["a corrected clock", LICENSED, NOW, "valid"],
    ["the file was removed", OFF, EXPIRES + 72 * HOUR, "off"],
  ];
  for (const [name, choice, at, state] of cases) assert.equal(licenseState(choice, at), state, name);
  assert.deepEqual([...new Set(cases.map(([, , , state]) => state))].sort(), [...LICENSE_STATES].sort());
});

Deno.test("licence grace window: 72 hours", () => {
  assert.equal(GRACE, 72 * HOUR);
  assert.equal(graceUntil(LICENSED.license!), EXPIRES + 72 * HOUR);
});

Deno.test("Pro modules become read-only after the grace period, not before; on the free plan there are none", () => {
  const modules = Object.fromEntries(LICENSE_STATES.map((state) => [state, LICENSE_RULES[state].proModules]));
  assert.deepEqual(modules, {
    off: "none",
    valid: "read_write",
    grace: "read_write",
    expired: "read_only",
    invalid: "read_only",
  });
});

Deno.test("license_key_id_hash: first 16 hex characters of a SHA-256 over the key identifier; pro only", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("lic-0001"));
  const keyIdHash = new Uint8Array(digest).toHex().slice(0, 16);
  for (const state of LICENSE_STATES) {
    const choice: LicenseChoice = state === "off" ? OFF : state === "invalid" ? UNUSABLE : LICENSED;
    const pro = ["valid", "grace", "expired"].includes(state);
    // An expired licence is still reported, because the server can renew it.
    const expected = pro ? { plan: "pro", keyIdHash } : { plan: "free", keyIdHash: null };
    assert.deepEqual(planFacts(choice, state), expected, state);
  }
});
