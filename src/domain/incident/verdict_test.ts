import assert from "node:assert/strict";
import { type DetectorResult, MAX_DESTINATIONS } from "../detect/kernel/result.ts";
import { result } from "../../../test/support/domain/incident-fixtures.ts";
import { coveringVerdict, STRONGER_BY, subjectsOf, type Verdict } from "./verdict.ts";

/** The verdicts stored when closing an incident that has only this result. */
function verdictsOf(one: DetectorResult, incidentId = "i1"): Verdict[] {
  const subjects = [...subjectsOf(one), ...subjectsOf({ ...one, destinations: [] })];
  return subjects.map((subject) => ({
    incidentId,
    modelId: one.modelId,
    deviceId: one.deviceId,
    subject,
    score: one.score,
  }));
}

const to = (ip: string | null, port: number | null = 443, name: string | null = null) => ({ ip, name, port });

Deno.test("verdict: covers the same detector, device and destination, up to a higher score", () => {
  const verdicts = verdictsOf(result(50));
  assert.equal(coveringVerdict(verdicts, result(50)), "i1");
  assert.equal(coveringVerdict(verdicts, result(20, { groupKey: "another" })), "i1");
  assert.equal(coveringVerdict(verdicts, result(50 + STRONGER_BY - 0.1)), "i1");
  assert.equal(coveringVerdict(verdicts, result(50 + STRONGER_BY)), null);
  assert.equal(coveringVerdict(verdicts, result(50, { modelId: "beacon-name" })), null);
  assert.equal(coveringVerdict(verdicts, result(50, { deviceId: "d2" })), null);
  assert.equal(coveringVerdict(verdicts, result(50, { deviceId: null })), null);
  assert.equal(coveringVerdict([], result(50)), null);
});

Deno.test("verdict: every destination must have been judged", () => {
  const verdicts = verdictsOf(result(50, { destinations: [to("198.51.100.9"), to("198.51.100.10")] }));
  const held = (...destinations: ReturnType<typeof to>[]) =>
    coveringVerdict(verdicts, result(50, { destinations })) !== null;
  assert.ok(held(to("198.51.100.10")));
  assert.ok(held(to("198.51.100.10"), to("198.51.100.9")));
  assert.equal(held(to("198.51.100.10"), to("203.0.113.1")), false);
  assert.equal(held(to("198.51.100.10", 22)), false);
  assert.equal(held(to("198.51.100.10", null)), false);
});

Deno.test("verdict: covers any port of a host if several were judged at once", () => {
  const verdicts = verdictsOf(result(50, { destinations: [to("198.51.100.9", null)] }));
  const held = (one: ReturnType<typeof to>) =>
    coveringVerdict(verdicts, result(50, { destinations: [one] })) !== null;
  assert.ok(held(to("198.51.100.9", null)));
  assert.ok(held(to("198.51.100.9", 443)));
  assert.equal(held(to("198.51.100.10", 443)), false);
  const nowhere = verdictsOf(result(50, { destinations: [to(null, null)] }));
  assert.equal(coveringVerdict(nowhere, result(50, { destinations: [to(null, 22)] })), null);
});

Deno.test("verdict: a name matches behind any address, but an address only with its name", () => {
  const verdicts = verdictsOf(
    result(50, { destinations: [to("198.51.100.9", 443, "Updates.Example.com.")] }),
  );
  const held = (one: ReturnType<typeof to>) =>
    coveringVerdict(verdicts, result(50, { destinations: [one] })) !== null;
  assert.ok(held(to("203.0.113.1", 443, "updates.example.com")));
  assert.ok(held(to(null, 443, "updates.example.com")));
  assert.equal(held(to("198.51.100.9", 443, "evil.example.com")), false);
  assert.equal(held(to("198.51.100.9")), false);
});

Deno.test("verdict: the group stands in for missing or truncated destinations", () => {
  const many = (first: number) =>
    Array.from({ length: MAX_DESTINATIONS }, (_, n) => to(`203.0.113.${first + n}`));
  const scan = { modelId: "scan", groupKey: "d1|22" };
  const verdicts = verdictsOf(result(50, { ...scan, destinations: many(0) }));
  assert.equal(coveringVerdict(verdicts, result(50, { ...scan, destinations: many(100) })), "i1");
  assert.equal(coveringVerdict(verdicts, result(50, { ...scan, destinations: [] })), "i1");
  assert.equal(
    coveringVerdict(verdicts, result(50, { ...scan, groupKey: "d1|445", destinations: [] })),
    null,
  );
  assert.equal(coveringVerdict(verdicts, result(50, { ...scan, destinations: [to("203.0.113.1")] })), null);
  const anonymous = { ...scan, deviceId: null, deviceIds: [] };
  assert.equal(coveringVerdict(verdictsOf(result(50, anonymous)), result(50, anonymous)), "i1");
});

Deno.test("verdict: the highest score wins", () => {
  const verdicts = [...verdictsOf(result(30), "weak"), ...verdictsOf(result(60), "strong")];
  assert.equal(coveringVerdict(verdicts, result(70)), "strong");
  assert.equal(coveringVerdict(verdicts, result(75)), null);
});
