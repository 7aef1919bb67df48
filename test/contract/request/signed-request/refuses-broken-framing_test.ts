import assert from "node:assert/strict";
import { type SignedClaims, signRequest } from "../../../../src/contract/request/signed-request.ts";
import { CLAIMS, KEY, refuses, REQUEST, resigned, signed, withHeader } from "./support.ts";

// A value with a line end could pass for two fields; such values are never signed or accepted.
Deno.test("signed request: a value that does not fit on one line is never signed", async () => {
  const bad: Partial<SignedClaims>[] = [
    { subject: "ada\nadmin" },
    { subject: "ada\r" },
    { subject: "" },
    { subject: " ada" },
    { subject: "ada " },
    { subject: "ad\u0085" },
    { subject: "ad\u2028ä" },
    { subject: "ad\ud800" },
    { subject: "a".repeat(256) },
    { tenantId: "main\nbranch" },
    { tenantId: "größe" },
    { tenantId: "" + "a".repeat(65) },
    { service: "ndr\nweb" },
    { nonce: "0123456789abcdef\n" },
    { expiresAt: CLAIMS.issuedAt },
    { expiresAt: CLAIMS.issuedAt + 60_000_001 },
  ];
  for (const change of bad) {
    await assert.rejects(
      () => signRequest(KEY, REQUEST, { ...CLAIMS, ...change }),
      TypeError,
      JSON.stringify(change),
    );
  }
  await assert.rejects(() => signRequest(KEY, { ...REQUEST, pathname: "/api\n/v1" }, CLAIMS), TypeError);
  await assert.rejects(() => signRequest(KEY, { ...REQUEST, pathname: "api/v1" }, CLAIMS), TypeError);
  await assert.rejects(() => signRequest(KEY, { ...REQUEST, method: "get" }, CLAIMS), TypeError);
});

refuses(
  "a subject with a trailing space, signed",
  () => resigned(withHeader(signed(), "subject", "ada\u00a0")),
);
refuses("an invalid tenant, signed", () => resigned(withHeader(signed(), "tenant", "main/branch")));
