import assert from "node:assert/strict";
import type { LicenseChoice } from "./choice.ts";
import { DAY, HOUR, license, NOW } from "../../../../test/support/domain/license-fixtures.ts";
import { licenseStanding, type StandingInput } from "./standing.ts";

const CHOICE: LicenseChoice = { license: license({ expiresAt: NOW }), source: "file", fault: null };

function standing(clock: number, own: Partial<StandingInput> = {}) {
  const known = { issuedAt: NOW - 30 * DAY, knownAt: NOW - 30 * DAY, leap: null };
  return licenseStanding({
    choice: CHOICE,
    known,
    clock,
    path: "/etc/ndr/license.jwt",
    renews: true,
    ...own,
  });
}

const message = (clock: number, own: Partial<StandingInput> = {}) => standing(clock, own).facts.message;

Deno.test("licence report: state, expiry, end of the grace period and seats, for health and metrics", () => {
  assert.deepEqual(standing(NOW - 31 * DAY, { known: null }).facts, {
    state: "valid",
    expiresAt: NOW,
    graceUntil: NOW + 72 * HOUR,
    seats: 5,
    message: null,
  });
  const off = standing(NOW, { choice: { license: null, source: null, fault: null }, known: null });
  assert.deepEqual(off.facts, {
    state: "off",
    expiresAt: null,
    graceUntil: null,
    seats: null,
    message: null,
  });
  assert.deepEqual(off.plan, { plan: "free", keyIdHash: null });
});

Deno.test("the notices say what happens when, and that neither data nor ingest is affected", () => {
  assert.equal(
    message(NOW - 10 * DAY),
    "the licence expires on 2026-01-31 07:15 UTC; the next heartbeat may renew it; otherwise install a new license.jwt",
  );
  assert.equal(
    message(NOW),
    "the licence expired on 2026-01-31 07:15 UTC; Pro modules become read-only on 2026-02-03 07:15 UTC; " +
      "the next heartbeat may renew it; otherwise install a new license.jwt",
  );
  assert.equal(
    message(NOW + 72 * HOUR),
    "the licence expired on 2026-01-31 07:15 UTC and the grace period ended on 2026-02-03 07:15 UTC; Pro modules are read-only; " +
      "ingest continues and no data is lost; the next heartbeat may renew it; otherwise install a new license.jwt",
  );
  assert.equal(
    message(NOW, { choice: { license: null, source: null, fault: "is not a signed token" }, known: null }),
    "/etc/ndr/license.jwt is not a signed token; Pro modules are read-only; ingest continues and no data is lost",
  );
});

Deno.test("switching telemetry off also ends automatic renewal: the notices say so", () => {
  for (const clock of [NOW - DAY, NOW, NOW + 72 * HOUR]) {
    assert.match(
      message(clock, { renews: false })!,
      /heartbeats are off, so it does not renew automatically/,
    );
  }
});

Deno.test("a clock set back is reported together with the evaluation time", () => {
  const known = { issuedAt: NOW - 30 * DAY, knownAt: NOW + DAY, leap: null };
  const { state, evaluatedAt, facts } = standing(NOW - 40 * DAY, { known });
  assert.deepEqual([state, evaluatedAt], ["grace", NOW + DAY]);
  assert.match(
    facts.message!,
    /the clock reads 2025-12-22 07:15 UTC, but it is at least 2026-02-01 07:15 UTC: the licence is evaluated at that time$/,
  );
  assert.doesNotMatch(message(NOW + DAY - 10_000_000, { known })!, /the clock reads/);
});

Deno.test("an unusable file is reported while its renewal is in effect", () => {
  const choice: LicenseChoice = {
    license: license(),
    source: "renewed",
    fault: "has an invalid signature",
  };
  const { state, facts } = standing(NOW, { choice });
  assert.deepEqual([state, facts.message], [
    "valid",
    "/etc/ndr/license.jwt has an invalid signature",
  ]);
});
