import assert from "node:assert/strict";
import fc from "fast-check";
import { Heartbeat } from "../../../contract/telemetry/heartbeat.ts";
import { Registration } from "../../../contract/telemetry/registration.ts";
import { heartbeatFacts } from "../../../../test/support/domain/heartbeat-fixtures.ts";
import { prepareRegistration } from "./registration.ts";

const PRO = { plan: "pro" as const, keyIdHash: "0123456789abcdef" };

Deno.test("a registration has exactly five of the heartbeat's fields, under the same rules", () => {
  const { text, violations } = prepareRegistration(heartbeatFacts());
  assert.deepEqual(violations, []);
  assert.deepEqual(JSON.parse(text), {
    schema_version: 1,
    install_id: "ins_0123456789abcdef0123456789abcdef",
    product_version: "0.1.0",
    plan: "free",
    license_key_id_hash: null,
  });
  for (const key of Registration.keyof().options) assert.equal(Registration.shape[key], Heartbeat.shape[key]);
  assert.equal(Registration.safeParse({ ...JSON.parse(text), hostname: "fw01" }).success, false);
});

Deno.test("the licence key is never sent in clear: only its identifier's hash, and only on the pro plan", () => {
  const hashOf = (license: { plan: "free" | "pro"; keyIdHash: string | null }) =>
    JSON.parse(prepareRegistration(heartbeatFacts({ license })).text).license_key_id_hash;
  assert.equal(hashOf(PRO), PRO.keyIdHash);
  assert.equal(hashOf({ ...PRO, plan: "free" }), null);
  const { violations } = prepareRegistration(
    heartbeatFacts({ license: { plan: "pro", keyIdHash: "ABCDE-FGHIJ" } }),
  );
  assert.deepEqual(violations.map(({ guard, field }) => [guard, field]), [["fields", "license_key_id_hash"]]);
});

Deno.test("a registration leaks nothing else, from any input", () => {
  const anything = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.emailAddress(), fc.domain());
  fc.assert(fc.property(anything, fc.constantFrom(0, 1, 2), (secret, place) => {
    const { text, violations } = prepareRegistration(heartbeatFacts(
      [
        { installId: secret },
        { productVersion: secret },
        { license: { plan: "pro" as const, keyIdHash: secret } },
      ][place]!,
    ));
    if (violations.length === 0) assert.ok(Registration.safeParse(JSON.parse(text)).success);
    else assert.ok(violations.every(({ reason }) => secret.length < 4 || !reason.includes(secret)));
    if (/[@:]|[a-z]\.[a-z]|(\d+\.){3}/i.test(secret)) assert.notEqual(violations.length, 0);
  }));
});
