import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import {
  canonicalQuery,
  signRequest,
  verifyRequest,
} from "../../../../src/contract/request/signed-request.ts";
import { parseTimestamp } from "../../../../src/kit/time.ts";
import vectors from "./vectors.json" with { type: "json" };

for (const vector of vectors) {
  Deno.test(`signed request vector: ${vector.name}`, async () => {
    const request = { ...vector.request, body: new TextEncoder().encode(vector.request.body) };
    const claims = {
      service: vector.headers["X-NDR-Service"],
      tenantId: vector.headers["X-NDR-Tenant"] || null,
      subject: vector.payload[6]!,
      roles: (vector.headers["X-NDR-Roles"] || null)?.split(",") as never ?? [],
      issuedAt: parseTimestamp(vector.headers["X-NDR-Issued-At"])!.micros,
      expiresAt: parseTimestamp(vector.headers["X-NDR-Expires-At"])!.micros,
      nonce: vector.headers["X-NDR-Nonce"],
    };
    // The payload as the vector spells it out, signed without our code.
    const expected = createHmac("sha256", vector.key).update(vector.payload.join("\n")).digest("hex");
    assert.equal(vector.headers["X-NDR-Signature"], expected);
    assert.deepEqual(await signRequest(vector.key, request, claims), vector.headers);
    assert.deepEqual(
      await verifyRequest(
        vector.key,
        request,
        (name) => (vector.headers as Record<string, string>)[name],
        claims.issuedAt,
      ),
      claims,
    );
  });
}

Deno.test("canonical query: sorted by encoded name and value, repeats kept, strict RFC 3986", () => {
  assert.equal(canonicalQuery(""), "");
  assert.equal(canonicalQuery("?"), "");
  assert.equal(canonicalQuery("?b=2&a=1"), "a=1&b=2");
  assert.equal(canonicalQuery("b=2&a=1&a=0&a=1"), "a=0&a=1&a=1&b=2");
  assert.equal(canonicalQuery("?q=a+b%20c"), "q=a%20b%20c");
  assert.equal(canonicalQuery("?q=!'()*~-._"), "q=%21%27%28%29%2A~-._");
  assert.equal(canonicalQuery("?a&b="), "a=&b=");
  assert.equal(canonicalQuery("?n=%c3%a4"), "n=%C3%A4");
  // Sorted by the encoded form: `%` precedes letters.
  assert.equal(canonicalQuery("?az=1&a%C3%A4=1"), "a%C3%A4=1&az=1");
  assert.equal(canonicalQuery("?a%3Db=1&a=b%3D1"), "a=b%3D1&a%3Db=1");
});

Deno.test("canonical query: the order of pairs never matters, their content always does", () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), {
    maxLength: 6,
  });
  fc.assert(fc.property(pairs, pairs, (some, others) => {
    const text = (list: [string, string][]) => canonicalQuery(new URLSearchParams(list).toString());
    const sortedPairs = (list: [string, string][]) => list.map((pair) => JSON.stringify(pair)).sort().join();
    assert.equal(text(some), text([...some].reverse()));
    assert.equal(text(some), canonicalQuery(text(some)));
    assert.equal(text(some) === text(others), sortedPairs(some) === sortedPairs(others));
  }));
});
