import assert from "node:assert/strict";
import fc from "fast-check";
import { chooseLicense, evaluateRenewal, type LicenseReadings } from "./choice.ts";
import type { License, LicenseReading } from "./license.ts";
import {
  DAY,
  INSTALL_ID,
  license,
  NOW,
  OTHER_INSTALL_ID,
  reading,
} from "../../../../test/support/domain/license-fixtures.ts";

const BAD: LicenseReading = { license: null, fault: "is not a signed token" };
const FILE = reading();
/** Valid a year longer, and bound to this installation. */
const RENEWAL = reading({ installId: INSTALL_ID, issuedAt: NOW, expiresAt: NOW + 700 * DAY });

function chosen(readings: Partial<LicenseReadings>, installId: string | null = INSTALL_ID) {
  const { source, fault } = chooseLicense({ file: FILE, renewed: null, ...readings }, installId);
  return [source, fault];
}

Deno.test("without a licence file licensing is off, even if a renewal remains", () => {
  assert.deepEqual(chosen({ file: null }), [null, null]);
  assert.deepEqual(chosen({ file: null, renewed: RENEWAL }), [null, null]);
});

Deno.test("the better of file and renewal wins: the later expiry, then the later issue time", () => {
  assert.deepEqual(chosen({}), ["file", null]);
  assert.deepEqual(chosen({ renewed: RENEWAL }), ["renewed", null]);
  const { expiresAt, issuedAt } = FILE.license;
  const at = (own: Partial<License>) => reading({ installId: INSTALL_ID, ...own });
  assert.deepEqual(chosen({ renewed: at({ expiresAt: expiresAt - 1, issuedAt: NOW }) }), ["file", null]);
  assert.deepEqual(chosen({ renewed: at({ expiresAt, issuedAt }) }), ["file", null]);
  assert.deepEqual(chosen({ renewed: at({ expiresAt, issuedAt: issuedAt + 1 }) }), ["renewed", null]);
});

Deno.test("never a downgrade by a foreign token: a renewal of another key or installation is ignored", () => {
  for (const own of [{ installId: OTHER_INSTALL_ID }, { installId: null }, { keyId: "lic-0002" }]) {
    const foreign = reading({ ...RENEWAL.license, ...own });
    assert.deepEqual(chosen({ renewed: foreign }), ["file", null]);
  }
  assert.deepEqual(chosen({ renewed: RENEWAL }, null), ["file", null]);
  assert.deepEqual(chosen({ renewed: BAD }), ["file", null]);
});

Deno.test("a seat is bound to install_id: another installation's file is unusable here", () => {
  const bound = reading({ installId: OTHER_INSTALL_ID });
  assert.deepEqual(chosen({ file: bound }), [
    null,
    `is bound to the installation ${OTHER_INSTALL_ID}, but this one is ${INSTALL_ID}`,
  ]);
  const [, fault] = chosen({ file: bound }, null);
  assert.match(String(fault), /this installation has no identifier yet$/);
  assert.deepEqual(chosen({ file: reading({ installId: INSTALL_ID }) }), ["file", null]);
});

Deno.test("an unusable file is reported and does not remove a renewal", () => {
  assert.deepEqual(chosen({ file: BAD }), [null, BAD.fault]);
  assert.deepEqual(chosen({ file: BAD, renewed: RENEWAL }), ["renewed", BAD.fault]);
  assert.deepEqual(chosen({ file: BAD, renewed: reading({ installId: OTHER_INSTALL_ID }) }), [
    null,
    BAD.fault,
  ]);
});

Deno.test("a better renewal is kept; an equal or worse one is stale, a foreign one refused", () => {
  const present = chooseLicense({ file: FILE, renewed: null }, INSTALL_ID);
  const evaluate = (token: LicenseReading, installId: string | null = INSTALL_ID) => {
    const result = evaluateRenewal(token, present, installId);
    return result.verdict === "refused" ? result.fault : result.verdict;
  };
  const renewal = (own: Partial<License>) => reading({ ...RENEWAL.license, ...own });
  assert.equal(evaluate(RENEWAL), "good");
  assert.equal(evaluate(renewal({ expiresAt: FILE.license.expiresAt - DAY })), "stale");
  assert.equal(evaluate(renewal({ keyId: "lic-0002" })), "has a different licence key");
  assert.equal(evaluate(renewal({ installId: null })), "is not bound to an installation");
  assert.match(
    evaluate(renewal({ installId: OTHER_INSTALL_ID })),
    /^is bound to the installation ins_f+, but this one is/,
  );
  assert.match(evaluate(RENEWAL, null), /this installation has no identifier yet$/);
  assert.equal(evaluate(BAD), "is not a signed token");
  const off = evaluateRenewal(RENEWAL, chooseLicense({ file: null, renewed: null }, INSTALL_ID), INSTALL_ID);
  assert.deepEqual(off, { verdict: "refused", fault: "does not renew the installed licence" });
});

Deno.test("property: with a good file, the licence in effect has its key and never expires earlier", () => {
  const any = fc.record({
    keyId: fc.constantFrom("lic-0001", "lic-0002"),
    installId: fc.constantFrom(null, INSTALL_ID, OTHER_INSTALL_ID),
    issuedAt: fc.integer({ min: NOW - 400 * DAY, max: NOW }),
    expiresAt: fc.integer({ min: NOW - 100 * DAY, max: NOW + 900 * DAY }),
    seats: fc.integer({ min: 1, max: 9 }),
  });
  const token = fc.oneof(any.map((own) => reading(own)), fc.constant(BAD), fc.constant(null));
  fc.assert(fc.property(any, token, fc.array(token), (own, renewed, answers) => {
    const file: LicenseReading = { license: license({ ...own, installId: null }), fault: null };
    let readings: LicenseReadings = { file, renewed };
    let present = chooseLicense(readings, INSTALL_ID);
    for (const answer of [null, ...answers]) {
      if (answer !== null && evaluateRenewal(answer, present, INSTALL_ID).verdict === "good") {
        readings = { file, renewed: answer };
      }
      const next = chooseLicense(readings, INSTALL_ID);
      assert.ok(next.license!.expiresAt >= present.license!.expiresAt);
      assert.ok(next.license!.expiresAt >= file.license.expiresAt);
      assert.equal(next.license!.keyId, file.license.keyId);
      assert.ok([null, INSTALL_ID].includes(next.license!.installId));
      present = next;
    }
  }));
});
